// One group after the other: camera, probe.
#include "tools/render_setup/camera_options.h"

#include "libvolpt/scene/scene_fields.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace volpt {
namespace po = boost::program_options;

void CameraOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("resolution", text_value("WxH"), "size of the image in pixels (default 512x512)");
    add("origin", text_value("X,Y,Z"), "position of the camera in mm (default: the whole volume is in view)");
    add("from", text_value("SIDE|AXIS|AZ,EL"),
        "show the whole volume as seen from there: front (-y), right (+x), back, left, top (+z) or bottom, an axis, or "
        "azimuth and elevation in degrees; 0,0 is from the front, 90,0 from the right, 0,90 from above");
    add("zoom", text_value("FACTOR"),
        "make things in the picture larger by this factor, by a narrower field of view (default 1)");
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
    struct Side {
        std::string_view name;
        std::array<double, 2> angles_deg;
    };
    // In the order of parse_axis.
    constexpr std::array<Side, 6> kSides{{{"right", {90, 0}},
                                          {"left", {270, 0}},
                                          {"back", {180, 0}},
                                          {"front", {0, 0}},
                                          {"top", {0, 90}},
                                          {"bottom", {0, -90}}}};
    auto const side = std::ranges::find(kSides, text, &Side::name);
    if (side != kSides.end()) return side->angles_deg;
    if (text.find_first_not_of("+-xyz") == std::string::npos) return kSides[parse_axis("--from", text)].angles_deg;
    if (text.find_first_not_of("+-.,0123456789eE") != std::string::npos)
        fail_usage(fmt::format("--from '{}' is no side", text),
                   "give front, right, back, left, top or bottom, an axis (+x) or two angles (30,20)");
    auto const angles_deg = parse_numbers("--from", text, 2, 2, -360, 360);
    if (std::abs(angles_deg[1]) > 90)
        fail_usage(fmt::format("--from '{}': the elevation is beyond the poles", text),
                   "give azimuth, then elevation from -90 to 90: --from 30,20");
    return {angles_deg[0], angles_deg[1]};
}

} // namespace

void CameraOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "from")) request.from_deg = parse_view_angles(*text);
    if (auto const text = given_text(values, "resolution"))
        request.resolution = parse_size("--resolution", *text, static_cast<int>(highest_integer(scene_range("width"))));
    if (auto const text = given_text(values, "origin"))
        request.origin_world = parse_length_triple_mm("--origin", *text, SingleValue::refused);
    if (auto const text = given_text(values, "target"))
        request.target_world = parse_length_triple_mm("--target", *text, SingleValue::refused);
    if (auto const text = given_text(values, "up"))
        request.up_world = parse_triple("--up", *text, SingleValue::refused);
    if (auto const text = given_text(values, "fov"))
        request.fov_x_deg = parse_number("--fov", *text, scene_range("camera.fov_x_deg"));
    if (auto const text = given_text(values, "ortho")) request.ortho_width_mm = parse_length_mm("--ortho", *text);
    if (auto const text = given_text(values, "zoom"))
        request.zoom = parse_numbers("--zoom", *text, 1, 1, kLeastZoom, kMostZoom)[0];
    if (auto const text = given_text(values, "lens")) read_lens(*text);
    request.check();
}

void CameraOptions::read_lens(std::string const& text)
{
    auto const pieces = split_list(text);
    if (pieces.size() > 2)
        fail_usage(fmt::format("--lens '{}' is no lens", text), "give radius and focus distance: --lens 2mm,150mm");
    LensRequest& lens = request.lens.emplace();
    lens.radius_mm = parse_length_mm("--lens", pieces[0]);
    if (pieces.size() == 2) lens.focus_mm = parse_length_mm("--lens", pieces[1]);
    bool const is_lens = scene_range("camera.lens_radius_mm").contains(lens.radius_mm);
    bool const is_sharp = !lens.focus_mm || scene_range("camera.focus_distance_mm").contains(*lens.focus_mm);
    if (!is_lens || !is_sharp)
        fail_usage(fmt::format("--lens '{}' has no lens or no sharp plane", text),
                   "the radius is at least 0, the focus distance above 0, both below 1e9 mm");
}

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
        request.is_of_texture = *text == "uv";
        if (!request.is_of_texture) request.face = *text == "top" ? 4u : parse_axis("--probe top|AXIS|uv", *text);
    }
    if (auto const text = given_text(values, "view")) request.view = parse_word<ProbeView>("--view", *text);
    if (auto const text = given_text(values, "dpi")) request.dpi = parse_numbers("--dpi", *text, 1, 2, 0.1, 1e6);
    if (auto const text = given_text(values, "specular")) request.specular = parse_word<Specular>("--specular", *text);
    if (auto const text = given_text(values, "backing")) request.backing = parse_word<Backing>("--backing", *text);
    if (auto const text = given_text(values, "sides")) request.sides = parse_word<Sides>("--sides", *text);
}

} // namespace volpt
