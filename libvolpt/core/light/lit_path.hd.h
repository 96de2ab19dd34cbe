// Paths from the film that are connected to emitters, and meet them: next-event estimation with multiple importance
// sampling (E. Veach, Robust Monte Carlo Methods for Light Transport Simulation, 1997, chapter 9).
//
// Light that a path finds by chance and light that it is connected to are both weighted by the balance heuristic. Their
// sum is kept in `radiance` until the path ends.
#pragma once

#include "libvolpt/core/light/medium_emission.hd.h"
#include "libvolpt/core/light/sample_light.hd.h"
#include "libvolpt/core/light/transmittance.hd.h"

namespace volpt {

/// A path of Transport::emitters.
template <int bands, class Region>
struct LitPath : PathState<bands>, Region {
    static constexpr Transport kTransport = Transport::emitters;
    static constexpr std::size_t kEventBytes = 12;
    float radiance[bands]; ///< first after Region: PathPoolView::store_connected
    float scatter_density; ///< per sr, of the last scattering in its direction; 0: light found by chance counts in full
    Vec3 scattered_at;     ///< voxels, of the last scattering
    Connection<bands> connection; ///< while the stage is `connecting`
    Stage next_stage;             ///< after it

    // Within one event.
    std::uint32_t event_depth; ///< before the event
    float event_density;       ///< scatter_density after it, if it is an extension
    std::uint32_t connects;    ///< 1 if the event asked for a connection
};

template <int bands, class Region>
VOLPT_HD void begin_event(LitPath<bands, Region>& path)
{
    path.event_depth = path.depth;
    path.event_density = 0.0f;
    path.connects = 0u;
}

/// The density of the direction of the path, in the middle of an event.
template <int bands, class Region>
VOLPT_HD float find_scatter_density(LitPath<bands, Region> const& path)
{
    return path.depth == path.event_depth ? path.scatter_density : path.event_density;
}

template <int bands, class Region>
VOLPT_HD void take_radiance(LitPath<bands, Region>& path)
{
    for (int b = 0; b < bands; ++b) path.throughput[b] = path.radiance[b];
}

template <class M, int bands, class Counts, class Region>
VOLPT_HD void end_event(M, SceneView const&, LitPath<bands, Region>& path, Counts&)
{
    if (path.depth != path.event_depth) {
        path.scatter_density = path.event_density;
        path.scattered_at = path.position;
    }
    if (path.connects != 0u) {
        path.next_stage = path.stage;
        path.stage = Stage::connecting;
    } else if (path.stage == Stage::ended) {
        take_radiance(path);
    }
}

template <int bands>
VOLPT_HD Vec3 find_position_mm(SceneView const& scene, PathState<bands> const& path)
{
    return path.position * scene.lights.pitch_mm;
}

template <int bands, class Region>
VOLPT_HD void add_radiance(float const (&light)[bands], LitPath<bands, Region>& path)
{
    for (int b = 0; b < bands; ++b) path.radiance[b] = exact::fma(path.throughput[b], light[b], path.radiance[b]);
}

/// Ends a path that has left: it finds the environment, and suns that have a diameter.
template <int bands, class Region>
VOLPT_HD void escape(SceneView const& scene, LitPath<bands, Region>& path)
{
    float light[bands];
    read_distant_light(scene, path.direction, path.depth == 0u ? scene.environment.seen_directly : 1.0f, path.band,
                       find_scatter_density(path), light);
    add_radiance(light, path);
    for (int b = 0; b < bands; ++b) path.throughput[b] = 0.0f;
    path.stage = Stage::ended;
}

/// Adds the light of an emitter that a path meets at a primitive.
template <int bands, class Region>
VOLPT_HD void meet_emitter(SceneView const& scene, std::uint32_t primitive, SurfacePoint const& point,
                           LitPath<bands, Region>& path)
{
    if (scene.lights.emitter_of == nullptr || scene.lights.emitter_of[primitive] == 0u) return;
    EmitterHit const hit{primitive, path.scattered_at * scene.lights.pitch_mm, point.position * scene.lights.pitch_mm,
                         path.direction, point.geometric};
    float light[bands];
    read_emitter(scene, hit, path.band, path.scatter_density, light);
    add_radiance(light, path);
}

/// False if the depth limit ends the path at this scattering. A connection replaces the next event: a path is not
/// connected to light that it could not meet by chance.
template <int bands>
VOLPT_HD bool may_connect(std::uint32_t depth_limit, PathState<bands> const& path)
{
    return path.depth + 1u <= depth_limit - 1u; // as in must_cut
}

/// Requests the connection of a path to `sample`. `response` is by band per sr: phase function, or BSDF times cosine,
/// times throughput; `density` is the density of the same direction by scattering.
template <int bands, class Region>
VOLPT_HD void ask_connection(Stage stage, LightSample<bands> const& sample, float const (&response)[bands],
                             float density, LitPath<bands, Region>& path)
{
    float const balance = sample.density > 0.0f ? weigh_balanced(sample.density, density) : 1.0f;
    float most = 0.0f;
    for (int b = 0; b < bands; ++b) {
        path.connection.weight[b] = balance * response[b] * sample.value[b];
        most = exact::ordered_max(most, path.connection.weight[b]);
    }
    path.connection.direction = sample.direction;
    path.connection.distance_mm = sample.distance_mm;
    path.connection.stage = stage;
    path.connects = most > 0.0f ? 1u : 0u;
}

/// Henyey-Greenstein, per sr.
VOLPT_HD float evaluate_hg(float g, float cosine)
{
    float const base = exact::max(0x1p-40f, exact::fma(-2.0f * g, cosine, exact::fma(g, g, 1.0f)));
    constexpr float kInverse4Pi = 0.0795774715f;
    return exact::divide(kInverse4Pi * exact::fma(-g, g, 1.0f), base * exact::sqrt(base));
}

/// g of a collision in `voxel`.
template <class M>
VOLPT_HD float read_g(MediumView const& medium, VoxelRef voxel)
{
    if (medium.scattering == Scattering::isotropic) return 0.0f;
    return medium.scattering == Scattering::constant_g ? medium.g : medium.material_g[read_label(medium.label, voxel)];
}

/// The emission of the medium is found by chance only.
template <class M, int bands, class Region>
VOLPT_HD void begin_collision(M, SceneView const& scene, VoxelRef voxel, LitPath<bands, Region>& path)
{
    if (!has_emission(scene)) return;
    float light[bands];
    read_emitted<M>(scene, voxel, path.band, light);
    add_radiance(light, path);
}

template <class M, int bands, class Region>
VOLPT_HD void end_absorption(M, SceneView const& scene, VoxelRef voxel, LitPath<bands, Region>& path)
{
    if (scene.lights.connects_inside == 0u || !may_connect(scene.depth_limit, path)) return;
    LightSample<bands> const sample = sample_light<bands>(scene, find_position_mm(scene, path), path.band, path.rng);
    float const phase = evaluate_hg(read_g<M>(scene.medium, voxel), dot(path.direction, sample.direction));
    float response[bands];
    for (int b = 0; b < bands; ++b) response[b] = phase * path.throughput[b];
    ask_connection(Stage::inside, sample, response, phase, path);
}

template <class M, int bands, class Region>
VOLPT_HD void end_scattering(M, SceneView const& scene, VoxelRef voxel, Vec3 arriving, LitPath<bands, Region>& path)
{
    if (scene.lights.connects_inside == 0u) return;
    path.event_density = evaluate_hg(read_g<M>(scene.medium, voxel), dot(arriving, path.direction));
}

/// The density of the directions of sample_diffuse, per sr: cosine-weighted about the shading normal, and, for the
/// share of those that are below the surface, about the geometric one.
VOLPT_HD float evaluate_diffuse_density(SideNormals const& normals, Vec3 direction)
{
    float const above = dot(normals.geometric, direction);
    if (!(above > 0.0f)) return 0.0f;
    float const shading = exact::max(0.0f, dot(normals.shading, direction));
    // Of a cosine-weighted hemisphere about s, the share below a plane whose normal is g is (1 - s g) / 2.
    float const below = exact::max(0.0f, 0.5f * (1.0f - dot(normals.shading, normals.geometric)));
    return kInversePi * exact::fma(below, above, shading);
}

/// cos^n about the mirrored direction, per sr.
VOLPT_HD float evaluate_phong_density(BsdfView const& bsdf, SideNormals const& normals, Vec3 arriving, Vec3 direction)
{
    constexpr float kInverse2Pi = 0.159154943f;
    float const cosine = dot(mirror(arriving, normals.shading), direction);
    if (!(cosine > 0.0f)) return 0.0f;
    return kInverse2Pi * (bsdf.exponent + 1.0f) *
           exact::exp_neg(bsdf.exponent * exact::neg_log(exact::min(1.0f, cosine)));
}

/// Densities of a direction at a diffuse surface or one of Phong's.
struct ReflectionDensities {
    float diffuse;
    float lobe;
    float chosen; ///< with which the direction is sampled
};

VOLPT_HD ReflectionDensities evaluate_densities(BsdfView const& bsdf, SideNormals const& normals, Vec3 arriving,
                                                Vec3 direction)
{
    float const diffuse = evaluate_diffuse_density(normals, direction);
    if (bsdf.kind != BsdfKind::phong) return {diffuse, 0.0f, diffuse};
    float const lobe = evaluate_phong_density(bsdf, normals, arriving, direction);
    return {diffuse, lobe, exact::fma(bsdf.specular_share, lobe - diffuse, diffuse)};
}

template <int bands, class Region>
VOLPT_HD void begin_reflection(SceneView const& scene, BsdfView const& bsdf, SurfacePoint const& point,
                               SideNormals const& normals, LitPath<bands, Region>& path)
{
    if (!may_connect(scene.depth_limit, path)) return;
    // Where the ray begins: one aimed from the surface itself would meet a round emitter before its end.
    Vec3 const from_mm = move_along(point.position * scene.lights.pitch_mm, point.offset_mm, normals.geometric);
    LightSample<bands> const sample = sample_light<bands>(scene, from_mm, path.band, path.rng);
    float const height = dot(sample.direction, normals.geometric);
    if (!(height > 0.0f)) return;
    ReflectionDensities const densities = evaluate_densities(bsdf, normals, path.direction, sample.direction);
    float const cosine = exact::max(0.0f, dot(sample.direction, normals.shading));
    float const gain = exact::divide(bsdf.exponent + 2.0f, bsdf.exponent + 1.0f) * cosine * densities.lobe;
    float response[bands];
    for (int b = 0; b < bands; ++b) {
        std::uint32_t const band = find_band(path, b);
        float const diffuse = densities.diffuse * read_texture(bsdf.diffuse, scene.bands, band, point.u, point.v);
        float const lobe = bsdf.kind == BsdfKind::phong ? gain * bsdf.specular[band] : 0.0f;
        response[b] = path.throughput[b] * (diffuse + lobe);
    }
    ask_connection(Stage::entering, sample, response, densities.chosen, path);
}

template <int bands, class Region>
VOLPT_HD void end_reflection(SceneView const&, BsdfView const& bsdf, SideNormals const& normals, Vec3 arriving,
                             LitPath<bands, Region>& path)
{
    if (path.stage == Stage::ended) return;
    path.event_density = evaluate_densities(bsdf, normals, arriving, path.direction).chosen;
}

/// The event of a path that is `connecting`: its shadow ray, and the light that arrives.
template <class M, int bands, class Counts, class Region>
VOLPT_HD void connect(M, SceneView const& scene, LitPath<bands, Region>& path, Counts& counts)
{
    counts.count_shadow_ray();
    float const arrives = follow_light_ray(M{}, scene, path.connection, get_region(path), path);
    for (int b = 0; b < bands; ++b) path.radiance[b] = exact::fma(arrives, path.connection.weight[b], path.radiance[b]);
    path.stage = path.next_stage;
    if (path.stage == Stage::ended) take_radiance(path);
}

} // namespace volpt
