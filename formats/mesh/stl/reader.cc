// STL, ascii and binary (3D Systems, StereoLithography Interface Specification, 1989), with the colours that VisCAM,
// SolidView and Magics write into the attribute word.
//
// Not read by assimp 5.2.5: it takes an ascii file that ends early as whole, a binary one that does as empty if its
// header begins with "solid", and ignores surplus vertices.
#include "formats/common/text.h"
#include "formats/mesh/builder.h"
#include "formats/mesh/text_scanner.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kStlHeaderBytes = 84;
constexpr std::size_t kStlFacetBytes = 50;

std::uint32_t read_stl_count(char const* header)
{
    std::uint32_t count = 0;
    std::memcpy(&count, header + 80, sizeof count);
    return count;
}

/// The size is exact: text of just this size is improbable, but binary files that begin with "solid" are not.
bool is_binary_stl(std::string_view head, std::uint64_t file_bytes)
{
    return head.size() >= kStlHeaderBytes &&
           file_bytes == kStlHeaderBytes + kStlFacetBytes * std::uint64_t{read_stl_count(head.data())};
}

bool is_ascii_stl(std::string_view head)
{
    std::string const text = to_lower(trim(head));
    return text.starts_with("solid") &&
           (text.find("facet") != std::string::npos || text.find("endsolid") != std::string::npos);
}

class AsciiStl {
public:
    AsciiStl(std::string_view text, std::string where) : scanner_(text), where_(std::move(where)), builder_(where_) {}

    MeshFile read()
    {
        for (std::string word = next(); !word.empty(); word = next()) {
            if (word != "solid") fail(word, "solid");
            scanner_.rest_of_line(); // its name
            read_solid();
        }
        return builder_.finish({});
    }

private:
    std::string next() { return to_lower(scanner_.next().substr(0, 80)); }

    void read_solid()
    {
        for (;;) {
            std::string const word = next();
            if (word == "endsolid") break;
            if (word != "facet") fail(word, "facet or endsolid");
            read_facet();
        }
        scanner_.rest_of_line();
    }

    void read_facet()
    {
        need("normal");
        for (int i = 0; i < 3; ++i) read_number();
        need("outer");
        need("loop");
        std::array<std::uint32_t, 3> corners{};
        for (std::uint32_t& corner : corners) {
            need("vertex");
            float const x = read_number(), y = read_number(), z = read_number();
            corner = builder_.add_position({x, y, z});
        }
        need("endloop");
        need("endfacet");
        builder_.add_triangle(corners, {});
    }

    void need(std::string_view wanted)
    {
        if (std::string const word = next(); word != wanted) fail(word, wanted);
    }

    float read_number()
    {
        std::string_view const word = scanner_.next();
        auto const number = parse_mesh_number(word);
        if (!number) fail(word, "a number");
        return static_cast<float>(*number);
    }

    [[noreturn]] void fail(std::string_view word, std::string_view wanted) const
    {
        std::string const place = fmt::format("{}: line {}", where_, scanner_.line());
        if (word.empty())
            fail_input(fmt::format("ends where {} is expected", wanted), place, "the file is not complete",
                       "get a complete copy");
        fail_input(fmt::format("'{}' where {} is expected", word.substr(0, 40), wanted), place,
                   "facets of STL are triangles", "export the mesh again");
    }

    TextScanner scanner_;
    std::string where_;
    MeshBuilder builder_;
};

/// Five bits per component, red in the low ones or in the high ones.
std::uint32_t unpack_stl_colour(unsigned attribute, bool is_red_low)
{
    auto const widen = [&](unsigned shift) { return ((attribute >> shift & 31u) * 255 + 15) / 31; };
    return is_red_low ? widen(0) << 16 | widen(5) << 8 | widen(10) : widen(10) << 16 | widen(5) << 8 | widen(0);
}

/// Bytes behind the last facet, which other programs pass over, are left out with a note.
MeshFile read_binary_stl(std::string_view bytes, std::string const& where)
{
    std::size_t const count = read_stl_count(bytes.data());
    // Magics: bit 15 is set where the whole object's colour holds; VisCAM: where the facet has a colour.
    std::size_t const magics = bytes.substr(0, 80).find("COLOR=");
    bool const is_magics = magics <= 80 - 6 - 4;
    auto const object_byte = [&](std::size_t i) {
        return static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[magics + 6 + i]));
    };
    MeshBuilder builder(where);
    CornerValues values;
    for (std::size_t i = 0; i < count; ++i) {
        char const* const facet = bytes.data() + kStlHeaderBytes + i * kStlFacetBytes;
        std::array<float, 9> numbers{};
        std::memcpy(numbers.data(), facet + 12, sizeof numbers);
        std::uint16_t attribute = 0;
        std::memcpy(&attribute, facet + 48, sizeof attribute);
        values.colours.clear();
        bool const is_marked = (attribute & 0x8000u) != 0;
        if (is_magics && is_marked)
            values.colours.assign(3, object_byte(0) << 16 | object_byte(1) << 8 | object_byte(2));
        else if (is_magics || is_marked)
            values.colours.assign(3, unpack_stl_colour(attribute, is_magics));
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t k = 0; k < 3; ++k)
            corners[k] = builder.add_position({numbers[3 * k], numbers[3 * k + 1], numbers[3 * k + 2]});
        builder.add_triangle(corners, values);
    }
    std::size_t const surplus = bytes.size() - kStlHeaderBytes - kStlFacetBytes * count;
    if (surplus == 0) return builder.finish({});
    return builder.finish(
        {fmt::format("{} bytes behind the {} triangles that it announces are left out", surplus, count)});
}

MeshFile read_stl(std::filesystem::path const& path, MeshReadOptions const&)
{
    MappedFile const file(path);
    std::string_view const bytes(reinterpret_cast<char const*>(file.bytes().data()), file.bytes().size());
    std::string const where = path.string();
    bool is_binary = is_binary_stl(bytes, bytes.size());
    if (!is_binary && !is_ascii_stl(bytes.substr(0, 4096))) {
        if (bytes.size() < kStlHeaderBytes)
            fail_input("is no STL file", where, "it neither begins with \"solid\" nor has a binary header of 84 bytes",
                       "get a complete copy");
        std::uint64_t const count = read_stl_count(bytes.data());
        std::uint64_t const announced = kStlHeaderBytes + kStlFacetBytes * count;
        is_binary = count > 0 && announced < bytes.size();
        if (!is_binary)
            fail_input(fmt::format("announces {} triangles, which take {} bytes; the file has {}", count, announced,
                                   bytes.size()),
                       where, count > 0 ? "triangles are missing, or it is no STL file" : "it is empty, or no STL file",
                       "get a complete copy");
    }
    MeshFile mesh = is_binary ? read_binary_stl(bytes, where) : AsciiStl(bytes, where).read();
    file.check_unchanged();
    return mesh;
}

bool is_stl(std::string_view head, std::uint64_t file_bytes)
{
    return is_binary_stl(head, file_bytes) || is_ascii_stl(head);
}

} // namespace

extern MeshReader const stl_mesh_reader;
MeshReader const stl_mesh_reader{is_stl, read_stl};

} // namespace volpt
