#include "libvolpt/scene/light/light_checks.h"

#include "libvolpt/core/light/medium_emission.hd.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <optional>
#include <string>

namespace volpt {
namespace {

/// What refracts light on its way, and how to have none; nothing if all surfaces are index-matched.
struct Refraction {
    std::string by;
    std::string without;
};

std::optional<Refraction> find_refraction(SceneView const& view)
{
    auto const is_refracting = [](BoundaryView const& boundary) { return boundary.kind != BoundaryKindView::none; };
    bool const has_boundary =
        view.solids.boundaries == nullptr
            ? is_refracting(view.boundary)
            : std::any_of(view.solids.boundaries, view.solids.boundaries + view.solids.solid_count, is_refracting);
    if (has_interfaces(view)) return Refraction{"interfaces between materials", "--interfaces none"};
    if (has_boundary) return Refraction{"a refracting boundary", "--boundary none"};
    return std::nullopt;
}

std::string name_emitter(std::span<Emitter const> emitters, std::size_t i)
{
    return fmt::format("emitter {} ({})", i, to_word(emitters[i].kind));
}

struct Box {
    Vec3 low, high;
};

Box widen(Box const& box, float by)
{
    Vec3 const reach{by, by, by};
    return {box.low - reach, box.high + reach};
}

/// Whether a ray from `origin` passes through the box.
bool meets(Box const& box, Vec3 origin, Vec3 direction)
{
    float near = 0, far = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        float const from = get_axis(origin, axis), along = get_axis(direction, axis);
        float const low = get_axis(box.low, axis), high = get_axis(box.high, axis);
        if (along == 0) {
            if (from < low || from > high) return false;
            continue;
        }
        float const a = (low - from) / along, b = (high - from) / along;
        near = std::max(near, std::min(a, b));
        far = std::min(far, std::max(a, b));
    }
    return near <= far;
}

Box bound_triangle(TriangleMesh const& mesh, std::array<std::uint32_t, 3> const& corners)
{
    Vec3 const a = mesh.positions_mm[corners[0]], b = mesh.positions_mm[corners[1]], c = mesh.positions_mm[corners[2]];
    return {{std::min({a.x, b.x, c.x}), std::min({a.y, b.y, c.y}), std::min({a.z, b.z, c.z})},
            {std::max({a.x, b.x, c.x}), std::max({a.y, b.y, c.y}), std::max({a.z, b.z, c.z})}};
}

Box bound_sphere(SphereView const& sphere)
{
    return widen({sphere.centre_mm, sphere.centre_mm}, sphere.radius_mm);
}

/// Whether a beam meets the bounding box of something in the scene.
bool meets_scene(EmitterView const& beam, GroundSpec const& ground, LitShapes const& lit, SceneView const& view)
{
    if (ground.kind != GroundKind::none) return true; // nearly all of space is above it
    // Axes and radii that a profile does not use are 0.
    float const width = exact::sqrt(dot(beam.u_axis_mm, beam.u_axis_mm)) +
                        exact::sqrt(dot(beam.v_axis_mm, beam.v_axis_mm)) + beam.radius_mm;
    auto const is_met = [&](Box const& box) { return meets(widen(box, width), beam.position_mm, beam.direction); };
    if (is_met({{0, 0, 0}, view.medium.size_voxels * view.lights.pitch_mm})) return true;
    TriangleMesh const& mesh = lit.shapes.mesh_mm;
    return std::ranges::any_of(mesh.triangles,
                               [&](auto const& corners) { return is_met(bound_triangle(mesh, corners)); }) ||
           std::ranges::any_of(lit.shapes.spheres,
                               [&](SphereView const& sphere) { return is_met(bound_sphere(sphere)); });
}

bool overlap(Box const& a, Box const& b)
{
    return a.low.x < b.high.x && a.low.y < b.high.y && a.low.z < b.high.z && b.low.x < a.high.x && b.low.y < a.high.y &&
           b.low.z < a.high.z;
}

/// Whether a part of an emitter's surface may lie in the box, where paths would not meet it.
bool reaches_into(Box const& box, EmitterPlace const& place, SurroundingShapes const& shapes)
{
    TriangleMesh const& mesh = shapes.mesh_mm;
    for (std::uint32_t i = 0; i < place.triangle_count; ++i)
        if (overlap(box, bound_triangle(mesh, mesh.triangles[place.first_triangle + i]))) return true;
    return place.triangle_count == 0 && overlap(box, bound_sphere(shapes.spheres[place.sphere]));
}

void check_emitters(Scene const& scene, std::span<Emitter const> emitters, LitShapes const& lit, SceneView const& view,
                    Bounds bounds)
{
    Vec3 const size_mm = view.medium.size_voxels * view.lights.pitch_mm;
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        Emitter const& emitter = emitters[i];
        if (emitter.kind == EmitterKind::beam && !meets_scene(view.lights.emitters[i], scene.ground, lit, view))
            fail_usage(name_emitter(emitters, i) + " misses the volume and all that stands around it",
                       "check its origin and direction; volinfo shows where the volume lies");
        // A mesh may leave room in the box.
        bool const is_shape = is_area_emitter(emitter.kind) && emitter.kind != EmitterKind::mesh;
        if (is_shape && bounds == Bounds::box && reaches_into({{0, 0, 0}, size_mm}, lit.places[i], lit.shapes))
            fail_usage(name_emitter(emitters, i) + " reaches into the volume, where its surface would not be seen",
                       "place it outside of the volume's box, or use a point, which may lie inside");
    }
}

