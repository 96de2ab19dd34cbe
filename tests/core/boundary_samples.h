// Paths about to meet a face, and Fresnel's equations to judge them by.
#pragma once

#include "libvolpt/core/extend_path.hd.h"
#include "tests/core/random_vectors.h"

namespace volpt::test {

/// Fresnel's equations as textbooks have them, with angles.
inline double fresnel(double cosine, double eta)
{
    double const sine_behind = std::sqrt(1 - cosine * cosine) / eta;
    if (sine_behind >= 1) return 1;
    double const behind = std::sqrt(1 - sine_behind * sine_behind);
    double const rs = (cosine - eta * behind) / (cosine + eta * behind);
    double const rp = (behind - eta * cosine) / (behind + eta * cosine);
    return (rs * rs + rp * rp) / 2;
}

/// A path on a face of the box, about to interact with it.
inline PathState<1> make_path(Vec3 direction, std::uint32_t sample)
{
    PathState<1> path{};
    path.direction = direction;
    path.throughput[0] = 1;
    path.rng = seed_rng(31, 0, sample, 0);
    return path;
}

/// A unit direction that meets the face of `axis` with its normal's sign `normal_sign` at `cosine`.
inline Vec3 make_incident(int axis, float normal_sign, double cosine, double azimuth)
{
    double const sine = std::sqrt(1 - cosine * cosine);
    Vec3 const d{static_cast<float>(sine * std::cos(azimuth)), static_cast<float>(sine * std::sin(azimuth)),
                 static_cast<float>(-cosine) * normal_sign};
    return axis == 2 ? d : axis == 1 ? Vec3{d.x, d.z, d.y} : Vec3{d.z, d.x, d.y};
}

/// interact_with_surface for the kind of surface that `boundary` has.
template <int bands>
bool interact_with_face(BoundaryView const& boundary, int axis, float normal_sign, float eta, PathState<bands>& path)
{
    switch (choose_surface(boundary)) {
    case Surface::smooth:
        return interact_with_surface<Surface::smooth>(boundary.alpha, axis, normal_sign, eta, path);
    case Surface::single_facet:
        return interact_with_surface<Surface::single_facet>(boundary.alpha, axis, normal_sign, eta, path);
    default:
        return interact_with_surface<Surface::many_facets>(boundary.alpha, axis, normal_sign, eta, path);
    }
}

} // namespace volpt::test
