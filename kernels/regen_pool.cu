// regen_pool: persistent threads; a warp keeps twice as many paths as lanes and flies 32 of them, while the others wait
// in shared memory until 32 of them need a face or a start.
//
// A face, an escape and a start cost at least as much as a flight, and in a warp of long paths some lane is always at
// one. If it ran at once, 31 lanes would wait for one. Which path waits changes no bit. In a mesh, flights that a
// triangle may end wait too, for the search for it: a third list, and three times as many paths as lanes. So do, in
// FluenceMedium, flights that are not clear; there a block is all of a multiprocessor (run_together).
#include "kernels/schedule/path_work.cuh"
#include "kernels/schedule/persistent.cuh"
#include "kernels/schedule/warp_pool.cuh"

namespace volpt {
namespace {

/// The lane's view of its warp: one path in its registers, the others in the pool.
template <class M>
class WarpPaths {
public:
    static constexpr bool kSearches = kGathersFlights<M>;
    /// In FluenceMedium: paths that must wait for a search before a warp runs it.
    static constexpr std::uint32_t kFewSearches = 29;

    __device__ WarpPaths(LaunchParams const& params, WarpPoolStorage<M>& storage)
        : params_(params), storage_(storage), counts_(params), pool_{storage.words, kWarpPaths<M>},
          ready_(storage.lists[0]), face_(storage.lists[1]), free_(storage.lists[2]),
          search_(storage.lists[kSearches ? 3 : 0])
    {
        path_.stage = Stage::ended;
        if (is_leader()) storage.starts = storage.start_rounds = storage.face_steps = 0;
        for (std::uint32_t first = 0; first < kWarpPaths<M>; first += 32u) free_.push(true, first + threadIdx.x % 32u);
    }

    __device__ void run(KernelKnobs<KernelId::regen_pool> const& knobs)
    {
        // Between votes, once no path is left that could take a lane: the last paths of a launch wait for nothing.
        constexpr int kLastFlights = 64;
        while (true) {
            int const flights = has_more() ? knobs.vote_flights : kLastFlights;
            if constexpr (M::kSteps != Steps::plain)
                step_and_fly(count_rounds(flights), knobs.step_votes);
            else
                fly_lanes(kSearches ? count_rounds(flights) : flights);
            int const idle = __popc(__ballot_sync(kWholeWarp, !can_fly()));
            if (idle < count_exit_votes(knobs.exit_votes)) continue;
            put_away(flies_ && !can_fly());
            fill_lanes();
            bool const waits = fills_a_warp() || (exhausted_ && count_events() > 0u) || !__any_sync(kWholeWarp, flies_);
            if (waits && !fill_lanes_from_waiting()) break;
        }
        finish();
    }

    /// run, but the warps of a block wait for each other before they run what waits. Else each fetches other
    /// instructions than its neighbours, and none stay in the cache: waiting for them took half of the time.
    __device__ void run_together(KernelKnobs<KernelId::regen_pool> const& knobs)
    {
        constexpr int kRoundFlights = 4; // of each lane before others take the place of those that stopped
        bool lives = true;
        while (__syncthreads_or(lives)) {
            int const rounds = has_more() ? count_rounds_together(knobs.vote_flights) : 1;
            for (int round = 0; lives && round < rounds; ++round) {
                fly_lanes(kRoundFlights);
                put_away_and_fill(round + 1 < rounds ? count_exit_votes(knobs.exit_votes) : 1);
            }
            __syncthreads();
            bool const waits = fills_a_warp() || count_searches() >= kFewSearches ||
                               (exhausted_ && count_events() > 0u) || !__any_sync(kWholeWarp, flies_);
            if (lives && waits) lives = fill_lanes_from_waiting();
        }
        finish();
    }

private:
    __device__ void finish()
    {
        if (is_leader()) {
            counts_.starts = storage_.starts;
            counts_.start_rounds = storage_.start_rounds;
            counts_.steps = storage_.face_steps;
        }
        counts_.steps += counts_.collisions + counts_.null_collisions;
        flush_counts(counts_);
    }

    /// If at least `votes` lanes cannot fly, others take their place, as far as there are any.
    __device__ void put_away_and_fill(int votes)
    {
        if (__popc(__ballot_sync(kWholeWarp, !can_fly())) < votes) return;
        put_away(flies_ && !can_fly());
        fill_lanes();
    }

    /// Whether there is a path for a lane that stops.
    __device__ bool has_more() const { return !exhausted_ || ready_.size() > 0u || count_events() > 0u; }

    __device__ bool can_fly() const { return path_.stage == Stage::inside && !(kSearches && searches_); }

    /// Up to `flights` flights of each lane, as long as it can fly.
    __device__ void fly_lanes(int flights)
    {
        if constexpr (kIsFluenceTally<M>)
            if (place_.label < 0 && can_fly())
                place_ = find_block_ahead(params_.scene.medium, path_.position, path_.direction);
        int done = 0;
        for (; done < flights && can_fly(); ++done) fly_lane(AfterStep::no);
        counts_.rounds += __reduce_max_sync(kWholeWarp, static_cast<unsigned>(done));
    }

