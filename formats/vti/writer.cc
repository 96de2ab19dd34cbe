// VTK ImageData (.vti): an XML header, then the numbers as they are, "appended raw".
//
// VTK File Formats (https://docs.vtk.org/en/latest/vtk_file_formats/), XML file format 1.0 with 64-bit block sizes.
#include "formats/common/exported_plane.h"
#include "formats/common/header_parts.h"
#include "libvolpt/volume/meta.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

/// After the numbers.
constexpr std::string_view kVtiFooter = "\n  </AppendedData>\n</VTKFile>\n";

constexpr std::string_view name_of_plane(ExportPlane plane)
{
    return plane == ExportPlane::density ? "density" : plane == ExportPlane::albedo ? "albedo" : "label";
}

/// Up to the first number: a block starts with its size in bytes.
template <ExportPlane plane>
std::string format_vti_header(VolumeMeta const& meta, ExportedVolume const& exported)
{
    std::string_view const type = exported.element == ElementType::u8    ? "UInt8"
                                  : exported.element == ElementType::u16 ? "UInt16"
                                                                         : "Float32";
    std::string const extent = fmt::format("0 {} 0 {} 0 {}", meta.dims[0] - 1, meta.dims[1] - 1, meta.dims[2] - 1);
    std::string header = fmt::format(
        "<?xml version=\"1.0\"?>\n"
        "<VTKFile type=\"ImageData\" version=\"1.0\" byte_order=\"LittleEndian\" header_type=\"UInt64\">\n"
        "  <ImageData WholeExtent=\"{0}\" Origin=\"{1:.15g}\" Spacing=\"{2}\" Direction=\"{3:.17g}\">\n"
        "    <Piece Extent=\"{0}\">\n"
        "      <PointData Scalars=\"{4}\">\n"
        "        <DataArray type=\"{5}\" Name=\"{4}\" NumberOfComponents=\"{6}\" format=\"appended\" offset=\"0\"/>\n"
        "      </PointData>\n"
        "    </Piece>\n"
        "  </ImageData>\n"
        "  <AppendedData encoding=\"raw\">\n   _",
        extent, fmt::join(find_first_voxel(meta), " "), fmt::join(meta.pitch_mm, " "),
        fmt::join(meta.placement.rotation, " "), name_of_plane(plane), type, exported.channels);
    std::uint64_t const bytes = count_data_bytes(exported.element, exported.channels, exported.dims);
    for (int shift = 0; shift < 64; shift += 8) header += static_cast<char>(bytes >> shift & 0xffu);
    return header;
}

ExportedVolume write_vti(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                         ProgressSink const& progress)
{
    auto const format = plane == ExportPlane::density  ? format_vti_header<ExportPlane::density>
                        : plane == ExportPlane::albedo ? format_vti_header<ExportPlane::albedo>
                                                       : format_vti_header<ExportPlane::label>;
    return write_plane_file(volume, plane, path, progress, format, kVtiFooter);
}

} // namespace

extern Writer const vti_writer;
Writer const vti_writer{write_vti};

} // namespace volpt
