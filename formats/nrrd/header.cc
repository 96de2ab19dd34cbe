#include "formats/nrrd/header.h"

#include "formats/common/header_parts.h"
#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <string>

namespace volpt {
namespace {

using Words = std::vector<std::string>;

/// Takes the next line, its line end removed, off the text.
std::string_view take_line(std::string_view text, std::size_t& at)
{
    auto const end = std::min(text.find('\n', at), text.size());
    std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

/// Error (input): why the field's value cannot be read.
[[noreturn]] void refuse_field(std::string const& where, std::string_view field, std::string_view value,
                               std::string why)
{
    fail_input(fmt::format("{}: {} cannot be read", field, value.substr(0, 80)), where, std::move(why),
               "correct the header");
}

/// Sets fields, data_files and end_of_header from `text`: up to the empty line, or to the end of a detached header.
/// Error (input) names a line that is no field.
void read_fields(NrrdHeader& header, std::string_view text, std::string const& where)
{
    std::size_t at = 0;
    take_line(text, at);
    bool lists_files = false;
    while (at < text.size()) {
        std::string_view const line = take_line(text, at);
        if (line.empty() && !lists_files) break;
        if (line.starts_with('#') || line.empty()) continue;
        if (lists_files) {
            header.data_files.emplace_back(trim(line));
            continue;
        }
        std::size_t const colon = line.find(':');
        bool const is_key = colon != std::string_view::npos && line.substr(colon).starts_with(":=");
        if (colon == std::string_view::npos || line.find('\0') != std::string_view::npos)
            refuse_field(where, "line", line, "'field: value' or 'key:=value' is expected");
        std::string const name = is_key ? std::string(line.substr(0, colon)) : to_lower(trim(line.substr(0, colon)));
        std::string const value(is_key ? line.substr(colon + 2) : trim(line.substr(colon + 1)));
        header.fields.emplace_back(is_key ? name + ":=" : name, value);
        if (is_key || (name != "data file" && name != "datafile")) continue;
        lists_files = value.starts_with("LIST");
        if (!lists_files) header.data_files.push_back(value);
    }
    header.end_of_header = at;
}

/// The value of a field, whose name may be spelled with blanks or without; null if it is not there.
std::string const* find_field(NrrdHeader const& header, std::string_view field)
{
    std::string joined(field);
    std::erase(joined, ' ');
    for (auto const& [name, value] : header.fields)
        if (name == field || name == joined) return &value;
    return nullptr;
}

std::string const& need_field(NrrdHeader const& header, std::string const& where, std::string_view field)
{
    if (auto const* const value = find_field(header, field)) return *value;
    fail_input(fmt::format("the header has no {}", field), where, "the format needs it", "correct the header");
}

/// Words between blanks; "(a, b, c)" and "quoted text" are one word.
Words split_words(std::string_view text)
{
    Words words;
    while (!(text = trim(text)).empty()) {
        std::size_t end = text.find_first_of(" \t");
        if (text.front() == '(') end = std::min(text.find(')'), text.size() - 1) + 1;
        if (text.front() == '"') end = std::min(text.find('"', 1), text.size() - 1) + 1;
        words.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end, text.size()));
    }
    return words;
}

std::optional<double> parse_number(std::string_view word)
{
    double number = 0;
    auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
    return number;
}

/// 0 if the field is not there. Error (input) on anything but an integer below 1e15.
std::int64_t parse_integer(NrrdHeader const& header, std::string const& where, std::string_view field)
{
    auto const* const value = find_field(header, field);
    if (value == nullptr) return 0;
    auto const number = parse_number(*value);
    if (!number || !(std::abs(*number) < 1e15) || *number != std::floor(*number))
        refuse_field(where, field, *value, "an integer is expected");
    return static_cast<std::int64_t>(*number);
}

/// "(x,y,z)". Error (input) on anything else.
std::array<double, 3> parse_vector(std::string const& word, std::string const& where, std::string_view field)
{
    std::array<double, 3> vector{};
    std::string_view rest = word;
    bool good = rest.size() > 2 && rest.front() == '(' && rest.back() == ')';
    if (good) rest = rest.substr(1, rest.size() - 2);
    for (std::size_t i = 0; good && i < 3; ++i) {
        auto const comma = rest.find(',');
        auto const number = parse_number(trim(rest.substr(0, comma)));
        good = number && std::isfinite(*number) && (comma == std::string_view::npos) == (i == 2);
        if (good) vector[i] = *number;
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    if (!good) refuse_field(where, field, word, "a vector is (x,y,z)");
    return vector;
}

ElementType parse_type(NrrdHeader const& header, std::string const& where)
{
    constexpr std::pair<std::string_view, ElementType> kTypes[] = {{"signed char", ElementType::i8},
                                                                   {"int8", ElementType::i8},
                                                                   {"int8_t", ElementType::i8},
                                                                   {"uchar", ElementType::u8},
                                                                   {"unsigned char", ElementType::u8},
                                                                   {"uint8", ElementType::u8},
                                                                   {"uint8_t", ElementType::u8},
                                                                   {"short", ElementType::i16},
                                                                   {"short int", ElementType::i16},
                                                                   {"signed short", ElementType::i16},
                                                                   {"signed short int", ElementType::i16},
                                                                   {"int16", ElementType::i16},
                                                                   {"int16_t", ElementType::i16},
                                                                   {"ushort", ElementType::u16},
                                                                   {"unsigned short", ElementType::u16},
                                                                   {"unsigned short int", ElementType::u16},
                                                                   {"uint16", ElementType::u16},
                                                                   {"uint16_t", ElementType::u16},
                                                                   {"int", ElementType::i32},
                                                                   {"signed int", ElementType::i32},
                                                                   {"int32", ElementType::i32},
                                                                   {"int32_t", ElementType::i32},
                                                                   {"uint", ElementType::u32},
                                                                   {"unsigned int", ElementType::u32},
                                                                   {"uint32", ElementType::u32},
                                                                   {"uint32_t", ElementType::u32},
                                                                   {"longlong", ElementType::i64},
                                                                   {"long long", ElementType::i64},
                                                                   {"long long int", ElementType::i64},
                                                                   {"signed long long", ElementType::i64},
                                                                   {"signed long long int", ElementType::i64},
                                                                   {"int64", ElementType::i64},
                                                                   {"int64_t", ElementType::i64},
                                                                   {"ulonglong", ElementType::u64},
                                                                   {"unsigned long long", ElementType::u64},
                                                                   {"unsigned long long int", ElementType::u64},
                                                                   {"uint64", ElementType::u64},
                                                                   {"uint64_t", ElementType::u64},
                                                                   {"float", ElementType::f32},
                                                                   {"double", ElementType::f64}};
    std::string const name = to_lower(need_field(header, where, "type"));
    for (auto const& [known, type] : kTypes)
        if (known == name) return type;
    refuse_field(where, "type", name, "it is no number type of the format");
}

void read_storage(NrrdHeader& header, std::string const& where)
{
    header.stored.type = parse_type(header, where);
    std::string const encoding = to_lower(need_field(header, where, "encoding"));
    if (encoding == "raw")
        header.encoding = NrrdEncoding::raw;
    else if (encoding == "txt" || encoding == "text" || encoding == "ascii")
        header.encoding = NrrdEncoding::text;
    else if (encoding == "gz" || encoding == "gzip")
        header.encoding = NrrdEncoding::gzip;
    else
        refuse_field(where, "encoding", encoding, "raw, gzip and text are known; save it with one of them");
    if (header.encoding != NrrdEncoding::text && element_size_bytes(header.stored.type) > 1) {
        std::string const endian = to_lower(need_field(header, where, "endian"));
        if (endian != "little" && endian != "big") refuse_field(where, "endian", endian, "little or big is expected");
        header.stored.order = endian == "big" ? ByteOrder::big : ByteOrder::little;
    }
    header.byte_skip = parse_integer(header, where, "byte skip");
    std::int64_t const line_skip = parse_integer(header, where, "line skip");
    if (line_skip < 0 || line_skip > 1'000'000)
        refuse_field(where, "line skip", std::to_string(line_skip), "0 to 1000000 lines can be skipped");
    header.line_skip = static_cast<std::uint64_t>(line_skip);
    bool const plain = header.encoding == NrrdEncoding::raw;
    if (header.byte_skip < -1 || (header.byte_skip != 0 && !plain))
        refuse_field(where, "byte skip", std::to_string(header.byte_skip), "-1 or a size is expected, with raw data");
}

std::string find_kind_of_first(NrrdHeader const& header)
{
    auto const* const value = find_field(header, "kinds");
    Words const kinds = value == nullptr ? Words{} : split_words(to_lower(*value));
    return kinds.empty() ? "" : kinds[0];
}

/// Of more words than there are axes, the first ones count, as teem reads them.
void drop_surplus(NrrdHeader& header, std::string const& where, std::string_view field, Words& words, std::size_t axes)
{
    if (words.size() <= axes) return;
    header.notices.push_back(
        fmt::format("{}: {} has {} values, of which the first {} are used", where, field, words.size(), axes));
    words.resize(axes);
}

/// True if the first of four axes holds the numbers of one voxel.
bool has_colour_axis(NrrdHeader const& header, Words const& directions)
{
    if (!directions.empty() && directions[0] == "none") return true;
    std::string const kind = find_kind_of_first(header);
    return !kind.empty() && kind != "domain" && kind != "space" && kind != "???" && kind != "none";
}

/// Sets dims, channels and volumes; returns the index of the first spatial axis.
std::size_t read_dims(NrrdHeader& header, std::string const& where, Words const& directions)
{
    std::int64_t const dimension = parse_integer(header, where, "dimension");
    std::string const& value = need_field(header, where, "sizes");
    Words words = split_words(value);
    if (static_cast<std::int64_t>(words.size()) < dimension || dimension < 1 ||
        std::any_of(words.begin() + dimension, words.end(), [](std::string const& word) { return word != "1"; }))
        refuse_field(where, "sizes", value, fmt::format("dimension: {} sizes are expected", dimension));
    drop_surplus(header, where, "sizes", words, static_cast<std::size_t>(dimension));
    std::string const first_kind = find_kind_of_first(header);
    bool const begins_with_volumes = first_kind == "list" || first_kind == "time";
    std::size_t const first = dimension > 3 && (begins_with_volumes || has_colour_axis(header, directions)) ? 1 : 0;
    std::size_t const space = std::min<std::size_t>(words.size() - first, 3);
    if (dimension < 2 || words.size() > first + space + 1)
        fail_input(fmt::format("dimension: {}", dimension), where,
                   "volumes have 3 dimensions, and one before or behind these for numbers of a voxel, or for times",
                   "extract one volume first");
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const size = parse_number(words[i]);
        if (!size || !(*size >= 1 && *size <= 65535) || *size != std::floor(*size))
            refuse_field(where, "sizes", value, "sizes are integers from 1 to 65535");
        if (i >= first + space)
            header.volumes = static_cast<std::uint64_t>(*size);
        else
            (i < first ? header.channels : header.dims[i - first]) = static_cast<int>(*size);
    }
    header.are_channels_volumes = first == 1 && begins_with_volumes;
    return first;
}

double parse_unit(NrrdHeader& header, std::string const& where, std::string_view field, std::size_t axis)
{
    auto const* const value = find_field(header, field);
    if (value == nullptr) return 1;
    Words const words = split_words(*value);
    std::string unit = axis < words.size() ? words[axis] : std::string();
    std::erase(unit, '"');
    constexpr std::pair<std::string_view, double> kUnits[] = {
        {"mm", 1},           {"millimeter", 1}, {"millimeters", 1}, {"um", 1e-3},
        {"\xc2\xb5m", 1e-3}, {"micron", 1e-3},  {"microns", 1e-3},  {"micrometer", 1e-3},
        {"nm", 1e-6},        {"cm", 10},        {"m", 1000},        {"meter", 1000}};
    for (auto const& [name, mm] : kUnits)
        if (name == unit) return mm;
    header.notices.push_back(fmt::format("{}: {} of axis {} is '{}', taken as mm", where, field, axis, unit));
    return 1;
}

/// Signs of the world axes that turn an anatomical space into LPS.
std::array<double, 3> find_flips(NrrdHeader const& header)
{
    auto const* const value = find_field(header, "space");
    std::string const space = value == nullptr ? "" : to_lower(*value);
    if (space == "ras" || space == "right-anterior-superior") return {-1, -1, 1};
    if (space == "las" || space == "left-anterior-superior") return {1, -1, 1};
    return {1, 1, 1};
}

std::size_t count_axes(NrrdHeader const& header, std::string const& where)
{
    return static_cast<std::size_t>(parse_integer(header, where, "dimension"));
}

void read_directions(NrrdHeader& header, std::string const& where, Words words, std::size_t first)
{
    if (words.size() < count_axes(header, where))
        refuse_field(where, "space directions", *find_field(header, "space directions"),
                     "one vector for each axis is expected");
    drop_surplus(header, where, "space directions", words, count_axes(header, where));
    auto const flips = find_flips(header);
    std::array<double, 3> units{};
    for (std::size_t i = 0; i < 3; ++i) units[i] = parse_unit(header, where, "space units", i) * flips[i];
    std::array<std::array<double, 3>, 3> steps{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        steps[axis] = parse_vector(words[first + axis], where, "space directions");
        for (std::size_t i = 0; i < 3; ++i) steps[axis][i] *= units[i];
    }
    auto const axes = split_axes(steps, where, "space directions");
    header.pitch_mm = axes.pitch_mm;
    header.pitch_origin = "space directions";
    header.rotation = axes.rotation;
    auto const* const origin = find_field(header, "space origin");
    if (origin == nullptr) return;
    header.first_voxel_world_mm = parse_vector(std::string(trim(*origin)), where, "space origin");
    for (std::size_t i = 0; i < 3; ++i) (*header.first_voxel_world_mm)[i] *= units[i];
}

void read_spacings(NrrdHeader& header, std::string const& where, std::size_t first, std::size_t space)
{
    auto const* const value = find_field(header, "spacings");
    if (value == nullptr) return;
    Words words = split_words(*value);
    if (words.size() < count_axes(header, where))
        refuse_field(where, "spacings", *value, "one number for each axis is expected");
    drop_surplus(header, where, "spacings", words, count_axes(header, where));
    std::array<double, 3> pitch{1, 1, 1};
    for (std::size_t axis = 0; axis < space; ++axis) {
        auto const number = parse_number(words[first + axis]);
        if (number && std::isnan(*number)) return; // the format's "unknown"
        if (!number || !(*number > 1e-9 && *number < 1e9))
            refuse_field(where, "spacings", *value, "a spacing lies between 1e-9 and 1e9");
        pitch[axis] = *number * parse_unit(header, where, "units", first + axis);
    }
    if (space == 2) pitch[2] = pitch[0];
    header.pitch_mm = pitch;
    header.pitch_origin = "spacings";
}

} // namespace

bool is_nrrd(std::string_view head)
{
    return head.size() > 8 && head.starts_with("NRRD000") && head[7] >= '1' && head[7] <= '5' &&
           (head[8] == '\n' || head[8] == '\r');
}

NrrdHeader parse_nrrd_header(std::string_view text, std::string const& where)
{
    if (!is_nrrd(text))
        fail_input("is no NRRD header", where, "the first line is NRRD0001 to NRRD0005", "give an NRRD file");
    NrrdHeader header;
    read_fields(header, text, where);
    read_storage(header, where);
    auto const* const value = find_field(header, "space directions");
    Words const directions = value == nullptr ? Words{} : split_words(*value);
    std::size_t const first = read_dims(header, where, directions);
    std::size_t const space = std::min<std::size_t>(count_axes(header, where) - first, 3);
    if (!directions.empty() && space == 3)
        read_directions(header, where, directions, first);
    else
        read_spacings(header, where, first, space);
    return header;
}

} // namespace volpt
