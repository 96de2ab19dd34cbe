#include "libvolpt/job/info/volume_contents.h"

#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

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

nlohmann::ordered_json count_values(PackedVolume const& volume)
{
    if (needs_labels(volume.meta())) return count_materials(volume);
    if (volume.meta().extinction == Source::plane) return count_densities(volume);
    return {{"quantity", "none"}};
}

} // namespace volpt
