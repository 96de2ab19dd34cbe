// What ImageJ and tifffile write into ImageDescription about the planes of a stack.
//
// ImageJ: ij/io/FileSaver.java, getDescriptionString (imagej.net). tifffile: "shaped" series
// (github.com/cgohlke/tifffile).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volpt {

/// Planes follow each other channel by channel, then slice by slice, then in time.
struct ImagejText {
    std::uint64_t images = 1;
    std::uint64_t channels = 1;
    std::uint64_t slices = 1;
    std::uint64_t frames = 1;
    std::string unit;                    ///< as written; empty: pixels
    std::optional<double> unit_mm;       ///< none: no length
    std::optional<double> depth_unit_mm; ///< of the spacing, where it has a unit of its own
    std::optional<double> spacing;       ///< between slices

    std::uint64_t count_planes() const { return images; }
};

/// None if ImageJ did not write the text. A stack without slices, channels and frames has slices.
std::optional<ImagejText> parse_imagej(std::string_view text);

/// Width, height and samples of a page.
using TiffPageShape = std::array<std::uint64_t, 3>;

/// An array of tifffile: axes before those of a page are slices, channels, and times or others.
struct TiffShape {
    std::uint64_t volumes = 1;
    std::uint64_t channels = 1;
    std::uint64_t slices = 1;

    std::uint64_t count_planes() const { return volumes * channels * slices; }
    /// Number of a plane in the order of the array.
    std::uint64_t find_plane(std::uint64_t volume, std::uint64_t slice, std::uint64_t channel) const;

    /// Of the array, slowest first: 'Z', 'C' or 'T' (volumes), and the length.
    std::vector<std::pair<char, std::uint64_t>> axes;
};

/// None if tifffile did not write the text. Axes that it names are taken as named; of others the last is slices. Error
/// (input) names `where` if the shape does not end in pages of `page`.
std::optional<TiffShape> parse_shape(std::string_view text, TiffPageShape const& page, std::string const& where);

} // namespace volpt
