// sort_sk: a block sorts its paths by what their flights met, collisions also by voxel, and only then fetches albedos
// and scatters: neighbouring threads run the same event on neighbouring voxels.
#include "kernels/schedule/block_pool.cuh"
#include "kernels/schedule/sort_key.cuh"

#include <cub/block/block_radix_sort.cuh>

namespace volpt {
namespace {

/// What a path has to do after its flight; in a key it stands above the bits of the cell.
enum class Pending : std::uint32_t { scatter = 0, nothing = 1, face = 2, empty = 3 };
constexpr int kPendingShift = kSortKeyBits;
constexpr int kKeyBits = kSortKeyBits + 2;

/// The voxel that each path's flight met.
template <int slots>
struct VoxelStorage {
    std::int32_t brick[slots];
    std::uint16_t morton[slots];

    __device__ void keep(std::uint32_t slot, VoxelRef voxel)
    {
        brick[slot] = voxel.brick;
        morton[slot] = static_cast<std::uint16_t>(voxel.morton);
    }
    __device__ VoxelRef at(std::uint32_t slot) const { return {brick[slot], morton[slot]}; }
};

/// Flies the path in `slot` if it is inside, after its long step if it has room for one; returns its sort key.
template <class M, class Pool, class Voxels>
__device__ std::uint32_t fly_to_key(LaunchParams const& params, Pool const& pool, Voxels& voxels, std::uint32_t slot,
                                    LaneCounts& counts)
{
    SceneView const& scene = params.scene;
    if (pool.paths.stage(slot) != Stage::inside) return static_cast<std::uint32_t>(Pending::face) << kPendingShift;
    PathState<M::kBands> path = pool.paths.load(slot);
    bool stepped = false;
    if constexpr (M::kSteps != Steps::plain) {
        StepRegion<M::kSteps, M::kBands> const region = find_step_region<M>(scene.medium, scene.long_steps, path);
        stepped = region.level >= 0;
        if (stepped) take_counted_step(scene, region, path, counts);
    }
    Flight const flight = advance<M>(scene.medium, path);
    Pending pending = flight.event == FlightEvent::collision ? Pending::scatter : Pending::nothing;
    if (flight.event == FlightEvent::leave) {
        path.stage = Stage::leaving;
        pending = Pending::face;
    }
    if (flight.event == FlightEvent::null_collision) counts.count_null_flight(flight.tentative);
    if (pending == Pending::nothing && stepped) {
        finish_step(scene, path, counts);
        if (path.stage == Stage::ended) {
            deposit_path<M>(params, path);
            pending = Pending::empty;
        }
    }
    pool.paths.store(slot, path);
    voxels.keep(slot, flight.voxel);
    return static_cast<std::uint32_t>(pending) << kPendingShift |
           find_sort_cell(path.position, scene.medium.size_voxels);
}

/// Runs what the path in `slot` has to do; true if it goes on.
template <class M, class Pool, class Voxels>
__device__ bool run_pending(LaunchParams const& params, Pool const& pool, Voxels const& voxels, std::uint32_t slot,
                            Pending pending, LaneCounts& counts)
{
    if (pending == Pending::empty || pending == Pending::nothing) return pending == Pending::nothing;
    PathState<M::kBands> path = pool.paths.load(slot);
    if (pending == Pending::scatter)
        collide<M>(params.scene, voxels.at(slot), path, counts);
    else
        leave_or_enter(params.scene, path, counts);
    bool const goes_on = path.stage != Stage::ended;
    if (!goes_on) deposit_path<M>(params, path);
    pool.paths.store(slot, path);
    return goes_on;
}

template <class M, int paths_per_lane>
__global__ void __launch_bounds__(kPoolThreads, 6)
    run_sort_sk(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::sort_sk>)
{
    using Pool = BlockPool<M, paths_per_lane>;
    using Sort = cub::BlockRadixSort<std::uint32_t, kPoolThreads, paths_per_lane, std::uint32_t>;
    __shared__ typename Pool::Storage storage;
    __shared__ VoxelStorage<Pool::kSlots> voxels;
    __shared__ union {
        typename Sort::TempStorage sort;
        PoolScan::TempStorage scan;
    } scratch;
    Pool pool(params, storage);
    LaneCounts counts(params);
    while (pool.refill(counts)) {
        std::uint32_t slots[paths_per_lane], keys[paths_per_lane];
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) {
            slots[k] = pool.slot_at(pool.place(k));
            bool const live = pool.place(k) < pool.live();
            counts.rounds += __any_sync(kWholeWarp, live) ? 1u : 0u;
            counts.steps += live ? 1u : 0u;
            keys[k] = live ? fly_to_key<M>(params, pool, voxels, slots[k], counts)
                           : static_cast<std::uint32_t>(Pending::empty) << kPendingShift;
        }
        Sort(scratch.sort).SortBlockedToStriped(keys, slots, 0, kKeyBits);
#pragma unroll
        for (int k = 0; k < paths_per_lane; ++k) {
            auto const pending = static_cast<Pending>(keys[k] >> kPendingShift);
            keys[k] = run_pending<M>(params, pool, voxels, slots[k], pending, counts) ? 1u : 0u;
        }
        __syncthreads();
        compact_order(pool, scratch.scan, slots, keys);
    }
    flush_counts(counts);
}

} // namespace

VOLPT_EXPORT_KERNEL(sort_sk, describe_pool_kernel)

} // namespace volpt