    __device__ void fly_lane(AfterStep after)
    {
        if constexpr (kIsFluenceTally<M>) {
            searches_ = !fly_once_if_clear<M>(params_.scene, place_, path_, counts_);
        } else if constexpr (kSearches) {
            searches_ = !fly_once_if_clear<M>(params_.scene, after, path_, counts_);
            stepped_ = after == AfterStep::yes;
        } else {
            fly_once_in<M>(params_.scene, after, path_, counts_);
        }
    }

    /// Lanes stop more often in a mesh: there more of them wait (+3 %). In FluenceMedium fewer do (+1.5 %).
    __device__ static int count_exit_votes(int votes)
    {
        return min(32, votes * (kIsFluenceTally<M> ? 2 : kSearches ? 4 : 1));
    }

    /// Rounds in place of `flights` where paths stop more often: with long steps, and in a mesh.
    __device__ static int count_rounds(int flights) { return (flights + 3) / 4; }

    /// Rounds of flights before the warps of a block wait for each other.
    __device__ static int count_rounds_together(int flights) { return (3 * flights + 7) / 8; }

    __device__ void step_and_fly(int rounds, int step_votes)
    {
        for (; rounds > 0; --rounds) step_and_fly_once(step_votes);
    }

    /// One flight of each lane that can fly. A long step costs more than two flights: lanes that can take one wait
    /// until `step_votes` lanes can, or until no other lane can fly.
    __device__ void step_and_fly_once(int step_votes)
    {
        counts_.rounds += 1;
        bool const flies = can_fly();
        StepRegion<M::kSteps, M::kBands> region{nullptr, -1};
        if (flies) region = find_step_region_in<M>(params_.scene, path_);
        bool const fits = region.level >= 0;
        bool const steps =
            __popc(__ballot_sync(kWholeWarp, fits)) >= step_votes || !__any_sync(kWholeWarp, flies && !fits);
        if (fits && steps) take_counted_step(params_.scene, region, path_, counts_);
        if (!flies || (fits && !steps)) return;
        fly_lane(fits ? AfterStep::yes : AfterStep::no);
    }

    __device__ static bool is_leader() { return threadIdx.x % 32u == 0; }

    /// Slots that wait for a face or can be started.
    __device__ std::uint32_t supply() const { return face_.size() + (exhausted_ ? 0u : free_.size()); }

    __device__ std::uint32_t count_searches() const { return kSearches ? search_.size() : 0u; }

    /// Paths in the pool that wait for an event.
    __device__ std::uint32_t count_events() const { return face_.size() + count_searches(); }

    __device__ bool fills_a_warp() const { return supply() >= 32u || count_searches() >= 32u; }

    /// Moves the paths of lanes that cannot fly to the list where they wait, or into the film.
    __device__ void put_away(bool exits)
    {
        bool const ended = exits && path_.stage == Stage::ended;
        bool const searches = kSearches && exits && path_.stage == Stage::inside;
        bool const meets_face = exits && !ended && !searches;
        // The flight to the face, which no other counter has.
        count_face_steps(meets_face && !is_connecting<M>(path_));
        if (ended)
            deposit_path<M>(params_, path_);
        else if (exits)
            pool_.store(slot_, path_);
        face_.push(meets_face, slot_);
        if constexpr (kSearches) search_.push(searches, slot_ | (stepped_ ? kAfterStep : 0u));
        free_.push(ended, slot_);
        flies_ = flies_ && !exits;
        searches_ = false;
    }

    __device__ void fill_lanes()
    {
        if (!flies_) path_.stage = Stage::ended;
        if (ready_.size() == 0u) return;
        if (ready_.pop(!flies_, slot_)) {
            path_ = pool_.load(slot_);
            flies_ = true;
            place_.label = -1;
        }
        __syncwarp();
    }

    /// Stores the paths that fly, runs waiting faces and starts, 32 at a time, until 32 paths can fly, and gives these
    /// to the lanes. False if no path is left.
    __device__ bool fill_lanes_from_waiting()
    {
        if (flies_) pool_.store(slot_, path_);
        ready_.push(flies_, slot_);
        flies_ = false;
        if (kIsFluenceTally<M> && count_searches() >= kFewSearches) run_searches();
        while (ready_.size() < 32u &&
               (fills_a_warp() || (supply() + count_searches() > 0u && (ready_.size() == 0u || exhausted_)))) {
            if (count_searches() >= 32u || count_searches() > supply())
                run_searches();
            else
                run_waiting();
        }
        bool const some = ready_.size() > 0u;
        fill_lanes();
        return some;
    }

