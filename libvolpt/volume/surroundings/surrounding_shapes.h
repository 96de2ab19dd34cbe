// The surfaces that stand around a volume, as readers hand them over and as a .vpk holds them.
#pragma once

#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <vector>

namespace volpt {

/// Triangles and spheres with their BSDFs. Positions are in mm from the corner of the volume's box, along its axes.
struct SurroundingShapes {
    TriangleMesh mesh_mm;                        ///< need not be closed
    std::vector<std::uint32_t> bsdf_of_triangle; ///< indices of `bsdfs`
    std::vector<SphereView> spheres;
    std::vector<std::uint32_t> bsdf_of_sphere;
    std::vector<BsdfView> bsdfs;            ///< their texels lie in `texels`
    std::vector<std::vector<float>> texels; ///< by BSDF; empty: no picture

    bool is_empty() const { return mesh_mm.triangles.empty() && spheres.empty(); }
};

} // namespace volpt
