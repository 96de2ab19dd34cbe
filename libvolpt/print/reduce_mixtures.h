// Continuous mixtures in a volume of labels: at most 256 mixtures that stand for all of a picture's.
//
// P. Heckbert, Color Image Quantization for Frame Buffer Display, SIGGRAPH 1982 (median cut).
#pragma once

#include "libvolpt/print/ink_model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// As in a labelled volume; the first is the core's material alone.
struct MixtureTable {
    std::vector<std::vector<double>> mixtures; ///< fractions of each ink
    std::vector<std::uint8_t> labels;          ///< one a texel
};

/// `parts`: mixtures of texels in kVoxelParts, inks fastest. The box of colours (L*, a*, b* as the model predicts them)
/// with the greatest sum of squared distances from its mean is cut at its mean, across its longest side, until there
/// are `most` mixtures or no two colours share one; each box is shown by the mean of its mixtures.
MixtureTable reduce_mixtures(InkModel const& model, std::span<std::uint16_t const> parts, std::size_t most);

/// Volumes add up, so sigma_t and sigma_s of a mixture are linear in the fractions; g is the mean by scattering, over
/// all bands.
Material mix_materials(std::span<Material const> materials, std::span<double const> fractions, std::string name);

} // namespace volpt
