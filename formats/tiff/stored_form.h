// How a page of a TIFF file keeps its samples, and what it holds of a volume. For sandboxed processes.
#pragma once

#include "formats/tiff/messages.h"
#include "formats/tiff/pixels.h"
#include "libvolpt/volume/element_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <tiffio.h>

namespace volpt {

inline constexpr std::size_t kMaxTiffPages = 65535;

/// The value of a tag, or its default.
template <typename Value>
std::optional<Value> get_tiff_tag(TIFF* tiff, std::uint32_t tag)
{
    Value value{};
    if (TIFFGetFieldDefaulted(tiff, tag, &value) != 1) return std::nullopt;
    return value;
}

/// How the samples of the current directory are kept, and the type that they are given as.
struct StoredForm {
    TiffSamples samples;
    ElementType element = ElementType::u8;
    bool is_palette = false; ///< samples are indices, given as R G B
};

/// Of the current directory, which is page.number of its file; sets all of `page` but its file. `are_indices_numbers`:
/// a palette is how they were shown. Sizes that the file merely claims are bounded before anything is allocated. Error
/// (input) names `path` and the page for what is not read.
StoredForm read_tiff_page(TIFF* tiff, TiffPage& page, bool are_indices_numbers, std::string const& path,
                          std::uint64_t file_bytes);

/// Where plain numbers begin that follow each other without a gap; none if they do not.
std::optional<std::uint64_t> find_plain_start(TIFF* tiff);

using TiffColourMaps = std::array<std::uint16_t*, 3>;

/// Error (input) starts with `where` if there is no palette.
TiffColourMaps get_tiff_palette(TIFF* tiff, std::string const& where);
std::size_t count_palette_colours(TIFF* tiff);

} // namespace volpt
