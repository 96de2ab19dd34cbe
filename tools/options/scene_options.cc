// One group after the other: camera, probe, light, ground, boundary, medium.
#include "tools/options/scene_options.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"
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

void CameraOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "resolution")) resolution = parse_size("--resolution", *text);
    if (auto const text = given_text(values, "origin"))
        origin_world_ = parse_length_triple_mm("--origin", *text, SingleValue::refused);
    if (auto const text = given_text(values, "target"))
        target_world_ = parse_length_triple_mm("--target", *text, SingleValue::refused);
    if (auto const text = given_text(values, "up")) up_world_ = parse_triple("--up", *text, SingleValue::refused);
    if (auto const text = given_text(values, "fov")) fov_x_deg_ = parse_number("--fov", *text, 1e-6, 179.9);
    if (auto const text = given_text(values, "ortho")) ortho_width_mm_ = parse_length_mm("--ortho", *text);
    if (auto const text = given_text(values, "lens")) read_lens(*text);
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

void CameraOptions::apply(Scene& scene) const
{
    CameraSpec& camera = scene.camera;
    if (origin_world_) camera.origin_world = *origin_world_;
    if (target_world_) camera.target_world = *target_world_;
    if (up_world_) {
        camera.up_world = *up_world_;
    } else if (origin_world_ || target_world_) {
        bool const along_z =
            camera.origin_world[0] == camera.target_world[0] && camera.origin_world[1] == camera.target_world[1];
        camera.up_world = along_z ? Vec3d{0, 1, 0} : Vec3d{0, 0, 1};
    }
    if (fov_x_deg_) {
        camera.kind = CameraKind::perspective;
        camera.fov_x_deg = *fov_x_deg_;
    }
    if (ortho_width_mm_) {
        camera.kind = CameraKind::orthographic;
        camera.ortho_width_mm = *ortho_width_mm_;
    }
    apply_lens(camera);
    if (resolution) {
        scene.width = static_cast<std::uint32_t>((*resolution)[0]);
        scene.height = static_cast<std::uint32_t>((*resolution)[1]);
    }
}

namespace {

constexpr double kMmPerInch = 25.4;

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
        "options or the volume say otherwise; a perfect diffuser has reflectance 1. uv: the texels lie in the texture "
        "space of the mesh that bounds the volume (--resolution, default 512x512), and light comes from the hemisphere "
        "above each texel's triangle");
    add("view", text_value("normal|diffuse"),
        "probe: measure the light that leaves along the normal, or in all directions, weighted by the cosine (default "
        "normal)");
    add("dpi", text_value("N|X,Y"), "probe: texels per inch (default: one texel per voxel)");
    add("specular", text_value("included|excluded"),
        "light that the boundary reflects before it enters the volume; excluded drops all of it, whatever its "
        "direction: with a rough boundary more than a gloss trap takes (default included)");
    add("backing", text_value("black|white|mirror"),
        "probe: what lies behind the opposite face, across an air gap: nothing, a perfect diffuser, a mirror (default "
        "black)");
    add("sides", text_value("boundary|periodic"),
        "probe: the four other faces have the same boundary, or repeat the volume periodically as an infinite slab "
        "(default boundary)");
}

void ProbeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "probe")) {
        is_of_texture = *text == "uv";
        if (!is_of_texture) face = *text == "top" ? 4u : parse_axis("--probe top|AXIS|uv", *text);
    }
    if (auto const text = given_text(values, "view"))
        view_ =
            parse_choice("--view", *text, {"normal", "diffuse"}) == "normal" ? ProbeView::normal : ProbeView::diffuse;
    if (auto const text = given_text(values, "dpi")) dpi_ = parse_numbers("--dpi", *text, 1, 2, 0.1, 1e6);
    if (auto const text = given_text(values, "specular"))
        specular_ = parse_choice("--specular", *text, {"included", "excluded"}) == "included" ? Specular::included
                                                                                              : Specular::excluded;
    if (auto const text = given_text(values, "backing")) {
        std::string const choice = parse_choice("--backing", *text, {"black", "white", "mirror"});
        backing_ = choice == "black" ? Backing::black : choice == "white" ? Backing::white : Backing::mirror;
    }
    if (auto const text = given_text(values, "sides"))
        sides_ =
            parse_choice("--sides", *text, {"boundary", "periodic"}) == "boundary" ? Sides::boundary : Sides::periodic;
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

void LightOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("env", file_value("VALUE|R,G,B|IMAGE", FileValueKind::file_or_number),
        "radiance from all directions: a number, one number per band, or an image of the whole sphere, .exr, .hdr "
        "or .pfm (default 1)");
    add("env-layout", text_value("auto|latlong|cross|strip"),
        "how the image of --env covers the sphere: latitude-longitude, or the faces of a cube as a cross or in a row "
        "(default auto: 6:1 and 1:6 are strips, 4:3 and 3:4 crosses if their corners are blank, others latlong)");
    add("env-below", text_value("VALUE|R,G,B"), "radiance from the lower hemisphere; --env is then the upper one");
    add("env-up", text_value("AXIS"), "world axis that points up in the light (default +y)");
    add("env-rotate", text_value("DEG"), "angle by which the light is turned about its up axis");
    add("transparent", po::bool_switch(),
        "hide the background: where nothing is hit, .exr and .png have alpha 0, and other images are black");
}

void LightOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "env")) {
        if (looks_like_numbers(*text))
            radiance_ = parse_floats("--env", *text);
        else
            image_path = *text;
    }
    if (auto const text = given_text(values, "env-layout")) {
        std::string const choice = parse_choice("--env-layout", *text, {"auto", "latlong", "cross", "strip"});
        layout = choice == "latlong" ? LightLayout::latlong
                 : choice == "cross" ? LightLayout::cross
                 : choice == "strip" ? LightLayout::strip
                                     : LightLayout::automatic;
        if (!image_path) fail_usage("--env-layout needs an image", "give --env IMAGE, or leave it out");
    }
    if (auto const text = given_text(values, "env-below")) below_ = parse_floats("--env-below", *text);
    if (auto const text = given_text(values, "env-up")) up_axis_ = parse_axis("--env-up", *text);
    if (auto const text = given_text(values, "env-rotate"))
        rotate_deg_ = parse_number("--env-rotate", *text, -360, 360);
    hides_background_ = values["transparent"].as<bool>();
    if (image_path && below_)
        fail_usage("--env-below needs a constant --env, not an image", "leave one of the two out");
}

void LightOptions::apply(Scene& scene, LightImage const* image) const
{
    EnvironmentSpec& light = scene.environment;
    if (radiance_) {
        // The lower hemisphere of a resumed film stays as it is.
        if (light.kind == EnvironmentKind::image) light.kind = EnvironmentKind::constant;
        light.radiance = *radiance_;
    }
    if (below_) {
        light.kind = EnvironmentKind::hemispheres;
        light.below = *below_;
    }
    if (image != nullptr) {
        light.kind = EnvironmentKind::image;
        light.radiance = {1.0f};
        light.image_checksum = image->checksum;
    }
    if (hides_background_) {
        if (scene.camera.kind == CameraKind::probe)
            fail_usage("--transparent needs a camera, not a probe", "leave one of the two out");
        light.background = Background::hidden;
        scene.coverage = CoveragePlane::counted;
    }
    if (up_axis_) light.up_axis = *up_axis_;
    if (rotate_deg_) light.rotate_deg = *rotate_deg_;
}

void GroundOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("ground", text_value("none|diffuse:A|checker:A:B[:SIDE]"),
        "a plane without end under the volume that reflects diffusely, with albedo A (a number, or one per band), or "
        "with squares of albedo A and B and of this side (default: a quarter of the box's longest side); it is seen "
        "from above alone (default none)");
    add("ground-up", text_value("AXIS"), "world axis that points up from the ground (default +z)");
}

void GroundOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "ground")) {
        std::vector<std::string> parts;
        std::string_view rest = *text;
        for (std::size_t end = 0; end != std::string_view::npos; rest.remove_prefix(end + 1)) {
            end = rest.find(':');
            parts.emplace_back(rest.substr(0, end));
            if (end == std::string_view::npos) break;
        }
        std::string const choice = parse_choice("--ground", parts[0], {"none", "diffuse", "checker"});
        kind_ = choice == "none" ? GroundKind::none : choice == "diffuse" ? GroundKind::diffuse : GroundKind::checker;
        std::size_t const least = choice == "none" ? 1 : choice == "diffuse" ? 2 : 3;
        if (parts.size() < least || parts.size() > (choice == "checker" ? 4 : least))
            fail_usage(fmt::format("--ground '{}' cannot be read", *text),
                       "give none, diffuse:A or checker:A:B or checker:A:B:SIDE, for example checker:.2:.6:10mm");
        if (parts.size() > 1) albedo_ = parse_floats("--ground", parts[1]);
        if (parts.size() > 2) other_albedo_ = parse_floats("--ground", parts[2]);
        if (parts.size() > 3) check_mm_ = parse_length_mm("--ground", parts[3]);
    }
    if (auto const text = given_text(values, "ground-up")) up_axis_ = parse_axis("--ground-up", *text);
}

void GroundOptions::apply(Scene& scene, VolumeMeta const& meta) const
{
    GroundSpec& ground = scene.ground;
    if (kind_) {
        ground.kind = *kind_;
        double longest_mm = 0;
        for (std::size_t axis = 0; axis < 3; ++axis)
            longest_mm = std::max(longest_mm, meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]));
        ground.check_mm = check_mm_.value_or(longest_mm / 4);
    }
    if (albedo_) ground.albedo = *albedo_;
    if (other_albedo_) ground.other_albedo = *other_albedo_;
    if (up_axis_) ground.up_axis = *up_axis_;
    if (ground.kind == GroundKind::none) {
        if (up_axis_) fail_usage("--ground-up needs a ground", "give --ground, or leave it out");
    } else if (scene.camera.kind == CameraKind::probe) {
        fail_usage("a probe has its own view and light, but --ground is given", "leave one of the two out");
    }
}

void BoundaryOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("boundary", text_value("none|smooth|rough"),
        "faces of the box: index-matched, smooth dielectric, rough dielectric (GGX) (default none; smooth or rough if "
        "one of the options below is given)");
    add("int-ior", text_value("N"), "index of refraction inside (default 1.5 with a boundary)");
    add("ext-ior", text_value("N"), "index of refraction outside (default 1)");
    add("alpha", text_value("A"), "GGX roughness, 0 to 1 (default 0.1 for rough)");
    add("microfacets", text_value("multiple|single"),
        "rough boundary: follow light from facet to facet until it leaves, or only to one, and lose what another one "
        "would get, as most renderers do (default multiple; single with a volume's hints from Mitsuba)");
}

void BoundaryOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "boundary")) {
        std::string const choice = parse_choice("--boundary", *text, {"none", "smooth", "rough"});
        kind_ = choice == "none" ? BoundaryKind::none : choice == "smooth" ? BoundaryKind::smooth : BoundaryKind::rough;
    }
    if (auto const text = given_text(values, "int-ior")) int_ior_ = parse_number("--int-ior", *text, 0.1, 10);
    if (auto const text = given_text(values, "ext-ior")) ext_ior_ = parse_number("--ext-ior", *text, 0.1, 10);
    if (auto const text = given_text(values, "alpha")) alpha_ = parse_number("--alpha", *text, 0, 1);
    if (auto const text = given_text(values, "microfacets"))
        microfacets_ = parse_choice("--microfacets", *text, {"multiple", "single"}) == "multiple"
                           ? Microfacets::multiple
                           : Microfacets::single;
    if (kind_ == BoundaryKind::none && (int_ior_ || ext_ior_ || alpha_))
        fail_usage("--boundary none has neither --int-ior, --ext-ior nor --alpha",
                   "leave them out, or give --boundary smooth or rough");
    if (kind_ == BoundaryKind::smooth && alpha_ && *alpha_ != 0)
        fail_usage("--boundary smooth has no --alpha", "give --boundary rough");
}

