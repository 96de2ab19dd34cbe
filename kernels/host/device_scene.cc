#include "kernels/host/device_scene.h"

#include "libvolpt/backend/add_to_tally.h"
#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/core/volume_view.hd.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

/// Copies the front of a plane to the device, in its new order: while one stage is copied, the next is filled.
void fill_front(PlaneReader const& plane, PlaneOrder const& order, std::span<std::uint32_t> front)
{
    constexpr std::size_t kStageWords = std::size_t{4} << 20;
    CudaStream stream;
    MappedArray<std::uint32_t> const stages[2] = {MappedArray<std::uint32_t>(kStageWords),
                                                  MappedArray<std::uint32_t>(kStageWords)};
    CudaEvent copied[2];
    for (std::size_t first = 0, turn = 0; first < front.size(); first += kStageWords, turn ^= 1) {
        std::size_t const count = std::min(kStageWords, front.size() - first);
        copied[turn].wait();
        gather_words(plane, order, first, {stages[turn].data(), count});
        check_cuda(cudaMemcpyAsync(front.data() + first, stages[turn].data(), count * sizeof(std::uint32_t),
                                   cudaMemcpyHostToDevice, stream),
                   "copying the volume in");
        copied[turn].record(stream);
    }
    check_cuda(cudaStreamSynchronize(stream), "copying the volume in");
}

/// Done when it returns: launches follow on streams that do not wait for the default one.
void clear_sums(DeviceArray<std::uint64_t> const& sums)
{
    if (sums.size() == 0) return;
    check_cuda(cudaMemset(sums.data(), 0, sums.size_bytes()), "clearing memory");
    check_cuda(cudaStreamSynchronize(nullptr), "clearing memory");
}

} // namespace

template <class T>
T const* DeviceScene::upload(T const* values, std::size_t size)
{
    static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
    if (values == nullptr || size == 0) return nullptr;
    std::uint32_t* const copy = tables_.emplace_back(size * sizeof(T) / sizeof(std::uint32_t)).data();
    check_cuda(cudaMemcpy(copy, values, size * sizeof(T), cudaMemcpyHostToDevice), "copying the volume in");
    return reinterpret_cast<T const*>(copy);
}

void DeviceScene::upload_plane(PlaneReader& plane, std::size_t words, std::size_t bricks, VolumeMemory volume_memory)
{
    if (plane.table == nullptr) return;
    if (volume_memory == VolumeMemory::zerocopy) {
        std::uint32_t* const copy = mapped_.emplace_back(words).data();
        if (plane.words != nullptr) std::memcpy(copy, plane.words, words * sizeof(std::uint32_t));
        plane.words = copy;
    } else {
        plane.words = upload(plane.words, words);
    }
    plane.table = upload(plane.table, bricks * static_cast<std::size_t>(plane.table_stride));
}

void DeviceScene::upload_cached_plane(PlaneReader& plane, std::size_t plane_index, VoxelCache const& cache)
{
    PlaneSplit const& split = cache.split.planes[plane_index];
    PlaneOrder const& order = cache.store.order(view_.medium)[plane_index];
    PageRange& range = ranges_.emplace_back(cache.device, split.size_bytes);
    if (split.device_bytes > 0) {
        range.append(PageBlock::on_device(cache.device, split.device_bytes), HostAccess::no);
        fill_front(plane, order, {range.data(), split.device_bytes / sizeof(std::uint32_t)});
    }
    for (std::size_t byte = split.device_bytes; byte < split.size_bytes; byte += split.chunk_bytes)
        cache.store.append_chunk(cache.device, range, plane, plane_index, split, byte);
    plane.words = range.data();
    plane.table = upload(order.table.data(), order.table.size());
}

DeviceScene::DeviceScene(SceneView const& host, VolumeMemory volume_memory, VoxelCache const* cache) : view_(host)
{
    MediumView& medium = view_.medium;
    SceneSizes const sizes = count_scene_sizes(host);
    PlaneReader* const planes[kPlanes] = {&medium.density, &medium.one_minus_albedo, &medium.label};
    for (std::size_t i = 0; i < kPlanes; ++i) {
        if (cache != nullptr && cache->split.planes[i].size_bytes > 0)
            upload_cached_plane(*planes[i], i, *cache);
        else
            upload_plane(*planes[i], sizes.plane_words[i], sizes.bricks, volume_memory);
    }
    medium.local_majorants = upload(medium.local_majorants, sizes.local_majorants);
    medium.material_sigma_t = upload(medium.material_sigma_t, sizes.material_values);
    medium.material_one_minus_albedo = upload(medium.material_one_minus_albedo, sizes.material_values);
    medium.material_g = upload(medium.material_g, kMaxMaterials);
    view_.strategies.brick_sigma_t = upload(view_.strategies.brick_sigma_t, sizes.brick_means);
    view_.interfaces.material_ior = upload(view_.interfaces.material_ior, kMaxMaterials);
    LongStepsView& steps = view_.long_steps;
    steps.boxes = upload(steps.boxes, steps.box_count);
    steps.bricks_of_band = upload(steps.bricks_of_band, sizes.step_bricks);
    steps.bricks_of_three = upload(steps.bricks_of_three, sizes.step_bricks);
    upload_solid(sizes.bricks);
    upload_surroundings();
    upload_texture_probe();
    upload_emitters();
    upload_emission(sizes, volume_memory);
    view_.environment.texels = upload(view_.environment.texels, sizes.light_texels);
}

