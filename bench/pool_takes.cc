// What a work item costs rank 0: WorkPool::take with many workers.
#include "libvolpt/render/pool/work_pool.h"

#include <benchmark/benchmark.h>
#include <vector>

namespace volpt {
namespace {

Film make_film_of(std::uint32_t edge)
{
    Scene scene;
    scene.width = scene.height = edge;
    scene.bands = 1;
    return Film(scene, 0, 0);
}

/// Workers of slightly different rates ask in turn for 0.4 s of work, from a pool that does not run dry.
void take_work_items(benchmark::State& state)
{
    Film const film = make_film_of(1024);
    std::vector<SampleRanges> const todo(film.tile_ranges.size(), {{0, std::uint64_t{1} << 32}});
    WorkPool pool(make_tile_groups(film, todo, cut_by_size(film, 1024)), 1);
    std::vector<std::unique_ptr<WorkSource>> sources;
    for (std::int64_t i = 0; i < state.range(0); ++i) sources.push_back(pool.connect());
    std::size_t next = 0;
    for (auto _ : state) {
        double const rate = 1e9 * (1 + 0.01 * static_cast<double>(next % 7));
        auto const item = sources[next]->take({1, 0.4, 0.01, rate, 200000000});
        benchmark::DoNotOptimize(item);
        next = (next + 1) % sources.size();
    }
}
BENCHMARK(take_work_items)->Arg(1)->Arg(10)->Arg(100)->Arg(1000)->Arg(10000);

} // namespace
} // namespace volpt

BENCHMARK_MAIN();
