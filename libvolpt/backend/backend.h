// What a backend is, as the render loop sees it: devices, kernels, and renderers of tiles. The CPU and the GPUs
// implement it; the tools hand the GPUs' backend to the render loop.
#pragma once

#include "libvolpt/backend/kernel_choice.h"
#include "libvolpt/backend/memory_plan.h"
#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/light/tally_view.hd.h"
#include "libvolpt/core/path_counts.hd.h"
#include "libvolpt/volume/paging/access_order.h"

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace volpt {

struct DeviceInfo {
    int index = 0;
    std::string name;
    std::string capability; ///< "9.0"
    std::string driver;     ///< version that the driver supports, "13.0"
    int multiprocessors = 0;
    int clock_mhz = 0;
    std::size_t memory_bytes = 0;
    std::size_t free_bytes = 0; ///< filled in for a device that is open
};

/// What the compiler made of a kernel, and how much of it fits on the device.
struct KernelFacts {
    int registers = 0;
    std::size_t local_bytes = 0;  ///< stack and spills per lane
    std::size_t shared_bytes = 0; ///< per block
    int block_threads = 0;
    int blocks_per_multiprocessor = 0;
    double occupancy = 0; ///< resident warps over the most possible
};

struct RunTotals {
    PathCounts counts;
    std::uint64_t steps = 0, step_slots = 0;   ///< their ratio is the SIMD efficiency of extension
    std::uint64_t starts = 0, start_slots = 0; ///< and of regeneration
    std::uint64_t shadow_ray_slots = 0;        ///< for counts.shadow_rays: and of shadow rays

    void add(RunTotals const& other)
    {
        counts.add(other.counts);
        steps += other.steps;
        step_slots += other.step_slots;
        starts += other.starts;
        start_slots += other.start_slots;
        shadow_ray_slots += other.shadow_ray_slots;
    }
};

/// The planes of a tile with their memory.
struct TileSums {
    std::vector<std::uint64_t> sums, low_squares, high_squares;

    /// Zeros; `size` is pixels times bands.
    explicit TileSums(std::size_t size = 0) : sums(size), low_squares(size), high_squares(size) {}
    TileSumsView view() { return {sums.data(), low_squares.data(), high_squares.data()}; }
    ConstTileSumsView read() const { return {sums.data(), low_squares.data(), high_squares.data()}; }
    bool operator==(TileSums const&) const = default;
};

/// Sums of an area, in memory of the renderer.
struct CollectedSums {
    ConstTileSumsView planes;
    RunTotals totals;
    /// With FilmHalf::apart: sums of those of the samples alone that are in the half, in the order of `planes.sums`.
    std::uint64_t const* half_sums = nullptr;
};

enum class Launch {
    accepted, ///< the samples are queued, or done
    stopped,  ///< by the poll; what the buffer holds is worth nothing until it is opened again
};

/// Renders areas of a picture on one device. One thread makes it, uses it and ends it. Samples may be queued and run in
/// the background; up to kBuffers areas are open at once, so that one can be copied out while the next is rendered. All
/// backends and kernels give the same bits. All calls: Error (system) if the device fails.
class TileRenderer {
public:
    static constexpr int kBuffers = kTileBuffers;
    /// The samples added between `open` and `close` are of at most so many consecutive banks of outcomes.
    static constexpr std::uint32_t kMostBanks = 64;

    TileRenderer() = default;
    virtual ~TileRenderer() = default;
    TileRenderer(TileRenderer const&) = delete;
    TileRenderer& operator=(TileRenderer const&) = delete;

    /// Another kernel or other knobs for the launches to come; the other members of `options` are ignored. Error
    /// (usage) as Backend::make_renderer.
    virtual void choose(RendererOptions const& options) = 0;
    /// `scene`, which outlives the renderer, from the next `open` on: what RenderScene::change_view has made of the
    /// scene that the renderer was made for. No area is open. Another thread than before may go on after it.
    virtual void change_view(SceneView const& scene) = 0;

    /// Whether areas of the scene can be opened with FilmHalf::apart.
    virtual bool can_keep_half_apart() const { return false; }

    /// Begins an area: the pixels of `area`, no samples yet.
    virtual void open(int buffer, RenderTile const& area, FilmHalf half) = 0;
    /// Adds samples of the open area, at most `most_samples(area)`; of one bank of outcomes where the scene has long
    /// steps. A renderer with a queue waits only if two launches are under way, and does not ask `poll`.
    virtual Launch add_samples(int buffer, std::uint32_t first, std::uint32_t count, StopPoll poll) = 0;
    /// The same, alone on the device and waited for; seconds on the device's clock.
    virtual double time_samples(int buffer, std::uint32_t first, std::uint32_t count) = 0;
    virtual std::uint32_t most_samples(RenderTile const& area) const = 0;
    /// Paths that a launch of the chosen kernel should have at least.
    virtual std::uint32_t least_paths() const = 0;
    /// Paths of the first launches, when no rate is known: some milliseconds of the shortest paths.
    virtual std::uint64_t first_paths() const = 0;

    /// Starts copying the area's sums back once its samples are done.
    virtual void close(int buffer) = 0;
    /// Waits for a closed area; the result, of the pixels that it reaches (find_reached_pixels), holds until the buffer
    /// is opened again.
    virtual CollectedSums collect(int buffer) = 0;
    /// Of the area collected last from `buffer`, in a scene with long steps: sums over all pixels by bank, in any
    /// number of parts: [part][band].
    virtual std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const = 0;

    /// Of particles: adds what this renderer's particles have left in sums of its own, since it was made
    /// or since the last call, to the host's (add_to_tally). No area is open, other threads may add at the same time.
    /// Nothing to do for a renderer that adds to the host's as it goes.
    virtual void collect_tally(TallyView const& host) { static_cast<void>(host); }

    /// Waits until all is done; seconds on the device's clock from the first launch to the end of the last.
    virtual double measure_seconds() = 0;
    /// Seconds that this renderer spent on making banks of outcomes, or waiting for them; 0 without long steps.
    virtual double measure_bank_seconds() const = 0;

    virtual MemoryPlan const& memory() const = 0;
    virtual KernelFacts inspect() const = 0;
    virtual DeviceInfo const& device() const = 0;
};

/// What the renderers of one scene share; each backend has its own kind.
class SharedState {
public:
    virtual ~SharedState() = default;
};

/// All calls from any thread.
class Backend {
public:
    virtual ~Backend() = default;

    /// "CPU", "GPU"
    virtual std::string_view name() const = 0;
    /// The devices that this program can use; empty if none, `why` then says why in a few words. `why` may be null.
    virtual std::vector<DeviceInfo> list_devices(std::string* why) const = 0;
    virtual std::span<KernelInfo const> list_kernels() const = 0;
    /// What the automatic tuning tries for the scene, the likeliest first; only kernel and knobs are set. The kernel of
    /// the first is the backend's choice before any tuning. Never empty; all are compiled for the scene.
    virtual std::vector<RendererOptions> list_tuning_candidates(SceneView const& scene) const = 0;

    /// For renderers of `scene`, which outlives it. What is made on the host is made on `threads` threads.
    /// `estimate_accesses` is called at most once, when a device finds that the volume does not fit; empty: nothing is
    /// known of the accesses.
    virtual std::shared_ptr<SharedState> share(SceneView const& scene, int threads,
                                               std::function<BrickAccessCounts()> estimate_accesses) const = 0;

    /// What make_renderer would take for areas of `most_pixels` pixels. Error (usage) as make_renderer; no error if it
    /// is too much.
    virtual MemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels,
                                   RendererOptions const& options) const = 0;

    /// `scene` has host pointers and outlives the renderer; `most_pixels` bounds the areas to come; `shared` is of this
    /// backend and scene, or null. Error (usage) on an unknown kernel, or a knob or value that the kernel does not
    /// have; Error (system) if the device cannot be used, or with the figures if memory does not suffice.
    virtual std::unique_ptr<TileRenderer> make_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                        RendererOptions const& options,
                                                        std::shared_ptr<SharedState> shared) const = 0;
};

/// `options` with the backend's choice for the scene where no kernel is named.
inline RendererOptions fill_in_kernel(Backend const& backend, SceneView const& scene, RendererOptions options)
{
    if (options.kernel.empty()) options.kernel = backend.list_tuning_candidates(scene).front().kernel;
    return options;
}

} // namespace volpt
