// NRRD is written in LPS (left, posterior, superior).
#include "formats/common/exported_plane.h"
#include "formats/common/plane_header.h"
#include "libvolpt/volume/meta.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {

std::string format_nrrd_header(VolumeMeta const& meta, ExportedVolume const& exported)
{
    bool const has_channels = exported.channels > 1;
    std::string directions = has_channels ? "none " : "";
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> step{};
        // The shortest decimals of the float: 0.0423, not 0.04230000078678131.
        double const pitch = std::stod(fmt::format("{}", meta.pitch_mm[axis]));
        for (std::size_t i = 0; i < 3; ++i) step[i] = meta.placement.rotation[3 * i + axis] * pitch;
        directions += fmt::format("{}({:.15g})", axis == 0 ? "" : " ", fmt::join(step, ","));
    }
    std::string_view const type = exported.element == ElementType::u8    ? "uint8"
                                  : exported.element == ElementType::u16 ? "uint16"
                                                                         : "float";
    return fmt::format("NRRD0004\ntype: {}\ndimension: {}\nspace: left-posterior-superior\nsizes: {}{}\n"
                       "space directions: {}\nkinds: {}domain domain domain\nendian: little\nencoding: raw\n"
                       "space units: \"mm\" \"mm\" \"mm\"\nspace origin: ({:.15g})\n\n",
                       type, has_channels ? 4 : 3, has_channels ? fmt::format("{} ", exported.channels) : "",
                       fmt::join(meta.dims, " "), directions, has_channels ? "vector " : "",
                       fmt::join(find_first_voxel(meta), ","));
}

namespace {

ExportedVolume write_nrrd(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                          ProgressSink const& progress)
{
    return write_plane_file(volume, plane, path, progress, format_nrrd_header);
}

} // namespace

extern Writer const nrrd_writer;
Writer const nrrd_writer{write_nrrd};

} // namespace volpt
