// Runs the paths of a tile through the lanes: refill, vector passes, then scalar code for the lanes that need it.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/lane_events.h"
#include "libvolpt/cpu/lane_steps.h"
#include "libvolpt/cpu/path_cursor.h"

#include <bit>
#include <cstring>
#include <utility>

namespace volpt {

/// About a millisecond.
inline constexpr std::uint32_t kStepsBetweenPolls = 4096;

template <class Isa, class M>
class LaneRunner {
    static constexpr int kBands = M::kBands;

public:
    LaneRunner(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts)
        : scene_(scene), cursor_(tile, kBands > 1 ? 1u : scene.bands), sums_(sums), counts_(counts),
          plane_(static_cast<std::size_t>(tile.x1 - tile.x0) * (tile.y1 - tile.y0)),
          plays_below_(scene.roulette.plays_below),
          depth_limit_(scene.depth_limit != 0 ? scene.depth_limit : 0xffffffffu), steps_(scene)
    {
    }

    /// False if `poll` asked to stop.
    bool run(StopPoll poll)
    {
        for (int i = 0; i < kLanes; ++i) {
            lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
            set_constants(i);
        }
        for (int i = 0; i < kLanes; ++i) refill(i);
        for (std::uint32_t steps = 1; live_ > 0; ++steps) {
            step();
            if (!has_fresh()) resume_leaving();
            if (steps % kStepsBetweenPolls == 0 && poll.should_stop != nullptr && poll.should_stop(poll.context))
                return false;
        }
        return true;
    }

private:
    /// A multiple of whole vectors that holds `lanes`.
    static int round_up(int lanes) { return (lanes + kVectorLanes - 1) & -kVectorLanes; }

    bool has_fresh() const { return next_started_ < started_ || !cursor_.done(); }

    void step()
    {
        int const lanes = round_up(used_); // once there are no new paths, whole idle vectors at the end are skipped
        steps_.take(lanes_, lanes);
        if constexpr (M::kExtinction == Extinction::bare) {
            collide_bare(lanes);
        } else {
            fly_lanes<Isa, M>(scene_.medium, lanes_, flights_, lanes);
            scatter_collided<Isa>(scene_.medium, lanes_, lanes);
        }
        steps_.prefetch(lanes_, lanes); // finish_flagged changes one in ten of them
        StepCounts const step = flag_lanes<Isa, M::kSteps, kBands>(lanes_, lanes, plays_below_, depth_limit_);
        counts_.extensions += step.collisions;
        counts_.tentative_collisions += step.tentative;
        counts_.long_steps += step.long_steps;
        counts_.stepped_collisions += step.stepped_collisions;
        finish_flagged(lanes);
    }

    /// From the last lane to the first, as close_gap needs it. Lanes are found by their bits: whether one of eight
    /// lanes is flagged is as good as random, and so are jumps that depend on it.
    void finish_flagged(int lanes)
    {
        static_assert(kLanes == 64, "a bit per lane");
        constexpr int kGroup = 8; // lanes whose flags one word holds
        std::uint64_t flagged = 0;
        for (int first = 0; first < lanes; first += kGroup) {
            std::uint64_t flags;
            std::memcpy(&flags, lanes_.flagged + first, sizeof flags);
            // Shifts byte k, which is 0 or 1, to bit 56 + k.
            flagged |= (flags * 0x0102040810204080u) >> 56 << first;
        }
        while (flagged != 0) {
            int const i = kLanes - 1 - std::countl_zero(flagged);
            flagged ^= std::uint64_t{1} << i;
            finish_lane(i);
        }
    }

    void collide_bare(int lanes)
    {
        if (scene_.medium.scattering == Scattering::isotropic)
            collide_bare_lanes<Isa, M, Scattering::isotropic>(scene_.medium, lanes_, lanes);
        else
            collide_bare_lanes<Isa, M, Scattering::constant_g>(scene_.medium, lanes_, lanes);
    }

