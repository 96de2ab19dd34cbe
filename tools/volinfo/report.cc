// Opens a volume or a film, whichever it is, and lists what there is to know.
#include "tools/volinfo/report.h"

#include "libvolpt/film/film_io.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/volume/volume_report.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

bool starts_like(MappedFile const& file, FileKind const& kind)
{
    return file.bytes().size() >= kind.magic.size() &&
           std::memcmp(file.bytes().data(), kind.magic.data(), kind.magic.size()) == 0;
}

// Tiles with the same samples together, in the order of their first: a finished film is one line.
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

Json describe_film(std::filesystem::path const& path, VerifyLevel level)
{
    Film const film = read_film(path, level);
    Json report = report_film(film);
    report["sample_ranges"] = list_sample_ranges(film);
    report["size_bytes"] = std::filesystem::file_size(path);
    report["scene"] = Json::object();
    for (auto const& [field, value] : describe_scene(film.scene())) report["scene"][field] = value;
    report["provenance"] = Json::parse(to_json(film.provenance));
    return report;
}

void append_lines(std::string& text, std::string const& name, Json const& value)
{
    bool const is_list_of_objects = value.is_array() && !value.empty() && value.front().is_object();
    if (value.is_object() || is_list_of_objects) {
        for (auto const& [key, member] : value.items()) {
            append_lines(text, name.empty() ? key : fmt::format("{}.{}", name, key), member);
        }
    } else {
        text += fmt::format("{}: {}\n", name, value.is_string() ? value.get<std::string>() : value.dump());
    }
}

} // namespace

Json describe_file(std::filesystem::path const& path, VerifyLevel level)
{
    MappedFile const file(path);
    bool const is_volume = starts_like(file, kVolumeFile);
    if (!is_volume && !starts_like(file, kFilmFile)) {
        fail_input(file.bytes().empty()
                       ? "the file is empty"
                       : fmt::format("this is neither a {} nor a {}", kVolumeFile.name, kFilmFile.name),
                   path.string() + ": offset 0", {},
                   "volprep makes volumes of other formats, volrender makes films of volumes");
    }
    Json report{{"kind", is_volume ? "volume" : "film"},
                {"file", path.string()},
                {"verified", level == VerifyLevel::full ? "full" : "quick"}};
    report.update(is_volume ? report_volume(PackedVolume::open(path, level)) : describe_film(path, level));
    return report;
}

std::string format_lines(Json const& report)
{
    std::string text;
    append_lines(text, {}, report);
    return text;
}

} // namespace volpt