/// Why light would be missing, and what to do.
struct Refusal {
    std::string what;
    std::string way_out;
};

void fail_if(std::optional<Refusal> const& refusal)
{
    if (refusal) fail_usage(refusal->what, refusal->way_out);
}

/// An emitter that no path from the film finds.
std::optional<Refusal> find_hidden_emitter(Scene const& scene, std::span<Emitter const> emitters,
                                           std::optional<Refraction> const& refraction)
{
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        Emitter const& emitter = emitters[i];
        if (!is_delta_emitter(emitter)) continue;
        std::string const name = name_emitter(emitters, i);
        bool const has_width = emitter.profile == BeamProfile::disc || emitter.profile == BeamProfile::gaussian;
        if (emitter.kind == EmitterKind::beam && !has_width)
            return Refusal{name + " is a beam that no path from the film can find: it has no radius",
                           "use --integrator light, or give it radius= in place of u= and v="};
        if (refraction)
            return Refusal{
                name + " shines through " + refraction->by + ", where no path from the film can find it",
                "use --integrator light, an emitter with an extent (sphere, disk, a sun with an angle), or " +
                    refraction->without};
        if (scene.boundary.backing != Backing::black)
            return Refusal{name + " shines on the backing of a probed face, where no path from the film can find it",
                           "use --integrator light, or leave the backing black"};
    }
    return std::nullopt;
}

bool is_dark(EnvironmentView const& environment, std::uint32_t bands)
{
    auto const is_zero = [&](float const* values) {
        return std::all_of(values, values + bands, [](float value) { return value == 0; });
    };
    return is_zero(environment.above) && (environment.kind != LightKindView::hemispheres || is_zero(environment.below));
}

