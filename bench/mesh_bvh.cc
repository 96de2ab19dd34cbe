// What meshes cost: welding, checking, building a bounding volume hierarchy, and rays, one thread or two.
#include "libvolpt/surface/bvh.h"
#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/surface/weld_vertices.h"

#include <benchmark/benchmark.h>
#include <vector>

namespace volpt {
namespace {

/// A bumpy sphere of about this many million triangles.
TriangleMesh make_million(std::int64_t millions)
{
    auto const divisions = static_cast<std::uint32_t>(__builtin_sqrt(static_cast<double>(millions) * 1e6 / 20) + 0.5);
    return make_bumpy_sphere(10, divisions, 0.4f);
}

/// Millions of triangles, threads.
void take_two_sizes(benchmark::internal::Benchmark* benchmark)
{
    benchmark->Args({1, 1})->Args({1, 2})->Args({10, 2});
    benchmark->Unit(benchmark::kMillisecond)->MeasureProcessCPUTime()->UseRealTime();
}

void build(benchmark::State& state)
{
    TriangleMesh const mesh = make_million(state.range(0));
    Bvh bvh;
    for (auto _ : state) bvh = build_bvh(mesh, {BvhNodeOrder::pre_order, static_cast<int>(state.range(1))});
    auto const triangles = static_cast<double>(mesh.triangles.size());
    state.counters["nodes_per_triangle"] = static_cast<double>(bvh.nodes.size()) / triangles;
    state.counters["bytes_per_triangle"] =
        static_cast<double>(bvh.nodes.size() * sizeof(BvhNode)) / triangles + sizeof(LeafTriangle);
}
BENCHMARK(build)->Apply(take_two_sizes);

void weld(benchmark::State& state)
{
    TriangleMesh const mesh = make_million(state.range(0));
    TriangleMesh apart;
    for (auto const& t : mesh.triangles) {
        auto const base = static_cast<std::uint32_t>(apart.positions_mm.size());
        for (std::uint32_t const corner : t) apart.positions_mm.push_back(mesh.positions_mm[corner]);
        apart.triangles.push_back({base, base + 1, base + 2});
    }
    for (auto _ : state) {
        state.PauseTiming();
        TriangleMesh copy = apart;
        state.ResumeTiming();
        weld_vertices(copy, static_cast<int>(state.range(1)));
    }
}
BENCHMARK(weld)->Apply(take_two_sizes);

void check(benchmark::State& state)
{
    TriangleMesh const mesh = make_million(state.range(0));
    std::size_t findings = 0;
    for (auto _ : state) findings = check_mesh(mesh, static_cast<int>(state.range(1))).findings.size();
    state.counters["findings"] = static_cast<double>(findings);
}
BENCHMARK(check)->Apply(take_two_sizes);

/// Rays of a camera that sees the whole mesh, row by row; `order` numbers BvhNodeOrder.
void primary_rays(benchmark::State& state)
{
    TriangleMesh const mesh = make_million(state.range(0));
    Bvh const bvh = build_bvh(mesh, {static_cast<BvhNodeOrder>(state.range(1)), 2});
    std::vector<LeafTriangle> const triangles = gather_leaf_triangles(mesh, bvh.order, 2);
    BvhView const view{bvh.nodes.data(), triangles.data(), bvh.bounds, bvh.root};
    constexpr int kEdge = 256;
    int hits = 0;
    for (auto _ : state) {
        hits = 0;
        for (int y = 0; y < kEdge; ++y) {
            for (int x = 0; x < kEdge; ++x) {
                Vec3 const direction = normalize({(static_cast<float>(x) - kEdge / 2) * (0.6f / kEdge),
                                                  (static_cast<float>(y) - kEdge / 2) * (0.6f / kEdge), -1});
                SurfaceHit const hit =
                    find_triangle(view, make_bvh_ray(view, {0, 0, 40}, direction), Facing::front, 0, 1e30f);
                hits += hit.triangle != kNoTriangle ? 1 : 0;
            }
        }
        benchmark::DoNotOptimize(hits);
    }
    state.SetItemsProcessed(state.iterations() * kEdge * kEdge);
    state.counters["hits"] = static_cast<double>(hits) / (kEdge * kEdge);
}
BENCHMARK(primary_rays)->Args({1, 0})->Args({1, 1})->Args({1, 2})->Unit(benchmark::kMillisecond);

} // namespace
} // namespace volpt

BENCHMARK_MAIN();
