// PLY, ascii and binary of both byte orders.
//
// Not read by assimp 5.2.5: where data are missing it repeats the last element or goes on in memory behind its buffer,
// it takes faces for vertices, and triangle strips come out wrong.
#include "formats/mesh/builder.h"
#include "formats/mesh/ply/header.h"
#include "formats/mesh/text_scanner.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class PlyData {
public:
    PlyData(std::string_view data, PlyStorage storage) : scanner_(data), data_(data), storage_(storage) {}

    /// What the next messages name: "face 7".
    void set_place(std::string const* where, PlyElement const* element, std::uint64_t index)
    {
        where_ = where;
        element_ = element;
        index_ = index;
    }

    double next(PlyType type)
    {
        if (storage_ == PlyStorage::ascii) {
            std::string_view const word = scanner_.next();
            if (word.empty()) fail_short();
            auto const number = parse_mesh_number(word);
            if (!number) fail(fmt::format("'{}' is no number", word.substr(0, 40)));
            return *number;
        }
        std::size_t const size = ply_size_bytes(type);
        if (data_.size() - at_ < size) fail_short();
        std::array<char, 8> bytes{};
        std::memcpy(bytes.data(), data_.data() + at_, size);
        at_ += size;
        if (storage_ == PlyStorage::big) std::reverse(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        return decode(type, bytes);
    }

    /// The number of values of a list; they are in the file.
    std::size_t next_count(PlyProperty const& property)
    {
        double const count = next(property.count_type);
        std::size_t const smallest = storage_ == PlyStorage::ascii ? 1 : ply_size_bytes(property.type);
        std::size_t const left = data_.size() - (storage_ == PlyStorage::ascii ? scanner_.offset() : at_);
        if (!(count >= 0 && count == std::floor(count))) fail(fmt::format("{} is no number of values", count));
        if (count > static_cast<double>(left / smallest)) fail_short();
        return static_cast<std::size_t>(count);
    }

    [[noreturn]] void fail(std::string const& what) const
    {
        fail_input(what, fmt::format("{}: {} {}", *where_, element_->name, index_), {},
                   "get a complete copy, or export it again");
    }

private:
    [[noreturn]] void fail_short() const
    {
        fail_input("the file ends early", fmt::format("{}: {} {}", *where_, element_->name, index_),
                   fmt::format("{} of them are announced", element_->count), "get a complete copy");
    }

    static double decode(PlyType type, std::array<char, 8> const& bytes)
    {
        auto const as = [&]<typename Number>(Number number) {
            std::memcpy(&number, bytes.data(), sizeof number);
            return static_cast<double>(number);
        };
        switch (type) {
        case PlyType::i8:
            return as(std::int8_t{});
        case PlyType::u8:
            return as(std::uint8_t{});
        case PlyType::i16:
            return as(std::int16_t{});
        case PlyType::u16:
            return as(std::uint16_t{});
        case PlyType::i32:
            return as(std::int32_t{});
        case PlyType::u32:
            return as(std::uint32_t{});
        case PlyType::f32:
            return as(float{});
        case PlyType::f64:
            break;
        }
        return as(double{});
    }

    TextScanner scanner_;
    std::string_view data_;
    PlyStorage storage_;
    std::size_t at_ = 0;
    std::string const* where_ = nullptr;
    PlyElement const* element_ = nullptr;
    std::uint64_t index_ = 0;
};

/// Where the properties of these names are, each in one of several spellings; kNone if one is absent.
template <std::size_t kCount>
std::array<std::size_t, kCount> find_properties(PlyElement const& element,
                                                std::initializer_list<std::array<std::string_view, kCount>> spellings)
{
    std::array<std::size_t, kCount> properties{};
    for (auto const& names : spellings) {
        for (std::size_t i = 0; i < kCount; ++i) {
            auto const found = std::ranges::find_if(
                element.properties, [&](PlyProperty const& p) { return !p.is_list && p.name == names[i]; });
            properties[i] = found == element.properties.end()
                                ? kNone
                                : static_cast<std::size_t>(found - element.properties.begin());
        }
        if (std::ranges::find(properties, kNone) == properties.end()) return properties;
    }
    properties.fill(kNone);
    return properties;
}

