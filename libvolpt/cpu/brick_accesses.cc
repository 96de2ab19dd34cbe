// Walks blocks of paths and counts the bricks that their flights name.
#include "libvolpt/cpu/brick_accesses.h"

#include "libvolpt/core/extend_path.hd.h"

#include <algorithm>
#include <atomic>
#include <thread>

namespace volpt {
namespace {

constexpr std::uint32_t kBlocks = 128;
constexpr std::uint32_t kJudgeEvery = 8; ///< blocks
constexpr std::uint32_t kPlaces = 1 << 20;
constexpr std::uint32_t kPlaceStride =
    648055; ///< about 0.618 kPlaces, odd: any number of paths in a row is spread over the picture

void count_one(std::vector<std::uint32_t>& lookups, std::int32_t brick)
{
    std::atomic_ref(lookups[static_cast<std::size_t>(brick)]).fetch_add(1, std::memory_order_relaxed);
}

/// A flight fetches its voxel's extinction before it knows whether it gets there; a collision fetches the rest.
template <class M>
void follow_path(SceneView const& scene, PathId id, std::uint32_t& flights_left, BrickLookups& lookups)
{
    PathState<1> path = start_path<1>(scene, id);
    PathCounts counts;
    while (path.stage != Stage::ended && flights_left > 0) {
        if (path.stage == Stage::inside) {
            Flight const flight = advance<M>(scene.medium, path, true);
            flights_left -= 1;
            count_one(lookups.flights, flight.voxel.brick);
            if (flight.event == FlightEvent::leave) {
                path.stage = Stage::leaving;
            } else if (flight.event == FlightEvent::collision) {
                count_one(lookups.collisions, flight.voxel.brick);
                collide<M>(scene, flight.voxel, path, counts);
            }
        }
        if (is_at_face(path)) leave_or_enter(scene, path, counts);
    }
}

/// Every kBlocks-th path. A block has flights of its own, so that threads play no part.
template <class M>
void follow_block(SceneView const& scene, std::uint32_t block, std::uint32_t flights_left, BrickLookups& lookups)
{
    std::uint64_t const pixels = std::uint64_t{scene.width} * scene.height;
    for (std::uint32_t path = block; path < kPlaces && flights_left > 0; path += kBlocks) {
        std::uint64_t const place = path * kPlaceStride % kPlaces;
        std::uint64_t const pixel = (2 * place + 1) * pixels / (2 * kPlaces);
        PathId const id{static_cast<std::uint32_t>(pixel % scene.width),
                        static_cast<std::uint32_t>(pixel / scene.width), path, path % scene.bands, 0};
        follow_path<M>(scene, id, flights_left, lookups);
    }
}

} // namespace

BrickAccessCounts estimate_brick_accesses(SceneView const& scene, int threads, std::uint32_t most_flights)
{
    MediumView const& medium = scene.medium;
    if (medium.extinction == Extinction::bare) return {};
    SceneView view = scene;
    view.path_bands = 1; // one band tells as much as three on a path
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    BrickLookups const none{std::vector<std::uint32_t>(bricks), std::vector<std::uint32_t>(bricks)};
    BrickAccessCounts heat{none, none};
    std::atomic<std::uint32_t> next{0};
    auto const work = [&] {
        for (std::uint32_t block = next++; block < kBlocks; block = next++)
            with_medium<1>(view, [&]<class M>(M) {
                follow_block<M>(view, block, most_flights / kBlocks,
                                block % kJudgeEvery == 0 ? heat.holdout : heat.fit);
            });
    };
    std::vector<std::jthread> others;
    for (int i = 1; i < threads; ++i) others.emplace_back(work);
    work();
    others.clear();
    return heat;
}

} // namespace volpt
