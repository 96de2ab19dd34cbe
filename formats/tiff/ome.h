// OME-XML: which plane of a TIFF file is which slice, channel and time, and how large its pixels are.
//
// OME Data Model and OME-TIFF specification, schema 2016-06 (ome-model.readthedocs.io).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct OmeChannel {
    std::string name;
    std::uint64_t samples = 1; ///< that a pixel of its plane has
};

/// A TiffData element: planes from (z, c, t) on, which follow each other in the order of the dimensions.
struct OmeTiffData {
    std::optional<std::uint64_t> page; ///< IFD
    std::optional<std::uint64_t> count;
    std::array<std::uint64_t, 3> first{0, 0, 0}; ///< z, c, t
    std::string file;                            ///< FileName of UUID; empty: the file itself
    std::string uuid;
};

struct OmeImage {
    std::string name;
    std::array<std::uint64_t, 2> size{0, 0};         ///< x, y
    std::array<std::uint64_t, 3> planes{1, 1, 1};    ///< z, c, t
    std::array<std::size_t, 3> order{0, 1, 2};       ///< of z, c, t, the fastest first
    std::array<std::optional<double>, 3> pixel_mm{}; ///< PhysicalSizeX, Y, Z
    std::string unknown_unit;                        ///< of a PhysicalSize that is no length
    std::vector<OmeChannel> channels;                ///< as many as SizeC, or fewer with several samples
    std::vector<OmeTiffData> data;
};

struct OmeDocument {
    std::string uuid;
    std::string metadata_file; ///< of BinaryOnly: the file with the images' description
    std::vector<OmeImage> images;
};

/// A text with an OME element.
bool is_ome_text(std::string_view text);

/// Error (input) names `where`, element and attribute of what cannot be read.
OmeDocument parse_ome(std::string_view text, std::string const& where);

/// Where a plane lies.
struct OmePlace {
    std::string file; ///< as in OmeTiffData
    std::string uuid;
    std::uint64_t page = 0; ///< of the file, from 0
};

/// Pages of a file, named as in OmeTiffData.
using CountOmePages = std::function<std::uint64_t(std::string const& file, std::string const& uuid)>;

/// By z + planes[0] * (c + channels * t), where `channels` planes are at a place: none where no TiffData says so. Error
/// (input) for a TiffData outside the image.
std::vector<std::optional<OmePlace>> place_ome_planes(OmeImage const& image, std::uint64_t channels,
                                                      std::string const& where, CountOmePages const& count_pages);

} // namespace volpt
