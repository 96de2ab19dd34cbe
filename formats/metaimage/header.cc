#include "formats/metaimage/header.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

struct KeyValue {
    std::string_view key;
    std::string_view value;
};

/// Absent for a comment, an empty line or anything else; MetaIO accepts ':' for '=' too.
std::optional<KeyValue> split_line(std::string_view line)
{
    auto separator = line.find('=');
    if (separator == std::string_view::npos) separator = line.find(':');
    if (separator == std::string_view::npos || line.find('\0') != std::string_view::npos) return std::nullopt;
    KeyValue const pair{trim(line.substr(0, separator)), trim(line.substr(separator + 1))};
    if (pair.key.empty() || pair.key.front() == '#') return std::nullopt;
    return pair;
}

/// Takes the next line, its line end removed, off the front of `rest`.
std::string_view take_line(std::string_view& rest)
{
    auto const end = rest.find('\n');
    std::string_view const line = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    return line;
}

[[noreturn]] void refuse(std::string const& where, std::string_view key, std::string_view value, std::string why,
                         std::string what_to_do = "correct the header")
{
    fail_input(fmt::format("{} = {} cannot be read", key, value.substr(0, 80)), where, std::move(why),
               std::move(what_to_do));
}

std::vector<double> parse_numbers(std::string const& where, std::string_view key, std::string_view value)
{
    std::vector<double> numbers;
    std::string_view rest = value;
    while (!(rest = trim(rest)).empty()) {
        double number = 0;
        auto const [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
        if (error != std::errc{} || !std::isfinite(number)) refuse(where, key, value, "numbers are expected");
        numbers.push_back(number);
        rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
        if (!rest.empty() && trim(rest).size() == rest.size()) refuse(where, key, value, "numbers are expected");
        if (numbers.size() > 100) refuse(where, key, value, "no key has that many numbers");
    }
    return numbers;
}

void tell_surplus(MetaImageHeader& header, std::string const& where, std::string_view key, std::size_t there,
                  std::string const& used)
{
    header.notices.push_back(fmt::format("{}: {} has {} numbers, of which {} are used", where, key, there, used));
}

/// The values of the first of `synonyms` that the header has; nothing if it has none. Of more than `count`, the first
/// ones, as MetaIO reads them.
std::optional<std::vector<double>> find_numbers(MetaImageHeader& header, std::string const& where, std::size_t count,
                                                std::initializer_list<std::string_view> synonyms)
{
    for (auto const key : synonyms) {
        auto const* const value = header.find(key);
        if (value == nullptr) continue;
        auto numbers = parse_numbers(where, key, *value);
        if (numbers.size() < count) refuse(where, key, *value, fmt::format("{} numbers are expected", count));
        if (numbers.size() > count) {
            tell_surplus(header, where, key, numbers.size(), fmt::format("the first {}", count));
            numbers.resize(count);
        }
        return numbers;
    }
    return std::nullopt;
}

/// ndims * ndims numbers. Nine are the rows of three axes, whatever NDims says: MetaIO takes the first four of them,
/// which turn no slice.
std::optional<std::vector<double>> find_matrix(MetaImageHeader& header, std::string const& where, std::size_t ndims)
{
    for (std::string_view const key : {"TransformMatrix", "Rotation", "Orientation"}) {
        auto const* const value = header.find(key);
        if (value == nullptr) continue;
        auto numbers = parse_numbers(where, key, *value);
        if (ndims != 2 || numbers.size() != 9) break;
        tell_surplus(header, where, key, 9, "those of the first two axes");
        return std::vector{numbers[0], numbers[1], numbers[3], numbers[4]};
    }
    return find_numbers(header, where, ndims * ndims, {"TransformMatrix", "Rotation", "Orientation"});
}

bool parse_flag(MetaImageHeader const& header, std::string const& where, std::string_view key, bool otherwise)
{
    auto const* const value = header.find(key);
    if (value == nullptr) return otherwise;
    char const first = value->empty() ? '?' : value->front();
    if (first == 'T' || first == 't' || first == '1') return true;
    if (first == 'F' || first == 'f' || first == '0') return false;
    refuse(where, key, *value, "True or False is expected");
}

std::optional<std::int64_t> parse_integer_key(MetaImageHeader const& header, std::string const& where,
                                              std::string_view key)
{
    auto const* const value = header.find(key);
    if (value == nullptr) return std::nullopt;
    std::int64_t number = 0;
    auto const [end, error] = std::from_chars(value->data(), value->data() + value->size(), number);
    if (error != std::errc{} || end != value->data() + value->size())
        refuse(where, key, *value, "an integer is expected");
    return number;
}

std::string const& need(MetaImageHeader const& header, std::string const& where, std::string_view key)
{
    if (auto const* const value = header.find(key)) return *value;
    fail_input(fmt::format("the header has no {}", key), where, "the format needs it", "correct the header");
}

/// MetaIO's sizes: MET_LONG takes 4 bytes on every platform.
ElementType parse_element_type(MetaImageHeader const& header, std::string const& where)
{
    constexpr std::pair<std::string_view, ElementType> kTypes[] = {
        {"MET_CHAR", ElementType::i8},       {"MET_ASCII_CHAR", ElementType::i8},  {"MET_UCHAR", ElementType::u8},
        {"MET_SHORT", ElementType::i16},     {"MET_USHORT", ElementType::u16},     {"MET_INT", ElementType::i32},
        {"MET_UINT", ElementType::u32},      {"MET_LONG", ElementType::i32},       {"MET_ULONG", ElementType::u32},
        {"MET_LONG_LONG", ElementType::i64}, {"MET_ULONG_LONG", ElementType::u64}, {"MET_FLOAT", ElementType::f32},
        {"MET_DOUBLE", ElementType::f64}};
    std::string const& value = need(header, where, "ElementType");
    std::string_view name = value;
    if (name.ends_with("_ARRAY")) name.remove_suffix(6);
    for (auto const& [known, type] : kTypes)
        if (known == name) return type;
    refuse(where, "ElementType", value, "it is no number type of the format");
}

std::size_t read_dims(MetaImageHeader& header, std::string const& where)
{
    std::string const& value = need(header, where, "DimSize");
    auto const sizes = parse_numbers(where, "DimSize", value);
    auto const ndims = static_cast<std::size_t>(std::max<std::int64_t>(
        0, parse_integer_key(header, where, "NDims").value_or(static_cast<std::int64_t>(sizes.size()))));
    if (ndims < 2 || ndims > 5)
        fail_input(fmt::format("NDims = {}", ndims), where, "slices have 2 dimensions, volumes 3, times of them 4",
                   "extract one volume first");
    bool const is_flat = std::all_of(sizes.begin() + static_cast<std::ptrdiff_t>(std::min(ndims, sizes.size())),
                                     sizes.end(), [](double size) { return size == 1; });
    if (sizes.size() < ndims || !is_flat)
        refuse(where, "DimSize", value, fmt::format("NDims = {} sizes are expected", ndims));
    if (sizes.size() > ndims) tell_surplus(header, where, "DimSize", sizes.size(), fmt::format("the first {}", ndims));
    for (std::size_t i = 0; i < ndims; ++i) {
        if (sizes[i] < 1 || sizes[i] > 65535 || sizes[i] != std::floor(sizes[i]))
            refuse(where, "DimSize", value, "sizes are integers from 1 to 65535");
        if (i < 3)
            header.dims[i] = static_cast<int>(sizes[i]);
        else
            header.volumes *= static_cast<std::uint64_t>(sizes[i]);
    }
    return ndims;
}

/// Rows of TransformMatrix are the voxel axes in the world. Headers carry few digits: rows that are orthonormal to 1e-3
/// are made so exactly (Gram-Schmidt), anything else cannot be a placement.
void read_rotation(MetaImageHeader& header, std::string const& where, std::size_t ndims)
{
    auto const matrix = find_matrix(header, where, ndims);
    if (!matrix) return;
    std::array<std::array<double, 3>, 3> axes{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    std::size_t const space = std::min<std::size_t>(ndims, 3);
    for (std::size_t i = 0; i < space; ++i)
        for (std::size_t j = 0; j < space; ++j) axes[i][j] = (*matrix)[i * ndims + j];
    auto const dot = [](auto const& a, auto const& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; };
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t k = 0; k < i; ++k) {
            double const overlap = dot(axes[i], axes[k]);
            if (!(std::abs(overlap) < 1e-3))
                fail_input("the rows of TransformMatrix are not perpendicular", where,
                           "a sheared volume has no placement", "resample it onto straight axes");
            for (std::size_t j = 0; j < 3; ++j) axes[i][j] -= overlap * axes[k][j];
        }
        double const length = std::sqrt(dot(axes[i], axes[i]));
        if (!(std::abs(length - 1) < 1e-3))
            fail_input(fmt::format("row {} of TransformMatrix has length {:.4g}", i, length), where,
                       "rows are directions of length 1", "move the factor into ElementSpacing");
        for (std::size_t j = 0; j < 3; ++j) header.rotation[3 * j + i] = axes[i][j] / length;
    }
}

