#include "libvolpt/denoise/medium_reader.h"

namespace volpt {

MediumTable::MediumTable(SceneView const& scene) : scene_(scene)
{
    MediumView const& medium = scene.medium;
    if (medium.extinction == Extinction::density || medium.albedo == Source::plane ||
        scene.emission.source.table != nullptr)
        return;
    bool const has_label = medium.label.table != nullptr;
    materials_.resize(has_label ? kMaxMaterials : 1);
    for (std::uint32_t label = 0; label < materials_.size(); ++label) {
        VoxelMedium& found = materials_[label];
        find_sigma_t(scene, label, 0.0f, found);
        for (std::uint32_t b = 0; b < scene.bands; ++b)
            found.albedo[b] =
                1.0f - (medium.albedo == Source::material ? medium.material_one_minus_albedo[b * kMaxMaterials + label]
                                                          : medium.band[b].constant_one_minus_albedo);
        found.emission = 0;
        found.is_clear = !found.collides;
        found.clear_unused(scene.bands);
    }
}

} // namespace volpt
