// The answers and notices of volrender.
#pragma once

#include "tools/options/tool.h"
#include "tools/volrender/run.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

ExitStatus list_kernels(AnswerForm form);
ExitStatus list_devices(AnswerForm form);

/// What particles have left, each null if there is none.
struct ParticleAnswer {
    TallySums const* tally = nullptr;
    DetectorReport const* detectors = nullptr;
};

/// The film's figures, with paths, extensions, tentative collisions, long steps, times and rates of this render alone;
/// those of report_colour for films that show a material's colour and with --stop-at-de; those of `particles`.
/// Detectors and workers in JSON alone.
nlohmann::ordered_json report_answer(Film const& film, RenderOutcome const& outcome, ParticleAnswer const& particles,
                                     VolrenderOptions const& options, CommonOptions const& common);

/// One JSON object, or a line for each key; on a terminal, without --verbose, six lines on `outputs`, size, samples,
/// mean, noise and time.
void print_answer(nlohmann::ordered_json const& answer, std::vector<std::filesystem::path> const& outputs,
                  CommonOptions const& common);

/// A notice if --stop-at-de reached its limit of samples before the noise was small enough.
void report_ceiling(RenderOutcome const& outcome, VolrenderOptions const& options, NoticeSink const& notice);

/// Notices of what the charts of a probed texture leave open or cover twice.
void report_charts(ChartReport const& charts, NoticeSink const& notice);

/// A notice if a probe has a rough boundary of --microfacets single, which darkens what it measures.
void report_lost_light(Scene const& scene, NoticeSink const& notice);

/// A notice if the integrator leaves out caustics.
void report_missing_caustics(Scene const& scene, PackedVolume const& volume, NoticeSink const& notice);

/// A notice if the brightest light leaves the film too coarse for many of its values.
void report_dim_light(Film const& film, NoticeSink const& notice);

/// A notice of the energy that the depth limit removed.
void report_cut_paths(Film const& film, NoticeSink const& notice);

} // namespace volpt
