// Runs the paths of a tile through the lanes: refill, vector passes, then scalar code for the lanes that need it.
#pragma once

#include "libvolpt/backend/render_tile.h"
#include "libvolpt/core/extend_path.hd.h"
#include "libvolpt/cpu/lane_passes.h"

namespace volpt {

/// Hands out the paths of a tile one by one: bands fastest, then samples, then pixels, so that neighbouring lanes work
/// on neighbouring places.
struct PathCursor {
    RenderTile tile;
    std::uint32_t bands_apart; ///< paths per sample of a pixel: bands, or 1 if one path carries all
    std::uint32_t band = 0, sample = 0, x = 0, y = 0;

    VOLPT_HD PathCursor(RenderTile const& t, std::uint32_t bands) : tile(t), bands_apart(bands), x(t.x0), y(t.y0) {}

    VOLPT_HD bool done() const { return y >= tile.y1 || tile.sample_count == 0 || tile.x0 >= tile.x1; }

    VOLPT_HD PathId take()
    {
        std::uint32_t const width = tile.x1 - tile.x0;
        PathId const id{x, y, tile.first_sample + sample, band, (y - tile.y0) * width + (x - tile.x0)};
        if (++band < bands_apart) return id;
        band = 0;
        if (++sample < tile.sample_count) return id;
        sample = 0;
        if (++x < tile.x1) return id;
        x = tile.x0;
        ++y;
        return id;
    }
};

/// Adds the radiance of an ended path to its pixel.
template <int bands>
VOLPT_HD void add_to_sums(SceneView const& scene, PathState<bands> const& path, TileSumsView sums, std::size_t plane)
{
    for (int b = 0; b < bands; ++b) {
        std::size_t const band = bands > 1 ? static_cast<std::size_t>(b) : path.band;
        float const value = path.throughput[b];
        sums.sums[band * plane + path.slot] += to_fixed_point(value, scene.sum_scale);
        sums.squares[band * plane + path.slot] += to_fixed_point(value * value, scene.square_scale);
    }
}

/// About a millisecond.
inline constexpr std::uint32_t kStepsBetweenPolls = 4096;

template <class Isa, class M>
class LaneRunner {
    static constexpr int kBands = M::kBands;

public:
    LaneRunner(SceneView const& scene, RenderTile const& tile, TileSumsView sums, PathCounts& counts)
        : scene_(scene), cursor_(tile, kBands > 1 ? 1u : scene.bands), sums_(sums), counts_(counts),
          plane_(static_cast<std::size_t>(tile.x1 - tile.x0) * (tile.y1 - tile.y0)),
          plays_below_(exact::max(scene.roulette_w_min, 2.0f * kInvisibleThroughput)),
          depth_limit_(scene.depth_limit != 0 ? scene.depth_limit : 0xffffffffu)
    {
    }

    /// False if `poll` asked to stop.
    bool run(StopPoll poll)
    {
        for (int i = 0; i < kLanes; ++i) lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
        for (int i = 0; i < kLanes; ++i) refill(i);
        for (std::uint32_t steps = 1; live_ > 0; ++steps) {
            step();
            if (steps % kStepsBetweenPolls == 0 && poll.should_stop != nullptr && poll.should_stop(poll.context))
                return false;
        }
        return true;
    }

private:
    /// Lanes from here on are idle: once there are no new paths, whole idle vectors at the end are skipped.
    int count_used_lanes() const { return (used_ + 15) & ~15; }

    void step()
    {
        int const lanes = count_used_lanes();
        if constexpr (M::kSteps == Steps::spheres) take_long_steps(lanes);
        advance_lanes<Isa, M>(scene_.medium, lanes_, lanes);
        absorb(lanes);
        scatter(lanes);
        StepCounts const step = flag_lanes<Isa, M::kSteps, kBands>(lanes_, lanes, plays_below_, depth_limit_);
        counts_.extensions += step.collisions;
        counts_.tentative_collisions += step.tentative;
        counts_.long_steps += step.long_steps;
        counts_.stepped_collisions += step.stepped_collisions;
        for (int i = lanes - 1; i >= 0; --i)
            if (lanes_.flagged[i] != 0u) finish_lane(i);
    }

