// Solids that lie in others of a RenderScene: the media and the indices of regions.
#include "libvolpt/core/lookup.hd.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/nesting/nested_solids.h"

namespace volpt {

void RenderScene::fill_nesting()
{
    if (probes_texture(scene_))
        fail_usage("the probe is of a mesh's texture space, but solids of this volume lie in others, whose surfaces no "
                   "light reaches from outside",
                   "look at it with a camera");
    if (scene_.long_steps != LongSteps::plain)
        fail_usage("long steps pass by the surfaces of solids that lie in others, and this volume has such solids",
                   "give --long-steps off");
    SurfaceMeshView const mesh = volume_.surface();
    for (SolidNesting const& solid : mesh.nesting) solids_around_.push_back(solid.around);
    for (double const index : find_region_indices(mesh.solids, mesh.nesting))
        region_indices_.push_back(static_cast<float>(index));
    view_.solids.around = solids_around_.data();
    view_.solids.index_of = region_indices_.data();
    fill_solid_labels();
}

/// Brick 0 of a label plane whose voxels are solids; the others, which no path looks up, have label 0.
void RenderScene::fill_solid_labels()
{
    SurfaceMeshView const mesh = volume_.surface();
    constexpr std::size_t kStride = 2;
    MediumView& medium = view_.medium;
    std::size_t bricks = 1;
    for (std::int32_t const count : medium.brick_counts) bricks *= static_cast<std::size_t>(count);
    label_table_.assign(bricks * kStride, 0u);
    for (std::size_t brick = 1; brick < bricks; ++brick) label_table_[brick * kStride] = kConstantBrick;
    label_words_.assign(kBrickVoxels / 4, 0u);
    for (std::size_t i = 0; i < mesh.nesting.size(); ++i) label_words_[i / 4] |= mesh.nesting[i].label << (i % 4 * 8);
    medium.label = make_plane_reader(
        {label_table_.data(), label_words_.data(), 1.0f, Encoding::u8, 1, 1, static_cast<std::uint32_t>(kStride)});
}

} // namespace volpt
