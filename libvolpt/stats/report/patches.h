// Rectangles of a picture, and their mean colours.
#pragma once

#include "libvolpt/colour/colour.h"
#include "libvolpt/image/displayed.h"

#include <span>
#include <string>
#include <vector>

namespace volpt {

/// Pixels x .. x + width - 1, y .. y + height - 1, inside the picture.
struct Patch {
    std::string name;
    int x = 0, y = 0, width = 1, height = 1;
};

struct PatchColours {
    Patch patch;
    Colour target_rgb, prediction_rgb; ///< means of linear sRGB
    Colour target_lab, prediction_lab; ///< of these means, under the illuminant; linear 1 is white
    float de2000 = 0;                  ///< between the two
    float noise = 0;                   ///< Delta E 2000 of the noise of the mean
};

/// Chooses even patches of different colours. Candidates are those of a grid of about 24 x 24 squares whose scatter in
/// L*a*b* is at most the median. The first patch is the lightest; each further one is that farthest (CIE 1976) from all
/// chosen ones, as long as this is at least 5. None has a NaN. At most `count`, named 1, 2, ... Depends only on the
/// picture, over white where it has alpha. Error (usage) without colours.
std::vector<Patch> choose_patches(Image const& picture, std::size_t count);

/// `noise`: the expected CIEDE2000 of each pixel's noise, row by row, or empty; that of independent pixels falls with
/// the root of their number. Pixels that are NaN are left out of their patch. If a picture is not opaque, both are
/// displayed over each of the backgrounds, and the largest difference of a patch counts. Error (usage) if a patch
/// leaves the picture, sizes differ or colours are missing.
std::vector<PatchColours>
measure_patches(Image const& target, Image const& prediction, std::vector<Patch> const& patches,
                Illuminant illuminant = Illuminant::d65, std::span<float const> noise = {},
                std::vector<DisplayBackground> const& backgrounds = list_default_backgrounds());

} // namespace volpt
