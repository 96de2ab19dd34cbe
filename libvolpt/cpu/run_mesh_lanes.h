// Runs the paths of a tile in solids that triangles bound: flights and collisions over lanes, triangles path by path.
#pragma once

#include "libvolpt/core/surface/texel_start.hd.h"
#include "libvolpt/cpu/lane_events.h"
#include "libvolpt/cpu/lane_steps.h"
#include "libvolpt/cpu/mesh_passes.h"
#include "libvolpt/cpu/path_cursor.h"

#include <cstring>

namespace volpt {

template <class Isa, class M>
class MeshLaneRunner {
    static constexpr int kBands = M::kBands;

public:
    MeshLaneRunner(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts)
        : scene_(scene), cursor_(tile, kBands > 1 ? 1u : scene.bands), sums_(sums), counts_(counts),
          plane_(static_cast<std::size_t>(tile.x1 - tile.x0) * (tile.y1 - tile.y0)),
          depth_limit_(scene.depth_limit != 0 ? scene.depth_limit : 0xffffffffu), steps_(scene)
    {
    }

    /// False if `poll` asked to stop.
    bool run(StopPoll poll)
    {
        constexpr std::uint32_t kStepsBetweenPolls = 1024; // about a millisecond
        for (int i = 0; i < kLanes; ++i) {
            lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
            set_constants(i);
        }
        for (used_ = 0; used_ < kLanes && refill(used_);) ++used_;
        for (std::uint32_t steps = 1; used_ > 0; ++steps) {
            step();
            if (steps % kStepsBetweenPolls == 0 && poll.should_stop != nullptr && poll.should_stop(poll.context))
                return false;
        }
        return true;
    }

private:
    void step()
    {
        int const lanes = (used_ + kVectorLanes - 1) & -kVectorLanes;
        steps_.take(lanes_, lanes);
        std::memcpy(mesh_.x, lanes_.x, sizeof mesh_.x);
        std::memcpy(mesh_.y, lanes_.y, sizeof mesh_.y);
        std::memcpy(mesh_.z, lanes_.z, sizeof mesh_.z);
        fly_lanes<Isa, M>(scene_.medium, lanes_, flights_, lanes);
        find_searches<Isa>(scene_.medium, scene_.surface, lanes_, mesh_, lanes);
        for (int i = 0; i < used_; ++i)
            if (mesh_.searches[i] != 0u) search(i);
        scatter_collided<Isa>(scene_.medium, lanes_, lanes);
        StepCounts const step =
            flag_lanes<Isa, M::kSteps, kBands>(lanes_, lanes, scene_.roulette.plays_below, depth_limit_);
        counts_.extensions += step.collisions;
        counts_.tentative_collisions += step.tentative;
        counts_.long_steps += step.long_steps;
        counts_.stepped_collisions += step.stepped_collisions;
        for (int i = 0; i < used_; ++i)
            if (lanes_.flagged[i] != 0u) finish_collision(i);
        if (cursor_.done()) close_gaps();
    }

    /// Takes the flight of lane `i` to the triangle that ends it, if one does, and its path on until it is inside
    /// again. Afterwards the lane has nothing to do in this step.
    void search(int i)
    {
        PathState<kBands> path = load_lane(lanes_, i);
        Vec3 const end = path.position;
        path.position = {mesh_.x[i], mesh_.y[i], mesh_.z[i]};
        if constexpr (M::kSteps != Steps::plain) end_step(i, path);
        Flight flight;
        flight.event = static_cast<FlightEvent>(lanes_.event[i]);
        MeshFlight const met = end_at_triangle(scene_, path, flight, end);
        if (met.end == MeshFlightEnd::medium) return;
        if constexpr (M::kSteps != Steps::plain) count_step(i);
        leave_flight<M::kSurfaces>(scene_, met, path, counts_);
        lanes_.event[i] = static_cast<std::uint32_t>(FlightEvent::null_collision);
        lanes_.tentative[i] = 0;
        if (gets_inside(i, path))
            store_lane(lanes_, i, path);
        else
            refill(i);
    }

    /// Sets what the long step of lane `i`, if it took one, changes in its path and flag_lanes has yet to change.
    void end_step(int i, PathState<kBands>& path) const
    {
        path.depth += lanes_.stepped_collisions[i];
        if (lanes_.stepped[i] != 0u) path.bounces = 0;
    }

    /// Counts the long step of lane `i` in place of flag_lanes.
    void count_step(int i)
    {
        counts_.long_steps += lanes_.stepped[i];
        counts_.stepped_collisions += lanes_.stepped_collisions[i];
        lanes_.stepped[i] = lanes_.stepped_collisions[i] = 0;
    }

    /// Roulette and depth limit.
    void finish_collision(int i)
    {
        PathState<kBands> path = load_lane(lanes_, i);
        play_roulette(scene_.roulette, path);
        if (must_cut(scene_.depth_limit, path)) cut_path(path, counts_);
        if (gets_inside(i, path))
            store_lane(lanes_, i, path);
        else
            refill(i);
    }

    /// Takes the path of lane `i` on until it is inside, true, or has ended and is in the sums.
    bool gets_inside(int i, PathState<kBands>& path)
    {
        while (is_at_face(path)) extend_at_face<M>(scene_, path, counts_);
        if (path.stage == Stage::ended) {
            if (scene_.texture_probe != nullptr) keep_light_from_above(start_normals_[i], path);
            add_to_sums(scene_, path, sums_, plane_);
        }
        return path.stage == Stage::inside;
    }

    PathState<kBands> start_in_lane(int i)
    {
        PathId const id = cursor_.take();
        ++counts_.paths;
        if (scene_.texture_probe == nullptr) return start_path_in<M>(scene_, id);
        TexelStart<kBands> const start = start_probe_path<M::kSurfaces, kBands>(scene_, id, counts_);
        start_normals_[i] = start.normal;
        return start.path;
    }

    /// Puts the next new path that gets inside into lane `i`, which is idle if there is none: false.
    bool refill(int i)
    {
        lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
        while (!cursor_.done()) {
            PathState<kBands> path = start_in_lane(i);
            if (!gets_inside(i, path)) continue;
            store_lane(lanes_, i, path);
            set_constants(i);
            return true;
        }
        return false;
    }

    /// Sets what follows from the band of lane `i`.
    void set_constants(int i)
    {
        set_band_constants(scene_.medium, lanes_, i);
        steps_.set_constants(lanes_, i);
    }

    /// Moves lanes that are in use to the front.
    void close_gaps()
    {
        auto const is_idle = [&](int i) { return lanes_.stage[i] == static_cast<std::uint32_t>(Stage::ended); };
        for (int i = 0; i < used_; ++i) {
            while (used_ > i && is_idle(used_ - 1)) --used_;
            if (i >= used_ || !is_idle(i)) continue;
            copy_lane(lanes_, used_ - 1, lanes_, i);
            start_normals_[i] = start_normals_[used_ - 1];
            set_constants(i);
            lanes_.stage[--used_] = static_cast<std::uint32_t>(Stage::ended);
        }
    }

    SceneView const& scene_;
    PathCursor cursor_;
    TileSumsView sums_;
    PathCounts& counts_;
    std::size_t plane_;
    std::uint32_t depth_limit_;
    int used_ = 0;
    BrickFlightLanes flights_{};
    MeshLanes mesh_{};
    LaneSteps<Isa, M> steps_;
    Vec3 start_normals_[kLanes]; ///< of the texels where paths started, with scene.texture_probe
    LaneBlock<kBands> lanes_{};  // zero, so that idle lanes look up voxel 0 of band 0
};

} // namespace volpt