std::size_t find_list(PlyElement const& element, std::initializer_list<std::string_view> names)
{
    for (std::size_t i = 0; i < element.properties.size(); ++i)
        if (element.properties[i].is_list && std::ranges::find(names, element.properties[i].name) != names.end())
            return i;
    return kNone;
}

class PlyMesh {
public:
    PlyMesh(PlyHeader const& header, std::string_view data, std::string where)
        : header_(header), data_(data, header.storage), where_(std::move(where)), builder_(where_)
    {
    }

    MeshFile read()
    {
        bool const has_faces_first = are_faces_first();
        if (has_faces_first) {
            PlyData const start = data_;
            for (PlyElement const& element : header_.elements)
                element.name == "vertex" ? read_vertices(element) : pass(element);
            data_ = start;
        }
        for (PlyElement const& element : header_.elements) {
            if (element.properties.empty()) continue;
            if (element.name == "vertex")
                has_faces_first ? pass(element) : read_vertices(element);
            else if (element.name == "face")
                read_faces(element);
            else
                skip(element);
        }
        if (degenerate_ > 0)
            notices_.push_back(fmt::format("{} faces of fewer than three corners left out", degenerate_));
        return builder_.finish(std::move(notices_));
    }

private:
    struct Instance {
        std::vector<double> scalars; ///< by property
        std::vector<double> indices; ///< of the list that is wanted
        std::vector<double> coordinates;
    };

    /// The elements are in any order; faces then need the vertices behind them.
    bool are_faces_first() const
    {
        auto const find = [&](std::string_view name) {
            return std::ranges::find_if(header_.elements, [&](PlyElement const& e) { return e.name == name; });
        };
        return find("face") < find("vertex") && find("vertex") != header_.elements.end();
    }

    /// One element; of its lists only the properties `indices` and `coordinates`.
    void read_instance(PlyElement const& element, std::uint64_t index, std::size_t indices, std::size_t coordinates)
    {
        data_.set_place(&where_, &element, index);
        instance_.scalars.resize(element.properties.size());
        instance_.indices.clear();
        instance_.coordinates.clear();
        for (std::size_t i = 0; i < element.properties.size(); ++i) {
            PlyProperty const& property = element.properties[i];
            if (!property.is_list) {
                instance_.scalars[i] = data_.next(property.type);
                continue;
            }
            for (std::size_t left = data_.next_count(property); left > 0; --left) {
                double const value = data_.next(property.type);
                if (i == indices) instance_.indices.push_back(value);
                if (i == coordinates) instance_.coordinates.push_back(value);
            }
        }
    }

    void read_vertices(PlyElement const& element)
    {
        if (builder_.position_count() > 0)
            fail_input("has two elements \"vertex\"", where_, "faces could mean either", "export the mesh again");
        using Three = std::array<std::string_view, 3>;
        auto const position = find_properties<3>(element, {Three{"x", "y", "z"}});
        if (position[0] == kNone) fail_input("vertices have no x, y and z", where_, {}, "export the mesh again");
        auto const normal = find_properties<3>(element, {Three{"nx", "ny", "nz"}});
        auto const colour = find_properties<3>(
            element, {Three{"red", "green", "blue"}, Three{"diffuse_red", "diffuse_green", "diffuse_blue"}});
        using Two = std::array<std::string_view, 2>;
        auto const coordinates = find_properties<2>(
            element, {Two{"s", "t"}, Two{"u", "v"}, Two{"texture_u", "texture_v"}, Two{"texture_s", "texture_t"}});
        for (std::uint64_t i = 0; i < element.count; ++i) {
            read_instance(element, i, kNone, kNone);
            auto const at = [&](std::size_t property) { return static_cast<float>(instance_.scalars[property]); };
            builder_.add_position({at(position[0]), at(position[1]), at(position[2])});
            if (normal[0] != kNone) normals_.push_back({at(normal[0]), at(normal[1]), at(normal[2])});
            if (coordinates[0] != kNone) texture_coordinates_.push_back({at(coordinates[0]), at(coordinates[1])});
            if (colour[0] != kNone) colours_.push_back(read_colour(element, colour));
        }
    }

