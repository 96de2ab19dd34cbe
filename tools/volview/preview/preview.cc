#include "tools/volview/preview/preview.h"

#include "libvolpt/sys/error.h"
#include "tools/options/units.h"
#include "tools/render_setup/private_folder.h"
#include "tools/volview/commands.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

std::optional<PiecewiseCurve> take_curve(Json const& command, char const* key, double highest_y)
{
    constexpr std::size_t kMostCharacters = 65536;
    auto const found = command.find(key);
    if (found == command.end() || found->is_null()) return std::nullopt;
    if (!found->is_string() || found->get_ref<std::string const&>().size() > kMostCharacters)
        fail_usage(fmt::format("'{}' is no text", key), "give \"X:Y,X:Y\" or null");
    return parse_curve(key, found->get_ref<std::string const&>(), highest_y);
}

std::optional<Crop> take_crop(Json const& command)
{
    auto const found = command.find("crop");
    if (found == command.end() || found->is_null()) return std::nullopt;
    bool is_box = found->is_array() && found->size() == 6;
    for (std::size_t i = 0; is_box && i < 6; ++i)
        is_box = (*found)[i].is_number_integer() && (*found)[i] >= 0 && (*found)[i] <= 65535;
    if (!is_box) fail_usage("'crop' is no box of voxels", "give [x0,y0,z0,x1,y1,z1] or null");
    Crop crop;
    for (std::size_t i = 0; i < 3; ++i) {
        crop.first[i] = (*found)[i].get<int>();
        crop.end[i] = (*found)[i + 3].get<int>();
    }
    return crop;
}

} // namespace

RemapOptions parse_preview_command(Json const& command)
{
    refuse_other_keys(command, {"opacity", "albedo", "crop"});
    return {take_curve(command, "opacity", 1e30), take_curve(command, "albedo", 1), take_crop(command)};
}

Json describe_preview(RemapOptions const& options)
{
    if (options.is_empty()) return nullptr;
    Json object{{"opacity", nullptr}, {"albedo", nullptr}, {"crop", nullptr}};
    if (options.opacity) object["opacity"] = to_text(*options.opacity);
    if (options.albedo) object["albedo"] = to_text(*options.albedo);
    if (options.crop) {
        auto const& [first, end] = *options.crop;
        object["crop"] = {first[0], first[1], first[2], end[0], end[1], end[2]};
    }
    return object;
}

PackedVolume make_preview(PackedVolume const& volume, std::filesystem::path const& path, RemapOptions const& options,
                          int threads, ProgressSink const& progress)
{
    PackedVolume source = PackedVolume::open(path);
    if (source.data_checksum() != volume.data_checksum())
        fail_input("the file has changed since it was opened", path.string(), "the preview would be of another volume",
                   "start volview again");
    auto const stream = make_remapped_volume(std::move(source), options);
    PrivateFolder const folder;
    // The open mapping keeps the bytes when the file's name is gone.
    std::filesystem::path const packed = folder.path() / "preview.vpk";
    pack_volume(*stream, packed, {}, progress, find_layer_memory(), threads);
    return PackedVolume::open(packed);
}

} // namespace volpt
