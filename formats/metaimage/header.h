// The text header of a MetaImage (.mha, .mhd): keys verbatim, and what they mean.
//
// The format is that of MetaIO (Kitware) as ITK and VTK write it; docs/formats/metaimage.md describes what is read.
#pragma once

#include "libvolpt/volume/element_type.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct MetaImageHeader {
    std::vector<std::pair<std::string, std::string>> keys; ///< every "key = value" line, in order, values trimmed
    std::array<int, 3> dims{1, 1, 1};                      ///< a 2D image has one layer
    StoredType stored;
    std::uint64_t volumes = 1; ///< sizes behind the third, which follow each other
    int channels = 1;          ///< numbers per voxel
    bool is_binary = true;
    bool is_compressed = false;
    std::optional<std::uint64_t> compressed_bytes;
    std::int64_t header_bytes = 0; ///< to skip in the data file; -1: the data are its last bytes
    std::optional<std::array<double, 3>> spacing_mm;
    std::optional<std::array<double, 3>> first_voxel_world_mm;
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, columns are the voxel axes
    std::string data_file;                                     ///< value of ElementDataFile
    std::vector<std::string> notices;
    std::size_t end_of_header = 0; ///< offset just after the ElementDataFile line: LOCAL data or the names of a LIST

    bool is_local() const; ///< the voxels follow the header in the same file
    /// The last value of a key, or nullptr.
    std::string const* find(std::string_view key) const;
};

/// True if the text reads like a MetaImage header: at least two of the format's own keys stand at line starts.
bool is_metaimage_header(std::string_view head);

/// `text` is the file from its start, data included if they follow. Error (input) names `where`, the key and its value.
MetaImageHeader parse_metaimage_header(std::string_view text, std::string const& where);

} // namespace volpt