    void read_faces(PlyElement const& element)
    {
        std::size_t const indices = find_list(element, {"vertex_indices", "vertex_index"});
        if (indices == kNone) fail_input("faces have no list vertex_indices", where_, {}, "export the mesh again");
        std::size_t const coordinates = find_list(element, {"texcoord"});
        using Three = std::array<std::string_view, 3>;
        auto const colour = find_properties<3>(
            element, {Three{"red", "green", "blue"}, Three{"diffuse_red", "diffuse_green", "diffuse_blue"}});
        for (std::uint64_t i = 0; i < element.count; ++i) {
            read_instance(element, i, indices, coordinates);
            corners_.clear();
            for (double const index : instance_.indices) corners_.push_back(check_index(index));
            if (corners_.size() < 3) {
                ++degenerate_;
                continue;
            }
            gather_values();
            if (colour[0] != kNone) values_.colours.assign(corners_.size(), read_colour(element, colour));
            builder_.add_polygon(corners_, values_);
        }
    }

    std::uint32_t check_index(double index) const
    {
        if (index >= 0 && index < static_cast<double>(builder_.position_count()) && index == std::floor(index))
            return static_cast<std::uint32_t>(index);
        data_.fail(fmt::format("vertex {} is not among the {} that there are", index, builder_.position_count()));
    }

    /// What the corners have of their vertices, or of the face's own list of texture coordinates.
    void gather_values()
    {
        values_.normals.clear();
        values_.texture_coordinates.clear();
        values_.colours.clear();
        bool const has_own_coordinates = instance_.coordinates.size() == 2 * corners_.size();
        for (std::size_t i = 0; i < corners_.size(); ++i) {
            if (!normals_.empty()) values_.normals.push_back(normals_[corners_[i]]);
            if (!colours_.empty()) values_.colours.push_back(colours_[corners_[i]]);
            if (has_own_coordinates)
                values_.texture_coordinates.push_back({static_cast<float>(instance_.coordinates[2 * i]),
                                                       static_cast<float>(instance_.coordinates[2 * i + 1])});
            else if (!texture_coordinates_.empty())
                values_.texture_coordinates.push_back(texture_coordinates_[corners_[i]]);
        }
    }

    /// Whole numbers are codes up to 255, or 65535 if they have 16 bits; others go from 0 to 1.
    std::uint32_t read_colour(PlyElement const& element, std::array<std::size_t, 3> const& properties) const
    {
        std::array<double, 3> parts{};
        for (std::size_t i = 0; i < 3; ++i) {
            PlyType const type = element.properties[properties[i]].type;
            double const largest = type == PlyType::f32 || type == PlyType::f64   ? 1
                                   : type == PlyType::i16 || type == PlyType::u16 ? 65535
                                                                                  : 255;
            double const value = instance_.scalars[properties[i]];
            if (!(value >= 0 && value <= largest))
                data_.fail(fmt::format("colour {} is not within 0 to {}", value, largest));
            parts[i] = value / largest;
        }
        return pack_colour(parts[0], parts[1], parts[2]);
    }

    void pass(PlyElement const& element)
    {
        if (element.properties.empty()) return;
        for (std::uint64_t i = 0; i < element.count; ++i) read_instance(element, i, kNone, kNone);
    }

    void skip(PlyElement const& element)
    {
        pass(element);
        notices_.push_back(fmt::format("{} elements \"{}\" left out", element.count, element.name));
    }

    PlyHeader const& header_;
    PlyData data_;
    std::string where_;
    MeshBuilder builder_;
    Instance instance_;
    std::vector<Vec3> normals_; ///< of vertices, as are the next two
    std::vector<TextureCoordinates> texture_coordinates_;
    std::vector<std::uint32_t> colours_;
    std::vector<std::uint32_t> corners_;
    CornerValues values_;
    std::vector<std::string> notices_;
    std::uint64_t degenerate_ = 0;
};

MeshFile read_ply(std::filesystem::path const& path, MeshReadOptions const&)
{
    MappedFile const file(path);
    std::string_view const bytes(reinterpret_cast<char const*>(file.bytes().data()), file.bytes().size());
    PlyHeader const header = parse_ply_header(bytes, path.string());
    MeshFile mesh = PlyMesh(header, bytes.substr(header.size_bytes), path.string()).read();
    file.check_unchanged();
    return mesh;
}

bool is_ply(std::string_view head, std::uint64_t)
{
    return head.starts_with("ply\n") || head.starts_with("ply\r\n");
}

} // namespace

extern MeshReader const ply_mesh_reader;
MeshReader const ply_mesh_reader{is_ply, read_ply};

} // namespace volpt