    /// One flight that a triangle may end in each lane; uses path_.
    __device__ void run_searches()
    {
        bool const has_slot = search_.pop(true, slot_);
        bool const after_step = (slot_ & kAfterStep) != 0u;
        slot_ &= ~kAfterStep;
        path_.stage = Stage::ended;
        counts_.rounds += 1;
        if (has_slot) {
            path_ = pool_.load(slot_);
            if constexpr (kIsFluenceTally<M>)
                fly_once_to_face<M>(params_.scene, path_, counts_);
            else
                fly_once_in<M>(params_.scene, after_step ? AfterStep::yes : AfterStep::no, path_, counts_);
            if (path_.stage == Stage::ended)
                deposit_path<M>(params_, path_);
            else
                pool_.store(slot_, path_);
        }
        bool const ended = has_slot && path_.stage == Stage::ended;
        bool const meets_face = has_slot && !ended && path_.stage != Stage::inside;
        count_face_steps(meets_face && !is_connecting<M>(path_));
        ready_.push(has_slot && path_.stage == Stage::inside, slot_);
        face_.push(meets_face, slot_);
        free_.push(ended, slot_);
    }

    /// One face or one ray, or one start, or a start after either, in each lane; uses path_.
    __device__ void run_waiting()
    {
        bool const from_face = face_.pop(true, slot_);
        bool const fresh = !exhausted_ && free_.pop(!from_face, slot_);
        path_.stage = Stage::ended;
        bool meets_face = from_face;
        if constexpr (has_connections(M::kTransport)) meets_face = from_face && pool_.stage(slot_) != Stage::connecting;
        counts_.rounds += !has_connections(M::kTransport) || __any_sync(kWholeWarp, meets_face) ? 1u : 0u;
        if (from_face) {
            path_ = pool_.load(slot_);
            if (is_connecting<M>(path_))
                connect(M{}, params_.scene, path_, counts_);
            else
                extend_at_face<M>(params_.scene, path_, counts_);
            if (path_.stage == Stage::ended) deposit_path<M>(params_, path_);
        }
        count_face_steps(meets_face);
        bool const starts = (from_face || fresh) && path_.stage == Stage::ended && !exhausted_;
        bool missed = false;
        if (starts) {
            std::uint32_t const index = take_number(params_.next);
            missed = index >= params_.paths;
            if (!missed) path_ = start_numbered_path<PathOf<M>, M::kSurfaces>(params_, index, counts_);
        }
        count_starts(starts && !missed);
        exhausted_ = exhausted_ || __any_sync(kWholeWarp, missed);
        bool const has_slot = from_face || fresh;
        bool const lives = has_slot && path_.stage != Stage::ended;
        if (lives) pool_.store(slot_, path_);
        ready_.push(lives && path_.stage == Stage::inside, slot_);
        face_.push(lives && path_.stage != Stage::inside, slot_);
        free_.push(has_slot && !lives, slot_);
    }

    __device__ void count_face_steps(bool counts)
    {
        int const lanes = __popc(__ballot_sync(kWholeWarp, counts));
        if (is_leader()) storage_.face_steps += static_cast<std::uint32_t>(lanes);
    }

    __device__ void count_starts(bool starts)
    {
        int const lanes = __popc(__ballot_sync(kWholeWarp, starts));
        if (!is_leader() || lanes == 0) return;
        storage_.starts += static_cast<std::uint32_t>(lanes);
        storage_.start_rounds += 1;
    }

    LaunchParams const& params_;
    /// In the search list, beside the slot: the flight follows a long step.
    static constexpr std::uint32_t kAfterStep = 128;

    WarpPoolStorage<M>& storage_;
    LaneCounts counts_;
    PathPoolView<PathOf<M>> pool_;
    SlotList ready_; ///< inside, in the pool
    SlotList face_;  ///< at a face, outside or connecting
    SlotList free_;
    SlotList search_;                  ///< inside, with a flight that a triangle may end; in a mesh
    BlockPlace place_{0, 0, 0, -1, 0}; ///< of path_, in FluenceMedium; a negative label: not known
    PathOf<M> path_;                   ///< `inside` in lanes that can fly, and in no others while lanes fly
    std::uint32_t slot_ = 0;           ///< where path_ goes when it stops flying
    bool flies_ = false;               ///< path_ is this lane's: it flies, or has left the inside and waits for others
    bool searches_ = false;            ///< path_ is inside, but cannot fly before a search
    bool stepped_ = false;             ///< the flight that needs it follows a long step
    bool exhausted_ = false;           ///< no paths are left to start; the same in all lanes
};

/// `min_blocks` counts blocks of kBlockThreads, as in other kernels.
template <class M, int min_blocks>
__global__ void __launch_bounds__(kMostThreads<M>, min_blocks* kBlockThreads / kMostThreads<M>)
    run_regen_pool(LaunchParams const __grid_constant__ params, KernelKnobs<KernelId::regen_pool> const knobs)
{
    if constexpr (kIsFluenceTally<M>) {
        extern __shared__ std::uint32_t words[];
        WarpPaths<M> paths(params, reinterpret_cast<WarpPoolStorage<M>*>(words)[threadIdx.x / 32u]);
        paths.run_together(knobs);
    } else {
        __shared__ WarpPoolStorage<M> storage[kSmallBlockThreads / 32];
        WarpPaths<M> paths(params, storage[threadIdx.x / 32u]);
        paths.run(knobs);
    }
}

} // namespace

VOLPT_EXPORT_KERNEL(regen_pool, describe_small_blocks)

} // namespace volpt
