// Annotated arrays of the JData specification (NeuroJSON), as text: numbers, or zlib or gzip in base64.
//
// Source: JData specification, draft 3, "Annotated N-D array" (neurojson.org).
#pragma once

#include "libvolpt/volume/element_type.h"

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

enum class JdataOrder { row_major, column_major };

struct JdataArray {
    ElementType type = ElementType::u8;
    std::vector<std::uint64_t> dims;
    JdataOrder order = JdataOrder::row_major; ///< row-major: the last index is fastest
    std::vector<std::byte> bytes;             ///< elements, little-endian, as many as dims say

    std::uint64_t count() const;
};

/// True for an object with "_ArrayType_" and "_ArraySize_".
bool is_jdata_array(nlohmann::json const& value);

/// Error (input) names `where` and the member for what is no such array, has a complex or sparse one, another
/// compression, or another number of bytes than its size says; also if it takes more than `most_bytes`. Never allocates
/// more than the data can hold.
JdataArray read_jdata_array(nlohmann::json const& value, std::string const& where, std::uint64_t most_bytes);

/// RFC 4648. Blanks and line breaks are skipped. Error (input) names `where` for other letters.
std::vector<std::byte> decode_base64(std::string_view text, std::string const& where);

} // namespace volpt
