#include "formats/common/jdata.h"

#include "formats/common/inflate.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>
#include <type_traits>

namespace volpt {
namespace {

using Json = nlohmann::json;

constexpr std::uint64_t kMostElements = std::uint64_t{1} << 40;
constexpr std::uint64_t kMostInflated = 1032; // of deflate, as its authors give it

struct NamedType {
    std::string_view name;
    ElementType type;
};
constexpr NamedType kArrayTypes[] = {
    {"uint8", ElementType::u8},    {"int8", ElementType::i8},     {"uint16", ElementType::u16},
    {"int16", ElementType::i16},   {"uint32", ElementType::u32},  {"int32", ElementType::i32},
    {"uint64", ElementType::u64},  {"int64", ElementType::i64},   {"half", ElementType::f16},
    {"single", ElementType::f32},  {"float32", ElementType::f32}, {"double", ElementType::f64},
    {"float64", ElementType::f64}, {"logical", ElementType::u8},  {"char", ElementType::u8}};

[[noreturn]] void refuse_array(std::string what, std::string const& where, std::string why)
{
    fail_input(std::move(what), where, std::move(why), "write the array again");
}

std::string read_array_text(Json const& array, char const* key, std::string const& where)
{
    auto const found = array.find(key);
    if (found == array.end() || !found->is_string())
        refuse_array(fmt::format("'{}' is no text", key), where, "arrays have one in the JData specification");
    return found->get<std::string>();
}

ElementType read_array_type(Json const& array, std::string const& where)
{
    std::string const name = read_array_text(array, "_ArrayType_", where);
    for (auto const& [known, type] : kArrayTypes)
        if (name == known) return type;
    refuse_array(fmt::format("_ArrayType_ is '{}'", name), where,
                 "integers of 8 to 64 bits, half, single and double are read");
}

std::vector<std::uint64_t> read_dims(Json const& array, std::string const& where)
{
    Json const list = array.value("_ArraySize_", Json());
    std::vector<std::uint64_t> dims;
    std::uint64_t count = 1;
    for (Json const& size : list.is_array() ? list : Json::array({list})) {
        double const n = size.is_number() ? size.get<double>() : 0;
        if (!(n >= 1 && n <= 1e12 && n == std::floor(n)) || dims.size() == 8 ||
            count > kMostElements / static_cast<std::uint64_t>(n))
            refuse_array("_ArraySize_ is no list of sizes, or too large", where, "it has 1 to 8 whole numbers above 0");
        dims.push_back(static_cast<std::uint64_t>(n));
        count *= dims.back();
    }
    return dims;
}

JdataOrder read_order(Json const& array, std::string const& where)
{
    if (!array.contains("_ArrayOrder_")) return JdataOrder::row_major;
    std::string const name = read_array_text(array, "_ArrayOrder_", where);
    if (name == "r" || name == "row") return JdataOrder::row_major;
    if (name == "c" || name == "col" || name == "column") return JdataOrder::column_major;
    refuse_array(fmt::format("_ArrayOrder_ is '{}'", name), where, "it is 'row' or 'column'");
}

template <typename Value>
void put_numbers(Json const& list, std::vector<std::byte>& bytes, std::string const& where)
{
    std::size_t at = 0;
    for (Json const& element : list) {
        if (!element.is_number())
            refuse_array("_ArrayData_ has an element that is no number", where, "arrays hold numbers");
        double const number = element.get<double>();
        // Out of range would be undefined; floats take all.
        if constexpr (std::is_integral_v<Value>)
            if (!(number >= static_cast<double>(std::numeric_limits<Value>::lowest()) &&
                  number < static_cast<double>(std::numeric_limits<Value>::max()) + 1))
                refuse_array(fmt::format("_ArrayData_ has {}, which its type does not hold", number), where, {});
        auto const value = static_cast<Value>(number);
        std::memcpy(bytes.data() + at, &value, sizeof value);
        at += sizeof value;
    }
}

std::vector<std::byte> read_numbers(Json const& list, ElementType type, std::uint64_t count, std::string const& where)
{
    if (!list.is_array() || list.size() != count)
        refuse_array(fmt::format("_ArrayData_ has {} elements, _ArraySize_ asks for {}", list.size(), count), where,
                     "they have to agree");
    std::vector<std::byte> bytes(static_cast<std::size_t>(count) * element_size_bytes(type));
    switch (type) {
    case ElementType::u8:
        put_numbers<std::uint8_t>(list, bytes, where);
        break;
    case ElementType::i8:
        put_numbers<std::int8_t>(list, bytes, where);
        break;
    case ElementType::u16:
        put_numbers<std::uint16_t>(list, bytes, where);
        break;
    case ElementType::i16:
        put_numbers<std::int16_t>(list, bytes, where);
        break;
    case ElementType::u32:
        put_numbers<std::uint32_t>(list, bytes, where);
        break;
    case ElementType::i32:
        put_numbers<std::int32_t>(list, bytes, where);
        break;
    case ElementType::u64:
        put_numbers<std::uint64_t>(list, bytes, where);
        break;
    case ElementType::i64:
        put_numbers<std::int64_t>(list, bytes, where);
        break;
    case ElementType::f32:
        put_numbers<float>(list, bytes, where);
        break;
    case ElementType::f64:
        put_numbers<double>(list, bytes, where);
        break;
    case ElementType::f16:
        refuse_array("_ArrayData_ of type half is not read", where, "numbers in text are 'single' or 'double'");
    }
    return bytes;
}

/// Exactly `size_bytes`, from a zlib stream or the members of a gzip file.
std::vector<std::byte> inflate_all(std::span<std::byte const> packed, std::uint64_t size_bytes,
                                   std::string const& where)
{
    if (size_bytes / kMostInflated > packed.size())
        refuse_array(fmt::format("{} compressed bytes cannot hold {}", packed.size(), size_bytes), where,
                     "_ArrayZipData_ is cut short, or _ArraySize_ is wrong");
    std::vector<std::byte> bytes(static_cast<std::size_t>(size_bytes));
    InflatedBytes const inflated = inflate_bytes(packed, bytes);
    if (!inflated.is_whole || inflated.count != bytes.size())
        refuse_array(fmt::format("the compressed data are damaged, or hold other than {} bytes", size_bytes), where,
                     "_ArraySize_ and _ArrayType_ ask for that many");
    return bytes;
}

std::vector<std::byte> read_packed(Json const& array, std::uint64_t size_bytes, std::string const& where)
{
    std::string const method = read_array_text(array, "_ArrayZipType_", where);
    auto const data = array.find("_ArrayZipData_");
    if (data == array.end() || !data->is_string())
        refuse_array("_ArrayZipData_ is no text", where, "in JSON, compressed data are in base64");
    std::vector<std::byte> packed = decode_base64(data->get_ref<std::string const&>(), where);
    if (method == "base64") {
        if (packed.size() != size_bytes)
            refuse_array(
                fmt::format("_ArrayZipData_ holds {} bytes, _ArraySize_ asks for {}", packed.size(), size_bytes), where,
                "they have to agree");
        return packed;
    }
    if (method == "zlib" || method == "gzip") return inflate_all(packed, size_bytes, where);
    fail_input(fmt::format("_ArrayZipType_ is '{}'", method), where, "zlib, gzip and base64 are read",
               "compress the array with zlib: with jdata.save(.., compression='zlib')");
}

/// By letter, its value; -1 for others.
constexpr std::array<int, 256> make_base64_values()
{
    std::array<int, 256> values{};
    values.fill(-1);
    for (std::size_t i = 0; i < kBase64Letters.size(); ++i)
        values[static_cast<unsigned char>(kBase64Letters[i])] = static_cast<int>(i);
    return values;
}
constexpr std::array<int, 256> kBase64Values = make_base64_values();

} // namespace

std::uint64_t JdataArray::count() const
{
    std::uint64_t elements = 1;
    for (std::uint64_t const n : dims) elements *= n;
    return elements;
}

bool is_jdata_array(Json const& value)
{
    return value.is_object() && value.contains("_ArrayType_") && value.contains("_ArraySize_");
}

JdataArray read_jdata_array(Json const& value, std::string const& where, std::uint64_t most_bytes)
{
    if (!is_jdata_array(value))
        refuse_array("is no array of the JData specification", where, "it has no _ArrayType_ or no _ArraySize_");
    for (char const* const kind : {"_ArrayIsComplex_", "_ArrayIsSparse_", "_ArrayShape_"})
        if (value.contains(kind) && value.at(kind) != Json(false))
            refuse_array(fmt::format("'{}' is not read", kind), where, "plain arrays of real numbers are");
    JdataArray array;
    array.type = read_array_type(value, where);
    array.dims = read_dims(value, where);
    array.order = read_order(value, where);
    std::uint64_t const size_bytes = array.count() * element_size_bytes(array.type);
    if (size_bytes > most_bytes)
        refuse_array(fmt::format("the array has {} bytes, {} may be used", size_bytes, most_bytes), where,
                     "it is held in memory as a whole");
    if (value.contains("_ArrayData_"))
        array.bytes = read_numbers(value.at("_ArrayData_"), array.type, array.count(), where);
    else
        array.bytes = read_packed(value, size_bytes, where);
    return array;
}

std::vector<std::byte> decode_base64(std::string_view text, std::string const& where)
{
    std::vector<std::byte> bytes;
    bytes.reserve(text.size() / 4 * 3);
    std::uint32_t word = 0;
    int letters = 0;
    for (char const letter : text) {
        if (letter == '=') break;
        if (letter == '\n' || letter == '\r' || letter == ' ' || letter == '\t') continue;
        int const value = kBase64Values[static_cast<unsigned char>(letter)];
        if (value < 0) refuse_array("the base64 has a letter that is none of its 64", where, "the data are damaged");
        word = word << 6 | static_cast<std::uint32_t>(value);
        if (++letters % 4 != 0) continue;
        for (int shift = 16; shift >= 0; shift -= 8) bytes.push_back(static_cast<std::byte>(word >> shift & 255));
        word = 0;
    }
    int const rest = letters % 4;
    if (rest == 1) refuse_array("the base64 ends within a byte", where, "the data are cut short");
    if (rest >= 2) bytes.push_back(static_cast<std::byte>(word >> (rest == 2 ? 4 : 10) & 255));
    if (rest == 3) bytes.push_back(static_cast<std::byte>(word >> 2 & 255));
    return bytes;
}

} // namespace volpt
