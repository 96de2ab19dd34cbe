// One group after the other: light, ground, boundary, medium.
#include "tools/options/scene_options.h"

#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

void LightOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("env", file_value("VALUE|R,G,B|IMAGE", {.files = ".exr .hdr .pfm"}, FileValueKind::file_or_number),
        "radiance from all directions: a number, one number per band, or an image of the whole sphere, .exr, .hdr "
        "or .pfm (default 1)");
    add("env-layout", text_value(join_words<LightLayout>()),
        "how the image of --env covers the sphere: latitude-longitude, or the faces of a cube as a cross or in a row "
        "(default auto: 6:1 and 1:6 are strips, 4:3 and 3:4 crosses if their corners are blank, others latlong)");
    add("env-below", text_value("VALUE|R,G,B"), "radiance from the lower hemisphere; --env is then the upper one");
    add("env-up", text_value("AXIS"), "world axis that points up in the light (default +y)");
    add("env-rotate", text_value("DEG"), "angle by which the light is turned about its up axis");
    add("transparent", po::bool_switch(),
        "hide the background: where nothing is hit, .exr and .png have alpha 0, and other images are black");
    add("backdrop", text_value("FACTOR"),
        "in .png and .jpg images, show the light behind the volume at this part of its radiance, 0 to 1; the volume's "
        "own light does not change, and films keep it (default 0.2 if --env is one radiance, so that white objects "
        "show, else 1)");
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
        layout = parse_word<LightLayout>("--env-layout", *text);
        if (!image_path) fail_usage("--env-layout needs an image", "give --env IMAGE, or leave it out");
    }
    if (auto const text = given_text(values, "env-below")) below_ = parse_floats("--env-below", *text);
    if (auto const text = given_text(values, "env-up")) up_axis_ = parse_axis("--env-up", *text);
    if (auto const text = given_text(values, "env-rotate"))
        rotate_deg_ = parse_number("--env-rotate", *text, -360, 360);
    hides_background_ = values["transparent"].as<bool>();
    if (auto const text = given_text(values, "backdrop")) backdrop = parse_number("--backdrop", *text, 0, 1);
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
        kind_ = parse_word<GroundKind>("--ground", parts[0]);
        std::size_t const least = *kind_ == GroundKind::none ? 1 : *kind_ == GroundKind::diffuse ? 2 : 3;
        if (parts.size() < least || parts.size() > (*kind_ == GroundKind::checker ? 4 : least))
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
        ground.check_mm = check_mm_.value_or(find_longest_side_mm(meta) / 4);
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
    add("boundary", text_value(join_words<BoundaryKind>()),
        "faces of the box: index-matched, smooth dielectric, rough dielectric (GGX) (default: what the volume's source "
        "says, else smooth for --probe, else none; smooth or rough if one of the options below is given)");
    add("int-ior", text_value("N"),
        "index of refraction inside, with a boundary, --probe's included (default: what the volume's source says, else "
        "1.5)");
    add("ext-ior", text_value("N"), "index of refraction outside (default 1)");
    add("alpha", text_value("A"), "GGX roughness, 0 to 1 (default 0.1 for rough)");
    add("support-alpha", text_value("A"),
        "GGX roughness of the faces that were under support material, of a print job packed with --surface; 0: they "
        "are like the others (default 0.3)");
    add("microfacets", text_value(join_words<Microfacets>()),
        "rough faces: follow light from facet to facet until it leaves, or only to one, and lose what another one "
        "would get, as most renderers do (default multiple; single with a volume's hints from Mitsuba)");
    add("interfaces", text_value("none|voxels"),
        "voxels: light is reflected and refracted (smooth) at the faces between voxels whose materials differ in "
        "index, "
        "and at faces of the box by the index of the material there, not by --int-ior (default: voxels if the volume "
        "was packed with --interfaces voxels)");
}

void BoundaryOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "boundary")) kind_ = parse_word<BoundaryKind>("--boundary", *text);
    if (auto const text = given_text(values, "int-ior")) int_ior_ = parse_number("--int-ior", *text, 0.1, 10);
    if (auto const text = given_text(values, "ext-ior")) ext_ior_ = parse_number("--ext-ior", *text, 0.1, 10);
    if (auto const text = given_text(values, "alpha")) alpha_ = parse_number("--alpha", *text, 0, 1);
    if (auto const text = given_text(values, "support-alpha"))
        support_alpha_ = parse_number("--support-alpha", *text, 0, 1);
    if (auto const text = given_text(values, "microfacets"))
        microfacets_ = parse_word<Microfacets>("--microfacets", *text);
    if (auto const text = given_text(values, "interfaces"))
        has_interfaces_ = parse_choice("--interfaces", *text, {"none", "voxels"}) == "voxels";
    if (kind_ == BoundaryKind::none && (int_ior_ || ext_ior_ || alpha_ || support_alpha_))
        fail_usage("--boundary none has neither --int-ior, --ext-ior, --alpha nor --support-alpha",
                   "leave them out, or give --boundary smooth or rough");
    if (kind_ == BoundaryKind::smooth && alpha_ && *alpha_ != 0)
        fail_usage("--boundary smooth has no --alpha", "give --boundary rough");
}

void BoundaryOptions::apply_interfaces(Scene& scene) const
{
    if (has_interfaces_ == false) scene.material_ior.clear();
    if (has_interfaces_ == true && scene.material_ior.empty())
        fail_usage("--interfaces voxels is given, but this volume has no indices of refraction for its materials",
                   "pack it with volprep --materials TABLE --interfaces voxels, from a table with \"ior\" by material");
    if (int_ior_ && !scene.material_ior.empty())
        fail_usage("--int-ior is given, but every material has an index of its own (--interfaces voxels)",
                   "leave it out, or give --interfaces none");
}

void BoundaryOptions::apply(Scene& scene, SurfaceMeshView const& surface) const
{
    apply_interfaces(scene);
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
    if (support_alpha_) {
        if (surface.supported_triangles == 0)
            fail_usage("--support-alpha is given, but no face of this volume is known to have been under support",
                       "leave it out, or pack a print job that has support material with --surface");
        if (boundary.kind == BoundaryKind::none)
            fail_usage("--support-alpha needs a boundary", "give --boundary smooth or rough as well, or leave it out");
        if (boundary.support_alpha == 0 && boundary.kind == BoundaryKind::smooth)
            boundary.microfacets = Microfacets::multiple;
        boundary.support_alpha = *support_alpha_;
    }
    if (!microfacets_) return;
    if (!has_rough_faces(boundary))
        fail_usage("--microfacets needs a rough boundary", "give --boundary rough or --alpha, or leave it out");
    boundary.microfacets = *microfacets_;
}

void MediumOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("g", text_value("G"), "Henyey-Greenstein anisotropy, -0.999 to 0.999 (default: the volume's own)");
    add("scale", text_value("S"), "extinction in 1/mm at density 1 (default: the volume's own)");
    add("majorant", text_value(join_words<MajorantKind>()),
        "upper bound of the extinction for free flights: of each brick, or of the whole volume (default local)");
    add("long-steps", text_value("auto|" + join_words<LongSteps>()),
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
    if (auto const text = given_text(values, "majorant")) majorant_ = parse_word<MajorantKind>("--majorant", *text);
    if (auto const text = given_text(values, "long-steps")) {
        long_steps_ = parse_word_or<LongSteps>("auto", "--long-steps", *text);
        picks_long_steps = !long_steps_;
        if (long_steps_ && *long_steps_ != LongSteps::plain && majorant_ == MajorantKind::global)
            fail_usage(fmt::format("--long-steps {} and --majorant global contradict each other: long steps need the "
                                   "majorants of bricks",
                                   *text),
                       "leave one of the two out");
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
