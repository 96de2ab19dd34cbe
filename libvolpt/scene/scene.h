// The scene: all parameters of a render besides volume, seed and sample range.
#pragma once

#include "libvolpt/scene/scene_enums.h"
#include "libvolpt/sys/checksum.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

/// Of Integrator::mlt. A sample of the film is a pass: one bidirectional path for each pixel, and `chains` chains.
struct MetropolisSpec {
    std::uint32_t mutations = 256; ///< steps of a chain
    std::uint32_t bootstrap = 64;  ///< candidates for its first state
    std::uint32_t chains = 0;      ///< 0: one for 16 pixels
    std::uint32_t longest = 8;     ///< most vertices of a path in a chain
};

/// The estimator that this program renders with; it changes when the same scene gives other samples. In the scene hash,
/// so that samples of different estimators are never added up or taken for each other.
///   1: values and their squares each rounded to nearest
///   2: values rounded without bias, squares exact
///   3: starts of paths stratified over the samples of a pixel, one random number less for a voxel, bricks crossed with
///      one optical depth
inline constexpr std::uint32_t kEstimator = 3;

using Vec3d = std::array<double, 3>;

struct CameraSpec {
    CameraKind kind = CameraKind::perspective;
    Vec3d origin_world{0, 0, 0};
    Vec3d target_world{0, 0, 1};
    Vec3d up_world{0, 1, 0};
    double fov_x_deg = 45;              ///< full horizontal angle, perspective only
    double ortho_width_mm = 1;          ///< width of the picture, orthographic only
    std::uint32_t probe_face = 4;       ///< 0..5: +x -x +y -y +z -z of the box's own axes; probe of a face only
    ProbeView view = ProbeView::normal; ///< probe only
    ProbeTarget probe_target = ProbeTarget::face; ///< probe only
    double lens_radius_mm = 0;                    ///< of a thin lens, perspective only; 0: a pinhole
    double focus_distance_mm = 1;                 ///< along the view to the plane that is sharp, with a lens only
};

struct EnvironmentSpec {
    EnvironmentKind kind = EnvironmentKind::constant;
    std::vector<float> radiance{1.0f}; ///< by band or one for all; `above` for hemispheres; a factor for an image
    std::vector<float> below;          ///< by band or one for all, hemispheres only
    Hash128 image_checksum;            ///< of the decoded pixels, image only
    std::uint32_t up_axis = 2;         ///< 0..5: +x -x +y -y +z -z; not for constant light
    double rotate_deg = 0;             ///< about the up axis, image only
    Background background = Background::shown;
};

struct BoundarySpec {
    BoundaryKind kind = BoundaryKind::none;
    double int_ior = 1;
    double ext_ior = 1;
    double alpha = 0; ///< GGX roughness, rough only
    Specular specular = Specular::included;
    Backing backing = Backing::black;              ///< probe of a face only
    Sides sides = Sides::boundary;                 ///< probe of a face only
    Microfacets microfacets = Microfacets::single; ///< with rough faces only
    double support_alpha = 0; ///< of faces under support, of a volume that has such; 0: they are like the others
};

/// With it a volume's faces under support are rendered if nothing else is said.
inline constexpr double kDefaultSupportAlpha = 0.3;

inline bool has_rough_faces(BoundarySpec const& boundary)
{
    return boundary.kind == BoundaryKind::rough ||
           (boundary.kind == BoundaryKind::smooth && boundary.support_alpha > 0);
}

/// A plane under the lowest point of the solid.
struct GroundSpec {
    GroundKind kind = GroundKind::none;
    std::vector<float> albedo{0.5f};       ///< by band or one for all
    std::vector<float> other_albedo{0.1f}; ///< of every other square, checker only
    double check_mm = 1;                   ///< side of a square, checker only
    std::uint32_t up_axis = 4;             ///< 0..5: +x -x +y -y +z -z of the world
};

/// scene_fields.def lists the fields again: bytes, hash, comparison and description follow from it.
struct Scene {
    Hash128 volume_checksum;
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t bands = 0;
    CameraSpec camera;
    EnvironmentSpec environment;
    BoundarySpec boundary;
    float scale = 1;         ///< sigma_t = scale * density
    bool override_g = false; ///< g replaces the volume's own, per material or global
    float g = 0;
    MajorantKind majorant = MajorantKind::local;
    float roulette_w_min = 0.5f;   ///< 0: off
    std::uint32_t depth_limit = 0; ///< most extensions of a path; 0: no limit
    LongSteps long_steps = LongSteps::plain;
    GroundSpec ground;
    CoveragePlane coverage = CoveragePlane::none; ///< not of probes: see counts_coverage
    std::vector<float> wavelengths_nm;            ///< of the bands, for their colours; empty: unknown
    std::uint32_t estimator = kEstimator;
    std::vector<double> emitters; ///< records of light/emitter_records.h, those of the volume first
    Integrator integrator = Integrator::path;
    EnvironmentNee nee = EnvironmentNee::off;             ///< Integrator::path only
    MisHeuristic heuristic = MisHeuristic::balance;       ///< Integrator::bdpt and mlt only
    MetropolisSpec mlt;                                   ///< Integrator::mlt only
    ParticleFilm particle_film = ParticleFilm::connected; ///< Integrator::light only
    MediumEmission emission = MediumEmission::dark;
    /// Indices of refraction by label: materials meet at interfaces, at faces of voxels, and boundary.int_ior is not
    /// used. Empty: no light is refracted inside.
    std::vector<float> material_ior;
};

