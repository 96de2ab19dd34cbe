// The number types that foreign volumes are stored in, and their decoding to float.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

enum class ElementType { u8, i8, u16, i16, u32, i32, u64, i64, f16, f32, f64 };

enum class ByteOrder { little, big };

std::size_t element_size_bytes(ElementType type);
std::string_view element_name(ElementType type); ///< "u8", "f32"
bool is_integer(ElementType type);

/// True if every value of the type is a float: no rounding on decode.
bool is_exact_in_float(ElementType type);

/// The numbers that mean 0 and 1 in a colour: 0 and the largest of u8 and u16, 0 and 1 elsewhere.
std::array<double, 2> find_colour_range(ElementType type);

/// "u16", "f32be": a name of element_name, with "le" or "be" for the byte order (little where absent).
struct StoredType {
    ElementType type = ElementType::u8;
    ByteOrder order = ByteOrder::little;
};
std::optional<StoredType> parse_stored_type(std::string_view name);
/// "u8, i8, u16, ...", for messages.
std::string list_element_names();

/// Decodes values.size() elements, rounding to the nearest float; f16 infinities and NaN become float ones. `bytes`
/// holds exactly that many elements.
void decode_elements(StoredType stored, std::span<std::byte const> bytes, std::span<float> values);

} // namespace volpt
