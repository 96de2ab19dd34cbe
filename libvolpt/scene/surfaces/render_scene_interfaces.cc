// The interfaces between materials of a RenderScene, and what they need of a volume.
#include "libvolpt/core/voxel_flight.hd.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

void RenderScene::fill_interfaces()
{
    char const* const kWithout = "give --interfaces none, or pack the volume so that it can have them";
    VolumeView const volume = volume_.view();
    if (volume.extinction != Source::material)
        fail_usage("the scene has interfaces between materials, but the extinction of this volume is not that of "
                   "materials",
                   kWithout);
    if (volume.filter != Filter::nearest)
        fail_usage("the scene has interfaces at faces of voxels, but lookups of this volume are interpolated (--filter "
                   "trilinear)",
                   kWithout);
    if (volume.material_count != scene_.material_ior.size())
        fail_usage(fmt::format("the scene has {} indices of refraction, but the volume has {} materials",
                               scene_.material_ior.size(), volume.material_count),
                   kWithout);
    if (!volume_.surface().is_empty() || has_objects_around(scene_, volume_))
        fail_usage(
            "the scene has interfaces between materials, but a mesh bounds this volume, or surfaces stand around "
            "it (--ground, emitters with an area)",
            "give --interfaces none, or render the volume's box alone, by light from points, suns, beams or the "
            "environment");
    material_ior_ = scene_.material_ior;
    material_ior_.resize(kMaxMaterials, 1.0f);
    auto const longest = static_cast<float>(*std::max_element(volume.dims, volume.dims + 3));
    view_.interfaces = {material_ior_.data(), static_cast<float>(scene_.boundary.ext_ior), kFaceMargin * longest};
}

} // namespace volpt
