// The header of a PLY file: elements and the types of their properties.
//
// G. Turk, The PLY Polygon File Format (1994).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

enum class PlyType : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

std::size_t ply_size_bytes(PlyType type);

struct PlyProperty {
    std::string name;
    PlyType type = PlyType::f32; ///< of the values
    bool is_list = false;
    PlyType count_type = PlyType::u8; ///< of a list
};

struct PlyElement {
    std::string name;
    std::uint64_t count = 0;
    std::vector<PlyProperty> properties;
};

enum class PlyStorage { ascii, little, big };

struct PlyHeader {
    PlyStorage storage = PlyStorage::ascii;
    std::vector<PlyElement> elements;
    std::size_t size_bytes = 0; ///< where the data begin
};

/// Error (input) names `where` and the line.
PlyHeader parse_ply_header(std::string_view bytes, std::string const& where);

} // namespace volpt
