// Shadow rays towards emitters and cameras: the transmittance along a straight line through media and past surfaces.
//
// J. Novak et al., Residual Ratio Tracking for Estimating Attenuation in Participating Media (SIGGRAPH Asia 2014):
// ratio tracking through local majorants; where sigma_t does not vary, exp(-sigma_t d).
#pragma once

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/path_events.hd.h"
#include "libvolpt/core/surface/surroundings.hd.h"

#include <type_traits>

namespace volpt {

/// A ray that an event has asked for. It begins where the path stands.
template <int bands>
struct Connection {
    Vec3 direction;
    float distance_mm;
    Stage stage;         ///< at its beginning: inside, or entering
    float weight[bands]; ///< contribution at a transmittance of 1
};

/// Below it, Russian roulette decides about a transmittance.
inline constexpr float kRouletteTransmittance = 0.125f;

/// Surfaces and bricks that a ray passes at most; a ray that meets more is blocked.
inline constexpr int kMostRayEvents = 65536;

/// Hits beyond this share of the distance do not block a ray: they may be the surface at its end.
inline constexpr float kReach = 1.0f - 0x1p-13f;

enum class RayEnd : std::uint32_t { goes_on = 0, arrived = 1, blocked = 2 };

/// A ray on its way: a path that is neither absorbed nor scattered, whose throughput is not used.
template <class M>
struct LightRay {
    std::conditional_t<M::kSurfaces == Surfaces::nested, RegionPath<M::kBands>, PathState<M::kBands>> path;
    float left_mm;
    float transmittance;
};

template <class M>
VOLPT_HD RayEnd weaken(float factor, LightRay<M>& ray)
{
    ray.transmittance *= factor;
    if (ray.transmittance >= kRouletteTransmittance) return RayEnd::goes_on;
    if (!(to_fine_unit(ray.path.rng.draw()) * kRouletteTransmittance < ray.transmittance)) {
        ray.transmittance = 0.0f;
        return RayEnd::blocked;
    }
    ray.transmittance = kRouletteTransmittance;
    return RayEnd::goes_on;
}

/// The next tentative collision ahead, as `advance` would have it; where sigma_t does not vary, none.
template <class M>
VOLPT_HD Leg fly_ray(MediumView const& medium, BandMedium const& band, PathState<M::kBands>& path)
{
    if (!has_null_collisions(medium)) return {path.position, band.majorant, 1u, 0u};
    float const optical_depth = to_optical_depth(path.rng.draw());
    return has_local_majorants(medium) ? fly_local(medium, band, path, optical_depth)
                                       : fly_global(medium, band, path, optical_depth);
}

/// At the end of a leg without a surface: a share is lost to real collisions there.
template <class M>
VOLPT_HD RayEnd pass_tentative_collision(MediumView const& medium, Leg const& leg, LightRay<M>& ray)
{
    Vec3 const start = ray.path.position;
    Vec3 const moved = (leg.target - start);
    Vec3 const velocity = ray.path.direction * medium.inv_pitch;
    float const flown_mm = exact::divide(dot(moved, velocity), dot(velocity, velocity));
    if (!(flown_mm < ray.left_mm)) return RayEnd::arrived;
    ray.left_mm -= flown_mm;
    ray.path.position = leg.target;
    if (leg.crosses != 0u) return RayEnd::goes_on;
    VoxelRef const voxel = pick_voxel(medium, leg.target, ray.path.rng.draw());
    float const sigma_t = read_sigma_t<M>(medium, voxel, M::kBands > 1 ? 0u : ray.path.band);
    return weaken(exact::max(0.0f, 1.0f - exact::divide(sigma_t, leg.majorant)), ray);
}

/// Through a medium that does not vary, to its surface at `exit_mm` or to the ray's end.
template <class M>
VOLPT_HD RayEnd pass_constant_medium(MediumView const& medium, float sigma_t, float exit_mm, LightRay<M>& ray)
{
    if (has_null_collisions(medium)) return RayEnd::goes_on;
    float const flown_mm = exact::min(exit_mm, ray.left_mm);
    RayEnd const end = weaken(exact::exp_neg(sigma_t * exact::max(0.0f, flown_mm)), ray);
    return end == RayEnd::goes_on && !(exit_mm < ray.left_mm) ? RayEnd::arrived : end;
}

template <class M>
VOLPT_HD BandMedium const& find_band_medium(MediumView const& medium, PathState<M::kBands> const& path)
{
    return medium.band[M::kBands > 1 ? 0u : path.band];
}

/// Through kMostCells cells of voxels at most, to an interface or to the box's face, and beyond.
template <class M>
VOLPT_HD RayEnd pass_voxels(SceneView const& scene, LightRay<M>& ray)
{
    MediumView const& medium = scene.medium;
    float const* const sigma_t_of =
        medium.material_sigma_t + (M::kBands > 1 ? 0 : static_cast<std::int32_t>(ray.path.band) * kMaxMaterials);
    float const* const ior_of = scene.interfaces.material_ior;
    VoxelFlight flight = begin_voxel_flight(scene, ray.path.position, ray.path.direction);
    float optical_depth = 0.0f;
    RayEnd end = RayEnd::goes_on;
#if VOLPT_ON_DEVICE
#pragma unroll 1
#endif
    for (int i = 0; i < kMostCells && end == RayEnd::goes_on; ++i) {
        CellExit const exit = find_cell_exit(flight);
        float const to_mm = exact::min(exit.distance, ray.left_mm);
        optical_depth = exact::fma(sigma_t_of[flight.cell.label], to_mm - flight.distance, optical_depth);
        if (!(exit.distance < ray.left_mm)) {
            end = RayEnd::arrived;
            break;
        }
        CellFace const face = find_face_ahead(medium, flight, exit);
        ray.path.position = face.position;
        FaceHit const hit{face.axis, face.ahead, face.position};
        bool const is_open = scene.boundary.kind == BoundaryKindView::none && !has_backing(scene.faces, hit);
        if (face.leaves != 0u)
            end = is_open ? RayEnd::arrived : RayEnd::blocked;
        else if (ior_of[flight.cell.label] != ior_of[face.next.label])
            end = RayEnd::blocked;
        flight.distance = exit.distance;
        flight.cell = face.next;
    }
    ray.left_mm -= flight.distance;
    RayEnd const weakened = weaken(exact::exp_neg(optical_depth), ray);
    return end == RayEnd::goes_on ? weakened : weakened == RayEnd::blocked ? RayEnd::blocked : end;
}

/// From inside the box to its face, and beyond. The box is convex: the ray does not meet it again.
template <class M>
VOLPT_HD RayEnd pass_box(SceneView const& scene, LightRay<M>& ray)
{
    if constexpr (M::kExtinction == Extinction::any)
        if (has_interfaces(scene)) return pass_voxels<M>(scene, ray);
    MediumView const& medium = scene.medium;
    BandMedium const& band = find_band_medium<M>(medium, ray.path);
    Leg const leg = fly_ray<M>(medium, band, ray.path);
    if (leg.leaves == 0u) return pass_tentative_collision<M>(medium, leg, ray);
    Vec3 const velocity = ray.path.direction * medium.inv_pitch;
    FaceHit const face = find_exit(ray.path.position, velocity, medium.size_voxels);
    float const exit_mm = exact::divide(dot(face.position - ray.path.position, velocity), dot(velocity, velocity));
    RayEnd const end = pass_constant_medium<M>(medium, band.majorant, exit_mm, ray);
    if (end != RayEnd::goes_on) return end;
    if (!(exit_mm < ray.left_mm)) return RayEnd::arrived;
    bool const is_open = scene.boundary.kind == BoundaryKindView::none && !has_backing(scene.faces, face);
    return is_open ? RayEnd::arrived : RayEnd::blocked;
}

/// From outside to the box, if it is ahead.
template <class M>
VOLPT_HD RayEnd reach_box(SceneView const& scene, LightRay<M>& ray)
{
    MediumView const& medium = scene.medium;
    BoxEntry const entry = enter_box({ray.path.position, ray.path.direction}, medium.inv_pitch, medium.size_voxels);
    if (entry.hits == 0u) return RayEnd::arrived;
    Vec3 const velocity = ray.path.direction * medium.inv_pitch;
    float const entry_mm = exact::divide(dot(entry.position - ray.path.position, velocity), dot(velocity, velocity));
    if (!(entry_mm < ray.left_mm)) return RayEnd::arrived;
    if (scene.boundary.kind != BoundaryKindView::none) return RayEnd::blocked;
    ray.left_mm -= exact::max(0.0f, entry_mm);
    ray.path.position = entry.position;
    ray.path.stage = Stage::inside;
    return RayEnd::goes_on;
}

/// Through a triangle of the solid, if it does not refract.
template <class M>
VOLPT_HD RayEnd pass_triangle(SceneView const& scene, SurfaceHit const& hit, LightRay<M>& ray)
{
    if (!(hit.t < ray.left_mm)) return RayEnd::arrived;
    if (find_boundary<M::kSurfaces>(scene, hit.triangle).kind != BoundaryKindView::none) return RayEnd::blocked;
    ray.left_mm -= exact::max(0.0f, hit.t);
    cross_triangle<M::kSurfaces>(scene, hit, ray.path);
    return RayEnd::goes_on;
}

/// Through the region that a ray is in, and its surface.
template <class M>
VOLPT_HD RayEnd pass_region(SceneView const& scene, LightRay<M>& ray)
{
    bool const ends = ray.left_mm < kReach * kFarAway_mm;
    RegionFlight const met = end_in_region(scene, ray.path, ray.path.region, ends ? ray.left_mm : kFarAway_mm);
    if (met.end == MeshFlightEnd::lost) return RayEnd::blocked;
    if (met.end == MeshFlightEnd::outside) {
        enter_region(met.region, ray.path);
        ray.path.bounces += 1u;
        return RayEnd::goes_on;
    }
    bool const arrives = met.end == MeshFlightEnd::medium;
    float const way_mm = exact::max(0.0f, arrives ? ray.left_mm : met.hit.t);
    float const sigma_t =
        read_sigma_t<M>(scene.medium, find_region_voxel(ray.path.region), M::kBands > 1 ? 0u : ray.path.band);
    RayEnd const end = weaken(exact::exp_neg(sigma_t * way_mm), ray);
    if (end != RayEnd::goes_on) return end;
    return arrives ? RayEnd::arrived : pass_triangle<M>(scene, met.hit, ray);
}

template <class M>
VOLPT_HD RayEnd pass_mesh(SceneView const& scene, LightRay<M>& ray)
{
    if constexpr (M::kSurfaces == Surfaces::nested) return pass_region<M>(scene, ray);
    MediumView const& medium = scene.medium;
    BandMedium const& band = find_band_medium<M>(medium, ray.path);
    Leg const leg = fly_ray<M>(medium, band, ray.path);
    bool const leaves = leg.leaves != 0u;
    if (!leaves && is_clear_flight(medium, scene.surface, ray.path.position, leg.target))
        return pass_tentative_collision<M>(medium, leg, ray);
    Flight flight;
    flight.event = leaves ? FlightEvent::leave : FlightEvent::collision;
    MeshFlight const met = end_at_triangle(scene, ray.path, flight, leg.target);
    if (met.end == MeshFlightEnd::medium) return pass_tentative_collision<M>(medium, leg, ray);
    if (met.end == MeshFlightEnd::lost) return RayEnd::blocked;
    if (met.end == MeshFlightEnd::outside) {
        ray.path.stage = Stage::entering;
        ray.path.bounces += 1u;
        return RayEnd::goes_on;
    }
    RayEnd const end = pass_constant_medium<M>(medium, band.majorant, met.hit.t, ray);
    return end == RayEnd::goes_on ? pass_triangle<M>(scene, met.hit, ray) : end;
}

/// Past a primitive that lets light pass; all others block the ray.
template <class M>
VOLPT_HD RayEnd pass_primitive(SceneView const& scene, SurfaceHit const& hit, LightRay<M>& ray)
{
    SurroundingsView const& around = scene.surroundings;
    if (around.bsdfs[around.bsdf_of[hit.triangle]].kind != BsdfKind::null) return RayEnd::blocked;
    SurfacePoint const point = hit.triangle >= around.triangle_count ? locate_on_sphere(scene, ray.path, hit)
                                                                     : locate_on_triangle(scene, ray.path, hit);
    float const away = dot(ray.path.direction, point.geometric) < 0.0f ? -1.0f : 1.0f;
    ray.path.position = move_along(point.position, away * point.offset_mm, point.geometric * scene.medium.inv_pitch);
    ray.path.bounces += 1u;
    ray.left_mm -= hit.t;
    return RayEnd::goes_on;
}

template <class M>
VOLPT_HD RayEnd pass_outside(SceneView const& scene, LightRay<M>& ray)
{
    SurfaceHit const solid = find_solid_ahead(scene, ray.path);
    if (scene.surroundings.on != 0u) {
        OutsideHit const hit = find_outside_hit(
            scene, ray.path, solid.triangle != kNoTriangle ? exact::min(solid.t, ray.left_mm) : ray.left_mm);
        if (hit.primitive.triangle != kNoTriangle) return pass_primitive<M>(scene, hit.primitive, ray);
        if (hit.ground_mm < kFarAway_mm) return RayEnd::blocked;
    }
    return solid.triangle == kNoTriangle ? RayEnd::arrived : pass_triangle<M>(scene, solid, ray);
}

template <class M>
VOLPT_HD RayEnd extend_ray(SceneView const& scene, LightRay<M>& ray)
{
    bool const is_inside = ray.path.stage == Stage::inside;
    if constexpr (M::kSurfaces == Surfaces::box)
        return is_inside ? pass_box<M>(scene, ray) : reach_box<M>(scene, ray);
    else
        return is_inside ? pass_mesh<M>(scene, ray) : pass_outside<M>(scene, ray);
}

/// Follows a ray to its end; 0 where a surface blocks or refracts it. On a GPU a call, like call_meet_triangle.
template <class M>
VOLPT_HD_CALLED float estimate_transmittance(SceneView const& scene, LightRay<M>& ray)
{
    RayEnd end = RayEnd::goes_on;
    for (int i = 0; i < kMostRayEvents && end == RayEnd::goes_on; ++i) end = extend_ray<M>(scene, ray);
    return end == RayEnd::arrived ? ray.transmittance : 0.0f;
}

/// An unbiased estimate of the transmittance along `connection` from the place where `path` stands; `region` is that of
/// a connection from inside, with Surfaces::nested only. Draws random numbers of the path.
template <class M, int bands>
VOLPT_HD float follow_light_ray(M, SceneView const& scene, Connection<bands> const& connection, std::uint32_t region,
                                PathState<bands>& path)
{
    LightRay<M> ray;
    static_cast<PathState<bands>&>(ray.path) = path;
    ray.left_mm = kReach * connection.distance_mm;
    ray.transmittance = 1.0f;
    if constexpr (M::kSurfaces == Surfaces::nested) ray.path.region = region;
    ray.path.direction = connection.direction;
    ray.path.stage = connection.stage;
    float const arrives = estimate_transmittance<M>(scene, ray);
    path.rng = ray.path.rng;
    return arrives;
}

} // namespace volpt
