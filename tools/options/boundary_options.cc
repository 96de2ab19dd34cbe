// --boundary --int-ior --ext-ior --alpha.
#include "tools/options/scene_options.h"
#include "tools/options/units.h"

#include "libvolpt/sys/error.h"

namespace volpt {
namespace po = boost::program_options;

void BoundaryOptions::declare(po::options_description& options)
{
    options.add_options()("boundary", po::value<std::string>()->value_name("none|smooth|rough"),
                          "the box's faces: matched, smooth dielectric, GGX rough dielectric (default none; smooth or "
                          "rough follow from the options below)")(
        "int-ior", po::value<std::string>()->value_name("N"),
        "index of refraction inside (default 1.5 with a boundary)")(
        "ext-ior", po::value<std::string>()->value_name("N"), "index of refraction outside (default 1)")(
        "alpha", po::value<std::string>()->value_name("A"), "GGX roughness, 0 to 1 (default 0.1 for rough)");
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
    if (kind_ == BoundaryKind::none && (int_ior_ || ext_ior_ || alpha_))
        fail_usage("--boundary none has no --int-ior, --ext-ior or --alpha",
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
    if (boundary.kind == BoundaryKind::rough && before != BoundaryKind::rough) boundary.alpha = 0.1;
    if (int_ior_) boundary.int_ior = *int_ior_;
    if (ext_ior_) boundary.ext_ior = *ext_ior_;
    if (alpha_) boundary.alpha = *alpha_;
}

} // namespace volpt
