// Predicts the colour of a mixture of inks by two fluxes: fast, and accurate enough for choosing inks.
//
// Kubelka & Munk 1931; Kubelka 1948; van Gemert & Star 1987; Saunderson 1942.
#pragma once

#include "libvolpt/colour/colour_space.h"
#include "libvolpt/medium/materials.h"

#include <span>
#include <vector>

namespace volpt {

inline constexpr std::size_t kInksMost = 12; ///< the search grows with their number, and no printer has more

/// A layer of mixed inks on a core of one of them, under even light, seen along the normal with the first reflection
/// included. Fractions are of the volume; extinction and scattering of a mixture are linear in them, and so are
///
///     K = 2 sigma_a,    S = 3/4 sigma_s (1 - g) - 1/4 sigma_a,    not less than 0
///
/// (van Gemert & Star 1987). The layer's reflectance over the core's is Kubelka's; the table's index of refraction adds
/// what the interface reflects (Saunderson 1942), also inside, at the bottom of the core. Colours are relative to D65.
class InkModel {
public:
    /// Error (usage) if the table's bands have no colours. Thicknesses in mm, positive.
    InkModel(MaterialTable const& table, std::size_t core, double ink_depth_mm, double core_mm);

    std::size_t inks() const noexcept { return inks_; }
    std::size_t core() const noexcept { return core_; }

    /// Relative X, Y, Z under D65. One fraction per ink, not negative.
    Triple predict_xyz(std::span<double const> fractions) const;
    Triple predict_lab(std::span<double const> fractions) const { return to_lab(predict_xyz(fractions)); }
    /// Of the core's material alone.
    Triple const& paper_xyz() const noexcept { return paper_xyz_; }

private:
    std::size_t inks_;
    std::size_t core_;
    double ink_depth_mm_;
    double reflected_outside_ = 0;   ///< of light along the normal
    double reflected_inside_ = 0;    ///< of diffuse light
    std::vector<double> absorption_; ///< K of [band * inks + ink], 1/mm
    std::vector<double> scattering_; ///< S, not bounded yet
    std::vector<double> behind_;     ///< by band, reflectance of the core inside the medium
    std::vector<Triple> weights_;    ///< by band
    Triple paper_xyz_{};
};

/// The material behind inks: the one named; without a name W, or, if there is none, the one of the highest luminance.
/// Error (usage) if there is none of that name.
std::size_t choose_core_material(MaterialTable const& table, std::string const& name, double ink_depth_mm,
                                 double core_mm, std::string const& table_name);

} // namespace volpt
