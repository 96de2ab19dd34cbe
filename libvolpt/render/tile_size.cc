// Asks each device.
#include "libvolpt/render/tile_size.h"

#include "libvolpt/render/pool/areas.h"
#include "libvolpt/render/workers/gpu_worker.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <future>

namespace volpt {

std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options)
{
    if (options.tile_size != 0) return options.tile_size;
    // Each opens its device, which takes a while.
    std::vector<std::future<std::uint32_t>> sizes;
    for (GpuOptions const& gpu : options.gpus)
        sizes.push_back(std::async(std::launch::async,
                                   [&] { return choose_gpu_tile_size(scene.view(), film, fill_in_kernel(gpu)); }));
    std::uint32_t least = std::max(film.width(), film.height());
    for (std::future<std::uint32_t>& size : sizes) {
        try {
            least = std::min(least, size.get());
        } catch (Error const&) { // the worker will say so
        }
    }
    return std::max(least, kFileTileEdge);
}

} // namespace volpt