    /// The scalar end of a step: boundary, escape, roulette, depth limit. A new path takes the place of one that ended.
    void finish_lane(int i)
    {
        bool const leaves = lanes_.event[i] == static_cast<std::uint32_t>(FlightEvent::leave);
        if (leaves && scene_.boundary.kind != BoundaryKindView::none) {
            copy_lane(lanes_, i, *leaving_, leaving_count_++);
            if (leaving_count_ == kLanes) leave_together();
        } else {
            PathState<kBands> path = load_lane(lanes_, i);
            if (leaves) {
                path.stage = Stage::leaving;
                while (is_at_face(path)) leave_or_enter(scene_, path, counts_);
            } else {
                play_roulette(scene_.roulette, path);
                if (must_cut(scene_.depth_limit, path)) cut_path(path, counts_);
            }
            if (path.stage == Stage::inside) {
                store_lane(lanes_, i, path);
                return;
            }
            add_to_sums(scene_, path, sums_, plane_);
        }
        --live_;
        lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
        refill(i);
    }

    /// Takes a path that has been started or has met a face on until it is inside, true, or has ended and is in the
    /// sums.
    bool gets_inside(LaneBlock<kBands>& block, int i)
    {
        bool const is_cut = block.depth[i] > scene_.depth_limit - 1u || block.bounces[i] >= kTrappedBounces; // must_cut
        if (block.stage[i] == static_cast<std::uint32_t>(Stage::inside) && !is_cut) return true;
        PathState<kBands> path = load_lane(block, i);
        if (must_cut(scene_.depth_limit, path)) cut_path(path, counts_);
        while (is_at_face(path)) leave_or_enter(scene_, path, counts_);
        if (path.stage == Stage::inside)
            store_lane(block, i, path);
        else
            add_to_sums(scene_, path, sums_, plane_);
        return path.stage == Stage::inside;
    }

    /// Takes the paths of `leaving_` through the boundary. Those that are reflected into the medium are `returned_`:
    /// every lane that adds to `leaving_` takes one of them, so there are none left by now.
    void leave_together()
    {
        LaneBlock<kBands>& block = *leaving_;
        for (int i = 0; i < leaving_count_; ++i) block.stage[i] = static_cast<std::uint32_t>(Stage::leaving);
        ExitView const exit{scene_.medium.size_voxels, scene_.medium.inv_pitch, scene_.boundary, scene_.faces};
        int const lanes = round_up(leaving_count_);
        switch (choose_surface(scene_.boundary)) {
        case Surface::smooth:
            leave_lanes<Isa, Surface::smooth, kBands>(exit, block, lanes);
            break;
        case Surface::single_facet:
            leave_lanes<Isa, Surface::single_facet, kBands>(exit, block, lanes);
            break;
        case Surface::many_facets:
            leave_lanes<Isa, Surface::many_facets, kBands>(exit, block, lanes);
            break;
        }
        for (int i = 0; i < leaving_count_; ++i) {
            counts_.extensions += block.event[i];
            if (gets_inside(block, i)) returned_lane_[returned_count_++] = i;
        }
        std::swap(leaving_, returned_);
        leaving_count_ = 0;
    }

    /// Once there are no new paths: lanes that are free take those that the boundary reflects.
    void resume_leaving()
    {
        bool const is_due = leaving_count_ >= kVectorLanes || (live_ == 0 && leaving_count_ > 0);
        if (is_due && returned_count_ == 0) leave_together();
        while (returned_count_ > 0 && used_ < kLanes) take_returned(used_);
    }

    /// Whether lanes differ in what set_constants sets.
    bool has_bands_apart() const { return kBands == 1 && scene_.bands > 1; }

    /// Sets what follows from the band of lane `i`.
    void set_constants(int i)
    {
        set_band_constants(scene_.medium, lanes_, i);
        steps_.set_constants(lanes_, i);
    }

    /// Puts a path that is inside into lane `i`.
    void take_lane(int i, LaneBlock<kBands> const& from, int number)
    {
        copy_lane(from, number, lanes_, i);
        if (has_bands_apart()) set_constants(i);
        ++live_;
        if (i >= used_) used_ = i + 1;
    }

    void take_returned(int i) { take_lane(i, *returned_, returned_lane_[--returned_count_]); }

