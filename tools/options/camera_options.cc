// One group after the other: camera, probe.
#include "tools/options/camera_options.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/units.h"
#include "tools/options/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

void CameraOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("resolution", text_value("WxH"), "size of the image in pixels (default 512x512)");
    add("origin", text_value("X,Y,Z"), "position of the camera in mm (default: the whole volume is in view)");
    add("from", text_value("AXIS|AZ,EL"),
        "show the whole volume as seen from there: +x -x +y -y +z -z, or azimuth and elevation in degrees; 0,0 is from "
        "the front (-y), 90,0 from the right (+x), 0,90 from above (+z)");
    add("target", text_value("X,Y,Z"), "point that the camera looks at, in mm");
    add("up", text_value("X,Y,Z"),
        "direction that points up in the image (default 0,0,1; 0,1,0 for a camera that looks along z)");
    add("fov", text_value("DEG"), "perspective camera: full horizontal angle (default 30)");
    add("ortho", text_value("WIDTH"), "orthographic camera: width of the image, a length");
    add("lens", text_value("RADIUS[,FOCUS]"),
        "perspective camera: a thin lens of this radius, with the plane at distance FOCUS sharp (default: the "
        "target's); "
        "two lengths; 0 is a pinhole (default 0)");
}

namespace {

/// Azimuth and elevation.
std::array<double, 2> parse_view_angles(std::string const& text)
{
    if (text.find_first_of("xyz") != std::string::npos) {
        constexpr std::array<std::array<double, 2>, 6> kAxes{{{90, 0}, {270, 0}, {180, 0}, {0, 0}, {0, 90}, {0, -90}}};
        return kAxes[parse_axis("--from", text)];
    }
    auto const angles_deg = parse_numbers("--from", text, 2, 2, -360, 360);
    if (std::abs(angles_deg[1]) > 90)
        fail_usage(fmt::format("--from '{}': the elevation is beyond the poles", text),
                   "give azimuth, then elevation from -90 to 90: --from 30,20");
    return {angles_deg[0], angles_deg[1]};
}

} // namespace

void CameraOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "from")) from_deg_ = parse_view_angles(*text);
    if (auto const text = given_text(values, "resolution")) resolution = parse_size("--resolution", *text);
    if (auto const text = given_text(values, "origin"))
        origin_world_ = parse_length_triple_mm("--origin", *text, SingleValue::refused);
    if (auto const text = given_text(values, "target"))
        target_world_ = parse_length_triple_mm("--target", *text, SingleValue::refused);
    if (auto const text = given_text(values, "up")) up_world_ = parse_triple("--up", *text, SingleValue::refused);
    if (auto const text = given_text(values, "fov")) fov_x_deg_ = parse_number("--fov", *text, 1e-6, 179.9);
    if (auto const text = given_text(values, "ortho")) ortho_width_mm_ = parse_length_mm("--ortho", *text);
    if (auto const text = given_text(values, "lens")) read_lens(*text);
    if (from_deg_ && (origin_world_ || target_world_))
        fail_usage("--from contradicts --origin and --target",
                   "--from places the camera so that the whole volume is in view; leave it or the others out");
    if (lens_ && ortho_width_mm_)
        fail_usage("--lens and --ortho contradict each other", "a lens needs a perspective camera: leave --ortho out");
    if (fov_x_deg_ && ortho_width_mm_)
        fail_usage("--fov and --ortho contradict each other",
                   "give --fov for a perspective camera or --ortho for an orthographic one");
}

void CameraOptions::read_lens(std::string const& text)
{
    auto const pieces = split_list(text);
    if (pieces.size() > 2)
        fail_usage(fmt::format("--lens '{}' is no lens", text), "give radius and focus distance: --lens 2mm,150mm");
    lens_.emplace();
    lens_->radius_mm = parse_length_mm("--lens", pieces[0]);
    if (pieces.size() == 2) lens_->focus_mm = parse_length_mm("--lens", pieces[1]);
    bool const is_lens = lens_->radius_mm >= 0 && lens_->radius_mm <= 1e9;
    bool const is_sharp = !lens_->focus_mm || (*lens_->focus_mm > 0 && *lens_->focus_mm < 1e9);
    if (!is_lens || !is_sharp)
        fail_usage(fmt::format("--lens '{}' has no lens or no sharp plane", text),
                   "the radius is at least 0, the focus distance above 0, both below 1e9 mm");
}

void CameraOptions::apply_lens(CameraSpec& camera) const
{
    if (!lens_) return;
    if (camera.kind != CameraKind::perspective)
        fail_usage("--lens needs a perspective camera", "give --fov too, or leave --lens out");
    camera.lens_radius_mm = lens_->radius_mm;
    if (lens_->radius_mm == 0) return;
    double squares = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double const along = camera.target_world[i] - camera.origin_world[i];
        squares += along * along;
    }
    camera.focus_distance_mm = lens_->focus_mm.value_or(std::sqrt(squares));
}

void CameraOptions::apply_place(CameraSpec& camera, double aspect, VolumeMeta const& meta) const
{
    if (from_deg_) {
        auto const [azimuth_deg, elevation_deg] = *from_deg_;
        Vec3d const from = find_view_direction(std::fmod(azimuth_deg + turn_deg_, 360), elevation_deg);
        camera = frame_volume_from(meta, aspect, from, fov_x_deg_.value_or(kDefaultFovDeg));
    }
    if (origin_world_) camera.origin_world = *origin_world_;
    if (target_world_) camera.target_world = *target_world_;
    if (up_world_) {
        camera.up_world = *up_world_;
    } else if (origin_world_ || target_world_) {
        bool const along_z =
            camera.origin_world[0] == camera.target_world[0] && camera.origin_world[1] == camera.target_world[1];
        camera.up_world = along_z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    }
    if (!from_deg_ && turn_deg_ != 0) turn_camera(camera, turn_deg_);
}

