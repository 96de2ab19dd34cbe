// naive_sk: one thread, one path, one launch. The simplest schedule, and the yardstick of all others.
#pragma once

#include "libvolpt/cpu/render_block.h"

namespace volpt {

/// Renders a block on the current device and adds to `sums` and `counts`, the same bits as every CPU backend. `scene` has
/// host pointers. Error (system) if there is no device or it fails.
void render_naive_sk(SceneView const& scene, RenderBlock const& block, BlockSumsView sums, PathCounts& counts);

/// True if there is a CUDA device.
bool has_cuda_device();

} // namespace volpt
