#include "libvolpt/job/camera_request.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <numbers>

namespace volpt {

void CameraRequest::check() const
{
    if (from_deg && (origin_world || target_world))
        fail_usage("--from contradicts --origin and --target",
                   "--from places the camera so that the whole volume is in view; leave it or the others out");
    if (lens && ortho_width_mm)
        fail_usage("--lens and --ortho contradict each other", "a lens needs a perspective camera: leave --ortho out");
    if (fov_x_deg && ortho_width_mm)
        fail_usage("--fov and --ortho contradict each other",
                   "give --fov for a perspective camera or --ortho for an orthographic one");
}

void CameraRequest::apply_lens(CameraSpec& camera) const
{
    if (!lens) return;
    if (camera.kind != CameraKind::perspective)
        fail_usage("--lens needs a perspective camera", "give --fov too, or leave --lens out");
    camera.lens_radius_mm = lens->radius_mm;
    if (lens->radius_mm == 0) return;
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double const along = camera.target_world[i] - camera.origin_world[i];
        squares += along * along;
    }
    camera.focus_distance_mm = lens->focus_mm.value_or(std::sqrt(squares));
}

void CameraRequest::apply_zoom(CameraSpec& camera) const
{
    if (!zoom) return;
    if (!(*zoom >= kLeastZoom && *zoom <= kMostZoom))
        fail_usage(fmt::format("--zoom {} is not from {} to {}", *zoom, kLeastZoom, kMostZoom),
                   "give how much larger things are to be: --zoom 1.5");
    if (*zoom == 1) return; // to the last bit
    if (camera.kind == CameraKind::orthographic) {
        camera.ortho_width_mm /= *zoom;
        return;
    }
    double const half_rad = camera.fov_x_deg * std::numbers::pi / 360;
    camera.fov_x_deg = std::atan(std::tan(half_rad) / *zoom) * 360 / std::numbers::pi;
}

void CameraRequest::apply_place(CameraSpec& camera, double aspect, VolumeMeta const& meta) const
{
    if (from_deg) {
        auto const [azimuth_deg, elevation_deg] = *from_deg;
        Vec3d const from = find_view_direction(std::fmod(azimuth_deg + turn_deg, 360), elevation_deg);
        camera = frame_volume_from(meta, aspect, from, fov_x_deg.value_or(kDefaultFovDeg));
    }
    if (origin_world) camera.origin_world = *origin_world;
    if (target_world) camera.target_world = *target_world;
    if (up_world) {
        camera.up_world = *up_world;
    } else if (origin_world || target_world) {
        bool const along_z =
            camera.origin_world[0] == camera.target_world[0] && camera.origin_world[1] == camera.target_world[1];
        camera.up_world = along_z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    }
    if (!from_deg && turn_deg != 0) turn_camera(camera, turn_deg);
}

void CameraRequest::apply(Scene& scene, VolumeMeta const& meta) const
{
    check();
    CameraSpec& camera = scene.camera;
    if (resolution) {
        scene.width = static_cast<std::uint32_t>((*resolution)[0]);
        scene.height = static_cast<std::uint32_t>((*resolution)[1]);
    }
    apply_place(camera, static_cast<double>(scene.height) / scene.width, meta);
    if (fov_x_deg) {
        camera.kind = CameraKind::perspective;
        camera.fov_x_deg = *fov_x_deg;
    }
    if (ortho_width_mm) {
        camera.kind = CameraKind::orthographic;
        camera.ortho_width_mm = *ortho_width_mm;
    }
    apply_zoom(camera);
    apply_lens(camera);
}

namespace {

std::uint32_t count_texels(VolumeMeta const& meta, std::size_t axis, std::optional<double> dpi)
{
    double const length_mm = meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    double const texels = dpi ? std::round(length_mm / kMmPerInch * *dpi) : meta.dims[axis];
    std::int64_t const most = highest_integer(scene_range("width"));
    if (texels > static_cast<double>(most))
        fail_usage(
            fmt::format("--dpi {} gives {:.0f} texels along {:.4g} mm, more than {}", *dpi, texels, length_mm, most),
            "give a smaller --dpi");
    return std::max(1u, static_cast<std::uint32_t>(texels));
}

} // namespace

constexpr std::uint32_t kTextureTexels = 512;

void ProbeRequest::apply(Scene& scene, VolumeMeta const& meta) const
{
    CameraSpec& camera = scene.camera;
    bool const is_new_probe = is_given() && camera.kind != CameraKind::probe;
    if (is_given()) {
        camera.kind = CameraKind::probe;
        camera.probe_target = face ? ProbeTarget::face : ProbeTarget::texture;
        camera.probe_face = face.value_or(camera.probe_face);
    }
    if (is_new_probe && scene.boundary.kind == BoundaryKind::none) scene.boundary = {BoundaryKind::smooth, 1.5, 1};
    if (specular) scene.boundary.specular = *specular;
    if (camera.kind != CameraKind::probe) {
        if (view || dpi || backing || sides)
            fail_usage("--view, --dpi, --backing and --sides need a probe", "give --probe top, or leave them out");
        return;
    }
    if (view) camera.view = *view;
    if (camera.probe_target == ProbeTarget::texture) {
        if (dpi || backing || sides)
            fail_usage("--dpi, --backing and --sides need the probe of a face of the box, but this one is --probe uv",
                       "leave them out; --resolution gives the number of texels");
        if (is_new_probe) scene.width = scene.height = kTextureTexels;
        return;
    }
    if (backing) scene.boundary.backing = *backing;
    if (sides) scene.boundary.sides = *sides;
    if (!is_new_probe && !dpi) return;
    FaceFrame const frame = find_face_frame(meta.placement, camera.probe_face);
    std::optional<double> const x = dpi ? std::optional(dpi->front()) : std::nullopt;
    std::optional<double> const y = dpi ? std::optional(dpi->back()) : std::nullopt;
    scene.width = count_texels(meta, frame.right_axis, x);
    scene.height = count_texels(meta, frame.up_axis, y);
}

} // namespace volpt
