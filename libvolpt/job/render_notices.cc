#include "libvolpt/job/render_notices.h"

#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/film/film_stats.h"
#include "libvolpt/job/render_run.h"
#include "libvolpt/scene/light/light_checks.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {

void report_ceiling(RenderOutcome const& outcome, std::optional<double> stop_at_de, NoticeSink const& notice)
{
    if (outcome.report.end != RenderEnd::finished || !outcome.last_noise) return;
    NoiseEstimate const& noise = *outcome.last_noise;
    if (noise.de2000_p95 <= *stop_at_de) return;
    notice(fmt::format(
        "the render ended at its limit of {} samples with a noise of {}{:.3g} Delta E 2000 (95th percentile); raise "
        "the limit with --spp",
        noise.samples, noise.is_bound ? "at most " : "", noise.de2000_p95));
}

void report_charts(ChartReport const& charts, NoticeSink const& notice)
{
    auto const describe_part = [](std::uint64_t part, std::uint64_t whole) {
        double const percent = 100 * static_cast<double>(part) / static_cast<double>(std::max<std::uint64_t>(whole, 1));
        return fmt::format("{} of {} ({:.3g} %)", part, whole, percent);
    };
    if (charts.covered_texels < charts.texels)
        notice(fmt::format("no triangle lies over the centres of {} texels; what is not covered is 0 in pictures, and "
                           "told by the coverage of the film and the layer 'coverage.share' of .exr",
                           describe_part(charts.texels - charts.covered_texels, charts.texels)));
    if (charts.triangles_outside > 0)
        notice(fmt::format("{} triangles lie outside of 0 to 1 in texture space and are not measured",
                           charts.triangles_outside));
    if (charts.overlapped_texels > 0)
        notice(fmt::format("charts overlap: the centres of {} covered texels lie in several triangles ({} in all), "
                           "first at texel {},{}; there the triangle with the lowest number is measured",
                           describe_part(charts.overlapped_texels, charts.covered_texels), charts.overlapping_triangles,
                           charts.first_overlap[0], charts.first_overlap[1]));
}

void report_lost_light(Scene const& scene, NoticeSink const& notice)
{
    BoundarySpec const& boundary = scene.boundary;
    if (scene.camera.kind != CameraKind::probe || boundary.kind != BoundaryKind::rough) return;
    if (boundary.microfacets == Microfacets::multiple) return;
    notice(fmt::format("--microfacets single loses the light that would meet a second facet: at alpha {:.3g} colours "
                       "are too dark (docs/printing.md has figures); give --microfacets multiple for accurate colours",
                       boundary.alpha));
}

void report_missing_caustics(Scene const& scene, PackedVolume const& volume, NoticeSink const& notice)
{
    if (!misses_caustics(scene, volume.surroundings())) return;
    if (scene.integrator == Integrator::path)
        notice(
            "paths from the film do not find light of a point, spot, beam or parallel sun that mirrors or clear glass "
            "send on (caustics): it is missing; --integrator bdpt or light renders it, or give the emitter an extent");
    else
        notice(
            "bidirectional paths do not find light of a point, spot, beam or parallel sun that mirrors or clear glass "
            "send on, and that is seen by way of one, too: it is missing; give the emitter an extent");
}

void report_dim_light(Film const& film, NoticeSink const& notice)
{
    constexpr double kManyValues = 0.1;
    double const share = summarize_film(film).dim_share;
    if (share <= kManyValues) return;
    notice(
        fmt::format("{:.0f} % of the film's values are below {:.2g}, {} of its units, since the brightest light is up "
                    "to {:.2g}: their means are right, but rounding adds to their noise (and to the standard error); "
                    "to see more, lower the brightest light",
                    100 * share, std::ldexp(static_cast<double>(kDimUnits), -film.sum_log2()), kDimUnits,
                    std::ldexp(1.0, find_sample_log2(film.scene()) - film.sum_log2())));
}

void report_cut_paths(Film const& film, NoticeSink const& notice)
{
    FilmStatistics const& statistics = film.statistics;
    if (statistics.cut_paths == 0) return;
    double const share =
        static_cast<double>(statistics.cut_throughput) * 0x1p-24 / static_cast<double>(statistics.paths);
    notice(fmt::format(
        "the depth limit cut {} of {} paths, which carried {:.3g} of the total throughput: the image's mean is too low "
        "by at most {:.3g} times the brightest light",
        statistics.cut_paths, statistics.paths, share, share));
}

} // namespace volpt
