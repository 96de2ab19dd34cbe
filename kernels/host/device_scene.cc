// Copies a scene's tables to the device.
#include "kernels/host/device_scene.h"

#include "kernels/host/device_banks.h"
#include "libvolpt/core/volume_view.hd.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

std::size_t count_bricks(MediumView const& medium)
{
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    return bricks;
}

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

std::size_t count_local_majorants(SceneView const& host, std::size_t bricks)
{
    MediumView const& medium = host.medium;
    if (medium.grid != MajorantGrid::local) return 0;
    std::int32_t const last = *std::max_element(medium.local_majorant_first, medium.local_majorant_first + host.bands);
    return static_cast<std::size_t>(last) + bricks;
}

std::size_t count_light_texels(SceneView const& host)
{
    EnvironmentView const& light = host.environment;
    return light.texels == nullptr ? 0 : std::size_t{2} * light.edge * light.edge * host.bands;
}

/// Entries of the bricks' table for long steps; 0 without them.
std::size_t count_step_rows(SceneView const& host)
{
    LongStepsView const& steps = host.long_steps;
    return static_cast<std::size_t>(steps.brick_count) * (steps.bricks_of_three != nullptr ? 1 : host.bands);
}

/// Voxels of the front of a plane, in their new order: while one stage is copied, the next is filled.
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

} // namespace

SceneBytes count_scene_bytes(SceneView const& host)
{
    MediumView const& medium = host.medium;
    std::size_t const bricks = count_bricks(medium);
    SceneBytes bytes;
    for (PlaneReader const* plane : {&medium.density, &medium.one_minus_albedo, &medium.label}) {
        bytes.voxels += 4 * count_plane_words(*plane, bricks);
        if (plane->table != nullptr) bytes.tables += 4 * bricks * static_cast<std::size_t>(plane->table_stride);
    }
    LongStepsView const& steps = host.long_steps;
    bytes.tables +=
        count_step_rows(host) * (steps.bricks_of_three != nullptr ? sizeof(StepBrick<3>) : sizeof(StepBrick<1>));
    bytes.tables += steps.box_count * sizeof(StepBox) + count_bank_bytes(host);
    bytes.tables += 4 * (count_local_majorants(host, bricks) + count_light_texels(host));
    if (medium.material_g != nullptr) bytes.tables += 4 * std::size_t{kMaxMaterials} * (2 * host.bands + 1);
    return bytes;
}

template <class T>
T const* DeviceScene::upload(T const* values, std::size_t size)
{
    static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
    if (values == nullptr || size == 0) return nullptr;
    std::uint32_t* const copy = tables_.emplace_back(size * sizeof(T) / sizeof(std::uint32_t)).data();
    check_cuda(cudaMemcpy(copy, values, size * sizeof(T), cudaMemcpyHostToDevice), "copying the volume in");
    return reinterpret_cast<T const*>(copy);
}

void DeviceScene::upload_plane(PlaneReader& plane, std::size_t bricks, VolumeMemory volume_memory)
{
    if (plane.table == nullptr) return;
    std::size_t const words = count_plane_words(plane, bricks);
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
    std::size_t const bricks = count_bricks(medium);
    PlaneReader* const planes[kPlanes] = {&medium.density, &medium.one_minus_albedo, &medium.label};
    for (std::size_t i = 0; i < kPlanes; ++i) {
        if (cache != nullptr && cache->split.planes[i].size_bytes > 0)
            upload_cached_plane(*planes[i], i, *cache);
        else
            upload_plane(*planes[i], bricks, volume_memory);
    }
    medium.local_majorants = upload(medium.local_majorants, count_local_majorants(host, bricks));
    std::size_t const materials = std::size_t{kMaxMaterials} * view_.bands;
    medium.material_sigma_t = upload(medium.material_sigma_t, materials);
    medium.material_one_minus_albedo = upload(medium.material_one_minus_albedo, materials);
    medium.material_g = upload(medium.material_g, kMaxMaterials);
    LongStepsView& steps = view_.long_steps;
    steps.boxes = upload(steps.boxes, steps.box_count);
    steps.bricks_of_band = upload(steps.bricks_of_band, count_step_rows(host));
    steps.bricks_of_three = upload(steps.bricks_of_three, count_step_rows(host));
    view_.environment.texels = upload(view_.environment.texels, count_light_texels(host));
}

} // namespace volpt
