// What the surfaces of a Mitsuba scene do to light.
#pragma once

#include "formats/mitsuba/texture.h"
#include "libvolpt/core/surface/bsdf_view.hd.h"
#include "libvolpt/scene/scene_hints.h"

namespace volpt {

/// Colours are red, green and blue; a BsdfView is made of it when the number of bands is known.
struct MitsubaBsdf {
    BsdfKind kind = BsdfKind::diffuse;
    bool is_two_sided = false;
    MitsubaTexture diffuse;           ///< of conductors a factor
    std::array<double, 3> specular{}; ///< of phong
    double exponent = 0;
    double specular_share = 0;
    bool has_fresnel = false;
    std::array<double, 3> eta{};
    std::array<double, 3> extinction{};
    BoundarySpec boundary; ///< of dielectrics

    bool is_opaque() const
    {
        return kind == BsdfKind::diffuse || kind == BsdfKind::phong || kind == BsdfKind::conductor;
    }
    bool is_coloured() const;
};

/// diffuse, phong, conductor, dielectric, roughdielectric, thindielectric, null, and twosided around the opaque ones.
/// Absent with `reason` for others. Error (input) for values out of range and materials that are not known.
std::optional<MitsubaBsdf> read_mitsuba_bsdf(MitsubaTree const& tree, MitsubaNode const& bsdf,
                                             std::vector<std::string>& notices, std::string& reason);

/// With `bands` of 1 (luminance of colours) or 3. `texels` become those of the view, whose pointer stays null: first
/// row at v = 1, v upwards.
BsdfView make_bsdf_view(MitsubaBsdf const& bsdf, std::size_t bands, std::vector<float>& texels);

} // namespace volpt
