#include "libvolpt/render/tile_size.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <future>

namespace volpt {
namespace {

/// Tiles of this size are not cut: the edge of a square of file tiles that holds the film.
std::uint32_t find_edge_of_whole(Film const& film)
{
    return (std::max(film.width(), film.height()) + kFileTileEdge - 1) / kFileTileEdge * kFileTileEdge;
}

/// The largest tile size whose areas' sums take at most a quarter of the device memory that is free.
std::uint32_t choose_for_device(Backend const& backend, SceneView const& scene, Film const& film,
                                RendererOptions const& device)
{
    std::uint32_t edge = find_edge_of_whole(film);
    while (edge > kFileTileEdge) {
        MemoryPlan const plan = backend.plan_memory(scene, count_most_pixels(cut_by_size(film, edge)), device);
        if (plan.film_bytes <= plan.free_bytes / 4) break;
        edge = std::max(kFileTileEdge, edge / 2 / kFileTileEdge * kFileTileEdge);
    }
    return edge;
}

} // namespace

std::uint32_t choose_tile_size(RenderScene const& scene, Film const& film, RenderOptions const& options)
{
    if (options.tile_size != 0) return options.tile_size;
    std::uint32_t least = find_edge_of_whole(film);
    // Chains add to any pixel, and a sample is what all of a pass add.
    bool const is_whole = film.scene().integrator == Integrator::mlt;
    if (options.gpu_backend == nullptr || options.tiles || is_whole) return least;
    // In parallel: opening a device takes a while.
    std::vector<std::future<std::uint32_t>> sizes;
    for (RendererOptions const& gpu : options.gpus)
        sizes.push_back(std::async(std::launch::async, [&] {
            return choose_for_device(*options.gpu_backend, scene.view(), film,
                                     fill_in_kernel(*options.gpu_backend, scene.view(), gpu));
        }));
    for (std::future<std::uint32_t>& size : sizes) {
        try {
            least = std::min(least, size.get());
        } catch (Error const&) { // the worker will report it
        }
    }
    return least;
}

TileEdges choose_tile_edges(Film const& film, RenderOptions const& options, std::uint32_t tile_size)
{
    return options.tiles ? cut_into_grid(film, *options.tiles) : cut_by_size(film, tile_size);
}

} // namespace volpt
