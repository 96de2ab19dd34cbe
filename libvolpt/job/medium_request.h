// Boundary and medium of a volume, as far as the caller says. `apply` changes only what is given.
#pragma once

#include "libvolpt/scene/render_scene.h"

#include <optional>

namespace volpt {

struct BoundaryRequest {
    std::optional<BoundaryKind> kind;
    std::optional<double> int_ior, ext_ior, alpha, support_alpha;
    std::optional<Microfacets> microfacets;
    std::optional<bool> has_interfaces; ///< whether voxels of materials with different indices have faces

    bool names_index() const { return int_ior.has_value(); }
    /// Error (usage) for fields that contradict each other.
    void check() const;
    /// A boundary that becomes rough scatters light between its facets. Error (usage) if `microfacets` is given for one
    /// without rough faces, `support_alpha` for a scene without a boundary or a volume without faces under support, or
    /// `has_interfaces` for a scene without indices of materials, and as `check`.
    void apply(Scene& scene, SurfaceMeshView const& surface) const;

private:
    void apply_interfaces(Scene& scene) const;
};

struct MediumRequest {
    std::optional<float> scale; ///< extinction in 1/mm at density 1
    std::optional<float> g;
    std::optional<float> roulette_w_min; ///< 0: no roulette
    std::optional<MajorantKind> majorant;
    std::optional<LongSteps> long_steps;
    bool picks_long_steps = false; ///< they are chosen by volume, scene and device (choose_long_steps)
    std::optional<std::uint32_t> depth_limit;

    /// Error (usage) for fields that contradict each other.
    void check() const;
    /// Leaves `picks_long_steps` to the caller, who has the volume. Error as `check`.
    void apply(Scene& scene) const;
};

} // namespace volpt
