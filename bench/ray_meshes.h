// The meshes of bench_rays and bench_rays_gpu, and their pictures.
#pragma once

#include "bench/ray_work.hd.h"
#include "libvolpt/surface/bvh.h"
#include "libvolpt/surface/make_mesh.h"

#include <string>

namespace volpt::bench {

/// 5,120, 79,380 and 994,580 triangles.
inline constexpr std::array<std::uint32_t, 3> kMeshDivisions = {16, 63, 223};

struct PictureSize {
    std::uint32_t width, height;
    float pixel_tangent;
};
/// What the reports draw, and a picture of which the mesh fills 80 %.
inline constexpr PictureSize kPicture{640, 480, 0.00125f};
inline constexpr PictureSize kFilled{1024, 1024, 0.000506f};

inline char const* name_bounce(Bounce bounce)
{
    return bounce == Bounce::none ? "none" : bounce == Bounce::mirror ? "mirror" : "diffuse";
}

inline RayScene make_scene(BvhView const& bvh, std::uint32_t const* places, PictureSize const& size)
{
    constexpr float kDistance_mm = 40;
    return {bvh, places, kDistance_mm, size.pixel_tangent, size.width, size.height};
}

/// A bumpy sphere of radius 10 mm: closed and concave, so that some rays that leave it meet it again.
class RayMesh {
public:
    RayMesh(std::uint32_t divisions, BvhNodeOrder order, int threads)
        : mesh_(make_bumpy_sphere(10, divisions, 0.4f)), bvh_(build_bvh(mesh_, {order, threads})),
          triangles_(gather_leaf_triangles(mesh_, bvh_.order, threads)), places_(find_places(triangles_))
    {
    }

    TriangleMesh const& mesh() const { return mesh_; }
    Bvh const& bvh() const { return bvh_; }
    std::vector<LeafTriangle> const& triangles() const { return triangles_; }
    std::vector<std::uint32_t> const& places() const { return places_; }
    std::string name() const { return std::to_string(mesh_.triangles.size()) + " triangles"; }

    RayScene view(PictureSize const& size) const
    {
        return make_scene({bvh_.nodes.data(), triangles_.data(), bvh_.bounds, bvh_.root}, places_.data(), size);
    }

private:
    TriangleMesh mesh_;
    Bvh bvh_;
    std::vector<LeafTriangle> triangles_;
    std::vector<std::uint32_t> places_;
};

} // namespace volpt::bench
