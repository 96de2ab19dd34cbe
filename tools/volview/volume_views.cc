#include "tools/volview/volume_views.h"

#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"
#include "tools/options/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr int kMostSectionPixels = 1024;

std::string spell_colour(PaintColour const& colour)
{
    auto const code = [](float value) { return std::lround(255 * std::clamp(value, 0.0f, 1.0f)); };
    return fmt::format("#{:02x}{:02x}{:02x}", code(colour[0]), code(colour[1]), code(colour[2]));
}

Json list_materials(PackedVolume const& volume)
{
    Json list = Json::array();
    if (!needs_labels(volume.meta())) return list;
    auto const colours = choose_distinct_colours(volume);
    for (std::size_t i = 0; i < colours.size(); ++i)
        list.push_back({{"name", volume.materials()[i].name}, {"color", spell_colour(colours[i])}});
    return list;
}

/// The pixel of `count` that a share of the side lies in.
int find_pixel(char const* name, std::string const& share, int count)
{
    return std::min(static_cast<int>(parse_number(name, share, 0, 1) * count), count - 1);
}

} // namespace

Json describe_volume(PackedVolume const& volume, std::string const& file, int threads)
{
    VolumeMeta const& meta = volume.meta();
    Json pitch_mm = Json::array(), size_mm = Json::array();
    for (std::size_t i = 0; i < 3; ++i) {
        pitch_mm.push_back(meta.pitch_mm[i]);
        size_mm.push_back(meta.dims[i] * static_cast<double>(meta.pitch_mm[i]));
    }
    Json answer{{"file", file},          {"dims", meta.dims},
                {"pitch_mm", pitch_mm},  {"size_mm", size_mm},
                {"bands", meta.bands()}, {"materials", list_materials(volume)},
                {"histogram", Json()},   {"histogram_values", "density"}};
    if (meta.extinction == Source::plane) {
        auto const histogram = count_densities(volume.view(), threads);
        volume.check_unchanged();
        answer["histogram"] = {{"from", 0}, {"to", histogram.to}, {"counts", histogram.counts}};
    }
    return answer;
}

VolumeSection parse_section(PackedVolume const& volume, std::string const& axis, std::string const& index)
{
    auto const name = parse_choice("axis", axis, {"x", "y", "z"});
    return VolumeSection(volume, static_cast<VolumeAxis>(name[0] - 'x'),
                         static_cast<int>(parse_integer("index", index, 0, 65535)));
}

EncodedPicture encode_section(PackedVolume const& volume, VolumeSection const& section)
{
    auto const [width, height] = choose_picture_size(section, kMostSectionPixels);
    Image const picture = draw_section(volume, section, width, height);
    volume.check_unchanged();
    return encode_png(picture, 1);
}

Json describe_place(PackedVolume const& volume, VolumeSection const& section, std::string const& x,
                    std::string const& y)
{
    auto const voxel = section.find_voxel(find_pixel("x", x, section.columns()), find_pixel("y", y, section.rows()));
    Json answer = describe_voxel(volume, voxel);
    volume.check_unchanged();
    return answer;
}

} // namespace volpt
