// What a render leaves out or shows badly, as notices.
#pragma once

#include "libvolpt/film/film.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/progress.h"

#include <optional>

namespace volpt {

struct RenderOutcome;

/// A notice if a render to `stop_at_de` reached its limit of samples before the noise was small enough.
void report_ceiling(RenderOutcome const& outcome, std::optional<double> stop_at_de, NoticeSink const& notice);

/// Notices of what the charts of a probed texture leave open or cover twice.
void report_charts(ChartReport const& charts, NoticeSink const& notice);

/// A notice if a probe has a rough boundary of single scattering between facets, which darkens what it measures.
void report_lost_light(Scene const& scene, NoticeSink const& notice);

/// A notice if the integrator leaves out caustics.
void report_missing_caustics(Scene const& scene, PackedVolume const& volume, NoticeSink const& notice);

/// A notice if the brightest light leaves the film too coarse for many of its values.
void report_dim_light(Film const& film, NoticeSink const& notice);

/// A notice of the energy that the depth limit removed.
void report_cut_paths(Film const& film, NoticeSink const& notice);

} // namespace volpt
