#include "tools/volprep/packed_source.h"

#include "libvolpt/medium/remap/mapped_again.h"

namespace volpt {

std::unique_ptr<VoxelStream> open_packed(std::string const& input, VolprepOptions const& options)
{
    VolumeOptions const& volume = options.volume;
    RepackOptions repack;
    if (volume.scale) repack.scale = static_cast<float>(*volume.scale);
    if (volume.g) repack.g = static_cast<float>(*volume.g);
    repack.filter = volume.filter;
    repack.pitch_mm = volume.pitch_mm;
    repack.encoding = options.output.encoding;
    NewMap map{.window = volume.window,
               .opacity = volume.opacity,
               .transfer = {},
               .albedo_curve = volume.albedo_curve,
               .albedo = volume.albedo};
    if (volume.transfer) map.transfer = read_transfer_table(*volume.transfer);
    PackedVolume packed = PackedVolume::open(input, VerifyLevel::full);
    if (repack.encoding || !map.is_empty())
        check_layer_memory(packed.meta().dims, sizeof(float), options.output.layer_bytes, input);
    return map.is_empty() ? make_packed_stream(std::move(packed), repack)
                          : map_again(std::move(packed), repack, std::move(map), input);
}

} // namespace volpt
