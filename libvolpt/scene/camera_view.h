// From camera, placement and voxel pitch to rays in voxels.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

namespace volpt {

/// The camera of `scene` in the axes and voxels of the box. Pixels are square: fov and width are horizontal.
CameraView make_camera_view(Scene const& scene, VolumeMeta const& meta);

/// Columns are world axes seen in the box's axes: box = R^T world.
Vec3d turn_into_box(Placement const& placement, Vec3d const& world);

} // namespace volpt
