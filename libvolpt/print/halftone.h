// Mixtures of inks as labels: one ink per voxel by error diffusion, or a reduced table of mixtures.
//
// Floyd & Steinberg 1976; Lou & Stucki 1998 and Brunton, Arikan & Urban 2015 (in three dimensions); Eschbach & Knox
// 1991 (modulated thresholds). P. Heckbert, Color Image Quantization for Frame Buffer Display, SIGGRAPH 1982 (median
// cut).
#pragma once

#include "libvolpt/print/ink_choice.h"
#include "libvolpt/print/ink_model.h"

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Rounds a mixture that sums to 1 to parts that sum to kVoxelParts.
void round_mixture(std::span<double const> fractions, std::span<std::uint16_t> parts);

/// Error diffusion through slices. A voxel takes one of its texel's inks (InkChoice): no dot appears where none was
/// asked for. The remaining error goes to the neighbours in the slice, all of it (Floyd and Steinberg's weights, rows
/// in alternating directions, every other slice from the opposite end). That of the last row goes to the next slice,
/// which begins there: slices are one long strip of rows, the picture and its mirror image in turn, and no row is the
/// last one that has to pay what is left. The error that earlier slices left in a column of voxels shifts the choice,
/// so that the slices complement one another. Every row and column holds its share of every ink as nearly as if each
/// voxel were drawn by itself, or nearer, the outermost included; a slice to within a few hundredths of a voxel per
/// column.
///
/// What a row that ends a slice owes is not paid within it: pushed along the row to its end, or kept back in it until
/// the next slice, the debts of a whole slice made a dark line there, or a wedge of dots in a corner.
///
/// A soft dark hair (a Gaussian across rows) leaves errors of about -.04 voxels of its ink in each column. A pale tone
/// of share w pays them off within .2 / w rows, so that a sky of 2e-4 of black beside the hair lacks up to .02 voxels
/// per column and slice, whatever its height: in 355 columns 3.4 of 9 per slice in 130 rows, 7 of 107 in 1500. The hair
/// has them, .2 % of its own. Beside a hair with a sharp edge the sky lacks a third of that.
///
/// Passing part of the error itself to the next slice, as Lou & Stucki do, starves the first slices of pale tones and
/// floods the last: 2 % of black in 19 slices gave 0.0 % in the first and 10.9 % in the last (a quarter passed on).
/// With this rule every slice has 2.0 %, and sums over columns of voxels vary 0.17 times as much as independent
/// random choices would at 10 %.
class InkDiffusion {
public:
    /// `parts` are mixtures of width * height texels, inks fastest; they have to outlive this object.
    InkDiffusion(int width, int height, std::size_t inks, std::span<std::uint16_t const> parts);

    /// The next slice, width * height labels.
    void halftone_slice(std::span<std::uint8_t> labels);

    /// Voxels of each ink that the slices so far are short of, or too many if negative: what is lost if there is no
    /// further slice.
    std::vector<double> find_unpaid_voxels() const;

private:
    void spread(std::int32_t const* error, int x, int dx);

    int width_;
    int height_;
    std::size_t inks_;
    std::span<std::uint16_t const> parts_;
    std::vector<std::int32_t> rows_[2]; ///< errors of this row and the next, inks fastest
    std::vector<std::int32_t> owed_;    ///< errors of every column from earlier slices, inks fastest
    InkChoice choice_;
    int slice_ = 0;
};

/// At most 256 mixtures, by label as in a labelled volume; the first is the core's material alone.
struct MixtureTable {
    std::vector<std::vector<double>> mixtures; ///< fractions of each ink
    std::vector<std::uint8_t> labels;          ///< one per texel
};

/// `parts`: mixtures of texels in kVoxelParts, inks fastest. Median cut in L*, a*, b* as the model predicts them: the
/// box of colours with the greatest sum of squared distances from its mean is cut at its mean, across its longest side,
/// until there are `most` mixtures or every box holds one colour. A box is represented by the mean of its mixtures.
MixtureTable reduce_mixtures(InkModel const& model, std::span<std::uint16_t const> parts, std::size_t most);

/// Volumes add up, so sigma_t and sigma_s of a mixture are linear in the fractions; its g in a band is the mean by
/// scattering. Error (input) if the bands' differ by more than 1e-4: a material has one g for all bands.
Material mix_materials(std::span<Material const> materials, std::span<double const> fractions, std::string name);

} // namespace volpt
