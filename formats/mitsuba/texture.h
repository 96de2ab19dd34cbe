// Reflectances of a Mitsuba scene: colours, checkerboards, bitmaps.
#pragma once

#include "formats/mitsuba/values.h"

#include <cstdint>

namespace volpt {

/// Red, green and blue over a surface; v is Mitsuba's, downwards in a bitmap.
struct MitsubaTexture {
    std::array<std::array<double, 3>, 2> colours{{{0.5, 0.5, 0.5}, {0, 0, 0}}}; ///< the second one of checkerboards
    bool is_checkerboard = false; ///< squares of half a unit, the first one colours[0]
    std::uint32_t width = 0;      ///< of a bitmap; 0: none
    std::uint32_t height = 0;
    std::vector<float> texels;                     ///< [row][column][3], first row at v = 0
    std::array<double, 6> to_uv{1, 0, 0, 0, 1, 0}; ///< rows of u and v: factors of u and v, offset

    bool varies() const { return is_checkerboard || width > 0; }
    bool is_coloured() const;
    /// The largest value of any colour.
    double find_largest() const;
    void scale(double factor);
};

/// 0 to 1. Absent with `reason` for what is no colour that is known (spectra by wavelength); Error (input) beyond the
/// range.
std::optional<std::array<double, 3>> read_surface_colour(MitsubaNode const& node, double low, double high,
                                                         std::string& reason);

/// The property `name` of a bsdf; `fallback` where it is absent. Absent with `reason`: another kind of texture. Error
/// (input) for values beyond 0 to 1 in the scene, and pictures that cannot be read; `notices` say what of a bitmap is
/// rendered otherwise.
std::optional<MitsubaTexture> read_mitsuba_texture(MitsubaTree const& tree, MitsubaNode const& bsdf,
                                                   std::string_view name, double fallback,
                                                   std::vector<std::string>& notices, std::string& reason);

} // namespace volpt
