// Copies a scene's tables to the device.
#include "kernels/device_scene.h"

#include "libvolpt/core/volume_view.hd.h"

#include <algorithm>

namespace volpt {

std::uint32_t const* DeviceScene::upload(std::uint32_t const* words, std::size_t size)
{
    return words == nullptr || size == 0 ? nullptr : words_.emplace_back(std::span(words, size)).data();
}

float const* DeviceScene::upload(float const* values, std::size_t size)
{
    return values == nullptr || size == 0 ? nullptr : values_.emplace_back(std::span(values, size)).data();
}

void DeviceScene::upload_plane(PlaneReader& plane, std::size_t bricks)
{
    if (plane.table == nullptr) return;
    std::size_t slots = 0; // all bricks may be constant: then no word is ever read here
    for (std::size_t brick = 0; brick < bricks; ++brick) {
        std::uint32_t const slot = plane.table[brick * static_cast<std::size_t>(plane.table_stride)];
        if (slot != kConstantBrick) slots = std::max(slots, std::size_t{slot} + 1);
    }
    plane.words = upload(plane.words, std::max<std::size_t>(1, slots * plane.words_per_brick));
    plane.table = upload(plane.table, bricks * static_cast<std::size_t>(plane.table_stride));
}

DeviceScene::DeviceScene(SceneView const& host) : view_(host)
{
    MediumView& medium = view_.medium;
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    upload_plane(medium.density, bricks);
    upload_plane(medium.one_minus_albedo, bricks);
    upload_plane(medium.label, bricks);
    if (medium.grid == MajorantGrid::local) {
        std::int32_t const last = *std::max_element(medium.local_majorant_first, medium.local_majorant_first + view_.bands);
        medium.local_majorants = upload(medium.local_majorants, static_cast<std::size_t>(last) + bricks);
    }
    std::size_t const materials = std::size_t{kMaxMaterials} * view_.bands;
    medium.material_sigma_t = upload(medium.material_sigma_t, materials);
    medium.material_one_minus_albedo = upload(medium.material_one_minus_albedo, materials);
    medium.material_g = upload(medium.material_g, kMaxMaterials);
    EnvironmentView& light = view_.environment;
    light.texels = upload(light.texels, std::size_t{2} * light.edge * light.edge * view_.bands);
}

} // namespace volpt
