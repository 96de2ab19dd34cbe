// Paths that start on a mesh at points of its texture space: probes of objects.
#pragma once

#include "libvolpt/core/extend_path.hd.h"

namespace volpt {

/// The triangle over `point`, (u, v, 0), of several the one with the lowest number; kNoTriangle if there is none. A
/// point on an edge belongs to one of the triangles that lie side by side there.
VOLPT_HD SurfaceHit find_texel_triangle(BvhView const& charts, Vec3 point)
{
    // The ray starts in the plane of all triangles: t is exactly 0, so that rounding does not choose among them.
    return find_triangle(charts, make_bvh_ray(charts, point, {0.0f, 0.0f, -1.0f}), Facing::any, 0.0f, 1.0f);
}

template <int bands>
struct TexelStart {
    PathState<bands> path; ///< `entering`, at the triangle of `hit`; `ended` without radiance where there is none
    SurfaceHit hit;
    Vec3 normal; ///< of the triangle, not interpolated: unit, outward
};

/// The path `id` of a scene with scene.texture_probe, whose camera gives (u, v, 0) as the point in the pixel, and
/// directions about +z, before its first event. On a GPU a call, like call_meet_triangle.
template <int bands>
VOLPT_HD_CALLED TexelStart<bands> start_path_at_texel(SceneView const& scene, PathId id)
{
    TexelStart<bands> start{start_path<bands>(scene, id), {}, {}};
    PathState<bands>& path = start.path;
    start.hit = find_texel_triangle(scene.texture_probe->charts, path.position);
    if (start.hit.triangle == kNoTriangle) {
        for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
        path.stage = Stage::ended;
        return start;
    }
    LeafTriangle const triangle = get_triangle(scene.surface, start.hit.triangle);
    start.normal = find_normals(scene.surface, start.hit, triangle, path.direction, false).geometric;
    Vec3 const inward = -start.normal;
    Vec3 const local = path.direction;
    path.direction = inward;
    if (scene.texture_probe->is_diffuse != 0u) {
        Frame const frame = make_frame(inward);
        path.direction =
            normalize(move_along(move_along(local.x * frame.tangent, local.y, frame.bitangent), local.z, inward));
    }
    path.stage = Stage::entering;
    return start;
}

/// start_path_at_texel, and the first event there: the search for a triangle could miss it at an edge.
template <Surfaces surfaces, int bands, class Counts>
VOLPT_HD TexelStart<bands> start_probe_path(SceneView const& scene, PathId id, Counts& counts)
{
    TexelStart<bands> start = start_path_at_texel<bands>(scene, id);
    if (start.path.stage != Stage::ended) run_meet_triangle<surfaces>(scene, start.hit, start.path, counts);
    return start;
}

/// Of a path that has ended and started at a triangle with this normal: its light counts only if it comes from the
/// hemisphere above. The environment of such scenes is even.
template <int bands>
VOLPT_HD void keep_light_from_above(Vec3 normal, PathState<bands>& path)
{
    if (dot(path.direction, normal) >= 0.0f) return;
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
}

} // namespace volpt
