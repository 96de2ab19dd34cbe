// A warp's paths in shared memory, more than it has lanes, and lists of the slots that wait for the same event.
#pragma once

#include "kernels/schedule/path_pool.cuh"

namespace volpt {

/// Paths of a warp. With 64, whenever a lane finds no path to fly, at least 33 wait for a face or a start: both kinds
/// of event then run in full warps. In a mesh, some wait for a search too; with emitters, more would not fit into a
/// block's shared memory.
template <class M>
inline constexpr int kWarpPaths = kIsFluenceTally<M>                                                    ? 96
                                  : M::kSurfaces == Surfaces::box || M::kTransport != Transport::escape ? 64
                                                                                                        : 96;

/// Whether flights that may end at a surface or an interface wait in a list of their own.
template <class M>
inline constexpr bool kGathersFlights = M::kSurfaces != Surfaces::box || kIsFluenceTally<M>;

/// A list of slots of a warp's pool; the count is the same in all lanes.
class SlotList {
public:
    __device__ explicit SlotList(std::uint8_t* slots) : slots_(slots) {}
    __device__ std::uint32_t size() const { return size_; }

    /// Pushes the `slot` of each lane whose `gives` is true; all lanes of the warp call.
    __device__ void push(bool gives, std::uint32_t slot)
    {
        unsigned const givers = __ballot_sync(kWholeWarp, gives);
        if (gives) slots_[size_ + rank(givers)] = static_cast<std::uint8_t>(slot);
        size_ += static_cast<std::uint32_t>(__popc(givers));
        __syncwarp();
    }

    /// Each lane whose `wants` is true takes a slot from the end, as far as there are any; true if it got one. All
    /// lanes call.
    __device__ bool pop(bool wants, std::uint32_t& slot)
    {
        unsigned const takers = __ballot_sync(kWholeWarp, wants);
        std::uint32_t const place = rank(takers);
        bool const gets = wants && place < size_;
        if (gets) slot = slots_[size_ - 1u - place];
        std::uint32_t const wanted = static_cast<std::uint32_t>(__popc(takers));
        size_ -= wanted < size_ ? wanted : size_;
        __syncwarp();
        return gets;
    }

private:
    __device__ static std::uint32_t rank(unsigned lanes)
    {
        // Volatile: the mask is read where it is used, and takes no register during flights.
        unsigned before;
        asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(before));
        return static_cast<std::uint32_t>(__popc(lanes & before));
    }

    std::uint8_t* slots_;
    std::uint32_t size_ = 0;
};

template <class M>
struct WarpPoolStorage {
    std::uint32_t words[PathPoolView<PathOf<M>>::kWords * kWarpPaths<M>];
    std::uint8_t lists[kGathersFlights<M> ? 4 : 3][kWarpPaths<M>];
    // Counted here, not in LaneCounts: three registers fewer of the 64.
    std::uint32_t starts;
    std::uint32_t start_rounds;
    std::uint32_t face_steps; ///< flights to a face, and events there
};

} // namespace volpt
