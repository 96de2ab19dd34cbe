// What volrender answers: the kernels of this machine, the film and its rates, what a depth limit cost.
#pragma once

#include "libvolpt/drive/render_film.h"
#include "tools/options/tool.h"

namespace volpt {

ExitStatus list_kernels(AnswerForm form);

/// The film's own figures, with paths, extensions, tentative collisions and rates of this call alone.
void print_answer(Film const& film, RenderReport const& report, AnswerForm form);

/// What the depth limit threw away, and how much brighter the picture could be without it.
void report_cut_paths(Film const& film, NoticeSink const& notice);

} // namespace volpt