void DeviceScene::change_view(SceneView const& host)
{
    float const* const texels = view_.environment.texels;
    view_.camera = host.camera;
    view_.lens = host.lens;
    view_.width = host.width;
    view_.height = host.height;
    view_.inv_width = host.inv_width;
    view_.inv_height = host.inv_height;
    view_.environment = host.environment;
    view_.environment.texels = texels;
    view_.sum_scale = host.sum_scale;
    view_.boundary = host.boundary;
    view_.medium.g = host.medium.g;
    view_.medium.scattering = host.medium.scattering;
    view_.roulette = host.roulette;
    view_.depth_limit = host.depth_limit;
    view_.draws_before_stratified = host.draws_before_stratified;
}

void DeviceScene::upload_solid(std::size_t bricks)
{
    SurfaceView& surface = view_.surface;
    surface.bvh.nodes = upload(surface.bvh.nodes, surface.node_count);
    surface.bvh.triangles = upload(surface.bvh.triangles, surface.triangle_count);
    surface.places = upload(surface.places, surface.triangle_count);
    surface.normals = upload(surface.normals, std::size_t{3} * surface.triangle_count);
    surface.clearance_mm = upload(surface.clearance_mm, bricks);
    SolidsView& solids = view_.solids;
    solids.boundaries = upload(solids.boundaries, solids.solid_count);
    solids.solid_of = upload(solids.solid_of, solids.solid_count > 0 ? surface.triangle_count : 0);
    solids.around = upload(solids.around, solids.solid_count);
    solids.index_of = upload(solids.index_of, std::size_t{1} + solids.solid_count);
}

void DeviceScene::upload_surroundings()
{
    SurroundingsView& around = view_.surroundings;
    if (around.on == 0u) return;
    around.bvh.nodes = upload(around.bvh.nodes, around.node_count);
    around.bvh.triangles = upload(around.bvh.triangles, around.primitive_count);
    around.places = upload(around.places, around.triangle_count);
    around.spheres = upload(around.spheres, around.primitive_count - around.triangle_count);
    around.bsdf_of = upload(around.bsdf_of, around.primitive_count);
    around.normals = upload(around.normals, std::size_t{3} * around.triangle_count);
    around.texture_coordinates = upload(around.texture_coordinates, std::size_t{6} * around.triangle_count);
    std::vector<BsdfView> bsdfs(around.bsdfs, around.bsdfs + around.bsdf_count);
    for (BsdfView& bsdf : bsdfs)
        bsdf.diffuse.texels = upload(bsdf.diffuse.texels, count_texels(bsdf.diffuse, view_.bands));
    around.bsdfs = upload(bsdfs.data(), bsdfs.size());
}

void DeviceScene::upload_emitters()
{
    LightsView& lights = view_.lights;
    std::size_t const triangles = count_emitter_triangles(lights);
    lights.emitters = upload(lights.emitters, lights.count);
    lights.choice_cdf = upload(lights.choice_cdf, lights.count);
    lights.triangles = upload(lights.triangles, triangles);
    lights.area_cdf = upload(lights.area_cdf, triangles);
    lights.emitter_of = upload(lights.emitter_of, view_.surroundings.primitive_count);
    EnvironmentSamplerView& sampler = lights.environment;
    sampler.row_cdf = upload(sampler.row_cdf, std::size_t{2} * sampler.edge);
    sampler.cell_cdf = upload(sampler.cell_cdf, std::size_t{2} * sampler.edge * sampler.edge);
    TallyView& tally = view_.tally;
    tally.detectors.detectors = upload(tally.detectors.detectors, tally.detectors.count);
    if (tally.sums != nullptr) {
        tally_sums_ = DeviceArray<std::uint64_t>(count_tally_sums(tally, view_.bands));
        tally.sums = tally_sums_.data();
    }
    if (tally.energy_sums != nullptr) {
        energy_sums_ = DeviceArray<std::uint64_t>(count_energy_sums(view_.bands));
        tally.energy_sums = energy_sums_.data();
    }
    clear_sums(tally_sums_);
    clear_sums(energy_sums_);
}

void DeviceScene::upload_emission(SceneSizes const& sizes, VolumeMemory volume_memory)
{
    EmissionView& emission = view_.emission;
    upload_plane(emission.source, sizes.emission_words, sizes.bricks, volume_memory);
    emission.bricks = upload(emission.bricks, emission.brick_count);
    emission.brick_shares = upload(emission.brick_shares, emission.brick_count);
    emission.voxel_shares = upload(emission.voxel_shares, std::size_t{emission.brick_count} * kBrickVoxels);
}

void DeviceScene::take_tally(TallyView const& host)
{
    auto const take = [](DeviceArray<std::uint64_t> const& device) {
        std::vector<std::uint64_t> copy(device.size());
        if (copy.empty()) return copy;
        check_cuda(cudaMemcpy(copy.data(), device.data(), device.size_bytes(), cudaMemcpyDeviceToHost),
                   "copying the tally out");
        clear_sums(device);
        return copy;
    };
    std::vector<std::uint64_t> const sums = take(tally_sums_), energy_sums = take(energy_sums_);
    if (!energy_sums.empty()) add_to_tally(host, view_.bands, sums.data(), energy_sums.data());
}

void DeviceScene::upload_texture_probe()
{
    if (view_.texture_probe == nullptr) return;
    TextureProbeView probe = *view_.texture_probe;
    probe.charts.nodes = upload(probe.charts.nodes, probe.node_count);
    probe.charts.triangles = upload(probe.charts.triangles, probe.triangle_count);
    view_.texture_probe = upload(&probe, 1);
}

} // namespace volpt
