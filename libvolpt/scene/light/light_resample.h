// Area-exact resampling of lat-long pictures into the hemisphere squares of a light image.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// Takes pictures of one size to squares of one edge. A pixel has one value on its own solid angle, and a texel is the
/// mean of the pixels that its cell covers. The integral over the sphere of what core looks up (read_light_image:
/// bilinear between texel centres) is that of the pixels, to the rounding of floats, for every pixel alone. A constant
/// picture keeps its value. IEEE operations and series alone: the same bits on every host.
class LightResampler {
public:
    /// `edge` is even. Pictures are lat-long: rows from up to down, equally spaced in angle; columns begin at +y of the
    /// light's frame and turn towards +x.
    LightResampler(std::uint32_t width, std::uint32_t height, std::uint32_t edge);

    /// `values` are [row][column], not negative; the result is [hemisphere][row][column].
    std::vector<float> resample(std::span<float const> values) const;

private:
    struct Corner {
        double z;
        std::uint32_t row; ///< of the picture, in its upper half
    };
    class PicturePlane;

    void place_sides();
    void measure_cells();
    void balance_cells();
    void resample_quarter(PicturePlane const& picture, std::uint32_t quarter_turns, float* texels) const;

    std::size_t corner(std::size_t i, std::size_t j) const { return i * (cells_ + 1) + j; }
    std::size_t cell(std::size_t i, std::size_t j) const { return i * cells_ + j; }

    double width_;
    std::size_t cells_;         ///< per axis in a quarter of a square, the one with 2u - 1 = a >= 0 and 2v - 1 = b >= 0
    std::vector<double> row_z_; ///< of the picture, at the upper ends of its rows; the last is -1
    std::vector<Corner> corners_; ///< of cells, [a][b]
    std::vector<double> along_a_; ///< by lower corner: where the side towards higher a crosses the rows, in columns
    std::vector<double> along_b_; ///< the same for the side towards higher b
    std::vector<double> areas_;   ///< of cells, in columns times z
    std::vector<double> flows_;   ///< from cell (i - 1, j) into (i, j); transposed, those along b
};

} // namespace volpt
