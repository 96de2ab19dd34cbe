// Colour separation: the mixture of inks that shows a colour, as a table over sRGB whose entries are solved on demand.
//
// The inverse of libvolpt/print/ink_model.h by Levenberg-Marquardt steps (Marquardt 1963) inside the simplex of
// mixtures.
#pragma once

#include "libvolpt/print/ink_model.h"
#include "libvolpt/sys/text/enum_words.h"

#include <array>

namespace volpt {

/// `relative`: the picture's white is the core's material (ICC's media-relative colorimetry); `absolute`: the picture's
/// colours are the print's.
enum class Intent { relative, absolute };
template <>
inline constexpr auto kWords<Intent> = list_words<Intent>({{Intent::relative, "relative"},
                                                           {Intent::absolute, "absolute"}});

class InkSeparation {
public:
    InkSeparation(InkModel const& model, Intent intent);

    /// L*, a*, b* that a picture's colour (linear sRGB, 0..1) asks for.
    Triple find_aim(std::array<double, 3> const& linear_rgb) const;

    /// The picture's colour, linear sRGB, that a predicted one answers: the inverse of find_aim.
    Triple find_printed(Triple const& xyz) const;

    /// The mixture for a colour, linear between the six tetrahedra of the cells of a table of 33^3 colours, even steps
    /// of sRGB code. Fractions sum to 1; the relative white is the core's material alone.
    void separate(std::array<double, 3> const& linear_rgb, std::span<double> fractions);

    /// Of all mixtures that come closest to the aim (CIE 1976), the one with the least ink besides the core's
    /// material.
    std::vector<double> solve(Triple const& aim) const;

private:
    double const* find_node(std::array<int, 3> const& node);
    std::vector<double> choose_start(Triple const& aim) const;

    InkModel const& model_;
    Intent intent_;
    std::vector<double> lattice_;     ///< mixtures of even steps, inks fastest
    std::vector<Triple> lattice_lab_; ///< their colours
    std::vector<double> nodes_;       ///< inks fastest
    std::vector<std::uint8_t> is_solved_;
};

} // namespace volpt