    void take_long_steps(int lanes)
    {
        if (has_single_box<M>(scene_.long_steps))
            step_lanes<Isa, M, StepBoxes::single>(scene_.medium, scene_.long_steps, lanes_, lanes);
        else
            step_lanes<Isa, M, StepBoxes::per_brick>(scene_.medium, scene_.long_steps, lanes_, lanes);
    }

    void absorb(int lanes)
    {
        switch (scene_.medium.albedo) {
        case Source::constant:
            absorb_lanes<Isa, Source::constant, kBands>(scene_.medium, lanes_, lanes);
            break;
        case Source::plane:
            absorb_lanes<Isa, Source::plane, kBands>(scene_.medium, lanes_, lanes);
            break;
        case Source::material:
            absorb_lanes<Isa, Source::material, kBands>(scene_.medium, lanes_, lanes);
            break;
        }
    }

    void scatter(int lanes)
    {
        switch (choose_scattering(scene_.medium)) {
        case Scattering::isotropic:
            scatter_lanes<Isa, Scattering::isotropic, kBands>(scene_.medium, lanes_, lanes);
            break;
        case Scattering::constant_g:
            scatter_lanes<Isa, Scattering::constant_g, kBands>(scene_.medium, lanes_, lanes);
            break;
        case Scattering::material_g:
            scatter_lanes<Isa, Scattering::material_g, kBands>(scene_.medium, lanes_, lanes);
            break;
        }
    }

    /// The scalar end of a step: boundary, escape, roulette, depth limit. A new path takes the place of one that ended.
    void finish_lane(int i)
    {
        PathState<kBands> path = load_lane(lanes_, i);
        if (lanes_.event[i] == static_cast<std::uint32_t>(FlightEvent::leave)) {
            path.stage = Stage::leaving;
            while (is_at_face(path)) leave_or_enter(scene_, path, counts_);
        } else {
            play_roulette(scene_.roulette_w_min, path);
            if (must_cut(scene_.depth_limit, path)) cut_path(path, counts_);
        }
        if (path.stage == Stage::inside) {
            store_lane(lanes_, i, path);
            return;
        }
        add_to_sums(scene_, path, sums_, plane_);
        --live_;
        lanes_.stage[i] = static_cast<std::uint32_t>(Stage::ended);
        refill(i);
    }

    /// Puts the next path that gets inside into lane `i`; if there is none, the last used lane moves there.
    void refill(int i)
    {
        while (next_started_ < started_ || start_more()) {
            PathState<kBands> path = load_lane(fresh_, next_started_++);
            if (must_cut(scene_.depth_limit, path)) cut_path(path, counts_);
            while (is_at_face(path)) leave_or_enter(scene_, path, counts_);
            if (path.stage == Stage::inside) {
                store_lane(lanes_, i, path);
                ++live_;
                if (i >= used_) used_ = i + 1;
                return;
            }
            add_to_sums(scene_, path, sums_, plane_);
        }
        close_gap(i);
    }

    /// Starts as many paths as there are lanes and takes them through their first boundary event, but for some that
    /// meet many facets; false if none are left.
    bool start_more()
    {
        LaneIds ids;
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
            start_lanes<Isa, Aim::hemisphere, kBands>(scene_, ids, fresh_, lanes);
        else
            start_lanes<Isa, Aim::pixel, kBands>(scene_, ids, fresh_, lanes);
        if (scene_.boundary.kind == BoundaryKindView::none) return lanes > 0;
        enter(lanes);
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
            store_lane(lanes_, i, load_lane(lanes_, used_));
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
    LaneBlock<kBands> lanes_{}; // zero, so that idle lanes look up voxel 0 of band 0
};

} // namespace volpt
