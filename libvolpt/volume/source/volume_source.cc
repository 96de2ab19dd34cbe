// Names voxels of a foreign volume in messages, and joins what is to be told of it.
#include "libvolpt/volume/source/volume_source.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

void VolumeSource::read_indexed(int, int, std::span<std::uint8_t>, std::span<Palette>)
{
    fail_input("has no palette", meta_.path);
}

std::string VolumeSource::describe_voxel(int x, int y, int z) const
{
    return fmt::format("{}: voxel {},{},{}", meta_.path, x, y, z);
}

std::vector<std::string> join_notices(VolumeSource const& source)
{
    std::vector<std::string> notices = source.meta().notices;
    auto const more = source.list_notices();
    notices.insert(notices.end(), more.begin(), more.end());
    return notices;
}

std::string describe_voxel_at(VolumeSource const& source, int z_first, std::size_t index)
{
    auto const width = static_cast<std::size_t>(source.meta().dims[0]);
    std::size_t const layer = width * static_cast<std::size_t>(source.meta().dims[1]);
    return source.describe_voxel(static_cast<int>(index % width), static_cast<int>(index % layer / width),
                                 z_first + static_cast<int>(index / layer));
}

} // namespace volpt
