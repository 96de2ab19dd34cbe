// Light that the medium emits: dL/ds = sigma_a (S - L), sigma_a = sigma_t (1 - albedo), where S is the source radiance.
// In a medium in thermal equilibrium S is Planck's radiance (Kirchhoff's law). In a medium of index n all radiance is
// n^2 times that outside; throughput carries L / n^2, and S is that of n = 1, so that no index appears.
#pragma once

#include "libvolpt/core/advance.hd.h"
#include "libvolpt/core/scatter.hd.h"

namespace volpt {

/// 1 - albedo of `band` at a voxel, wherever the medium has it.
template <class M>
VOLPT_HD float read_absorbed_share(MediumView const& medium, VoxelRef voxel, std::uint32_t band)
{
    static_assert(M::kExtinction == Extinction::any, "others have no voxel where nothing varies");
    if (medium.albedo == Source::plane) return read_one_minus_albedo<Source::plane>(medium, voxel, band);
    if (medium.albedo == Source::material) return read_one_minus_albedo<Source::material>(medium, voxel, band);
    return read_one_minus_albedo<Source::constant>(medium, voxel, band);
}

/// S (1 - albedo) by band: what a path of throughput 1 gains at a real collision in `voxel`. The expectation over
/// flights is the integral of sigma_a S times transmittance. In an environment of radiance S the sum along a path is S,
/// without variance: the gain is what absorption takes. `band` is that of a path of one band.
template <class M>
VOLPT_HD void read_emitted(SceneView const& scene, VoxelRef voxel, std::uint32_t band, float (&emitted)[M::kBands])
{
    for (int b = 0; b < M::kBands; ++b) {
        std::uint32_t const of_scene = M::kBands > 1 ? static_cast<std::uint32_t>(b) : band;
        emitted[b] =
            read_value(scene.emission.source, voxel, of_scene) * read_absorbed_share<M>(scene.medium, voxel, of_scene);
    }
}

VOLPT_HD bool has_emission(SceneView const& scene)
{
    return scene.emission.source.table != nullptr;
}

} // namespace volpt
