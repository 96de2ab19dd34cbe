#include "libvolpt/scene/render_scene.h"

#include "libvolpt/core/camera.hd.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/core/sample_sequence.hd.h"
#include "libvolpt/core/surface/nested_solids.hd.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/light/light_checks.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <span>

namespace volpt {
namespace {

/// Positions are floats in voxels. If the mean free path comes near their spacing at the far face, steps there vanish
/// by rounding and the picture darkens: measured 0.7 % at a ratio of spacing to mean free path of 0.08, nothing at 0.01
/// (a 64 mm cube of 64 voxels, albedo 0.9).
void check_resolution(VolumeView const& volume, float majorant)
{
    constexpr float kCoarsest = 0.01f;
    for (int axis = 0; axis < 3; ++axis) {
        float const spacing_voxels = static_cast<float>(volume.dims[axis]) * 0x1p-23f;
        if (majorant * volume.pitch_mm[axis] * spacing_voxels <= kCoarsest)
            continue; // infinite and NaN majorants do not pass
        fail_input(fmt::format("extinction reaches {}/mm over {} voxels of {} mm along {}", majorant, volume.dims[axis],
                               volume.pitch_mm[axis], "xyz"[axis]),
                   "medium", "a free path is lost in the rounding of positions",
                   "lower --scale, or cut the volume into smaller ones");
    }
}

/// Majorants for lookups that reach half a voxel beyond the faces of the wrapped axes: bricks at opposite faces get the
/// larger one of both. A brick's own majorant covers the neighbours that its lookups reach, so after all axes in turn
/// this holds across edges too.
std::vector<float> wrap_majorants(std::span<float const> majorants, std::int32_t const (&counts)[3],
                                  std::uint32_t wrapped_axes)
{
    std::vector<float> wrapped(majorants.begin(), majorants.end());
    std::size_t stride = 1;
    for (int axis = 0; axis < 3; ++axis) {
        auto const count = static_cast<std::size_t>(counts[axis]);
        for (std::size_t first = 0; (wrapped_axes >> axis & 1u) != 0u && first < wrapped.size(); ++first) {
            if (first / stride % count != 0) continue;
            std::size_t const last = first + (count - 1) * stride;
            wrapped[first] = wrapped[last] = std::max(wrapped[first], wrapped[last]);
        }
        stride *= count;
    }
    return wrapped;
}

constexpr float kTrilinearJitter = 0x1p-11f;

bool has_area_emitters(Scene const& scene)
{
    auto const emitters = read_emitter_records(scene.emitters);
    return emitters && std::ranges::any_of(*emitters, [](Emitter const& it) { return is_area_emitter(it.kind); });
}

} // namespace

bool has_objects_around(Scene const& scene, PackedVolume const& volume)
{
    return scene.ground.kind != GroundKind::none || !volume.surroundings().is_empty() || has_area_emitters(scene);
}

RenderScene::RenderScene(Scene scene, PackedVolume const& volume, LightImage const* light, std::uint64_t seed)
    : scene_(normalize_scene(std::move(scene))), volume_(volume), light_(light)
{
    check_valid(scene_);
    view_.seed = seed;
    VolumeView const volume_view = volume.view();
    fill_medium(volume_view);
    fill_majorants(volume_view);
    fill_materials(volume_view);
    fill_view();
    fill_boundary();
    if (has_interfaces(scene_)) fill_interfaces();
    if (probes_face(scene_)) fill_faces();
    bool const has_surroundings = has_objects_around(scene_, volume);
    if (!volume.surface().is_empty() || has_surroundings) fill_surface();
    if (has_albedo_filter()) check_albedo_filter();
    if (connects_emitters(scene_) || has_nested_solids(view_) || has_albedo_filter()) fill_emitters();
    if (has_surroundings) fill_surroundings();
    if (probes_texture(scene_)) fill_texture();
    fill_film_scale();
    if (scene_.long_steps != LongSteps::plain) long_steps_.fill(volume_view, scene_.long_steps, view_);
    view_.draws_before_stratified = count_draws_before_stratified(view_);
}

void RenderScene::change_view(Scene scene)
{
    scene_ = normalize_scene(std::move(scene));
    fill_phase_function(volume_.view());
    fill_view();
    if (view_.solids.boundaries == nullptr) fill_boundary(); // of several, it is that of one of them
    if (connects_emitters(scene_))
        check_lights(scene_, emitters_, lit_, view_, volume_.surface().is_empty() ? Bounds::box : Bounds::mesh);
    fill_film_scale();
    view_.draws_before_stratified = count_draws_before_stratified(view_);
}

bool RenderScene::shares_tables(Scene const& scene) const
{
    Scene same = normalize_scene(scene);
    check_valid(same);
    if (scene_.camera.kind == CameraKind::probe || scene.camera.kind == CameraKind::probe) return false;
    same.width = scene_.width;
    same.height = scene_.height;
    same.camera = scene_.camera;
    same.coverage = scene_.coverage;
    same.roulette_w_min = scene_.roulette_w_min;
    same.depth_limit = scene_.depth_limit;
    auto const is_image = [](Scene const& it) { return it.environment.kind == EnvironmentKind::image; };
    bool const has_lights = connects_emitters(scene_);
    if (!has_lights && is_image(scene) == is_image(scene_) &&
        scene.environment.image_checksum == scene_.environment.image_checksum)
        same.environment = scene_.environment;
    bool const has_steps = scene_.long_steps != LongSteps::plain;
    bool const has_other_faces = !volume_.surface().solids.empty() || scene_.boundary.support_alpha > 0;
    if (!has_steps && !has_other_faces && !has_lights && scene.boundary.support_alpha == 0)
        same.boundary = scene_.boundary;
    if (!has_steps && volume_.view().anisotropy != Source::material) {
        same.override_g = scene_.override_g;
        same.g = scene_.g;
    }
    return hash_scene(same) == hash_scene(scene_);
}

void RenderScene::check_valid(Scene const& scene) const
{
    VolumeMeta const& meta = volume_.meta();
    if (auto const problem = find_scene_problem(scene)) fail_usage(problem->field + ": " + problem->what);
    if (scene.estimator != kEstimator)
        fail_input(fmt::format("the scene is one of estimator {}, this program renders estimator {}", scene.estimator,
                               kEstimator),
                   "scene", "their samples differ and do not add up",
                   "such films can be read, compared, and merged with their like; to go on, start a new film");
    if (scene.volume_checksum != volume_.data_checksum())
        fail_input(fmt::format("the volume's data checksum is {}, not {}", to_hex(volume_.data_checksum()),
                               to_hex(scene.volume_checksum)),
                   "scene", "it is not the scene's volume", "give the volume that the film was made from");
    if (emits(scene) && !meta.has_emission)
        fail_usage("the scene has a medium that emits, but this volume has no emission", "pack it with its emission");
    if (scene.bands != meta.bands())
        fail_input(fmt::format("the volume has {} bands, the scene {}", meta.bands(), scene.bands), "scene");
    if (scene.boundary.support_alpha > 0 && volume_.surface().supported_triangles == 0)
        fail_usage("the scene has a roughness of faces under support, but no face of this volume is known to have been "
                   "under support",
                   "leave out --support-alpha, or pack a print job that has support material with --surface");
}

void RenderScene::fill_view()
{
    VolumeMeta const& meta = volume_.meta();
    view_.width = scene_.width;
    view_.height = scene_.height;
    view_.bands = scene_.bands;
    view_.inv_width = 1.0f / static_cast<float>(scene_.width);
    view_.inv_height = 1.0f / static_cast<float>(scene_.height);
    view_.roulette = make_roulette(scene_.roulette_w_min);
    view_.depth_limit = scene_.depth_limit;
    view_.camera = make_camera_view(
        scene_, meta,
        volume_.surroundings().is_empty() && !has_area_emitters(scene_) ? Approach::free : Approach::obstructed);
    view_.lens = make_lens_view(scene_.camera, meta);
    fill_light(meta.placement);
}

void RenderScene::fill_boundary()
{
    BoundarySpec const& spec = scene_.boundary;
    BoundaryView& view = view_.boundary;
    view.kind = spec.kind;
    view.int_over_ext = static_cast<float>(spec.int_ior / spec.ext_ior);
    view.ext_over_int = static_cast<float>(spec.ext_ior / spec.int_ior);
    view.alpha = static_cast<float>(spec.alpha);
    view.microfacets = spec.microfacets;
    view.first_reflection = spec.specular == Specular::included ? 1.0f : 0.0f;
}

void RenderScene::fill_surface()
{
    if (probes_face(scene_))
        fail_usage(
            "the probe is of a face of the volume's box, but a mesh bounds this volume, or surfaces stand around it",
            "give --probe uv, or look at it with a camera");
    if (scene_.long_steps == LongSteps::layers)
        fail_usage("long steps through layers go aside without bounds, but a mesh bounds this volume, or surfaces "
                   "stand around it",
                   "use --long-steps on, which takes spheres");
    if (!volume_.surface().is_empty()) {
        surface_.emplace(volume_.surface(), view_.medium, 1);
    } else {
        surface_.emplace(make_box({0, 0, 0}, view_.medium.size_voxels), view_.medium, 1);
        surface_->set_clearance_mm(surface_->compute_clearance_mm(1));
    }
    view_.surface = surface_->view();
    if (!volume_.surface().solids.empty()) fill_solids();
    if (scene_.boundary.support_alpha > 0) fill_support();
}

void RenderScene::fill_support()
{
    SurfaceMeshView const& mesh = volume_.surface();
    BoundaryView rough = view_.boundary;
    rough.kind = BoundaryKindView::rough;
    rough.alpha = static_cast<float>(scene_.boundary.support_alpha);
    solid_boundaries_ = {view_.boundary, rough};
    solid_of_.assign(mesh.triangles.size(), 0u);
    std::fill(solid_of_.end() - static_cast<std::ptrdiff_t>(mesh.supported_triangles), solid_of_.end(), 1u);
    show_solids();
}

void RenderScene::fill_solids()
{
    if (scene_.boundary.kind != BoundaryKind::none)
        fail_usage("the scene has a boundary, but the solids of this volume have boundaries of their own",
                   "leave out --boundary and --int-ior, or change the boundaries in the source and pack it again");
    SurfaceMeshView const& mesh = volume_.surface();
    for (SolidBoundary const& solid : mesh.solids) {
        BoundaryView boundary;
        bool const is_none = solid.int_ior == solid.ext_ior;
        boundary.kind = is_none ? BoundaryKindView::none : solid.kind;
        boundary.int_over_ext = static_cast<float>(solid.int_ior / solid.ext_ior);
        boundary.ext_over_int = static_cast<float>(solid.ext_ior / solid.int_ior);
        boundary.alpha = static_cast<float>(solid.alpha);
        boundary.microfacets = solid.microfacets;
        boundary.first_reflection = view_.boundary.first_reflection;
        solid_boundaries_.push_back(boundary);
    }
    for (std::size_t i = 0; i < mesh.solids.size(); ++i)
        solid_of_.resize(i + 1 < mesh.solids.size() ? mesh.solids[i + 1].first_triangle : mesh.triangles.size(),
                         static_cast<std::uint32_t>(i));
    show_solids();
    if (!mesh.nesting.empty()) fill_nesting();
    // Draws are stratified for the first one that has an interface; it is read nowhere else.
    for (BoundaryView const& boundary : solid_boundaries_)
        if (view_.boundary.kind == BoundaryKindView::none) view_.boundary = boundary;
}

void RenderScene::show_solids()
{
    view_.solids.boundaries = solid_boundaries_.data();
    view_.solids.solid_of = solid_of_.data();
    view_.solids.solid_count = static_cast<std::uint32_t>(solid_boundaries_.size());
}

void RenderScene::fill_surroundings()
{
    TriangleMesh const box = make_box({0, 0, 0}, view_.medium.size_voxels);
    bool const is_box = volume_.surface().is_empty();
    surroundings_.emplace(scene_.ground, emitters_.empty() ? volume_.surroundings() : lit_.shapes, volume_.meta(),
                          is_box ? std::span<Vec3 const>(box.positions_mm) : volume_.surface().vertices_voxels);
    view_.surroundings = surroundings_->view();
}

void RenderScene::fill_texture()
{
    SurfaceMeshView const& mesh = volume_.surface();
    if (mesh.is_empty())
        fail_usage("the probe is of a mesh's texture space, but no mesh bounds this volume",
                   "give --probe top or --probe AXIS for a face of its box");
    if (mesh.texture_coordinates.empty())
        fail_usage("the probe is of a mesh's texture space, but the mesh has no texture coordinates",
                   "unwrap it in a mesh editor, save it as PLY, OBJ or glTF with uv, and pack it again");
    if (!volume_.surroundings().is_empty())
        fail_usage("the probe is of a mesh's texture space, but surfaces stand around this volume",
                   "look at it with a camera");
    charts_.emplace(mesh.texture_coordinates, 1);
    texture_probe_ = {charts_->view(), static_cast<std::uint32_t>(charts_->nodes().size()),
                      static_cast<std::uint32_t>(charts_->triangle_count()),
                      scene_.camera.view == ProbeView::diffuse ? 1u : 0u};
    view_.texture_probe = &texture_probe_;
}

void RenderScene::fill_faces()
{
    FacesView& faces = view_.faces;
    std::uint32_t const axis = scene_.camera.probe_face / 2;
    bool const is_upper = scene_.camera.probe_face % 2 == 0;
    faces.wrapped_axes = scene_.boundary.sides == Sides::periodic ? 7u & ~(1u << axis) : 0u;
    wrap_lookups(faces.wrapped_axes);
    faces.backing = scene_.boundary.backing;
    faces.backing_axis = static_cast<std::int32_t>(axis);
    faces.backing_outward = is_upper ? -1.0f : 1.0f;
}

void RenderScene::wrap_lookups(std::uint32_t wrapped_axes)
{
    MediumView& medium = view_.medium;
    if (wrapped_axes == 0 || (medium.jitter == 0 && view_.albedo_lookup.jitter == 0)) return;
    auto const period = [&](int axis, float size) { return (wrapped_axes >> axis & 1u) != 0u ? size : 0.0f; };
    Vec3 const size = medium.size_voxels;
    medium.period_voxels = {period(0, size.x), period(1, size.y), period(2, size.z)};
    medium.has_period = 1;
    if (medium.grid != MajorantGrid::local) return;
    local_majorants_ = wrap_majorants({medium.local_majorants, count_brick_values(medium, view_.bands)},
                                      medium.brick_counts, wrapped_axes);
    medium.local_majorants = local_majorants_.data();
}

void RenderScene::fill_phase_function(VolumeView const& volume)
{
    MediumView& medium = view_.medium;
    medium.g = scene_.override_g ? scene_.g : volume.g;
    if (!scene_.override_g && volume.anisotropy == Source::material)
        medium.scattering = Scattering::material_g;
    else
        medium.scattering = medium.g == 0.0f ? Scattering::isotropic : Scattering::constant_g;
}

void RenderScene::fill_medium(VolumeView const& volume)
{
    MediumView& medium = view_.medium;
    set_size(medium, {static_cast<float>(volume.dims[0]), static_cast<float>(volume.dims[1]),
                      static_cast<float>(volume.dims[2])});
    medium.inv_pitch = {1.0f / volume.pitch_mm[0], 1.0f / volume.pitch_mm[1], 1.0f / volume.pitch_mm[2]};
    std::copy(std::begin(volume.brick_counts), std::end(volume.brick_counts), medium.brick_counts);
    medium.scale = scene_.scale;
    fill_phase_function(volume);
    medium.albedo = volume.albedo;
    medium.density = make_plane_reader(volume.density);
    medium.one_minus_albedo = make_plane_reader(volume.one_minus_albedo);
    medium.label = make_plane_reader(volume.label);
    if (emits(scene_)) view_.emission.source = make_plane_reader(volume.emission);
    medium.jitter = volume.filter == Filter::trilinear ? kTrilinearJitter : 0.0f;
    if (volume.albedo_filter != AlbedoFilter::of_scattering)
        view_.albedo_lookup = {1u, volume.albedo_filter == AlbedoFilter::trilinear ? kTrilinearJitter : 0.0f};
    bool const varies =
        medium.albedo != Source::constant || medium.scattering == Scattering::material_g || emits(scene_);
    switch (volume.extinction) {
    case Source::constant:
        medium.extinction = varies ? Extinction::constant : Extinction::bare;
        break;
    case Source::plane:
        medium.extinction = Extinction::density;
        break;
    case Source::material:
        medium.extinction = Extinction::label;
        break;
    }
    medium.grid = scene_.majorant == MajorantKind::local && volume.extinction != Source::constant
                      ? MajorantGrid::local
                      : MajorantGrid::global;
    view_.path_bands = volume.grey_extinction && volume.bands == 3 ? 3 : 1;
    for (std::uint32_t b = 0; b < volume.bands; ++b) {
        medium.band[b].constant_one_minus_albedo = volume.constant_one_minus_albedo[b];
        medium.band_number[b] = volume.band_number[b];
    }
}

void RenderScene::fill_majorants(VolumeView const& volume)
{
    MediumView& medium = view_.medium;
    std::int32_t const bricks = volume.brick_counts[0] * volume.brick_counts[1] * volume.brick_counts[2];
    for (std::uint32_t b = 0; b < volume.bands; ++b) {
        float const bound =
            volume.extinction == Source::constant ? volume.constant_extinction[b] : volume.global_majorant[b];
        BandMedium& band = medium.band[b];
        band.majorant = scene_.scale * bound;
        float const in_mm = band.majorant > 1e-30f ? 1.0f / band.majorant : std::numeric_limits<float>::infinity();
        band.mean_free_path_voxels = in_mm * medium.inv_pitch;
        band.local_majorant_first = static_cast<std::int32_t>(volume.majorant_index[b]) * bricks;
        check_resolution(volume, band.majorant);
    }
    medium.local_majorants = volume.local_majorants;
}

void RenderScene::fill_materials(VolumeView const& volume)
{
    if (volume.material_count == 0) return;
    material_sigma_t_.resize(std::size_t{kMaxMaterials} * volume.bands);
    for (std::size_t i = 0; i < material_sigma_t_.size(); ++i)
        material_sigma_t_[i] = scene_.scale * volume.material_extinction[i];
    view_.medium.material_sigma_t = material_sigma_t_.data();
    view_.medium.material_one_minus_albedo = volume.material_one_minus_albedo;
    view_.medium.material_g = volume.material_g;
}

} // namespace volpt
