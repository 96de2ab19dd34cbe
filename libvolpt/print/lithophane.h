// Lithophanes: plates that show a picture by their thickness when light falls through them.
#pragma once

#include "libvolpt/image/stored_image.h"
#include "libvolpt/surface/triangle_mesh.h"

#include <string>
#include <vector>

namespace volpt {

/// Of a plate's medium, per mm, and its index of refraction.
struct LithophaneMedium {
    double sigma_a = 0;
    double sigma_s_reduced = 1;
    double ior = 1.5;
};

struct LithophaneOptions {
    double width_mm = 100;
    double thinnest_mm = 0.8; ///< where the picture is white
    double thickest_mm = 3;   ///< where it is black
    LithophaneMedium medium = {};
};

inline constexpr double kLithophaneCell_mm = 0.2; ///< between vertices; half a printer's line
inline constexpr int kMostLithophaneCells = 600;  ///< along the longer side

/// Diffuse light that passes a slab, relative to one of no thickness: sinh(2 z k) / sinh((d + 2 z) k), with the
/// effective attenuation k and extrapolated boundaries at a distance z (Contini, Martelli, Zaccanti 1997), where the
/// inner reflection is that of Groenhuis, Ferwerda, ten Bosch 1983. Rough for a slab of a few free paths, or one that
/// absorbs much: diffusion theory.
double find_slab_transmittance(LithophaneMedium const& medium, double thickness_mm);

/// The thickness that has it: the inverse. `transmittance` above 0, at most 1.
double find_slab_thickness(LithophaneMedium const& medium, double transmittance);

/// Light through the thickest place over light through the thinnest: how dark the darkest place is.
double find_darkest(LithophaneOptions const& options);

/// By vertex, top row first: where the picture has luminance Y (linear, 0..1), the plate lets through (b + (1 - b) Y)
/// of what it does where it is thinnest, b = find_darkest.
struct LithophaneRelief {
    int columns = 0;
    int rows = 0;
    std::vector<float> thickness_mm;
};

/// A vertex every kLithophaneCell_mm, but no more cells than the picture has pixels, or kMostLithophaneCells along a
/// side. Error (usage) unless 0 < thinnest < thickest, if a side has fewer than three vertices, or if the plate lets no
/// light through where it is thickest; Error (input) names `where` for a picture that sample_target refuses.
LithophaneRelief make_lithophane_relief(StoredImage const& picture, LithophaneOptions const& options,
                                        std::string const& where);

/// A closed mesh that stands upright: x from left to right, z upwards, the relief towards -y, its flat back at y = 0,
/// centred in x, its lower edge at z = 0. As high as the relief's proportions say.
TriangleMesh make_lithophane_mesh(LithophaneRelief const& relief, double width_mm);

} // namespace volpt
