// Decodes elements of any type and byte order to float.
#include "libvolpt/volume/element_type.h"

#include "libvolpt/core/encoding.hd.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>

namespace volpt {
namespace {

struct ElementFacts {
    std::string_view name;
    std::size_t size_bytes;
    bool integer;
    bool exact_in_float;
};

constexpr std::array<ElementFacts, 11> kFacts{{{"u8", 1, true, true},
                                               {"i8", 1, true, true},
                                               {"u16", 2, true, true},
                                               {"i16", 2, true, true},
                                               {"u32", 4, true, false},
                                               {"i32", 4, true, false},
                                               {"u64", 8, true, false},
                                               {"i64", 8, true, false},
                                               {"f16", 2, false, true},
                                               {"f32", 4, false, true},
                                               {"f64", 8, false, false}}};

ElementFacts const& facts(ElementType type)
{
    return kFacts[static_cast<std::size_t>(type)];
}

/// A separate type, so that the bits of a half are not used as an integer.
enum class Half : std::uint16_t {};

template <typename Element>
float to_float(Element element)
{
    if constexpr (std::is_same_v<Element, Half>) {
        auto const bits = static_cast<std::uint32_t>(element);
        if ((bits & 0x7c00u) != 0x7c00u) return half_to_float(bits);
        if ((bits & 0x3ffu) != 0) return std::numeric_limits<float>::quiet_NaN();
        return (bits & 0x8000u) != 0 ? -std::numeric_limits<float>::infinity() : std::numeric_limits<float>::infinity();
    } else {
        // A finite double beyond float's range converts to infinity here (IEEE rounding), which callers refuse by name.
        return static_cast<float>(element);
    }
}

template <typename Element>
void decode_as(ByteOrder order, std::span<std::byte const> bytes, std::span<float> values)
{
    for (std::size_t i = 0; i < values.size(); ++i) {
        std::array<std::byte, sizeof(Element)> raw;
        std::memcpy(raw.data(), bytes.data() + i * sizeof(Element), sizeof(Element));
        if (order == ByteOrder::big) std::reverse(raw.begin(), raw.end());
        values[i] = to_float(std::bit_cast<Element>(raw));
    }
}

} // namespace

std::size_t element_size_bytes(ElementType type)
{
    return facts(type).size_bytes;
}

std::string_view element_name(ElementType type)
{
    return facts(type).name;
}

bool is_integer(ElementType type)
{
    return facts(type).integer;
}

bool is_exact_in_float(ElementType type)
{
    return facts(type).exact_in_float;
}

std::array<double, 2> find_colour_range(ElementType type)
{
    return {0.0, type == ElementType::u8 ? 255.0 : type == ElementType::u16 ? 65535.0 : 1.0};
}

std::optional<StoredType> parse_stored_type(std::string_view name)
{
    StoredType stored;
    if (name.ends_with("be")) stored.order = ByteOrder::big;
    if (name.ends_with("be") || name.ends_with("le")) name.remove_suffix(2);
    for (std::size_t i = 0; i < kFacts.size(); ++i) {
        stored.type = static_cast<ElementType>(i);
        if (kFacts[i].name == name) return stored;
    }
    return std::nullopt;
}

std::string list_element_names()
{
    std::string list;
    for (auto const& fact : kFacts) list += (list.empty() ? "" : ", ") + std::string(fact.name);
    return list;
}

void decode_elements(StoredType stored, std::span<std::byte const> bytes, std::span<float> values)
{
    switch (stored.type) {
    case ElementType::u8:
        return decode_as<std::uint8_t>(stored.order, bytes, values);
    case ElementType::i8:
        return decode_as<std::int8_t>(stored.order, bytes, values);
    case ElementType::u16:
        return decode_as<std::uint16_t>(stored.order, bytes, values);
    case ElementType::i16:
        return decode_as<std::int16_t>(stored.order, bytes, values);
    case ElementType::u32:
        return decode_as<std::uint32_t>(stored.order, bytes, values);
    case ElementType::i32:
        return decode_as<std::int32_t>(stored.order, bytes, values);
    case ElementType::u64:
        return decode_as<std::uint64_t>(stored.order, bytes, values);
    case ElementType::i64:
        return decode_as<std::int64_t>(stored.order, bytes, values);
    case ElementType::f16:
        return decode_as<Half>(stored.order, bytes, values);
    case ElementType::f32:
        return decode_as<float>(stored.order, bytes, values);
    case ElementType::f64:
        return decode_as<double>(stored.order, bytes, values);
    }
}

} // namespace volpt