void read_placement(MetaImageHeader& header, std::string const& where, std::size_t ndims)
{
    if (auto const spacing = find_numbers(header, where, ndims, {"ElementSpacing", "ElementSize"})) {
        std::array<double, 3> mm{(*spacing)[0], (*spacing)[1], ndims > 2 ? (*spacing)[2] : (*spacing)[0]};
        for (double const pitch : mm)
            if (!(pitch > 1e-30 && pitch < 1e30))
                refuse(where, "ElementSpacing", fmt::format("{}", pitch), "a spacing is positive");
        header.spacing_mm = mm;
    }
    if (auto const offset = find_numbers(header, where, ndims, {"Offset", "Position", "Origin"}))
        header.first_voxel_world_mm = {(*offset)[0], (*offset)[1], ndims > 2 ? (*offset)[2] : 0.0};
    read_rotation(header, where, ndims);
}

void read_storage(MetaImageHeader& header, std::string const& where)
{
    header.stored.type = parse_element_type(header, where);
    bool const old_msb = parse_flag(header, where, "ElementByteOrderMSB", false);
    bool const msb = parse_flag(header, where, "BinaryDataByteOrderMSB", old_msb);
    if (header.find("ElementByteOrderMSB") != nullptr && msb != old_msb)
        fail_input("BinaryDataByteOrderMSB and ElementByteOrderMSB contradict each other", where, {},
                   "remove the wrong one");
    header.stored.order = msb ? ByteOrder::big : ByteOrder::little;
    header.is_binary = parse_flag(header, where, "BinaryData", true);
    header.is_compressed = parse_flag(header, where, "CompressedData", false);
    if (auto const size = parse_integer_key(header, where, "CompressedDataSize"); size && *size > 0)
        header.compressed_bytes = static_cast<std::uint64_t>(*size);
    header.header_bytes = parse_integer_key(header, where, "HeaderSize").value_or(0);
    if (header.header_bytes < -1)
        refuse(where, "HeaderSize", std::to_string(header.header_bytes), "-1 or a size is expected");
    auto const channels = parse_integer_key(header, where, "ElementNumberOfChannels").value_or(1);
    if (channels < 1 || channels > 65535)
        fail_input(fmt::format("ElementNumberOfChannels = {}", channels), where, "a voxel has 1 to 65535 numbers",
                   "correct the header");
    header.channels = static_cast<int>(channels);
    if (auto const* const type = header.find("ObjectType"); type != nullptr && *type != "Image")
        fail_input(fmt::format("ObjectType = {}", *type), where, "only images hold voxels", "give a MetaImage");
}

} // namespace