inline bool emits(Scene const& scene)
{
    return scene.emission == MediumEmission::emits;
}

inline bool probes_face(Scene const& scene)
{
    return scene.camera.kind == CameraKind::probe && scene.camera.probe_target == ProbeTarget::face;
}
inline bool probes_texture(Scene const& scene)
{
    return scene.camera.kind == CameraKind::probe && scene.camera.probe_target == ProbeTarget::texture;
}

/// Whether anything but the environment lights the scene; a probe then has no light of its own.
inline bool has_emitters(Scene const& scene)
{
    return !scene.emitters.empty() || emits(scene);
}

/// Whether materials have interfaces between them.
inline bool has_interfaces(Scene const& scene)
{
    return !scene.material_ior.empty();
}

/// Whether anything but the paths of earlier versions is asked for: paths that are connected to emitters, particles, or
/// interfaces inside, which those paths alone know.
inline bool connects_emitters(Scene const& scene)
{
    return has_emitters(scene) || has_interfaces(scene) || scene.integrator != Integrator::path ||
           scene.nee == EnvironmentNee::on;
}

/// Whether samples of all pixels add to any of them, but each to one at most.
inline bool has_film_particles(Scene const& scene)
{
    return scene.integrator == Integrator::light || scene.integrator == Integrator::bdpt;
}

/// Whether paths begin at emitters and at the film.
inline bool is_bidirectional(Scene const& scene)
{
    return scene.integrator == Integrator::bdpt || scene.integrator == Integrator::mlt;
}

/// Planes of a film's sums: bdpt has two for each band, since what a sample adds to its own pixel has another variance
/// than what it adds to others.
inline std::uint32_t count_film_planes(Scene const& scene)
{
    return scene.bands * (scene.integrator == Integrator::bdpt ? 2u : 1u);
}

/// Fixed-point values of a film's samples are 2^this at most (core/fixed_point.hd.h).
int find_sample_log2(Scene const& scene);

/// Whether films of the scene count, by pixel, the samples that hit something: if it says so, and with a probe of a
/// texture, whose charts do not cover all texels. Every sample of a probed face hits.
inline bool counts_coverage(Scene const& scene)
{
    return scene.coverage == CoveragePlane::counted || probes_texture(scene);
}

/// The normal form, in which scenes are stored, hashed, compared and rendered: fields that the chosen kinds do not use
/// have their defaults (fov_x_deg of an orthographic camera, g that is not overridden, ..), alpha 0 is `smooth`, equal
/// IOR is `none`, equal values in all bands are one value, -0 is 0. Without
/// emitters, a probe is lit by radiance 1 from the hemisphere of the normal of its face, or of the texel's triangle;
/// the environment is not used. Idempotent; checks nothing.
Scene normalize_scene(Scene scene);

/// The first field that is out of range, NaN, of a wrong number of bands, or (camera) without a direction; none if the
/// scene is valid. Checks unused fields too: normalize first if they may hold anything.
struct SceneProblem {
    std::string field; ///< "camera.fov_x_deg"
    std::string what;  ///< "200 is not in 0 to 180, ends excluded"
};
std::optional<SceneProblem> find_scene_problem(Scene const& scene);

/// Self-describing records of the normal form, in a fixed order (docs/formats/vpf.md): equal scenes give equal bytes.
/// Error (usage) if find_scene_problem finds one.
std::vector<std::byte> serialize_scene(Scene const& scene);
/// The inverse; accepts only bytes that serialize_scene can write. Error (input) names `where` and the record that is
/// wrong, out of range or unknown.
Scene parse_scene(std::span<std::byte const> bytes, std::string const& where);
/// Checksum of serialize_scene.
Hash128 hash_scene(Scene const& scene);

/// The largest radiance of the scene's light; `image_peak` is that of its image, if it has one.
float find_largest_radiance(Scene const& scene, float image_peak);
/// Fixed-point scale of a film under such light (core/fixed_point.hd.h): values are in units of 2^-sum_log2.
int choose_sum_log2(float largest_radiance);

struct SceneDifference {
    std::string field;
    std::string left;
    std::string right;
};
/// The fields that differ, in record order; empty if the hashes are equal.
std::vector<SceneDifference> compare_scenes(Scene const& left, Scene const& right);
/// Name and value of each field that is used, as text, for volinfo.
std::vector<std::pair<std::string, std::string>> describe_scene(Scene const& scene);

} // namespace volpt
