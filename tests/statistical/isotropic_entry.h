// Paths that enter a box as uniform isotropic light does: from everywhere on its surface, cosine-weighted.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "tests/statistical/measure.h"

#include <random>

namespace volpt::test {

/// Where and how an entering path starts; `sides` restricts it to the faces across z (a slab's).
enum class EntryFaces { all, top };

class IsotropicEntry {
public:
    IsotropicEntry(SceneView const& scene, EntryFaces faces) : scene_(scene), faces_(faces), engine_(1) {}

    PathState<1> start(std::uint32_t sample)
    {
        Vec3 const size = scene_.medium.size_voxels;
        double const lx = static_cast<double>(size.x / scene_.medium.inv_pitch.x);
        double const ly = static_cast<double>(size.y / scene_.medium.inv_pitch.y);
        double const lz = static_cast<double>(size.z / scene_.medium.inv_pitch.z);
        double const pick = draw() * (ly * lz + lx * lz + lx * ly);
        int const axis = faces_ == EntryFaces::top ? 2 : pick < ly * lz ? 0 : pick < ly * lz + lx * lz ? 1 : 2;
        bool const far_side = faces_ == EntryFaces::top || draw() < 0.5;
        double const cosine = std::sqrt(draw());
        double const sine = std::sqrt(1 - cosine * cosine), azimuth = 2 * 3.14159265358979 * draw();
        PathState<1> path{};
        path.position = {static_cast<float>(draw()) * size.x, static_cast<float>(draw()) * size.y,
                         static_cast<float>(draw()) * size.z};
        path.position = with_axis(path.position, axis, far_side ? get_axis(size, axis) : 0.0f);
        Vec3 const across{static_cast<float>(sine * std::cos(azimuth)), static_cast<float>(sine * std::sin(azimuth)),
                          0};
        path.direction = axis == 2 ? across : axis == 1 ? Vec3{across.x, 0, across.y} : Vec3{0, across.x, across.y};
        path.direction = normalize(with_axis(path.direction, axis, static_cast<float>(far_side ? -cosine : cosine)));
        path.throughput[0] = 1;
        path.rng = seed_rng(scene_.seed, 0, sample, 0);
        bool const is_inside = scene_.boundary.kind == BoundaryKindView::none && scene_.surface.on == 0u;
        path.stage = is_inside ? Stage::inside : Stage::entering;
        return path;
    }

private:
    double draw() { return static_cast<double>(engine_() >> 11) * 0x1p-53; }

    SceneView const& scene_;
    EntryFaces faces_;
    std::mt19937_64 engine_;
};

/// What isotropic light does in a volume, a path.
struct IsotropicTransport {
    Measurement collisions; ///< real
    Measurement tentative;
    Measurement radiance;
    std::uint64_t lost = 0; ///< paths
};

template <class M>
IsotropicTransport follow_paths(SceneView const& scene, EntryFaces faces, std::uint32_t paths)
{
    IsotropicEntry entry(scene, faces);
    std::vector<double> collisions, tentative, radiance;
    std::uint64_t lost = 0;
    for (std::uint32_t i = 0; i < paths; ++i) {
        PathOf<M> path{};
        static_cast<PathState<1>&>(path) = entry.start(i);
        PathCounts counts;
        double real = 0;
        while (path.stage != Stage::ended) {
            std::uint64_t const before = counts.tentative_collisions;
            std::uint64_t const extensions = counts.extensions;
            extend_path<M>(scene, path, counts);
            if (counts.tentative_collisions != before && counts.extensions != extensions) real += 1;
        }
        collisions.push_back(real);
        tentative.push_back(static_cast<double>(counts.tentative_collisions));
        radiance.push_back(static_cast<double>(path.throughput[0]));
        lost += counts.lost_paths;
    }
    return {measure_mean(collisions), measure_mean(tentative), measure_mean(radiance), lost};
}

} // namespace volpt::test
