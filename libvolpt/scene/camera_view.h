// From camera, placement and voxel pitch to rays in voxels.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// The camera of `scene` in the axes and voxels of the box. Pixels are square: fov and width are horizontal. A probe
/// covers its face, whatever the shape of its texels.
CameraView make_camera_view(Scene const& scene, VolumeMeta const& meta);

/// How the picture of a probed face runs along the box's axes, seen from outside: signed unit axes.
struct FaceFrame {
    std::size_t right_axis, up_axis, normal_axis;
    double right_sign, up_sign, normal_sign;
};

/// Up is the box axis nearest to the world's +y, for the faces nearest to +-y the one nearest to -+z; right completes
/// it as it looks from outside in the world, where a volume may be mirrored.
FaceFrame find_face_frame(Placement const& placement, std::uint32_t face);

/// Columns are world axes seen in the box's axes: box = R^T world.
Vec3d turn_into_box(Placement const& placement, Vec3d const& world);

} // namespace volpt
