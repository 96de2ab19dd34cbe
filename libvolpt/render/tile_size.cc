#include "libvolpt/render/tile_size.h"

#include "libvolpt/render/pool/tile_groups.h"
#include "libvolpt/render/workers/gpu_worker.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <future>

namespace volpt {
namespace {

std::uint32_t choose_gpu_tile_size(SceneView const& scene, Film const& film, GpuOptions const& gpu)
{
    std::uint32_t edge = (std::max(film.width(), film.height()) + kFileTileEdge - 1) / kFileTileEdge * kFileTileEdge;
    while (edge > kFileTileEdge) {
        GpuMemoryPlan const plan = plan_gpu_memory(scene, count_most_pixels(film, edge), gpu);
        if (plan.film_bytes <= plan.free_bytes / 4) break;
        edge = std::max(kFileTileEdge, edge / 2 / kFileTileEdge * kFileTileEdge);
    }
    return edge;
}

} // namespace

std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options)
{
    if (options.tile_size != 0) return options.tile_size;
    // In parallel: opening a device takes a while.
    std::vector<std::future<std::uint32_t>> sizes;
    for (GpuOptions const& gpu : options.gpus)
        sizes.push_back(std::async(std::launch::async,
                                   [&] { return choose_gpu_tile_size(scene.view(), film, fill_in_kernel(gpu)); }));
    std::uint32_t least = std::max(film.width(), film.height());
    for (std::future<std::uint32_t>& size : sizes) {
        try {
            least = std::min(least, size.get());
        } catch (Error const&) { // the worker will report it
        }
    }
    return std::max(least, kFileTileEdge);
}

} // namespace volpt
