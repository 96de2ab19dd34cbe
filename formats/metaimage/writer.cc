#include "formats/common/exported_plane.h"
#include "formats/common/plane_header.h"
#include "libvolpt/volume/meta.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {

std::string format_metaimage_header(VolumeMeta const& meta, ExportedVolume const& exported)
{
    // MetaImage's Offset is the centre of the first voxel, its TransformMatrix rows are the axes.
    std::array<double, 9> rows{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) rows[3 * j + i] = meta.placement.rotation[3 * i + j];
    std::string_view const type = exported.element == ElementType::u8    ? "MET_UCHAR"
                                  : exported.element == ElementType::u16 ? "MET_USHORT"
                                                                         : "MET_FLOAT";
    std::string const channels =
        exported.channels == 1 ? std::string() : fmt::format("ElementNumberOfChannels = {}\n", exported.channels);
    return fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                       "CompressedData = False\nTransformMatrix = {:.17g}\nOffset = {:.15g}\nElementSpacing = {}\n"
                       "DimSize = {}\n{}ElementType = {}\nElementDataFile = LOCAL\n",
                       fmt::join(rows, " "), fmt::join(find_first_voxel(meta), " "), fmt::join(meta.pitch_mm, " "),
                       fmt::join(meta.dims, " "), channels, type);
}

namespace {

ExportedVolume write_metaimage(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                               ProgressSink const& progress)
{
    return write_plane_file(volume, plane, path, progress, format_metaimage_header);
}

} // namespace

extern Writer const metaimage_writer;
Writer const metaimage_writer{write_metaimage};

} // namespace volpt