std::string const* MetaImageHeader::find(std::string_view key) const
{
    auto const found = std::find_if(keys.rbegin(), keys.rend(), [&](auto const& pair) { return pair.first == key; });
    return found == keys.rend() ? nullptr : &found->second;
}

bool MetaImageHeader::is_local() const
{
    return data_file == "LOCAL" || data_file == "Local" || data_file == "local";
}

bool is_metaimage_header(std::string_view head)
{
    int known = 0;
    while (!head.empty()) {
        auto const pair = split_line(take_line(head));
        for (auto const key : {"ObjectType", "NDims", "DimSize", "ElementType", "ElementDataFile"})
            if (pair && pair->key == key) ++known;
    }
    return known >= 2;
}

MetaImageHeader parse_metaimage_header(std::string_view text, std::string const& where)
{
    MetaImageHeader header;
    std::string_view rest = text;
    while (!rest.empty()) {
        auto const pair = split_line(take_line(rest));
        if (!pair) continue;
        header.keys.emplace_back(pair->key, pair->value);
        if (pair->key != "ElementDataFile") continue;
        header.data_file = pair->value;
        header.end_of_header = text.size() - rest.size();
        if (header.is_local() || pair->value.starts_with("LIST")) break;
    }
    if (header.data_file.empty())
        fail_input("the header has no ElementDataFile", where, "it says where the voxels are", "get a complete copy");
    std::size_t const ndims = read_dims(header, where);
    read_storage(header, where);
    read_placement(header, where, ndims);
    return header;
}

} // namespace volpt
