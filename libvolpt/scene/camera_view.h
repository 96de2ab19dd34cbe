// Cameras: from a scene's camera and a volume's placement and pitch to rays in voxels; the default camera.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/volume.h"

#include <array>
#include <optional>

namespace volpt {

/// Whether something may stand between a parallel camera and the volume. If not, its origin is moved near the volume.
enum class Approach { free, obstructed };

/// The camera of `scene` in the axes and voxels of the box. Pixels are square: fov and width are horizontal. A probe
/// covers its face, whatever the shape of its texels; that of a texture gives (u, v, 0).
CameraView make_camera_view(Scene const& scene, VolumeMeta const& meta, Approach approach = Approach::free);

/// The lens of the camera, in the axes and voxels of the box; zero if it has none.
LensView make_lens_view(CameraSpec const& camera, VolumeMeta const& meta);

/// Row by row, for row vectors: (x, y, z, 1) times it.
using Matrix4 = std::array<float, 16>;

/// As the attributes of OpenEXR with these names (ImfStandardAttributes.h) say it.
struct CameraMatrices {
    /// Left-handed camera axes: right, up, and the direction of the view; the lens' centre is at 0.
    Matrix4 world_to_camera;
    /// 0, 0 is the upper left corner of the picture, 1, 1 the lower right one. z is 1 - 1 mm over the depth in a
    /// perspective, so that the matrix has an inverse, else the depth in mm.
    Matrix4 world_to_ndc;
};

/// None for probes, which have no camera.
std::optional<CameraMatrices> make_camera_matrices(Scene const& scene);

/// From the plane of the camera along its view to where the rays of `view` begin, which is made of the scene and the
/// volume: 0 but for parallel cameras, whose rays may begin near the volume.
double find_ray_start_mm(Scene const& scene, CameraView const& view, VolumeMeta const& meta);

/// A camera that shows the whole volume from above one corner: perspective, 30 degrees, +z up in the picture. `aspect`
/// is height / width.
CameraSpec frame_volume(VolumeMeta const& meta, double aspect);

constexpr double kDefaultFovDeg = 30; ///< full horizontal angle of the perspective cameras that frame a volume

/// A perspective camera that shows the whole volume, seen from the world direction `from` (not zero): the sphere around
/// the box touches the narrower side of the picture, so that turned views have one scale. +z is up in the picture, or
/// +y where `from` is along z.
CameraSpec frame_volume_from(VolumeMeta const& meta, double aspect, Vec3d const& from, double fov_x_deg);

/// The unit vector that points to a camera at this azimuth and elevation: 0, 0 is -y, the front; azimuth turns
/// counter-clockwise as seen from +z, so that 90 is +x; elevation 90 is +z. Exact at multiples of 90.
Vec3d find_view_direction(double azimuth_deg, double elevation_deg);

/// Moves the camera around the axis through its target along its up direction, counter-clockwise as seen from above:
/// with +z up, 90 degrees lead from -y to +x.
void turn_camera(CameraSpec& camera, double degrees);

/// The picture of a probed face, seen from outside, as signed axes of the box.
struct FaceFrame {
    std::size_t right_axis, up_axis, normal_axis;
    double right_sign, up_sign, normal_sign;
};

/// Up is the box axis nearest to the world's +y; for the faces nearest to +-y, the one nearest to -+z. Right follows as
/// seen from outside in the world, also for mirrored volumes.
FaceFrame find_face_frame(Placement const& placement, std::uint32_t face);

/// A world direction in the box's axes: R^T world.
Vec3d turn_into_box(Placement const& placement, Vec3d const& world);

} // namespace volpt
