#include "tools/volprep/report.h"

#include "libvolpt/sys/text/one_line.h"
#include "libvolpt/volume/clearance/clearance.h"
#include "libvolpt/volume/emitters/emitter_text.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/volume_report.h"
#include "libvolpt/volume/volume_words.h"
#include "tools/volprep/print/print_verdict.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

bool has_step(VolumeMeta const& meta)
{
    return meta.density_encoding == Encoding::u8 || meta.density_encoding == Encoding::u16;
}

/// A single value if all bands have the same.
std::vector<float> without_repeats(std::vector<float> values)
{
    if (std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) == values.end()) values.resize(1);
    return values;
}

/// The double that prints as the float does: 3.2, not 3.2000000476837158.
double to_short_double(float value)
{
    return std::stod(fmt::format("{}", value));
}

std::string describe_density(PackReport const& report)
{
    VolumeMeta const& meta = report.meta;
    if (meta.extinction == Source::constant) {
        std::vector<float> sigma_t;
        for (float const value : meta.constant_extinction) sigma_t.push_back(value * meta.scale);
        return fmt::format("constant, sigma_t {:.6g}/mm", fmt::join(without_repeats(sigma_t), ", "));
    }
    if (meta.extinction == Source::material) return fmt::format("by material, scale {:g}", meta.scale);
    std::string const step = has_step(meta) ? fmt::format(" in steps of {:g}", meta.density_value_scale) : "";
    return fmt::format("{}{}, largest error {:.3g}, sigma_t {:g}/mm at density 1", to_word(meta.density_encoding), step,
                       report.statistics.density_error_max, meta.scale);
}

std::string describe_albedo(PackReport const& report)
{
    VolumeMeta const& meta = report.meta;
    if (meta.albedo == Source::material) return "by material";
    if (meta.albedo == Source::plane)
        return fmt::format("1 - albedo in {}, largest error {:.3g} of it", to_word(meta.albedo_encoding),
                           report.statistics.albedo_error_max);
    std::vector<float> albedo;
    for (float const value : meta.constant_one_minus_albedo)
        albedo.push_back(static_cast<float>(1 - static_cast<double>(value)));
    return fmt::format("constant, {:.6g}", fmt::join(without_repeats(albedo), ", "));
}

