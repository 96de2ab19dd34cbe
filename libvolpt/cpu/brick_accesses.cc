#include "libvolpt/cpu/brick_accesses.h"

#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/cpu/path_walk.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace volpt {
namespace {

constexpr std::uint32_t kBlocks = 128;
constexpr std::uint32_t kHoldoutEvery = 8; ///< blocks
constexpr std::uint32_t kPlaces = 1 << 20;
/// About 0.618 kPlaces, and odd: any number of consecutive paths is spread over the picture.
constexpr std::uint32_t kPlaceStride = 648055;

void count_one(std::vector<std::uint32_t>& lookups, std::int32_t brick)
{
    std::atomic_ref(lookups[static_cast<std::size_t>(brick)]).fetch_add(1, std::memory_order_relaxed);
}

/// A flight fetches its voxel's extinction before it knows whether it gets there; a collision fetches the rest.
class AccessCounter {
public:
    AccessCounter(BrickLookups& lookups, std::uint32_t flights) : lookups_(lookups), flights_left_(flights) {}

    bool wants_more() const { return flights_left_ > 0; }
    void begin_event(PathState<1> const&) {}
    void see_flight(Flight const& flight)
    {
        flights_left_ -= 1;
        count_one(lookups_.flights, flight.voxel.brick);
        if (flight.event == FlightEvent::collision) count_one(lookups_.collisions, flight.voxel.brick);
    }
    void end_event(PathState<1> const&) {}

private:
    BrickLookups& lookups_;
    std::uint32_t flights_left_;
};

/// Walks every kBlocks-th path. Each block has its own number of flights, so that the result does not depend on
/// threads.
template <class M>
void walk_block(SceneView const& scene, std::uint32_t block, AccessCounter counter)
{
    for (std::uint32_t path = block; path < kPlaces && counter.wants_more(); path += kBlocks) {
        std::uint64_t const place = std::uint64_t{path} * kPlaceStride % kPlaces;
        walk_path<M>(scene, spread_path(scene, place, kPlaces, path), counter);
    }
}

} // namespace

BrickAccessCounts estimate_brick_accesses(SceneView const& scene, int threads, std::uint32_t most_flights)
{
    MediumView const& medium = scene.medium;
    if (medium.extinction == Extinction::bare || has_nested_solids(scene)) return {};
    SceneView const view = view_for_walk(scene);
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    BrickLookups const none{std::vector<std::uint32_t>(bricks), std::vector<std::uint32_t>(bricks)};
    BrickAccessCounts counts{none, none};
    std::atomic<std::uint32_t> next{0};
    auto const work = [&] {
        for (std::uint32_t block = next++; block < kBlocks; block = next++)
            with_shared_medium<1, Surfaces::box>(view, [&]<class M>(M) {
                BrickLookups& lookups = block % kHoldoutEvery == 0 ? counts.holdout : counts.fit;
                walk_block<M>(view, block, AccessCounter(lookups, most_flights / kBlocks));
            });
    };
    // Plain threads, not oneTBB: ThreadSanitizer sees what they hand over.
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    others.clear();
    return counts;
}

} // namespace volpt