/// False only if no ray of the camera meets the box, which then lies behind it or beyond one edge of the film.
bool may_see(CameraView const& camera, Box const& box_mm, Vec3 pitch_mm)
{
    Vec3 const origin = camera.origin * pitch_mm, forward = camera.forward * pitch_mm;
    Vec3 const right = camera.right * pitch_mm, up = camera.up * pitch_mm;
    bool const is_parallel = camera.parallel != 0;
    auto const has_corner_within = [&](Vec3 from, Vec3 inwards) {
        for (int corner = 0; corner < 8; ++corner) {
            auto const side = [&](int axis) {
                return get_axis((corner >> axis & 1) != 0 ? box_mm.high : box_mm.low, axis);
            };
            if (dot(Vec3{side(0), side(1), side(2)} - from, inwards) >= 0) return true;
        }
        return false;
    };
    auto const is_beyond_edge = [&](Vec3 to_edge, Vec3 along_edge) {
        Vec3 const normal = cross(along_edge, is_parallel ? forward : forward + to_edge);
        Vec3 const inwards = dot(normal, to_edge) > 0 ? -normal : normal;
        return !has_corner_within(is_parallel ? origin + to_edge : origin, inwards);
    };
    return has_corner_within(origin, forward) && !is_beyond_edge(right, up) && !is_beyond_edge(-right, up) &&
           !is_beyond_edge(up, right) && !is_beyond_edge(-up, right);
}

bool is_specular(BsdfKind kind)
{
    return kind == BsdfKind::conductor || kind == BsdfKind::dielectric || kind == BsdfKind::thin_dielectric;
}

/// Light that a mirror or clear glass sends into a pinhole comes from one direction, which no connection finds.
bool may_see_specular(LitShapes const& lit, SceneView const& view)
{
    SurroundingShapes const& shapes = lit.shapes;
    auto const may = [&](std::uint32_t bsdf, Box const& box) {
        return is_specular(shapes.bsdfs[bsdf].kind) && may_see(view.camera, box, view.lights.pitch_mm);
    };
    for (std::size_t i = 0; i < shapes.mesh_mm.triangles.size(); ++i)
        if (may(shapes.bsdf_of_triangle[i], bound_triangle(shapes.mesh_mm, shapes.mesh_mm.triangles[i]))) return true;
    for (std::size_t i = 0; i < shapes.spheres.size(); ++i)
        if (may(shapes.bsdf_of_sphere[i], bound_sphere(shapes.spheres[i]))) return true;
    return false;
}

/// A film that particles cannot be connected to, at least where they go on from some surfaces.
std::optional<Refusal> find_hidden_film(Scene const& scene, LitShapes const& lit, SceneView const& view,
                                        std::optional<Refraction> const& refraction)
{
    CameraSpec const& camera = scene.camera;
    if (camera.kind == CameraKind::probe) {
        if (camera.view == ProbeView::diffuse) return std::nullopt;
        return Refusal{"particles leave a probed face in all directions, never exactly along its normal",
                       "give --view diffuse, or use --integrator path"};
    }
    if (camera.lens_radius_mm > 0)
        return Refusal{"particles are connected to a pinhole, but the camera has a lens",
                       "leave out the lens, or use --integrator path"};
    if (refraction)
        return Refusal{"particles cannot be connected to a camera through " + refraction->by,
                       "give " + refraction->without +
                           ", a probe with --view diffuse, --resolution 1x1 for tallies alone, or use "
                           "--integrator path"};
    if (may_see_specular(lit, view))
        return Refusal{"particles cannot be connected to a camera by a mirror or clear glass, and one may be seen",
                       "turn the camera away from it, or use --integrator path"};
    return std::nullopt;
}

void check_camera_place(Scene const& scene, SceneView const& view, Bounds bounds)
{
    Vec3 const at = view.camera.origin, size = view.medium.size_voxels;
    bool const is_inside = at.x > 0 && at.y > 0 && at.z > 0 && at.x < size.x && at.y < size.y && at.z < size.z;
    if (scene.camera.kind == CameraKind::perspective && bounds == Bounds::box && is_inside)
        fail_usage("the camera is inside the volume", "place it outside, or use --integrator path");
}

/// Refuses scenes whose particles cannot be connected to the film.
void check_particle_film(Scene const& scene, LitShapes const& lit, SceneView const& view,
                         std::optional<Refraction> const& refraction, Bounds bounds)
{
    if (scene.particle_film == ParticleFilm::none) return;
    bool const is_camera = scene.camera.kind != CameraKind::probe;
    if (is_camera && scene.camera.lens_radius_mm == 0 && scene.width == 1 && scene.height == 1)
        return; // tallies alone are wanted
    fail_if(find_hidden_film(scene, lit, view, refraction));
    if (is_camera) check_camera_place(scene, view, bounds);
}