    /// Puts a path reflected at the boundary or the next new one that gets inside into lane `i`; if there is none, the
    /// last used lane moves there.
    void refill(int i)
    {
        if (returned_count_ > 0) {
            take_returned(i);
            return;
        }
        while (next_started_ < started_ || start_more()) {
            int const number = next_started_++;
            if (!gets_inside(fresh_, number)) continue;
            take_lane(i, fresh_, number);
            return;
        }
        close_gap(i);
    }

    /// Starts as many paths as there are lanes and takes them through their first boundary event, but for some that
    /// meet many facets; false if none are left.
    bool start_more()
    {
        LaneIds ids{}; // zero where the last vector starts no path
        int lanes = 0;
        for (; lanes < kLanes && !cursor_.done(); ++lanes) {
            PathId const id = cursor_.take();
            ids.x[lanes] = id.x;
            ids.y[lanes] = id.y;
            ids.sample[lanes] = id.sample;
            ids.band[lanes] = id.band;
            ids.slot[lanes] = id.slot;
        }
        next_started_ = 0;
        started_ = lanes;
        counts_.paths += static_cast<std::uint64_t>(lanes);
        if (scene_.camera.aim == Aim::hemisphere)
            start_lanes<Isa, Aim::hemisphere, kBands>(scene_, ids, fresh_, round_up(lanes));
        else if (scene_.camera.aim == Aim::lens)
            start_lanes<Isa, Aim::lens, kBands>(scene_, ids, fresh_, round_up(lanes));
        else
            start_lanes<Isa, Aim::pixel, kBands>(scene_, ids, fresh_, round_up(lanes));
        for (std::uint32_t k = 0; k < scene_.draws_before_stratified; ++k)
            step_back_lanes<Isa>(fresh_, round_up(lanes));
        if (scene_.boundary.kind == BoundaryKindView::none) return lanes > 0;
        enter(round_up(lanes));
        for (int i = 0; i < lanes; ++i)
            counts_.extensions += fresh_.depth[i]; // the boundary event of those that met it
        return lanes > 0;
    }

    void enter(int lanes)
    {
        Vec3 const size = scene_.medium.size_voxels;
        switch (choose_surface(scene_.boundary)) {
        case Surface::smooth:
            enter_lanes<Isa, Surface::smooth, kBands>(scene_.boundary, size, fresh_, lanes);
            break;
        case Surface::single_facet:
            enter_lanes<Isa, Surface::single_facet, kBands>(scene_.boundary, size, fresh_, lanes);
            break;
        case Surface::many_facets:
            enter_lanes<Isa, Surface::many_facets, kBands>(scene_.boundary, size, fresh_, lanes);
            break;
        }
    }

    void close_gap(int i)
    {
        if (i >= used_) return;
        --used_;
        if (i != used_) {
            copy_lane(lanes_, used_, lanes_, i);
            if (has_bands_apart()) set_constants(i);
            lanes_.stage[used_] = static_cast<std::uint32_t>(Stage::ended);
        }
    }

    SceneView const& scene_;
    PathCursor cursor_;
    TileSumsView sums_;
    PathCounts& counts_;
    std::size_t plane_;
    float plays_below_; ///< at or above it play_roulette does nothing
    std::uint32_t depth_limit_;
    int next_started_ = 0;
    int started_ = 0;
    int live_ = 0;
    int used_ = 0;
    LaneBlock<kBands> fresh_{};
    LaneBlock<kBands> crossing_[2]{};
    LaneBlock<kBands>* leaving_ = crossing_;      ///< paths at the boundary, which they meet together
    LaneBlock<kBands>* returned_ = crossing_ + 1; ///< those reflected there wait for lanes: new ones come after them
    int returned_lane_[kLanes];
    int leaving_count_ = 0;
    int returned_count_ = 0;
    BrickFlightLanes flights_{};
    LaneSteps<Isa, M> steps_;
    LaneBlock<kBands> lanes_{}; // zero, so that idle lanes look up voxel 0 of band 0
};

} // namespace volpt
