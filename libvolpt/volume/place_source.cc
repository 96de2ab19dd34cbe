// Places boxes by their first voxel, or their middle where a file does not say.
#include "libvolpt/volume/place_source.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/voxel_stream.h"

#include <fmt/format.h>

namespace volpt {

void place_source(SourceMeta const& source, std::optional<std::array<double, 3>> const& pitch_mm, VolumeMeta& meta,
                  std::vector<std::string>& notices)
{
    meta.dims = source.dims;
    if (!pitch_mm && !source.pitch_mm && source.missing_pitch == MissingPitch::refused)
        fail_usage(fmt::format("{}: pictures do not say how large a voxel is", source.path),
                   "give --pitch x,y,z, for example 42.3um,84.7um,27um");
    if (!pitch_mm && !source.pitch_mm)
        notices.push_back("the source names no voxel size: 1 mm is assumed; --pitch says otherwise");
    auto const pitch = pitch_mm ? *pitch_mm : source.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
    for (std::size_t i = 0; i < 3; ++i) meta.pitch_mm[i] = static_cast<float>(pitch[i]);
    meta.placement = source.first_voxel_world_mm
                         ? place_by_first_voxel(*source.first_voxel_world_mm, source.rotation, meta.pitch_mm)
                         : place_in_middle(source.dims, meta.pitch_mm, source.rotation);
}

} // namespace volpt
