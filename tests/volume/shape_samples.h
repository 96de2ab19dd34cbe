// Surfaces around a volume that have one of everything.
#pragma once

#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

namespace volpt::test {

/// A box and two spheres with a BSDF of every kind, for one band; the first has a picture of 2 x 1 texels.
inline SurroundingShapes make_sample_shapes()
{
    SurroundingShapes shapes;
    shapes.mesh_mm = make_box({-3, -2, -1}, {1, 2, -0.5f});
    for (std::uint32_t i = 0; i < 12; ++i) {
        shapes.bsdf_of_triangle.push_back(i % 6);
        shapes.mesh_mm.normals.push_back({});
        shapes.mesh_mm.texture_coordinates.push_back({{{0, 0}, {1, 0}, {0.5f, 1}}});
    }
    shapes.spheres = {{{6, 1, 1}, 1.5f}, {{1, 6, 1}, 0.5f}};
    shapes.bsdf_of_sphere = {1, 3};
    for (BsdfKind const kind : {BsdfKind::diffuse, BsdfKind::phong, BsdfKind::conductor, BsdfKind::dielectric,
                                BsdfKind::thin_dielectric, BsdfKind::null}) {
        BsdfView bsdf;
        bsdf.kind = kind;
        bsdf.two_sided = 1;
        bsdf.diffuse.colour[0][0] = 0.5f;
        bsdf.exponent = 20;
        bsdf.specular[0] = 0.25f;
        bsdf.specular_share = 0.3f;
        bsdf.has_fresnel = 1;
        bsdf.eta[0] = 0.25f;
        bsdf.extinction[0] = 3;
        bsdf.boundary = {BoundaryKindView::rough, 1.5f, 1 / 1.5f, 0.2f, MicrofacetsView::multiple, 1};
        shapes.bsdfs.push_back(bsdf);
    }
    shapes.bsdfs[0].diffuse.width = 2;
    shapes.bsdfs[0].diffuse.height = 1;
    shapes.texels = {{0.25f, 1.0f}, {}, {}, {}, {}, {}};
    return shapes;
}

} // namespace volpt::test
