#include "libvolpt/surface/texture_charts.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <mutex>

namespace volpt {
namespace {

Vec3 place_corner(TextureCoordinates const& at)
{
    auto const limit = [](float x) { return std::abs(x) < 0x1p-30f ? 0.0f : std::clamp(x, -0x1p20f, 0x1p20f); };
    return {limit(at.u), limit(at.v), 0.0f};
}

/// All triangles over a point: t stays where it is, so that none hides another.
struct OverlapHit : SurfaceHit {
    std::uint32_t triangles;
    std::vector<std::atomic<std::uint8_t>>* marks; ///< by triangle; null: only count
};

void take_nearer(TriangleRay const& ray, LeafTriangle const& triangle, Facing facing, float, OverlapHit& hit)
{
    if (!intersect_triangle(ray, triangle.a, triangle.b, triangle.c, facing).met) return;
    hit.triangles += 1;
    if (hit.marks != nullptr) (*hit.marks)[triangle.number].store(1, std::memory_order_relaxed);
}

std::uint32_t count_triangles(BvhView const& charts, Vec3 point, std::vector<std::atomic<std::uint8_t>>* marks)
{
    BvhRay const ray = make_bvh_ray(charts, point, {0.0f, 0.0f, -1.0f});
    OverlapHit const none{{1.0f, kNoTriangle, 0.0f, 0.0f}, 0, marks};
    return find_triangle_from<BvhSearch::nearest>(charts, ray, Facing::any, 0.0f, none).triangles;
}

bool lies_outside(LeafTriangle const& triangle)
{
    auto const passes = [](float a, float b, float c) {
        return std::max({a, b, c}) <= 0.0f || std::min({a, b, c}) >= 1.0f;
    };
    return passes(triangle.a.x, triangle.b.x, triangle.c.x) || passes(triangle.a.y, triangle.b.y, triangle.c.y);
}

} // namespace

TextureCharts::TextureCharts(std::span<std::array<TextureCoordinates, 3> const> coordinates, int threads)
{
    TriangleMesh mesh;
    mesh.positions_mm.reserve(3 * coordinates.size());
    mesh.triangles.reserve(coordinates.size());
    for (auto const& corners : coordinates) {
        auto const first = static_cast<std::uint32_t>(mesh.positions_mm.size());
        for (TextureCoordinates const& at : corners) mesh.positions_mm.push_back(place_corner(at));
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    bvh_ = build_bvh(mesh, {.threads = threads});
    triangles_ = gather_leaf_triangles(mesh, bvh_.order, threads);
}

ChartReport inspect_charts(TextureCharts const& charts, std::uint32_t width, std::uint32_t height, int threads)
{
    constexpr int kRowsPerPiece = 8;
    BvhView const view = charts.view();
    ChartReport report{.texels = std::uint64_t{width} * height};
    std::vector<std::atomic<std::uint8_t>> marks(charts.triangle_count());
    std::mutex mutex;
    parallel_for_rows(threads, static_cast<int>(height), kRowsPerPiece, [&](RowRange rows) {
        ChartReport part;
        for (int y = rows.first; y < rows.end; ++y)
            for (std::uint32_t x = 0; x < width; ++x) {
                Vec3 const point{(static_cast<float>(x) + 0.5f) / static_cast<float>(width),
                                 1.0f - (static_cast<float>(y) + 0.5f) / static_cast<float>(height), 0.0f};
                std::uint32_t const triangles = count_triangles(view, point, nullptr);
                if (triangles > 0) ++part.covered_texels;
                if (triangles < 2) continue;
                if (part.overlapped_texels++ == 0) part.first_overlap = {x, static_cast<std::uint32_t>(y)};
                count_triangles(view, point, &marks);
            }
        std::scoped_lock const lock(mutex);
        bool const is_first = report.overlapped_texels == 0 || part.first_overlap[1] < report.first_overlap[1];
        if (part.overlapped_texels > 0 && is_first) report.first_overlap = part.first_overlap;
        report.covered_texels += part.covered_texels;
        report.overlapped_texels += part.overlapped_texels;
    });
    for (auto const& mark : marks) report.overlapping_triangles += mark.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < charts.triangle_count(); ++i)
        report.triangles_outside += lies_outside(view.triangles[i]) ? 1u : 0u;
    return report;
}

} // namespace volpt