void BoundaryOptions::apply(Scene& scene) const
{
    BoundarySpec& boundary = scene.boundary;
    BoundaryKind const before = boundary.kind;
    if (kind_) {
        boundary.kind = *kind_;
    } else if (alpha_ && *alpha_ > 0) {
        boundary.kind = BoundaryKind::rough;
    } else if ((int_ior_ || ext_ior_) && boundary.kind == BoundaryKind::none) {
        boundary.kind = BoundaryKind::smooth;
    }
    if (boundary.kind != BoundaryKind::none && before == BoundaryKind::none) {
        boundary.int_ior = 1.5;
        boundary.ext_ior = 1;
    }
    if (boundary.kind == BoundaryKind::rough && before != BoundaryKind::rough) {
        boundary.alpha = 0.1;
        boundary.microfacets = Microfacets::multiple;
    }
    if (int_ior_) boundary.int_ior = *int_ior_;
    if (ext_ior_) boundary.ext_ior = *ext_ior_;
    if (alpha_) boundary.alpha = *alpha_;
    if (!microfacets_) return;
    if (boundary.kind != BoundaryKind::rough)
        fail_usage("--microfacets needs a rough boundary", "give --boundary rough or --alpha, or leave it out");
    boundary.microfacets = *microfacets_;
}

void MediumOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("g", text_value("G"), "Henyey-Greenstein anisotropy, -0.999 to 0.999 (default: the volume's own)");
    add("scale", text_value("S"), "extinction in 1/mm at density 1 (default: the volume's own)");
    add("majorant", text_value("local|global"),
        "upper bound of the extinction for free flights: of each brick, or of the whole volume (default local)");
    add("long-steps", text_value("auto|on|layers|off"),
        "replace many collisions inside a sphere of one material by a single step: same expectation, different noise, "
        "faster where much of the volume is dense and homogeneous; auto: on where volume, scene and size of the "
        "picture make it faster, as the film has it with --resume; layers: steps through plane layers, for pictures of "
        "a thick core with --sides periodic (default off)");
    add("roulette", text_value("off|W_MIN"),
        "Russian roulette for paths whose throughput falls below W_MIN (default 0.5)");
    add("depth-limit", text_value("N"),
        "end paths after N extensions; the lost energy is reported (default: no limit)");
}

void MediumOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "g")) g_ = static_cast<float>(parse_number("--g", *text, -0.999, 0.999));
    if (auto const text = given_text(values, "scale"))
        scale_ = static_cast<float>(parse_number("--scale", *text, 0, 1e9));
    if (auto const text = given_text(values, "majorant"))
        majorant_ = parse_choice("--majorant", *text, {"local", "global"}) == "local" ? MajorantKind::local
                                                                                      : MajorantKind::global;
    if (auto const text = given_text(values, "long-steps")) {
        std::string const choice = parse_choice("--long-steps", *text, {"auto", "on", "layers", "off"});
        if ((choice == "on" || choice == "layers") && majorant_ == MajorantKind::global)
            fail_usage(fmt::format("--long-steps {} and --majorant global contradict each other: long steps need the "
                                   "majorants of bricks",
                                   choice),
                       "leave one of the two out");
        picks_long_steps = choice == "auto";
        if (!picks_long_steps)
            long_steps_ = choice == "on" ? LongSteps::on : choice == "layers" ? LongSteps::layers : LongSteps::off;
    }
    if (auto const text = given_text(values, "roulette"))
        roulette_w_min_ = *text == "off" ? 0.0f : static_cast<float>(parse_number("--roulette", *text, 0, 1));
    if (auto const text = given_text(values, "depth-limit"))
        depth_limit_ = static_cast<std::uint32_t>(parse_integer("--depth-limit", *text, 1, 0xfffffffe));
}

void MediumOptions::apply(Scene& scene) const
{
    if (g_) {
        scene.override_g = true;
        scene.g = *g_;
    }
    if (scale_) scene.scale = *scale_;
    if (majorant_) scene.majorant = *majorant_;
    if (long_steps_) scene.long_steps = *long_steps_;
    if (roulette_w_min_) scene.roulette_w_min = *roulette_w_min_;
    if (depth_limit_) scene.depth_limit = *depth_limit_;
}

} // namespace volpt
