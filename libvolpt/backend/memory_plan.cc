#include "libvolpt/backend/memory_plan.h"

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/paging/volume_split.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

/// CUDA's own needs and what fragmentation costs.
constexpr std::size_t kReserve_bytes = std::size_t{256} << 20;

/// At least one: where all bricks are constant, no word is ever read, but the pointer must lead somewhere.
std::size_t count_plane_words(PlaneReader const& plane, std::size_t bricks)
{
    if (plane.table == nullptr) return 0;
    std::size_t slots = 0;
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const slot = plane.table[brick * static_cast<std::size_t>(plane.table_stride)];
        if (slot != kConstantBrick) slots = std::max(slots, std::size_t{slot} + 1);
    }
    return std::max<std::size_t>(1, slots * plane.words_per_brick);
}

std::size_t count_solid_bytes(SceneView const& scene, std::size_t bricks)
{
    SurfaceView const& surface = scene.surface;
    std::size_t const normals = surface.normals != nullptr ? 3 * sizeof(Vec3) : 0;
    std::uint32_t const solids = scene.solids.solid_count;
    std::size_t const solid_number = solids > 0 ? sizeof(std::uint32_t) : 0;
    std::size_t const nesting = scene.solids.around != nullptr ? sizeof(std::uint32_t) + sizeof(float) : 0;
    return surface.node_count * sizeof(BvhNode) + bricks * sizeof(float) + solids * (sizeof(BoundaryView) + nesting) +
           surface.triangle_count * (sizeof(LeafTriangle) + sizeof(std::uint32_t) + normals + solid_number);
}

std::size_t count_surroundings_bytes(SceneView const& scene)
{
    SurroundingsView const& around = scene.surroundings;
    if (around.on == 0u) return 0;
    std::size_t const normals = around.normals != nullptr ? 3 * sizeof(Vec3) : 0;
    std::size_t const coordinates = around.texture_coordinates != nullptr ? 6 * sizeof(float) : 0;
    std::size_t bytes = around.node_count * sizeof(BvhNode) +
                        around.primitive_count * (sizeof(LeafTriangle) + sizeof(std::uint32_t)) +
                        around.triangle_count * (sizeof(std::uint32_t) + normals + coordinates) +
                        (around.primitive_count - around.triangle_count) * sizeof(SphereView);
    for (BsdfView const& bsdf : std::span(around.bsdfs, around.bsdf_count))
        bytes += sizeof(BsdfView) + sizeof(float) * count_texels(bsdf.diffuse, scene.bands);
    return bytes;
}

std::size_t count_emitter_bytes(SceneView const& scene)
{
    LightsView const& lights = scene.lights;
    std::size_t const edge = lights.environment.edge;
    std::size_t const primitives = lights.emitter_of != nullptr ? scene.surroundings.primitive_count : 0;
    std::size_t const tally = count_tally_sums(scene.tally, scene.bands) +
                              (scene.tally.energy_sums != nullptr ? count_energy_sums(scene.bands) : 0);
    return lights.count * (sizeof(EmitterView) + sizeof(float)) + primitives * sizeof(std::uint32_t) +
           count_emitter_triangles(lights) * (sizeof(EmitterTriangle) + sizeof(float)) +
           2 * edge * (1 + edge) * sizeof(float) + tally * sizeof(std::uint64_t) +
           scene.tally.detectors.count * sizeof(DetectorView);
}

/// Of a medium that emits, its voxels included.
std::size_t count_emission_bytes(SceneView const& scene, std::size_t words, std::size_t bricks)
{
    EmissionView const& emission = scene.emission;
    if (words == 0) return 0;
    return sizeof(std::uint32_t) * (words + bricks * static_cast<std::size_t>(emission.source.table_stride) +
                                    std::size_t{emission.brick_count} * (2 + kBrickVoxels));
}

std::size_t count_chart_bytes(SceneView const& scene)
{
    if (scene.texture_probe == nullptr) return 0;
    return sizeof(TextureProbeView) + scene.texture_probe->node_count * sizeof(BvhNode) +
           scene.texture_probe->triangle_count * sizeof(LeafTriangle);
}

double to_gib(std::size_t bytes)
{
    return static_cast<double>(bytes) / (1 << 30);
}

std::size_t total_bytes(MemoryPlan const& plan)
{
    return plan.volume_bytes + plan.film_bytes + plan.workspace_bytes + kReserve_bytes;
}

/// The option that makes the largest part smaller.
std::string suggest_way_out(MemoryPlan const& plan)
{
    if (plan.workspace_bytes > std::max(plan.film_bytes, plan.volume_bytes))
        return "give fewer --paths-per-lane, or another --kernel";
    if (plan.film_bytes > plan.volume_bytes) return "give a smaller --tile-size";
    if (plan.volume_memory == VolumeMemory::device)
        return "give --volume-memory auto, or --device cpu for the same picture";
    return "--device cpu gives the same picture";
}

/// Bytes of voxels that the device may hold.
std::size_t count_limit(CacheLimit const& limit, std::size_t voxel_bytes)
{
    std::size_t const by_share =
        limit.share < 1 ? static_cast<std::size_t>(limit.share * static_cast<double>(voxel_bytes)) : SIZE_MAX;
    return std::min(limit.bytes, by_share);
}

