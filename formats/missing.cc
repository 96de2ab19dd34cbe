// Stands in for the formats whose libraries this build does not have: errors that name the library. What only the
// registries refer to (readers.def, writers.def) needs nothing here.
#include "formats/dicom/reader.h"
#include "formats/mitsuba/reader.h"
#include "formats/openvdb/reader.h"
#include "formats/openvdb/surface.h"
#include "formats/tiff/reader.h"
#include "libvolpt/sys/error.h"

namespace volpt {

#if !VOLPT_WITH_gdcm
std::unique_ptr<VolumeSource> open_dicom(std::string const& input, DicomOptions const&)
{
    fail_input("this build cannot read DICOM", input, "it was made without GDCM",
               "build volpt with -DVOLPT_WITH_GDCM=ON");
}
#endif

#if !VOLPT_WITH_pugixml
std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const&)
{
    fail_input("this build cannot read Mitsuba scenes", path.string(), "it was configured with VOLPT_WITH_PUGIXML=OFF",
               "build volpt with pugixml");
}
#endif

#if !VOLPT_WITH_libtiff
std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const&,
                                                  std::vector<std::string>, std::optional<SandboxLimits>,
                                                  PartChoice const&)
{
    fail_input("this build cannot read TIFF slices", where, "it was made without libtiff",
               "build volpt with -DVOLPT_WITH_LIBTIFF=ON");
}
#endif

#if !VOLPT_WITH_openvdb
namespace {

[[noreturn]] void refuse_openvdb()
{
    fail_usage("this build has no OpenVDB", "build volpt with -DVOLPT_WITH_OPENVDB=ON");
}

} // namespace

std::unique_ptr<VolumeSource> open_openvdb(std::filesystem::path const&, VdbOptions const&)
{
    refuse_openvdb();
}

std::unique_ptr<VolumeSource> open_openvdb_albedo(std::filesystem::path const&, VdbOptions const&, VolumeSource const&)
{
    refuse_openvdb();
}

std::unique_ptr<VolumeSource> open_openvdb_emission(std::filesystem::path const&, VdbOptions const&,
                                                    VolumeSource const&)
{
    refuse_openvdb();
}

std::vector<VdbGridEntry> list_openvdb_grids(std::filesystem::path const&)
{
    refuse_openvdb();
}

QuadMesh find_smooth_surface(Occupancy const&, std::string const&)
{
    refuse_openvdb();
}
#endif

} // namespace volpt
