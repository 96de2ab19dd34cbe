#pragma once

#include "libvolpt/core/macros.hd.h"

#include <cstdint>

namespace volpt {

/// Totals over paths; docs/notation.md defines an extension. extend_path accepts any class that has the count_
/// functions.
struct PathCounts {
    std::uint64_t paths = 0;
    std::uint64_t extensions = 0;
    std::uint64_t tentative_collisions = 0;
    std::uint64_t cut_paths = 0;
    std::uint64_t cut_throughput = 0; ///< units of 2^-24
    std::uint64_t long_steps = 0;
    std::uint64_t stepped_collisions = 0; ///< collisions that long steps stand for
    std::uint64_t lost_paths = 0;         ///< left the box from inside a mesh without meeting a triangle
    std::uint64_t strayed_paths = 0;      ///< found outside a mesh where rounding had moved them
    std::uint64_t shadow_rays = 0;        ///< towards an emitter or a camera

    VOLPT_HD void count_collision()
    {
        extensions += 1;
        tentative_collisions += 1;
    }
    /// A flight that ended inside without a real collision: 1 if at a null collision, 0 if at the next brick.
    VOLPT_HD void count_null_flight(std::uint32_t collisions) { tentative_collisions += collisions; }
    /// An extension that is no collision: at a face, at a backing, out of the box.
    VOLPT_HD void count_face_event() { extensions += 1; }
    VOLPT_HD void count_cut(std::uint32_t throughput)
    {
        cut_paths += 1;
        cut_throughput += throughput;
    }
    VOLPT_HD void count_lost() { lost_paths += 1; }
    VOLPT_HD void count_strayed() { strayed_paths += 1; }
    VOLPT_HD void count_shadow_ray() { shadow_rays += 1; }
    VOLPT_HD void count_long_step(std::uint32_t collisions)
    {
        long_steps += 1;
        stepped_collisions += collisions;
    }
    VOLPT_HD void add(PathCounts const& other)
    {
        long_steps += other.long_steps;
        stepped_collisions += other.stepped_collisions;
        paths += other.paths;
        extensions += other.extensions;
        tentative_collisions += other.tentative_collisions;
        cut_paths += other.cut_paths;
        cut_throughput += other.cut_throughput;
        lost_paths += other.lost_paths;
        strayed_paths += other.strayed_paths;
        shadow_rays += other.shadow_rays;
    }
};

} // namespace volpt
