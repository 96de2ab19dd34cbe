// The text header of an NRRD volume (.nrrd, .nhdr): fields verbatim, and what they mean.
//
// Source: "Definition of NRRD File Format", teem.sourceforge.net/nrrd/format.html (NRRD0001 to NRRD0005).
#pragma once

#include "libvolpt/volume/element_type.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volpt {

enum class NrrdEncoding { raw, text, gzip };

struct NrrdHeader {
    std::vector<std::pair<std::string, std::string>>
        fields; ///< fields (lower case) and keys, in order, values verbatim
    std::array<int, 3> dims{1, 1, 1};
    int channels = 1;                  ///< numbers of the first axis, if that is not one of space
    bool are_channels_volumes = false; ///< the first axis has a number of each of several volumes: times, a list
    std::uint64_t volumes = 1;         ///< of an axis behind those of space: volumes follow each other
    StoredType stored;
    NrrdEncoding encoding = NrrdEncoding::raw;
    std::int64_t byte_skip = 0; ///< -1: the voxels are the last bytes
    std::uint64_t line_skip = 0;
    std::optional<std::array<double, 3>> pitch_mm;
    std::string pitch_origin;                                  ///< "spacings"
    std::optional<std::array<double, 3>> first_voxel_world_mm; ///< in LPS where the file's space is anatomical
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1};
    std::vector<std::string> data_files; ///< empty: the voxels follow the header
    std::size_t end_of_header = 0;       ///< offset just after the empty line
    std::vector<std::string> notices;
};

bool is_nrrd(std::string_view head);

/// `text` is the file from its start, data included if they follow. Error (input) names `where`, the field and its
/// value.
NrrdHeader parse_nrrd_header(std::string_view text, std::string const& where);

} // namespace volpt
