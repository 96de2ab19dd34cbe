// Renders a rectangle of pixels over a range of samples on the calling thread.
#pragma once

#include "libvolpt/core/extend_path.hd.h"

#include <string_view>
#include <vector>

namespace volpt {

/// Pixels [x0, x1) x [y0, y1), samples [first_sample, first_sample + sample_count), all bands.
struct RenderTile {
    std::uint32_t x0 = 0, y0 = 0, x1 = 0, y1 = 0;
    std::uint32_t first_sample = 0;
    std::uint32_t sample_count = 0;
};

/// Where a block's results go: planes [band][row][column] of the block itself, added to.
struct TileSumsView {
    std::uint64_t* sums = nullptr;
    std::uint64_t* squares = nullptr;
};

/// Asked about every millisecond of a render whether to give up; null: never. A plain function, so that the units
/// compiled for different instruction sets share no code.
struct StopPoll {
    bool (*should_stop)(void* context) = nullptr;
    void* context = nullptr;
};

/// One way to run paths on this processor; all give the same bits. `render` returns false if it gave up: the block is
/// then incomplete, its sums and counts are worth nothing.
struct CpuBackend {
    std::string_view name; ///< "x86-64-v4", "x86-64-v3", "scalar"
    std::string_view description;
    bool (*render)(SceneView const&, RenderTile const&, TileSumsView, PathCounts&, StopPoll);
};

/// Those that this processor can run, fastest first; never empty.
std::vector<CpuBackend> list_cpu_backends();

/// True if one path carries all bands of the scene (grey RGB); otherwise each band is a path of its own.
bool carries_all_bands(SceneView const& scene);

} // namespace volpt
