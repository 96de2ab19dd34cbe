#include "formats/common/exported_plane.h"

namespace volpt {
namespace {

std::string format_raw_header(VolumeMeta const&, ExportedVolume const&)
{
    return {};
}

ExportedVolume write_raw(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                         ProgressSink const& progress)
{
    return write_plane_file(volume, plane, path, progress, format_raw_header);
}

} // namespace

extern Writer const raw_writer;
Writer const raw_writer{write_raw};

} // namespace volpt
