// A TileRenderer on one GPU.
#pragma once

#include "kernels/paging/brick_store.h"
#include "libvolpt/backend/backend.h"

namespace volpt {

/// See Backend::make_renderer; a kernel is named. `bricks` is of this scene, or null: then a cache holds the bricks of
/// the lowest Morton codes, and nothing is shared.
std::unique_ptr<TileRenderer> make_gpu_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options, std::shared_ptr<BrickStore> bricks);

} // namespace volpt
