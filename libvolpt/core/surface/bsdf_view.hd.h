// A surface that bounds no medium as paths read it: which BSDF, and its parameters.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// Reflectance over a surface: one colour, two in a checkerboard, or a picture.
struct TextureView {
    float colour[2][kMaxBands] = {};
    float checks_u = 0; ///< squares per unit of u and v; 0: colour[0] everywhere
    float checks_v = 0;
    std::uint32_t width = 0; ///< of the picture, which is repeated; 0: none
    std::uint32_t height = 0;
    float const* texels = nullptr; ///< [row][column][band], the first row at v = 1
};

/// Floats of its picture, if it has one.
VOLPT_HD std::size_t count_texels(TextureView const& texture, std::uint32_t bands)
{
    return static_cast<std::size_t>(texture.width) * texture.height * bands;
}

/// The names are those of Mitsuba's plugins.
enum class BsdfKind : std::uint32_t {
    diffuse = 0,
    phong = 1,      ///< diffuse, and a lobe about the mirrored direction
    conductor = 2,  ///< smooth
    dielectric = 3, ///< smooth or rough, clear on both sides
    thin_dielectric = 4,
    null = 5, ///< lets light pass
};

struct BsdfView {
    BsdfKind kind = BsdfKind::diffuse;
    std::uint32_t two_sided = 0;      ///< opaque kinds: 0: black from behind
    TextureView diffuse;              ///< of diffuse and phong; conductors: a factor
    float specular[kMaxBands] = {};   ///< of phong
    float exponent = 0;               ///< of phong
    float specular_share = 0;         ///< phong: probability of its lobe
    std::uint32_t has_fresnel = 0;    ///< conductors: 0: reflects everything
    float eta[kMaxBands] = {};        ///< conductors: index of refraction by band
    float extinction[kMaxBands] = {}; ///< and its imaginary part
    BoundaryView boundary;            ///< dielectrics; inside is behind the front
};

} // namespace volpt
