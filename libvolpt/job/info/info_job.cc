#include "libvolpt/job/info/info_job.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/job/info/volume_contents.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_state.h"
#include "libvolpt/sys/files/overwriting.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/volume_report.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

bool starts_like(MappedFile const& file, FileKind const& kind)
{
    return file.bytes().size() >= kind.magic.size() &&
           std::memcmp(file.bytes().data(), kind.magic.data(), kind.magic.size()) == 0;
}

/// Tiles with the same samples are one entry, in the order of their first tile: a finished film has one.
Json list_sample_ranges(Film const& film)
{
    std::vector<std::pair<SampleRanges, std::size_t>> groups;
    for (SampleRanges const& ranges : film.tile_ranges) {
        auto const same =
            std::find_if(groups.begin(), groups.end(), [&](auto const& group) { return group.first == ranges; });
        if (same == groups.end()) {
            groups.emplace_back(ranges, 1);
        } else {
            ++same->second;
        }
    }
    Json list = Json::array();
    for (auto const& [ranges, tiles] : groups) list.push_back({{"samples", describe_ranges(ranges)}, {"tiles", tiles}});
    return list;
}

Json describe_film(std::filesystem::path const& path, VerifyLevel level, int threads)
{
    Film const film = read_film(path, level);
    Json report = report_film(film);
    report["half_sums"] = film.keeps_half;
    if (shows_material_colour(film.scene())) report.update(report_colour(film, Illuminant::d65, threads));
    report["sample_ranges"] = list_sample_ranges(film);
    report["size_bytes"] = find_file_bytes(path);
    report["scene"] = Json::object();
    for (auto const& [field, value] : describe_scene(film.scene())) report["scene"][field] = value;
    report["provenance"] = Json::parse(to_json(film.provenance));
    return report;
}

Json describe_volume(std::filesystem::path const& path, VerifyLevel level)
{
    PackedVolume const volume = PackedVolume::open(path, level);
    if (level == VerifyLevel::full) check_volume_scene(volume, path.string());
    return report_volume(volume);
}

Json describe_file(std::filesystem::path const& path, VerifyLevel level, int threads)
{
    MappedFile const file(path);
    bool const is_volume = starts_like(file, kVolumeFile);
    if (!is_volume && !starts_like(file, kFilmFile)) {
        fail_input(file.bytes().empty()
                       ? "the file is empty"
                       : fmt::format("this is neither a {} nor a {}", kVolumeFile.name, kFilmFile.name),
                   path.string() + ": offset 0", {},
                   "volprep makes volumes from other formats, volrender makes films from volumes");
    }
    Json report{{"kind", is_volume ? "volume" : "film"},
                {"file", path.string()},
                {"verified", level == VerifyLevel::full ? "full" : "quick"}};
    report.update(is_volume ? describe_volume(path, level) : describe_film(path, level, threads));
    return report;
}

/// Error (usage) for a plot that no format has, or an output that is read.
void check_outputs(InfoRequest const& request)
{
    auto const& plot = request.coverage ? request.coverage->plot : std::nullopt;
    if (plot && plot->extension() != ".svg" && !is_display_image(*plot))
        fail_usage(fmt::format("--coverage: '{}' is none of .svg, .png and .jpg", plot->string()),
                   "write --coverage inks.svg, or --coverage none for the figures alone");
    std::vector<std::filesystem::path> inputs{request.file}, outputs;
    inputs.insert(inputs.end(), request.kept.begin(), request.kept.end());
    if (request.slice) outputs.push_back(request.slice->output);
    if (plot) outputs.push_back(*plot);
    refuse_overwriting(inputs, outputs);
}

void write_drawing(std::filesystem::path const& path, Drawing const& drawing)
{
    if (is_display_image(path)) return write_image(path, drawing.to_image());
    std::string const svg = drawing.to_svg();
    write_file_atomically(path, std::as_bytes(std::span(svg)));
}

void write_slice(PackedVolume const& volume, SliceRequest const& slice)
{
    Image layer = draw_layer(volume, slice.layer, LayerLook::shown);
    auto const& pitch_mm = volume.meta().pitch_mm;
    if (slice.aspect == PixelAspect::pitch) layer = repeat_to_squares(layer, {pitch_mm[0], pitch_mm[1]});
    volume.check_unchanged();
    write_image(slice.output, layer);
}

/// Adds what is counted and draws what is drawn of the voxels.
void tell_contents(InfoRequest const& request, Json& report)
{
    PackedVolume const volume = PackedVolume::open(request.file, request.verify);
    // At `full`, opening has checked them.
    if (request.verify == VerifyLevel::quick) volume.verify_contents();
    if (request.histogram == Histogram::counted) report["histogram"] = count_values(volume);
    if (request.coverage) {
        report["coverage"] = report_coverage(volume);
        volume.check_unchanged();
        if (auto const& plot = request.coverage->plot) write_drawing(*plot, draw_coverage(volume));
    }
    if (request.slice) write_slice(volume, *request.slice);
    volume.check_unchanged();
}

} // namespace

nlohmann::ordered_json info(InfoRequest const& request)
{
    check_outputs(request);
    Json report = describe_file(request.file, request.verify, request.threads);
    if (!request.slice && request.histogram == Histogram::left_out && !request.coverage) return report;
    if (report["kind"] != "volume")
        fail_usage("a film has no slices", "--slice, --histogram and --coverage need a .vpk");
    tell_contents(request, report);
    return report;
}

} // namespace volpt
