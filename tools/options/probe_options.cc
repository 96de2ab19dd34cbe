// --probe --view --dpi --specular --backing --sides.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;
namespace {

constexpr double kMmPerInch = 25.4;

std::uint32_t count_texels(VolumeMeta const& meta, std::size_t axis, std::optional<double> dpi)
{
    double const length_mm = meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
    double const texels = dpi ? std::round(length_mm / kMmPerInch * *dpi) : meta.dims[axis];
    if (texels > 65535)
        fail_usage(
            fmt::format("--dpi {} makes {:.0f} texels along {:.4g} mm, more than 65535", *dpi, texels, length_mm),
            "give a smaller --dpi");
    return std::max(1u, static_cast<std::uint32_t>(texels));
}

} // namespace

void ProbeOptions::declare(po::options_description& options)
{
    options.add_options()("probe", po::value<std::string>()->value_name("top|AXIS"),
                          "instead of a camera, the reflectance of one face of the box (top is +z), one texel a voxel: "
                          "lit evenly from the face's "
                          "hemisphere, through a smooth boundary of n 1.5 unless options or the volume say otherwise; "
                          "1 is a perfect diffuser")(
        "view", po::value<std::string>()->value_name("normal|diffuse"),
        "what a probe's texel is seen from: its normal, or all directions, weighted by the cosine (default normal)")(
        "dpi", po::value<std::string>()->value_name("N|X,Y"), "texels an inch of a probe instead of one a voxel")(
        "specular", po::value<std::string>()->value_name("included|excluded"),
        "light that the boundary reflects before it was inside (default included)")(
        "backing", po::value<std::string>()->value_name("black|white|mirror"),
        "what lies behind the face opposite a probe's, across an air gap: nothing, a perfect diffuser, a mirror "
        "(default black)")(
        "sides", po::value<std::string>()->value_name("boundary|periodic"),
        "the four faces beside a probe's: as the other faces, or the seams of an endless slab (default boundary)");
}

void ProbeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "probe"))
        face = *text == "top" ? 4u : parse_axis("--probe top|AXIS", *text);
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

void ProbeOptions::apply(Scene& scene, VolumeMeta const& meta) const
{
    CameraSpec& camera = scene.camera;
    bool const begins = face && camera.kind != CameraKind::probe;
    if (face) {
        camera.kind = CameraKind::probe;
        camera.probe_face = *face;
    }
    if (begins && scene.boundary.kind == BoundaryKind::none) scene.boundary = {BoundaryKind::smooth, 1.5, 1};
    if (specular_) scene.boundary.specular = *specular_;
    if (camera.kind != CameraKind::probe) {
        if (view_ || dpi_ || backing_ || sides_)
            fail_usage("--view, --dpi, --backing and --sides are of a probe", "give --probe top, or leave them out");
        return;
    }
    if (view_) camera.view = *view_;
    if (backing_) scene.boundary.backing = *backing_;
    if (sides_) scene.boundary.sides = *sides_;
    if (!begins && !dpi_) return;
    FaceFrame const frame = find_face_frame(meta.placement, camera.probe_face);
    std::optional<double> const x = dpi_ ? std::optional(dpi_->front()) : std::nullopt;
    std::optional<double> const y = dpi_ ? std::optional(dpi_->back()) : std::nullopt;
    scene.width = count_texels(meta, frame.right_axis, x);
    scene.height = count_texels(meta, frame.up_axis, y);
}

} // namespace volpt
