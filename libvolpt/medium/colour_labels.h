// Which label a pixel's colour stands for: exactly, or the nearest material's where pictures were smoothed.
#pragma once

#include "libvolpt/medium/materials.h"

#include <span>

namespace volpt {

struct ColourLabel {
    std::uint32_t colour = 0; ///< 0xRRGGBBAA
    std::uint8_t label = 0;
};

/// Whether R, G and B are about equal, so that the colour has no hue.
bool is_grey(std::uint32_t colour);

class ColourLabels {
public:
    enum class Kind { exact, resin, snapped, unknown };
    struct Match {
        Kind kind = Kind::unknown;
        std::uint8_t label = 0;
        int distance = 0; ///< largest difference of R, G and B, in codes
    };
    static constexpr int kNearDistance = 30;
    /// A mixture of two colours is at most so far from the nearer one.
    static constexpr int kMixtureDistance = 128;

    /// `more` goes before the table's own colours. `snap`, 0 to 255, is the largest distance at which a colour that is
    /// not known becomes that of the nearest material; 0 for none. Beyond kMixtureDistance only one of its hue does.
    ColourLabels(MaterialTable const& table, std::span<ColourLabel const> more, int snap);

    /// A colour that is known is exact, and then that of a Vero resin (resins.def) which the table has is one of kind
    /// resin. Otherwise alpha 0 is air, if the table has air; with snap, alpha below 128 is
    /// air too, and the rest is compared as if it were opaque.
    Match find(std::uint32_t colour) const;

    /// The opaque material of the smallest distance, of equals the one of the smallest sum of squares, then the first.
    /// Kind exact if the distance is 0; unknown if nothing is opaque.
    Match find_nearest(std::uint32_t colour) const;
    /// The same among those of about its hue, or at most kNearDistance away: what the colour may have been meant for.
    Match find_nearest_of_hue(std::uint32_t colour) const;

    std::span<ColourLabel const> list() const { return known_; }

private:
    enum class Candidates { all, of_hue };
    Match find_nearest_among(std::uint32_t colour, Candidates candidates) const;

    std::vector<ColourLabel> known_;
    std::vector<ColourLabel> resins_;
    std::optional<std::uint8_t> air_;
    int snap_;
};

} // namespace volpt
