// What volrender answers: the kernels of this machine, the film and its rates, what a depth limit cost.
#pragma once

#include "tools/options/tool.h"
#include "tools/volrender/run.h"

namespace volpt {

ExitStatus list_kernels(AnswerForm form);
ExitStatus list_devices(AnswerForm form);

/// The film's own figures, with paths, extensions, tentative collisions, long steps, times and rates of this call
/// alone; those of report_colour for films that show a material's colour and for --stop-at-de.
void print_answer(Film const& film, RenderOutcome const& outcome, RenderGroups const& groups, AnswerForm form);

/// That the ceiling of --stop-at-de was reached before the noise was small enough, if so.
void report_ceiling(RenderOutcome const& outcome, RenderGroups const& groups, NoticeSink const& notice);

/// That a rough boundary darkens what a probe measures, if it does: its facets scatter light once.
void report_lost_light(Scene const& scene, NoticeSink const& notice);

/// What the depth limit threw away, and how much brighter the picture could be without it.
void report_cut_paths(Film const& film, NoticeSink const& notice);

} // namespace volpt
