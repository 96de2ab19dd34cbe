// What stands in for OpenVDB in a build without it: errors that say so.
#include "formats/openvdb/reader.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

[[noreturn]] void refuse()
{
    fail_usage("this build has no OpenVDB", "build volpt with -DVOLPT_WITH_OPENVDB=ON");
}

} // namespace

bool is_openvdb_file(std::filesystem::path const&)
{
    return false;
}

std::unique_ptr<VolumeSource> open_openvdb(std::filesystem::path const&, VdbOptions const&)
{
    refuse();
}

std::unique_ptr<VolumeSource> open_openvdb_albedo(std::filesystem::path const&, VdbOptions const&, VolumeSource const&)
{
    refuse();
}

std::vector<VdbGridEntry> list_openvdb_grids(std::filesystem::path const&)
{
    refuse();
}

void write_openvdb(PackedVolume const&, std::filesystem::path const&, ProgressSink const&)
{
    refuse();
}

} // namespace volpt