VolumeMemory choose_volume_memory(VolumeMemory wanted, bool all_fits, PageSupport pages)
{
    if (wanted == VolumeMemory::cached && pages == PageSupport::no)
        fail_system("the driver cannot map host memory behind device memory", "--volume-memory cached",
                    "give --volume-memory zerocopy, or use a driver for CUDA 13 or later");
    if (wanted != VolumeMemory::automatic) return wanted;
    if (all_fits) return VolumeMemory::device;
    return pages == PageSupport::yes ? VolumeMemory::cached : VolumeMemory::zerocopy;
}

} // namespace

SceneSizes count_scene_sizes(SceneView const& scene)
{
    MediumView const& medium = scene.medium;
    LongStepsView const& steps = scene.long_steps;
    EnvironmentView const& light = scene.environment;
    SceneSizes sizes;
    sizes.bricks = 1;
    for (std::int32_t const count : medium.brick_counts) sizes.bricks *= static_cast<std::size_t>(count);
    PlaneReader const* const planes[] = {&medium.density, &medium.one_minus_albedo, &medium.label};
    for (std::size_t i = 0; i < std::size(planes); ++i) {
        sizes.plane_words[i] = count_plane_words(*planes[i], sizes.bricks);
        sizes.voxel_bytes += 4 * sizes.plane_words[i];
        if (planes[i]->table != nullptr)
            sizes.table_bytes += 4 * sizes.bricks * static_cast<std::size_t>(planes[i]->table_stride);
    }
    std::size_t const brick_values = count_brick_values(medium, scene.bands);
    if (medium.grid == MajorantGrid::local) sizes.local_majorants = brick_values;
    if (scene.strategies.brick_sigma_t != nullptr) sizes.brick_means = brick_values;
    if (light.texels != nullptr) sizes.light_texels = std::size_t{2} * light.edge * light.edge * scene.bands;
    sizes.material_values = std::size_t{kMaxMaterials} * scene.bands;
    bool const steps_of_three = steps.bricks_of_three != nullptr;
    sizes.step_bricks = static_cast<std::size_t>(steps.brick_count) * (steps_of_three ? 1 : scene.bands);
    sizes.table_bytes += sizes.step_bricks * (steps_of_three ? sizeof(StepBrick<3>) : sizeof(StepBrick<1>));
    sizes.table_bytes += steps.box_count * sizeof(StepBox);
    sizes.table_bytes += 4 * (sizes.local_majorants + sizes.brick_means + sizes.light_texels);
    if (scene.surface.on != 0u)
        sizes.table_bytes +=
            count_solid_bytes(scene, sizes.bricks) + count_surroundings_bytes(scene) + count_chart_bytes(scene);
    sizes.table_bytes += count_emitter_bytes(scene);
    sizes.emission_words = count_plane_words(scene.emission.source, sizes.bricks);
    sizes.table_bytes += count_emission_bytes(scene, sizes.emission_words, sizes.bricks);
    if (medium.material_g != nullptr) sizes.table_bytes += 4 * (2 * sizes.material_values + kMaxMaterials);
    return sizes;
}

std::size_t count_film_bytes(std::uint32_t most_pixels, std::uint32_t planes, FilmHalf half)
{
    std::size_t const words = kTileBuffers * std::size_t{most_pixels} * planes * 3;
    return words * sizeof(std::uint64_t) * (half == FilmHalf::apart ? 2 : 1);
}

MemoryPlan plan_voxels(std::size_t voxel_bytes, MemoryNeeds const& needs, RendererOptions const& options)
{
    MemoryPlan plan;
    plan.free_bytes = needs.free_bytes;
    plan.film_bytes = needs.film_bytes;
    plan.workspace_bytes = needs.workspace_bytes;
    plan.volume_bytes = needs.table_bytes;
    std::size_t const room = needs.free_bytes - std::min(needs.free_bytes, total_bytes(plan));
    std::size_t const most = std::min(room, count_limit(options.cache, voxel_bytes));
    plan.volume_memory = choose_volume_memory(options.volume_memory, voxel_bytes <= most, needs.pages);
    if (plan.volume_memory == VolumeMemory::device) plan.voxel_bytes = voxel_bytes;
    if (plan.volume_memory == VolumeMemory::cached)
        plan.voxel_bytes = std::min(most, voxel_bytes + kPlanes * kPage_bytes);
    plan.host_bytes = voxel_bytes - std::min(voxel_bytes, plan.voxel_bytes);
    if (plan.volume_memory != VolumeMemory::cached) plan.hit_rate = plan.volume_memory == VolumeMemory::device ? 1 : 0;
    plan.volume_bytes += plan.voxel_bytes;
    return plan;
}

void check_memory(MemoryPlan const& plan)
{
    if (total_bytes(plan) <= plan.free_bytes) return;
    fail_system(
        fmt::format(
            "the render needs {:.2f} GiB of device memory (volume {:.2f}, film {:.2f}, paths {:.2f}, reserve {:.2f}) "
            "and {:.2f} are free",
            to_gib(total_bytes(plan)), to_gib(plan.volume_bytes), to_gib(plan.film_bytes), to_gib(plan.workspace_bytes),
            to_gib(kReserve_bytes), to_gib(plan.free_bytes)),
        "GPU", suggest_way_out(plan));
}

} // namespace volpt