std::string describe_size(std::uint64_t bytes)
{
    auto const size = static_cast<double>(bytes);
    if (bytes < 1'000'000) return fmt::format("{:.1f} kB", size / 1e3);
    if (bytes < 1'000'000'000) return fmt::format("{:.1f} MB", size / 1e6);
    return fmt::format("{:.2f} GB", size / 1e9);
}

double constant_share(PackStatistics const& statistics)
{
    return statistics.bricks == 0
               ? 0
               : static_cast<double>(statistics.constant_bricks) / static_cast<double>(statistics.bricks);
}

std::string describe_clearance(PackReport const& report)
{
    bool const has_surface = !report.surface.is_empty();
    std::vector<double> shares = report.statistics.clearance_shares;
    if (has_surface)
        shares =
            measure_mesh_clearance_shares(report.surface.clearance_mm, get_voxel_grid(report.meta), kClearanceSteps_mm);
    std::vector<double> percents;
    for (double const share : shares) percents.push_back(100 * share);
    return fmt::format("{:.1f} % of the voxels are at least {:g} mm from {}", fmt::join(percents, "/"),
                       fmt::join(kClearanceSteps_mm, "/"), has_surface ? "the surface" : "any different voxel");
}

std::string describe_surface(SurfaceMeshView const& mesh, VolumeMeta const& meta)
{
    if (mesh.is_empty()) return {};
    std::string solids =
        mesh.solids.empty() ? "" : fmt::format(", {} solids with boundaries of their own", mesh.solids.size());
    if (!mesh.nesting.empty()) solids += fmt::format(", {} of them in others", count_solids_in_others(mesh));
    std::string const support =
        mesh.supported_triangles == 0
            ? ""
            : fmt::format(
                  "             {} triangles, {:.6g} mm2, are under support\n", mesh.supported_triangles,
                  measure_area_mm2(mesh.vertices_voxels, mesh.triangles.last(mesh.supported_triangles), meta.pitch_mm));
    return fmt::format("  surface    {} triangles, {} vertices, volume {:.6g} mm3, area {:.6g} mm2, {:.0f} bytes per "
                       "triangle{}\n{}",
                       mesh.triangles.size(), mesh.vertices_voxels.size(), mesh.volume_mm3, mesh.area_mm2,
                       static_cast<double>(mesh.size_bytes()) / static_cast<double>(mesh.triangles.size()), solids,
                       support);
}

std::string describe_surroundings(SurroundingShapes const& shapes)
{
    if (shapes.is_empty()) return {};
    return fmt::format("  around     {} triangles, {} spheres, {} BSDFs\n", shapes.mesh_mm.triangles.size(),
                       shapes.spheres.size(), shapes.bsdfs.size());
}

std::string describe_emitters(std::vector<Emitter> const& emitters)
{
    constexpr std::size_t kMostLines = 8;
    std::string lines;
    for (std::size_t i = 0; i < std::min(emitters.size(), kMostLines); ++i)
        lines += fmt::format("  {:<10} {}\n", i == 0 ? "emitters" : "", describe_emitter(emitters[i]));
    if (emitters.size() > kMostLines) lines += fmt::format("             and {} more\n", emitters.size() - kMostLines);
    return lines;
}

std::string describe_verdict(nlohmann::json const& figures)
{
    std::string verdict;
    for (std::string const& sentence : describe_separation(figures))
        verdict += fmt::format("  {:<10} {}\n", verdict.empty() ? "verdict" : "", sentence);
    return verdict;
}

void add_figures(nlohmann::ordered_json& json, std::string const& figures_json)
{
    json.update(nlohmann::ordered_json::parse(figures_json));
    if (json.contains("separation")) json["verdict"] = describe_separation(nlohmann::json::parse(figures_json));
}

std::string dump_report(nlohmann::ordered_json const& json)
{
    return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

} // namespace

std::string format_text(PackReport const& report)
{
    auto const figures = nlohmann::json::parse(report.figures_json);
    std::string const air =
        figures.contains("air")
            ? fmt::format("  air        {} voxels, {:.1f} %, without extinction{}\n",
                          figures["air"]["voxels"].get<std::uint64_t>(), 100 * figures["air"]["share"].get<double>(),
                          report.surface.is_empty() ? " or a surface of their own" : "")
            : std::string();
    std::string const job =
        report.job_path ? fmt::format("  job        {}\n", to_one_line(report.job_path->string())) : std::string();
    PackStatistics const& statistics = report.statistics;
    std::string const emission = report.meta.has_emission ? "  emission   radiance by voxel and band, f32\n" : "";
    std::string const values = report.source_values
                                   ? fmt::format("  values     {}; {}\n", describe_map(*report.source_values),
                                                 describe_store(*report.source_values))
                                   : "";
    std::string const around = describe_surroundings(report.surroundings) + describe_emitters(report.emitters);
    return fmt::format("{}: {} voxels of {:g} mm, {} band{}\n"
                       "  density    {}\n"
                       "  albedo     {}\n"
                       "{}"
                       "{}"
                       "{}"
                       "  bricks     {} of 8x8x8 voxels, {:.1f} % constant\n"
                       "  majorants  local / global {:.3f} on average, mean density / global {:.3f}\n"
                       "  clearance  {}\n"
                       "  file       {}, written in {:.2f} s\n"
                       "{}{}",
                       to_one_line(report.output_path.string()), fmt::join(report.meta.dims, "x"),
                       fmt::join(report.meta.pitch_mm, "x"), report.meta.bands(), report.meta.bands() == 1 ? "" : "s",
                       describe_density(report), describe_albedo(report), values + emission + air,
                       describe_surface(report.surface, report.meta), around, statistics.bricks,
                       100 * constant_share(statistics), statistics.mean_majorant_ratio,
                       statistics.mean_extinction_ratio, describe_clearance(report), describe_size(report.size_bytes),
                       report.elapsed_s, job, describe_verdict(figures));
}

std::string format_json(PackReport const& report)
{
    VolumeMeta const& meta = report.meta;
    PackStatistics const& statistics = report.statistics;
    nlohmann::ordered_json json;
    json["output"] = report.output_path.string();
    json["dims"] = meta.dims;
    json["pitch_mm"] = {to_short_double(meta.pitch_mm[0]), to_short_double(meta.pitch_mm[1]),
                        to_short_double(meta.pitch_mm[2])};
    json["bands"] = meta.bands();
    json["band_numbers"] = meta.band_numbers;
    json["scale_per_mm"] = to_short_double(meta.scale);
    json["density"] = meta.extinction == Source::plane ? to_word(meta.density_encoding) : to_word(meta.extinction);
    if (meta.extinction == Source::plane && has_step(meta))
        json["density_step"] = to_short_double(meta.density_value_scale);
    json["albedo"] = meta.albedo == Source::plane ? to_word(meta.albedo_encoding) : to_word(meta.albedo);
    if (report.source_values) json["source_values"] = report_source_values(*report.source_values);
    if (meta.has_emission) json["emission"] = to_word(Encoding::f32);
    if (!report.surface.is_empty()) json["surface"] = report_surface(report.surface, meta);
    if (!report.surroundings.is_empty()) json["surroundings"] = report_surroundings(report.surroundings);
    if (!report.emitters.empty()) json["emitters"] = report_emitters(report.emitters);
    json["bricks"] = statistics.bricks;
    json["constant_bricks"] = statistics.constant_bricks;
    json["constant_brick_share"] = constant_share(statistics);
    json["quantisation_error_max"] = statistics.density_error_max;
    json["albedo_error_max"] = statistics.albedo_error_max;
    json["mean_majorant_ratio"] = statistics.mean_majorant_ratio;
    json["mean_extinction_ratio"] = statistics.mean_extinction_ratio;
    json["clearance_share"] = report_clearance(report.statistics.clearance_shares);
    json["size_bytes"] = report.size_bytes;
    json["seconds"] = report.elapsed_s;
    if (report.job_path) json["job"] = report.job_path->string();
    add_figures(json, report.figures_json);
    if (!report.facts.empty()) json["facts"] = report.facts;
    json["notices"] = report.notices;
    return dump_report(json);
}

std::string format_text(JobReport const& report)
{
    return fmt::format("{}: {} voxels, printed and written in {:.2f} s\n{}", to_one_line(report.output_path.string()),
                       fmt::join(report.exported.dims, "x"), report.elapsed_s,
                       describe_verdict(nlohmann::json::parse(report.figures_json)));
}

std::string format_json(JobReport const& report)
{
    nlohmann::ordered_json json{
        {"output", report.output_path.string()}, {"dims", report.exported.dims}, {"seconds", report.elapsed_s}};
    add_figures(json, report.figures_json);
    json["notices"] = report.notices;
    return dump_report(json);
}

} // namespace volpt
