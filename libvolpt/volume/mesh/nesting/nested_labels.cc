#include "libvolpt/volume/mesh/nesting/nested_labels.h"

#include "libvolpt/core/surface/mesh_flight.hd.h"
#include "libvolpt/surface/bvh.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>

namespace volpt {

NestedLabels::NestedLabels(std::array<int, 3> dims, TriangleMesh const& mesh, std::span<SolidBoundary const> solids,
                           std::span<SolidNesting const> nesting, int threads)
    : columns_(static_cast<std::size_t>(dims[0]) * static_cast<std::size_t>(dims[1]))
{
    Bvh const bvh = build_bvh(mesh, {.threads = threads});
    std::vector<LeafTriangle> const triangles = gather_leaf_triangles(mesh, bvh.order, threads);
    BvhView const view{bvh.nodes.data(), triangles.data(), bvh.bounds, bvh.root};
    auto const label_before = [&](SurfaceHit const& hit, BvhRay const& ray) {
        auto const after = std::ranges::upper_bound(solids, hit.triangle, {}, &SolidBoundary::first_triangle);
        auto const solid = static_cast<std::size_t>(after - solids.begin()) - 1;
        auto const& corners = mesh.triangles[hit.triangle];
        auto const& at = mesh.positions_mm;
        bool const is_back =
            intersect_triangle(ray.triangle, at[corners[0]], at[corners[1]], at[corners[2]], Facing::back).met;
        std::uint32_t const region = is_back ? static_cast<std::uint32_t>(solid) + 1 : nesting[solid].around;
        return static_cast<std::uint8_t>(nesting[region > 0 ? region - 1 : 0].label);
    };
    // Along z from surface to surface; a ray per voxel would take a hundred times as long.
    auto const width = static_cast<std::size_t>(dims[0]);
    parallel_for(threads, static_cast<std::size_t>(dims[1]), [&](std::size_t y) {
        for (std::size_t x = 0; x < width; ++x) {
            Vec3 const from{static_cast<float>(x) + 0.5f, static_cast<float>(y) + 0.5f, 0};
            BvhRay const ray = make_bvh_ray(view, from, {0, 0, 1});
            std::vector<Run>& runs = columns_[y * width + x];
            auto const outside = static_cast<std::uint8_t>(nesting[0].label);
            for (float z = 0; (runs.empty() ? 0 : runs.back().end) < dims[2];) {
                SurfaceHit const hit = find_triangle(view, ray, Facing::any, z, kFarAway_mm);
                bool const is_last = hit.triangle == kNoTriangle;
                int const end = is_last ? dims[2] : std::clamp(static_cast<int>(std::ceil(hit.t - 0.5f)), 0, dims[2]);
                std::uint8_t const label = is_last ? outside : label_before(hit, ray);
                if (end > (runs.empty() ? 0 : runs.back().end)) runs.push_back({end, label});
                z = step_up(hit.t);
            }
        }
    });
}

void NestedLabels::read_layers(int z_first, int z_count, std::vector<std::uint8_t>& labels) const
{
    std::size_t const layer = columns_.size();
    labels.resize(layer * static_cast<std::size_t>(z_count));
    for (std::size_t column = 0; column < layer; ++column) {
        auto run = columns_[column].begin();
        for (int z = 0; z < z_count; ++z) {
            while (run->end <= z_first + z) ++run;
            labels[layer * static_cast<std::size_t>(z) + column] = run->label;
        }
    }
}

} // namespace volpt