/// What no particle finds, or would find in vain.
void check_particles(Scene const& scene, std::span<Emitter const> emitters, SceneView const& view)
{
    std::string const integrator = to_word(scene.integrator);
    if (counts_coverage(scene))
        fail_usage("particles do not tell which samples of a pixel hit something (--coverage)",
                   "leave the coverage out, or use --integrator path");
    bool const has_environment = !is_dark(view.environment, view.bands);
    if (emitters.empty() && !has_environment && !has_emission(view))
        fail_usage("--integrator " + integrator + " has no light: nothing emits and the environment is dark",
                   "give --light or a brighter --env");
    auto const is_sun = [](Emitter const& emitter) { return emitter.kind == EmitterKind::sun; };
    if (scene.ground.kind != GroundKind::none && (has_environment || std::ranges::any_of(emitters, is_sun)))
        fail_usage("no number of particles from a sun or an environment covers a ground without end",
                   "leave out --ground, light it with emitters at finite distances, or use --integrator path");
}

/// Light that is scattered once is found from one of its ends or not at all.
void check_bidirectional(Scene const& scene, std::span<Emitter const> emitters, LitShapes const& lit,
                         SceneView const& view, std::optional<Refraction> const& refraction, Bounds bounds)
{
    if (has_emission(view))
        fail_usage("--integrator " + to_word(scene.integrator) + " does not have the light of a medium that emits",
                   "use --integrator path or light");
    check_camera_place(scene, view, bounds);
    std::optional<Refusal> const emitter = find_hidden_emitter(scene, emitters, refraction);
    if (!emitter) return;
    if (std::optional<Refusal> const film = find_hidden_film(scene, lit, view, refraction))
        fail_usage(emitter->what + ", and " + film->what + ": light that is scattered once would be missing",
                   "give the emitter an extent, or look by a probe with --view diffuse" +
                       (refraction ? ", or give " + refraction->without : std::string()));
}

} // namespace

bool misses_caustics(Scene const& scene, SurroundingShapes const& shapes)
{
    if (scene.integrator == Integrator::light) return false;
    auto const emitters = read_emitter_records(scene.emitters);
    return emitters && std::ranges::any_of(*emitters, is_delta_emitter) &&
           std::ranges::any_of(shapes.bsdfs, is_specular, &BsdfView::kind);
}

void check_lights(Scene const& scene, std::span<Emitter const> emitters, LitShapes const& lit, SceneView const& view,
                  Bounds bounds)
{
    if (probes_texture(scene))
        fail_usage("a probe of a texture has a light of its own for each texel, but the scene has emitters, "
                   "--integrator light, bdpt or mlt, or --nee on",
                   "leave them out, or look at the volume with a camera");
    bool const has_light = !emitters.empty() || scene.integrator != Integrator::path || scene.nee == EnvironmentNee::on;
    if (scene.boundary.sides == Sides::periodic && has_light)
        fail_usage("an endless slab (--sides periodic) is lit by its environment alone, but the scene has emitters, "
                   "--integrator light, bdpt or mlt, or --nee on",
                   "leave them out, or give --sides boundary");
    std::optional<Refraction> const refraction = find_refraction(view);
    check_emitters(scene, emitters, lit, view, bounds);
    if (scene.integrator == Integrator::path) {
        fail_if(find_hidden_emitter(scene, emitters, refraction));
        return;
    }
    check_particles(scene, emitters, view);
    if (scene.integrator == Integrator::light)
        check_particle_film(scene, lit, view, refraction, bounds);
    else
        check_bidirectional(scene, emitters, lit, view, refraction, bounds);
}

} // namespace volpt
