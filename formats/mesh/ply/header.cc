#include "formats/mesh/ply/header.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <charconv>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kMaxPlyLines = 10'000;
constexpr std::size_t kMaxPlyParts = 256; ///< elements, and properties of one

class PlyHeaderParser {
public:
    PlyHeaderParser(std::string_view bytes, std::string const& where) : bytes_(bytes), where_(where) {}

    PlyHeader parse()
    {
        if (next_line() != "ply") fail("is no PLY file", "it begins with the line \"ply\"");
        while (!read_line(next_line())) {
        }
        if (!has_format_) fail("names no format", "ascii, binary_little_endian or binary_big_endian is expected");
        header_.size_bytes = at_;
        return std::move(header_);
    }

private:
    [[noreturn]] void fail(std::string const& what, std::string const& why = {}) const
    {
        fail_input(what, fmt::format("{}: line {} of the header", where_, line_), why,
                   "get a complete copy, or correct it");
    }

    std::string_view next_line()
    {
        std::size_t const end = bytes_.find('\n', at_);
        ++line_;
        if (end == std::string_view::npos || line_ > kMaxPlyLines)
            fail("the header does not end", "end_header is missing");
        std::string_view const text = trim(bytes_.substr(at_, end - at_));
        at_ = end + 1;
        return text;
    }

    /// True at the end of the header.
    bool read_line(std::string_view text)
    {
        std::array<std::string, 5> words;
        std::size_t count = 0;
        for (std::string_view rest = text; !rest.empty() && count < words.size(); ++count) {
            std::size_t const end = std::min(rest.find_first_of(" \t"), rest.size());
            words[count] = rest.substr(0, std::min<std::size_t>(end, 100));
            rest = trim(rest.substr(end));
        }
        if (words[0] == "end_header") return true;
        if (words[0] == "format")
            read_format(words[1]);
        else if (words[0] == "element")
            read_element(words[1], words[2]);
        else if (words[0] == "property")
            read_property(words);
        else if (words[0] != "comment" && words[0] != "obj_info" && count > 0)
            fail(fmt::format("'{}' is no keyword", words[0]));
        return false;
    }

    void read_format(std::string const& name)
    {
        has_format_ = true;
        if (name == "ascii")
            header_.storage = PlyStorage::ascii;
        else if (name == "binary_little_endian")
            header_.storage = PlyStorage::little;
        else if (name == "binary_big_endian")
            header_.storage = PlyStorage::big;
        else
            fail(fmt::format("'{}' is no format", name),
                 "ascii, binary_little_endian or binary_big_endian is expected");
    }

    void read_element(std::string const& name, std::string const& text)
    {
        PlyElement element;
        element.name = name;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), element.count);
        if (error != std::errc{} || end != text.data() + text.size())
            fail(fmt::format("'{}' is no number of elements", text));
        if (header_.elements.size() >= kMaxPlyParts) fail("too many elements");
        header_.elements.push_back(std::move(element));
    }

    void read_property(std::array<std::string, 5> const& words)
    {
        if (header_.elements.empty()) fail("a property without an element");
        auto& properties = header_.elements.back().properties;
        if (properties.size() >= kMaxPlyParts) fail("too many properties");
        PlyProperty property;
        property.is_list = words[1] == "list";
        property.type = parse_type(words[property.is_list ? 3 : 1]);
        if (property.is_list) property.count_type = parse_type(words[2]);
        property.name = words[property.is_list ? 4 : 2];
        if (property.name.empty()) fail("a property without a name");
        properties.push_back(std::move(property));
    }

    PlyType parse_type(std::string const& name) const
    {
        constexpr std::array<std::array<std::string_view, 2>, 8> kNames{{{"char", "int8"},
                                                                         {"uchar", "uint8"},
                                                                         {"short", "int16"},
                                                                         {"ushort", "uint16"},
                                                                         {"int", "int32"},
                                                                         {"uint", "uint32"},
                                                                         {"float", "float32"},
                                                                         {"double", "float64"}}};
        for (std::size_t i = 0; i < kNames.size(); ++i)
            if (name == kNames[i][0] || name == kNames[i][1]) return static_cast<PlyType>(i);
        fail(fmt::format("'{}' is no type", name));
    }

    std::string_view bytes_;
    std::string const& where_;
    PlyHeader header_;
    std::size_t at_ = 0;
    std::size_t line_ = 0;
    bool has_format_ = false;
};

} // namespace

std::size_t ply_size_bytes(PlyType type)
{
    constexpr std::array<std::size_t, 8> kSizes{1, 1, 2, 2, 4, 4, 4, 8};
    return kSizes[static_cast<std::size_t>(type)];
}

PlyHeader parse_ply_header(std::string_view bytes, std::string const& where)
{
    return PlyHeaderParser(bytes, where).parse();
}

} // namespace volpt
