// naive_sk: launches and instantiations.
#include "kernels/device_scene.h"
#include "kernels/naive_sk.h"
#include "libvolpt/core/extend_path.hd.h"

namespace volpt {
namespace {

constexpr unsigned kBlockThreads = 128;

using Count = unsigned long long; // the type of CUDA's 64-bit atomics

__device__ void add_counts(PathCounts const& counts, PathCounts* total)
{
    Count const* const from = reinterpret_cast<Count const*>(&counts);
    Count* const to = reinterpret_cast<Count*>(total);
    for (unsigned i = 0; i < sizeof(PathCounts) / sizeof(Count); ++i) atomicAdd(to + i, from[i]);
}

template <class M>
__global__ void __launch_bounds__(kBlockThreads)
    run_naive_sk(SceneView const scene, RenderBlock const block, Count paths, Count* sums, Count* squares, PathCounts* total)
{
    Count const index = Count{blockIdx.x} * kBlockThreads + threadIdx.x;
    if (index >= paths) return;
    std::uint32_t const bands_apart = M::kBands > 1 ? 1u : scene.bands;
    std::uint32_t const width = block.x1 - block.x0;
    auto const slot = static_cast<std::uint32_t>(index / bands_apart / block.sample_count);
    PathId const id{block.x0 + slot % width, block.y0 + slot / width,
                    block.first_sample + static_cast<std::uint32_t>(index / bands_apart % block.sample_count),
                    static_cast<std::uint32_t>(index % bands_apart), slot};
    PathCounts counts;
    counts.paths = 1;
    PathState<M::kBands> path = start_path<M::kBands>(scene, id);
    while (path.stage != Stage::ended) extend_path<M>(scene, path, counts);
    std::size_t const plane = static_cast<std::size_t>(width) * (block.y1 - block.y0);
    for (int b = 0; b < M::kBands; ++b) {
        std::size_t const at = (M::kBands > 1 ? static_cast<std::size_t>(b) : path.band) * plane + slot;
        float const value = path.throughput[b];
        atomicAdd(sums + at, Count{to_fixed_point(value, scene.sum_scale)});
        atomicAdd(squares + at, Count{to_fixed_point(value * value, scene.square_scale)});
    }
    add_counts(counts, total);
}

/// Device sums of a block and the launch over all its paths.
struct Launch {
    SceneView const& scene;
    RenderBlock const& block;
    Count paths;
    DeviceArray<Count>& sums;
    DeviceArray<Count>& squares;
    DeviceArray<PathCounts>& counts;

    template <int bands>
    void run() const
    {
        auto const blocks = static_cast<unsigned>((paths + kBlockThreads - 1) / kBlockThreads);
        with_medium<bands>(scene, [&](auto medium) {
            run_naive_sk<decltype(medium)>
                <<<blocks, kBlockThreads>>>(scene, block, paths, sums.data(), squares.data(), counts.data());
        });
        check_cuda(cudaGetLastError(), "launching naive_sk");
        check_cuda(cudaDeviceSynchronize(), "running naive_sk");
    }
};

} // namespace

bool has_cuda_device()
{
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

void render_naive_sk(SceneView const& host_scene, RenderBlock const& block, BlockSumsView sums, PathCounts& counts)
{
    DeviceScene const device_scene(host_scene);
    std::size_t const pixels = static_cast<std::size_t>(block.x1 - block.x0) * (block.y1 - block.y0);
    std::size_t const size = pixels * host_scene.bands;
    DeviceArray<Count> device_sums(size);
    DeviceArray<Count> device_squares(size);
    DeviceArray<PathCounts> device_counts(1);
    device_sums.clear();
    device_squares.clear();
    device_counts.clear();
    Count const paths = Count{pixels} * block.sample_count * (carries_all_bands(host_scene) ? 1u : host_scene.bands);
    Launch const launch{device_scene.view(), block, paths, device_sums, device_squares, device_counts};
    if (paths == 0) return;
    carries_all_bands(host_scene) ? launch.run<3>() : launch.run<1>();

    std::vector<Count> host(size);
    device_sums.copy_out(host);
    for (std::size_t i = 0; i < size; ++i) sums.sums[i] += host[i];
    device_squares.copy_out(host);
    for (std::size_t i = 0; i < size; ++i) sums.squares[i] += host[i];
    PathCounts total;
    device_counts.copy_out({&total, 1});
    counts.add(total);
}

} // namespace volpt
