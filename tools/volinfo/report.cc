#include "tools/volinfo/report.h"

#include "libvolpt/film/film_colour.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_state.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/text/one_line.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/volume_report.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

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

void append_lines(std::string& text, std::string const& name, Json const& value)
{
    bool const is_list_of_objects = value.is_array() && !value.empty() && value.front().is_object();
    if (value.is_object() || is_list_of_objects) {
        for (auto const& [key, member] : value.items()) {
            append_lines(text, name.empty() ? key : fmt::format("{}.{}", name, key), member);
        }
    } else {
        std::string const line =
            fmt::format("{}: {}", name, value.is_string() ? value.get<std::string>() : format_json(value));
        text += to_one_line(line) + "\n";
    }
}

constexpr std::size_t kBins = 32;

std::size_t count_layer_voxels(VolumeMeta const& meta)
{
    return static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
}

Json count_materials(PackedVolume const& volume)
{
    auto const counts = count_labels(volume.view());
    Json by_name = Json::object();
    for (std::size_t i = 0; i < volume.materials().size(); ++i) by_name[volume.materials()[i].name] = counts[i];
    return {{"quantity", "material"}, {"counts", by_name}};
}

Json count_densities(PackedVolume const& volume)
{
    VolumeMeta const& meta = volume.meta();
    VolumeView const view = volume.view();
    // The majorant is the largest density, rounded up.
    double const width = static_cast<double>(view.global_majorant[0]) / kBins;
    std::vector<std::uint64_t> counts(kBins);
    std::vector<float> layer(count_layer_voxels(meta));
    float low = std::numeric_limits<float>::max();
    float high = 0;
    double sum = 0;
    for (int z = 0; z < meta.dims[2]; ++z) {
        read_plane_layer(view, view.density, z, layer);
        for (float const value : layer) {
            low = std::min(low, value);
            high = std::max(high, value);
            sum += static_cast<double>(value);
            auto const bin = width > 0 ? static_cast<std::size_t>(static_cast<double>(value) / width) : 0;
            ++counts[std::min(bin, kBins - 1)];
        }
    }
    double const voxels = static_cast<double>(layer.size()) * meta.dims[2];
    return {{"quantity", "density"}, {"min", low},         {"max", high},
            {"mean", sum / voxels},  {"bin_width", width}, {"counts", counts}};
}

} // namespace

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

Json count_values(PackedVolume const& volume)
{
    if (needs_labels(volume.meta())) return count_materials(volume);
    if (volume.meta().extinction == Source::plane) return count_densities(volume);
    return {{"quantity", "none"}};
}

std::string format_lines(Json const& report)
{
    std::string text;
    append_lines(text, {}, report);
    return text;
}

} // namespace volpt
