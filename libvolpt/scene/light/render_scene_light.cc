// The light of a RenderScene: environment, emitters, and the film's scale under them.
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/light/film_point.hd.h"
#include "libvolpt/core/light/medium_emission.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/scene/bricks/brick_means.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/light_checks.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/scene/vectors.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace volpt {
namespace {

/// Rows are the light's axes (z up) in world axes: the picture's up is `up_axis`, turned by `rotate_deg` about it.
std::array<Vec3d, 3> make_light_axes(std::uint32_t up_axis, double rotate_deg)
{
    // Picture frame (x, y up, z) for each world axis as up; the light's axes are x, -z, y of it.
    static constexpr std::array<std::array<Vec3d, 3>, 6> kPictureAxes{{
        {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}},  // +x
        {{{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}},  // -x
        {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},   // +y
        {{{1, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, // -y
        {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}},  // +z
        {{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}},  // -z
    }};
    auto const& picture = kPictureAxes[up_axis];
    SineCosineDouble const turn = sine_cosine_of_degrees(rotate_deg);
    std::array<Vec3d, 3> axes{};
    for (std::size_t i = 0; i < 3; ++i) {
        axes[0][i] = turn.cosine * picture[0][i] - turn.sine * picture[2][i];
        axes[1][i] = -(turn.sine * picture[0][i] + turn.cosine * picture[2][i]);
        axes[2][i] = picture[1][i];
    }
    return axes;
}

/// FilmPoint::gain of the probed face, or in the middle of the volume; 0 if that is behind the camera.
double find_film_gain(SceneView const& view)
{
    CameraView const& camera = view.camera;
    FilmPoint const point = camera.aim == Aim::hemisphere ? find_probe_point(view, camera.origin, -camera.forward)
                                                          : find_film_point(view, 0.5f * view.medium.size_voxels);
    return static_cast<double>(point.gain);
}

/// The mean number of a particle's vertices, from which one is chosen: one, and the mean number of collisions in the
/// box of light that comes evenly from around it, if none is absorbed: sigma_t 4 V / S (S. Blanco, R. Fournier, An
/// Invariance Property of Diffusive Random Walks, 2003).
double estimate_vertices(MediumView const& medium, Vec3 pitch_mm, double mean_extinction_ratio)
{
    Vec3 const size = medium.size_voxels * pitch_mm;
    double const x = static_cast<double>(size.x), y = static_cast<double>(size.y), z = static_cast<double>(size.z);
    double const chord_mm = 2 * x * y * z / (x * y + y * z + z * x);
    return 1 + static_cast<double>(medium.band[0].majorant) * mean_extinction_ratio * chord_mm;
}

} // namespace

void RenderScene::fill_light(Placement const& placement)
{
    EnvironmentSpec const& spec = scene_.environment;
    EnvironmentView& view = view_.environment;
    view.kind = spec.kind;
    view.seen_directly = spec.background == Background::hidden ? 0.0f : 1.0f;
    for (std::uint32_t b = 0; b < scene_.bands; ++b) {
        view.above[b] = spec.radiance.size() == 1 ? spec.radiance[0] : spec.radiance.at(b);
        if (spec.kind == EnvironmentKind::hemispheres)
            view.below[b] = spec.below.size() == 1 ? spec.below[0] : spec.below.at(b);
    }
    bool const is_probe = probes_face(scene_);
    if (is_probe) view.kind = LightKindView::hemispheres; // 1 above, 0 below
    if (scene_.camera.kind == CameraKind::probe && has_emitters(scene_)) std::fill_n(view.above, scene_.bands, 0.0f);
    // A probe's light stands on its face, which is an axis of the box.
    auto const axes = make_light_axes(is_probe ? scene_.camera.probe_face : spec.up_axis, spec.rotate_deg);
    for (std::size_t i = 0; i < 3; ++i) {
        Vec3d const row = is_probe ? axes[i] : turn_into_box(placement, axes[i]);
        view.row[i] = round_vector(row);
    }
    if (spec.kind == EnvironmentKind::image) {
        if (light_ == nullptr || light_->checksum != spec.image_checksum)
            fail_input(
                light_ == nullptr ? "no light image is given" : "the light image is another one than the scene's",
                "--env", "the scene's light is an image, known by its checksum", "name the image again with --env");
        view.edge = light_->edge;
        view.texels = light_->texels.data();
    }
}

void RenderScene::fill_emitters()
{
    emitters_ = read_emitter_records(scene_.emitters).value(); // find_scene_problem has seen them
    lit_ = add_emitter_shapes(volume_.surroundings(), emitters_, volume_.meta());
    bool const has_particles = scene_.integrator != Integrator::path;
    bool const samples = scene_.nee == EnvironmentNee::on || has_particles;
    auto const& pitch_mm = volume_.meta().pitch_mm;
    if (has_emission(view_))
        emission_tables_.fill(view_, {pitch_mm[0], pitch_mm[1], pitch_mm[2]},
                              has_particles ? EmissionUse::sampled : EmissionUse::found);
    emitter_tables_.fill(emitters_, lit_, volume_.meta(), view_,
                         samples ? EnvironmentUse::sampled : EnvironmentUse::unsampled,
                         {emission_tables_.power_w(), emission_tables_.largest_radiance()});
    view_.lights = emitter_tables_.view();
    if (has_particles && has_emission(view_))
        emission_tables_.show(view_.emission, emitter_tables_.medium_choice(), view_.lights.reference_power_w);
    bool const has_light = view_.lights.count > 0 || view_.lights.environment_choice > 0;
    if (!has_light) view_.lights.connects_inside = 0;
    check_lights(scene_, emitters_, lit_, view_, volume_.surface().is_empty() ? Bounds::box : Bounds::mesh);
    if (is_bidirectional(scene_)) {
        bool const has_chains = scene_.integrator == Integrator::mlt;
        view_.transport = has_chains ? Transport::metropolis : Transport::bidirectional;
        fill_strategies();
        if (has_chains) fill_metropolis();
    } else if (scene_.integrator == Integrator::light) {
        view_.transport = scene_.particle_film == ParticleFilm::none && view_.surface.on == 0u ? Transport::tallies
                                                                                               : Transport::particles;
    } else if (has_light || has_emission(view_) || has_interfaces(scene_) || has_nested_solids(view_) ||
               has_albedo_filter()) {
        view_.transport = Transport::emitters;
    }
}

bool RenderScene::has_albedo_filter() const
{
    return view_.albedo_lookup.on != 0u;
}

void RenderScene::check_albedo_filter() const
{
    if (probes_texture(scene_))
        fail_usage("the probe is of a mesh's texture space, but the albedo of this volume is interpolated by itself, "
                   "which such paths do not do",
                   "look at it with a camera, or pack it with --filter nearest");
    if (scene_.long_steps != LongSteps::plain)
        fail_usage("long steps need an albedo that is read where the extinction is, but that of this volume is "
                   "interpolated by itself",
                   "give --long-steps off, or pack it with --filter nearest");
}

void RenderScene::fill_strategies()
{
    double const extinction = volume_.statistics().mean_extinction_ratio;
    if (has_null_collisions(view_.medium) && !has_nested_solids(view_))
        brick_means_ = compute_brick_means(view_.medium, view_.bands);
    view_.strategies = {scene_.heuristic,
                        static_cast<float>(1 / estimate_vertices(view_.medium, view_.lights.pitch_mm, extinction)),
                        static_cast<float>(extinction), brick_means_.empty() ? nullptr : brick_means_.data()};
}

void RenderScene::fill_metropolis()
{
    constexpr std::uint64_t kPixelsPerChain = 16;
    MetropolisSpec const& spec = scene_.mlt;
    std::uint64_t const pixels = std::uint64_t{scene_.width} * scene_.height;
    std::uint64_t const asked = spec.chains > 0 ? spec.chains : (pixels + kPixelsPerChain - 1) / kPixelsPerChain;
    std::uint64_t const chains = std::min(asked, pixels);
    view_.metropolis = {static_cast<std::uint32_t>(chains), spec.mutations, spec.bootstrap, spec.longest,
                        static_cast<float>(static_cast<double>(pixels) /
                                           (static_cast<double>(chains) * static_cast<double>(spec.mutations)))};
}

void RenderScene::fill_film_scale()
{
    bool const is_image = scene_.environment.kind == EnvironmentKind::image;
    float const environment = find_largest_radiance(scene_, is_image ? light_->largest : 1);
    if (!connects_emitters(scene_)) {
        sum_log2_ = choose_sum_log2(environment);
    } else {
        LightLevels levels = emitter_tables_.levels();
        levels.visible = std::max(levels.visible, static_cast<double>(environment));
        auto const pixels = std::uint64_t{scene_.width} * scene_.height;
        int const of_particles = choose_particle_sum_log2(levels, find_film_gain(view_), pixels);
        int const of_paths = choose_lit_sum_log2(levels);
        sum_log2_ = starts_at_emitters(view_.transport) ? of_particles
                    : is_bidirectional(scene_)          ? std::min(of_particles, of_paths)
                                                        : of_paths;
        sum_log2_ += find_sample_log2(scene_) - kSampleLog2;
    }
    view_.sum_scale = std::ldexp(1.0f, sum_log2_);
}

} // namespace volpt