void CameraOptions::apply(Scene& scene, VolumeMeta const& meta) const
{
    CameraSpec& camera = scene.camera;
    if (resolution) {
        scene.width = static_cast<std::uint32_t>((*resolution)[0]);
        scene.height = static_cast<std::uint32_t>((*resolution)[1]);
    }
    apply_place(camera, static_cast<double>(scene.height) / scene.width, meta);
    if (fov_x_deg_) {
        camera.kind = CameraKind::perspective;
        camera.fov_x_deg = *fov_x_deg_;
    }
    if (ortho_width_mm_) {
        camera.kind = CameraKind::orthographic;
        camera.ortho_width_mm = *ortho_width_mm_;
    }
    apply_lens(camera);
}

namespace {

std::uint32_t count_texels(VolumeMeta const& meta, std::size_t axis, std::optional<double> dpi)
{
    double const length_mm = meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    double const texels = dpi ? std::round(length_mm / kMmPerInch * *dpi) : meta.dims[axis];
    if (texels > 65535)
        fail_usage(
            fmt::format("--dpi {} gives {:.0f} texels along {:.4g} mm, more than 65535", *dpi, texels, length_mm),
            "give a smaller --dpi");
    return std::max(1u, static_cast<std::uint32_t>(texels));
}

} // namespace

void ProbeOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("probe", text_value("top|AXIS|uv"),
        "measure the reflectance of one face of the box instead of rendering a camera's view (top is +z), one texel "
        "per "
        "voxel. Light comes evenly from the hemisphere above the face, through a smooth boundary of index 1.5 unless "
        "options (--boundary none: index-matched) or the volume's source say otherwise; a perfect diffuser has "
        "reflectance 1. uv: the texels lie in the texture "
        "space of the mesh that bounds the volume (--resolution, default 512x512), and light comes from the hemisphere "
        "above each texel's triangle");
    add("view", text_value(join_words<ProbeView>()),
        "probe: measure the light that leaves along the normal, or in all directions, weighted by the cosine (default "
        "normal)");
    add("dpi", text_value("N|X,Y"), "probe: texels per inch (default: one texel per voxel)");
    add("specular", text_value(join_words<Specular>()),
        "light that the boundary reflects before it enters the volume; excluded drops all of it, whatever its "
        "direction: with a rough boundary more than a gloss trap takes (default included)");
    add("backing", text_value(join_words<Backing>()),
        "probe: what lies behind the opposite face, across an air gap: nothing, a perfect diffuser, a mirror (default "
        "black)");
    add("sides", text_value(join_words<Sides>()),
        "probe: the four other faces have the same boundary, or repeat the volume periodically as an infinite slab "
        "(default boundary)");
}

void ProbeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "probe")) {
        is_of_texture = *text == "uv";
        if (!is_of_texture) face = *text == "top" ? 4u : parse_axis("--probe top|AXIS|uv", *text);
    }
    if (auto const text = given_text(values, "view")) view_ = parse_word<ProbeView>("--view", *text);
    if (auto const text = given_text(values, "dpi")) dpi_ = parse_numbers("--dpi", *text, 1, 2, 0.1, 1e6);
    if (auto const text = given_text(values, "specular")) specular_ = parse_word<Specular>("--specular", *text);
    if (auto const text = given_text(values, "backing")) backing_ = parse_word<Backing>("--backing", *text);
    if (auto const text = given_text(values, "sides")) sides_ = parse_word<Sides>("--sides", *text);
}

constexpr std::uint32_t kTextureTexels = 512;

void ProbeOptions::apply(Scene& scene, VolumeMeta const& meta) const
{
    CameraSpec& camera = scene.camera;
    bool const is_new_probe = (face || is_of_texture) && camera.kind != CameraKind::probe;
    if (face || is_of_texture) {
        camera.kind = CameraKind::probe;
        camera.probe_target = face ? ProbeTarget::face : ProbeTarget::texture;
        camera.probe_face = face.value_or(camera.probe_face);
    }
    if (is_new_probe && scene.boundary.kind == BoundaryKind::none) scene.boundary = {BoundaryKind::smooth, 1.5, 1};
    if (specular_) scene.boundary.specular = *specular_;
    if (camera.kind != CameraKind::probe) {
        if (view_ || dpi_ || backing_ || sides_)
            fail_usage("--view, --dpi, --backing and --sides need a probe", "give --probe top, or leave them out");
        return;
    }
    if (view_) camera.view = *view_;
    if (camera.probe_target == ProbeTarget::texture) {
        if (dpi_ || backing_ || sides_)
            fail_usage("--dpi, --backing and --sides need the probe of a face of the box, but this one is --probe uv",
                       "leave them out; --resolution gives the number of texels");
        if (is_new_probe) scene.width = scene.height = kTextureTexels;
        return;
    }
    if (backing_) scene.boundary.backing = *backing_;
    if (sides_) scene.boundary.sides = *sides_;
    if (!is_new_probe && !dpi_) return;
    FaceFrame const frame = find_face_frame(meta.placement, camera.probe_face);
    std::optional<double> const x = dpi_ ? std::optional(dpi_->front()) : std::nullopt;
    std::optional<double> const y = dpi_ ? std::optional(dpi_->back()) : std::nullopt;
    scene.width = count_texels(meta, frame.right_axis, x);
    scene.height = count_texels(meta, frame.up_axis, y);
}

} // namespace volpt
