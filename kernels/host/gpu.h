// The GPU backend as its users see it: devices, kernels, and a renderer that works in the background. Plain C++;
// without CUDA the same calls answer that there is none.
#pragma once

#include "libvolpt/cpu/render_block.h"
#include "libvolpt/volume/paging/access_order.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct GpuDevice {
    int index = 0;
    std::string name;
    std::string capability; ///< "9.0"
    std::string driver;     ///< CUDA version that the driver supports, "13.0"
    int multiprocessors = 0;
    int clock_mhz = 0;
    std::size_t memory_bytes = 0;
    std::size_t free_bytes = 0;
};

/// The devices that this program can use, in CUDA's order; empty if none, `why` then says why in a few words.
std::vector<GpuDevice> list_gpu_devices(std::string* why = nullptr);

struct GpuKernel {
    std::string_view name;
    std::string_view description;
};

/// All kernels, in the order of docs/design/kernels.md; empty in a build without CUDA.
std::vector<GpuKernel> list_gpu_kernels();

enum class Refill { on, off };

/// Where voxels lie. `cached`: the bricks that are looked up most on the device, the others in pinned host memory
/// behind them.
enum class VolumeMemory { automatic, device, cached, zerocopy };

/// Device memory that voxels may take at most: the lesser of the two.
struct CacheLimit {
    std::size_t bytes = SIZE_MAX;
    double share = 1; ///< of all voxels; 1 sets no limit
};

/// The choices that change a kernel's speed and never its bits. 0: the kernel's own.
struct GpuShape {
    int min_blocks = 0; ///< resident blocks a multiprocessor that the compiler must make room for
    int paths_per_lane = 0;
    Refill refill = Refill::on; ///< stream_mk alone: off waits until all paths of a stream have ended
    int exit_votes = 0;  ///< regen_pool: lanes of a warp that must have stopped flying before others take their place
    int step_votes = 0;  ///< regen_pool: lanes of a warp that must have room for a long step before they take it
    int start_votes = 0; ///< regen_vote: lanes of a warp that must wait before new paths start
    int face_votes = 0;  ///< regen_vote: lanes that must wait before faces and escapes are run
};

struct GpuKernelFacts {
    int registers = 0;
    std::size_t local_bytes = 0;  ///< a lane's stack and spills
    std::size_t shared_bytes = 0; ///< of a block
    int block_threads = 0;
    int blocks_per_multiprocessor = 0;
    double occupancy = 0; ///< resident warps over the most possible
};

/// Memory that a renderer will take, worked out before anything is allocated.
struct GpuMemoryPlan {
    std::size_t volume_bytes = 0;    ///< voxels, tables, majorants, light
    std::size_t voxel_bytes = 0;     ///< the voxels of them
    std::size_t host_bytes = 0;      ///< voxels in pinned host memory
    std::optional<double> hit_rate;  ///< lookups of voxels expected to be served by device memory; none: not known
    std::size_t film_bytes = 0;      ///< sums of the tiles in flight
    std::size_t workspace_bytes = 0; ///< paths that live in memory
    std::size_t free_bytes = 0;      ///< on the device, now
    VolumeMemory volume_memory = VolumeMemory::device; ///< what it will be
};

struct GpuOptions {
    std::string kernel;
    GpuShape shape = {};
    VolumeMemory volume_memory = VolumeMemory::automatic;
    int device = 0; ///< index in list_gpu_devices
    CacheLimit cache = {};
};

/// What GPUs that render one volume share where it is larger than their memory: the order of bricks, and the pinned
/// copy on the host.
class BrickStore;

/// `estimate` is called once, when the first GPU finds that the volume does not fit. Null in a build without CUDA.
std::shared_ptr<BrickStore> make_brick_store(std::function<BrickAccessCounts()> estimate);

/// Totals of what ran.
struct GpuTotals {
    PathCounts counts;
    std::uint64_t steps = 0, step_slots = 0;   ///< SIMD efficiency of extension is their ratio
    std::uint64_t starts = 0, start_slots = 0; ///< and of regeneration

    void add(GpuTotals const& other)
    {
        counts.add(other.counts);
        steps += other.steps;
        step_slots += other.step_slots;
        starts += other.starts;
        start_slots += other.start_slots;
    }
};

/// Sums of an area, planes [band][row][column] of it, in memory of the renderer.
struct GpuSums {
    std::uint64_t const* sums = nullptr;
    std::uint64_t const* squares = nullptr;
    GpuTotals totals;
};

/// Renders areas of a picture on one device. One thread makes it, uses it and ends it. Work is queued and runs in the
/// background, two launches at a time; up to kBuffers areas are open at once, so that one can be copied out while the
/// next is rendered. The same bits as every CPU backend. All calls: Error (system) if the device fails.
class GpuRenderer {
public:
    static constexpr int kBuffers = 2;
    /// Banks of outcomes in a row that an area's samples may be of between `open` and `close`.
    static constexpr std::uint32_t kMostBanks = 64;

    /// `scene` has host pointers, which are copied (or mapped) here. `most_pixels` bounds the areas to come. Error
    /// (usage) on an unknown kernel or a shape that it has not; Error (system), with the figures, if memory does not
    /// suffice. `bricks` is of this scene, or null: then a cache holds the bricks of the lowest Morton codes, and
    /// nothing is shared.
    GpuRenderer(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                std::shared_ptr<BrickStore> bricks = nullptr);
    ~GpuRenderer();
    GpuRenderer(GpuRenderer const&) = delete;
    GpuRenderer& operator=(GpuRenderer const&) = delete;

    /// Another kernel or shape for the launches to come; nothing else of `options` counts. Error (usage) as the
    /// constructor's.
    void choose(GpuOptions const& options);

    /// Begins an area: pixels of `area`, no samples yet.
    void open(int buffer, RenderTile const& area);
    /// Queues samples of the open area, of one bank of outcomes where the scene has long steps; waits if two launches
    /// are under way already. At most `most_samples(area)` of them.
    void add_samples(int buffer, std::uint32_t first, std::uint32_t count);
    std::uint32_t most_samples(RenderTile const& area) const;
    /// Paths that a launch of the chosen kernel should have at least.
    std::uint32_t least_paths() const;
    /// The same, alone on the device and waited for; seconds on the device's clock.
    double time_samples(int buffer, std::uint32_t first, std::uint32_t count);
    /// Starts copying the area's sums back once its samples are done.
    void close(int buffer);
    /// Waits for a closed area; what is returned holds until the buffer is closed again.
    GpuSums collect(int buffer);
    /// Of the area collected last from `buffer`, in a scene with long steps: sums over all pixels by bank, in parts:
    /// [part][band].
    std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const;

    /// Waits until all is done; seconds on the device's clock from the first launch to the end of the last.
    double measure_seconds();

    /// Seconds on the device's clock that making banks of outcomes took; 0 without long steps.
    double measure_bank_seconds() const;

    GpuMemoryPlan const& memory() const;
    GpuKernelFacts inspect() const;
    GpuDevice const& device() const;

private:
    class Work;
    std::unique_ptr<Work> work_;
};

/// What GpuRenderer would take for areas of `most_pixels` pixels. Error (usage) as its constructor; no error if it is
/// too much.
GpuMemoryPlan plan_gpu_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options);

} // namespace volpt
