// One request after the other: boundary, medium.
#include "libvolpt/job/medium_request.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {

void BoundaryRequest::check() const
{
    if (kind == BoundaryKind::none && (int_ior || ext_ior || alpha || support_alpha))
        fail_usage("--boundary none has neither --int-ior, --ext-ior, --alpha nor --support-alpha",
                   "leave them out, or give --boundary smooth or rough");
    if (kind == BoundaryKind::smooth && alpha && *alpha != 0)
        fail_usage("--boundary smooth has no --alpha", "give --boundary rough");
}

void BoundaryRequest::apply_interfaces(Scene& scene) const
{
    if (has_interfaces == false) scene.material_ior.clear();
    if (has_interfaces == true && scene.material_ior.empty())
        fail_usage("--interfaces voxels is given, but this volume has no indices of refraction for its materials",
                   "pack it with volprep --materials TABLE --interfaces voxels, from a table with \"ior\" by material");
    if (int_ior && !scene.material_ior.empty())
        fail_usage("--int-ior is given, but every material has an index of its own (--interfaces voxels)",
                   "leave it out, or give --interfaces none");
}

void BoundaryRequest::apply(Scene& scene, SurfaceMeshView const& surface) const
{
    check();
    apply_interfaces(scene);
    BoundarySpec& boundary = scene.boundary;
    BoundaryKind const before = boundary.kind;
    if (kind) {
        boundary.kind = *kind;
    } else if (alpha && *alpha > 0) {
        boundary.kind = BoundaryKind::rough;
    } else if ((int_ior || ext_ior) && boundary.kind == BoundaryKind::none) {
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
    if (int_ior) boundary.int_ior = *int_ior;
    if (ext_ior) boundary.ext_ior = *ext_ior;
    if (alpha) boundary.alpha = *alpha;
    if (support_alpha) {
        if (surface.supported_triangles == 0)
            fail_usage("--support-alpha is given, but no face of this volume is known to have been under support",
                       "leave it out, or pack a print job that has support material with --surface");
        if (boundary.kind == BoundaryKind::none)
            fail_usage("--support-alpha needs a boundary", "give --boundary smooth or rough as well, or leave it out");
        if (boundary.support_alpha == 0 && boundary.kind == BoundaryKind::smooth)
            boundary.microfacets = Microfacets::multiple;
        boundary.support_alpha = *support_alpha;
    }
    if (!microfacets) return;
    if (!has_rough_faces(boundary))
        fail_usage("--microfacets needs a rough boundary", "give --boundary rough or --alpha, or leave it out");
    boundary.microfacets = *microfacets;
}

void MediumRequest::check() const
{
    if (long_steps && *long_steps != LongSteps::plain && majorant == MajorantKind::global)
        fail_usage(fmt::format("--long-steps {} and --majorant global contradict each other: long steps need the "
                               "majorants of bricks",
                               to_word(*long_steps)),
                   "leave one of the two out");
}

void MediumRequest::apply(Scene& scene) const
{
    check();
    if (g) {
        scene.override_g = true;
        scene.g = *g;
    }
    if (scale) scene.scale = *scale;
    if (majorant) scene.majorant = *majorant;
    if (long_steps) scene.long_steps = *long_steps;
    if (roulette_w_min) scene.roulette_w_min = *roulette_w_min;
    if (depth_limit) scene.depth_limit = *depth_limit;
}

} // namespace volpt
