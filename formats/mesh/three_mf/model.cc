#include "formats/mesh/three_mf/model.h"

#include "formats/mesh/builder.h"
#include "formats/mesh/text_scanner.h"
#include "formats/mesh/three_mf/vocabulary.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <pugixml.hpp>
#include <set>

namespace volpt {
namespace {

constexpr int kMaxComponentDepth = 64;
constexpr std::uint64_t kMaxModelTriangles = std::uint64_t{1} << 31;

struct ModelObject {
    pugi::xml_node node;
    std::uint64_t parts = 1; ///< triangles and objects in it, so that many empty ones count too
    int depth = 0;           ///< of components inside each other
    bool is_part_of_print = true;
};

struct PropertyGroup {
    std::vector<std::uint32_t> colours;
    std::string unsupported; ///< its name, if it is of another kind than colours
};

class ModelParser {
public:
    ModelParser(pugi::xml_node model, std::string const& where)
        : model_(model), where_(where), words_(model, where), builder_(where)
    {
        unit_mm_ = words_.find_unit_mm(model);
        words_.check_required(model);
    }

    MeshFile parse()
    {
        for (auto const resource : model_.child(words_.core("resources").c_str()).children()) read_resource(resource);
        std::uint64_t parts = 0;
        for (auto const item : model_.child(words_.core("build").c_str()).children(item_.c_str())) {
            ModelObject const& object = find_object(item, fmt::format("{}: build", where_));
            parts = std::min(parts + object.parts, kMaxModelTriangles + 1);
            check_size(parts, "the build");
            emit(object, words_.parse_transform(item.attribute("transform"), where_ + ": build"));
        }
        if (parts == 0) fail_input("builds nothing", where_, "it has no <item>", "add the objects to the build");
        return builder_.finish(list_notices());
    }

private:
    void read_resource(pugi::xml_node node)
    {
        std::string const name = node.name();
        if (name == words_.core("object")) {
            read_object(node);
        } else if (name == words_.core("basematerials")) {
            read_colours(node, words_.core("base"), "displaycolor");
        } else if (!words_.material().empty() && name == words_.material() + "colorgroup") {
            read_colours(node, words_.material() + "color", "color");
        } else if (node.type() == pugi::node_element) {
            groups_[need_id(node)].unsupported = name;
            if (!words_.material().empty() && name.starts_with(words_.material())) return; // told where it is used
            unsupported_.insert(name);
        }
    }

    std::string need_id(pugi::xml_node node) const
    {
        std::string const id = node.attribute("id").value();
        if (id.empty())
            fail_input(fmt::format("a <{}> has no id", std::string_view(node.name()).substr(0, 80)), where_, {},
                       "correct the file");
        if (groups_.contains(id) || objects_.contains(id))
            fail_input(fmt::format("two resources have the id {}", id.substr(0, 40)), where_, {}, "correct the file");
        return id;
    }

    void read_colours(pugi::xml_node node, std::string const& element, char const* attribute)
    {
        std::string const id = need_id(node);
        PropertyGroup& group = groups_[id];
        for (auto const child : node.children(element.c_str()))
            group.colours.push_back(
                words_.parse_colour(child.attribute(attribute), fmt::format("{}: group {}", where_, id)));
    }

    std::string describe(pugi::xml_node object) const
    {
        return fmt::format("{}: object {}", where_, std::string_view(object.attribute("id").value()).substr(0, 40));
    }

    /// Components name objects that stand before them, so there are no circles.
    void read_object(pugi::xml_node node)
    {
        std::string const id = need_id(node);
        ModelObject object;
        object.node = node;
        std::string_view const type = node.attribute("type").value();
        object.is_part_of_print = type != "support" && type != "solidsupport" && type != "other";
        for (auto const triangle :
             node.child(words_.core("mesh").c_str()).child(words_.core("triangles").c_str()).children()) {
            static_cast<void>(triangle);
            ++object.parts;
        }
        for (auto const component : components_of(node)) {
            ModelObject const& inner = find_object(component, describe(node));
            object.parts = std::min(object.parts + inner.parts, kMaxModelTriangles + 1);
            object.depth = std::max(object.depth, inner.depth + 1);
        }
        if (object.depth > kMaxComponentDepth)
            fail_input(fmt::format("components lie more than {} deep in each other", kMaxComponentDepth),
                       describe(node), {}, "flatten the assembly");
        check_size(object.parts,
                   fmt::format("object {}", std::string_view(node.attribute("id").value()).substr(0, 40)));
        objects_.emplace(id, object);
    }

    pugi::xml_object_range<pugi::xml_named_node_iterator> components_of(pugi::xml_node object) const
    {
        return object.child(words_.core("components").c_str()).children(component_.c_str());
    }

    void check_size(std::uint64_t parts, std::string const& what) const
    {
        if (parts > kMaxModelTriangles)
            fail_input(fmt::format("{} has more than 2^31 triangles", what), where_, "components multiply",
                       "simplify the assembly");
    }

    /// Of a component or an item.
    ModelObject const& find_object(pugi::xml_node reference, std::string const& where) const
    {
        words_.refuse_other_part(reference, where);
        std::string const id = reference.attribute("objectid").value();
        auto const found = objects_.find(id);
        if (found == objects_.end())
            fail_input(fmt::format("there is no object \"{}\" before its use", id.substr(0, 40)), where, {},
                       "get a complete copy");
        return found->second;
    }

    void emit(ModelObject const& object, ModelTransform const& transform)
    {
        if (!object.is_part_of_print) {
            ++supports_;
            return;
        }
        if (auto const mesh = object.node.child(words_.core("mesh").c_str())) emit_mesh(object.node, mesh, transform);
        for (auto const component : components_of(object.node)) {
            std::string const where = describe(object.node);
            emit(find_object(component, where),
                 transform * words_.parse_transform(component.attribute("transform"), where));
        }
    }

    void emit_mesh(pugi::xml_node object, pugi::xml_node mesh, ModelTransform const& transform)
    {
        std::string const where = describe(object);
        for (auto const child : mesh.children())
            if (std::string const name = child.name(); name != words_.core("vertices") &&
                                                       name != words_.core("triangles") &&
                                                       !name.ends_with(":trianglesets") && !name.empty())
                unsupported_.insert(name);
        auto const first = static_cast<std::uint32_t>(builder_.position_count());
        for (auto const vertex : mesh.child(words_.core("vertices").c_str()).children(vertex_.c_str()))
            builder_.add_position(read_vertex(vertex, transform, where, builder_.position_count() - first));
        std::size_t const count = builder_.position_count() - first;
        bool const is_mirrored = transform.determinant() < 0;
        std::size_t number = 0;
        for (auto const triangle : mesh.child(words_.core("triangles").c_str()).children(triangle_.c_str())) {
            std::array<std::uint32_t, 3> corners = read_corners(triangle, count, where, number);
            read_triangle_colours(object, triangle, where, number);
            if (is_mirrored) {
                std::swap(corners[1], corners[2]);
                if (!values_.colours.empty()) std::swap(values_.colours[1], values_.colours[2]);
            }
            for (std::uint32_t& corner : corners) corner += first;
            builder_.add_triangle(corners, values_);
            ++number;
        }
    }

    Vec3 read_vertex(pugi::xml_node node, ModelTransform const& transform, std::string const& where,
                     std::size_t number) const
    {
        constexpr std::array kNames{"x", "y", "z"};
        std::array<double, 3> place{};
        for (std::size_t i = 0; i < 3; ++i) {
            auto const value = parse_mesh_number(node.attribute(kNames[i]).value());
            if (!value || !(std::abs(*value) < 1e30))
                fail_input(fmt::format("{} = '{}' of vertex {} is no number", kNames[i],
                                       std::string_view(node.attribute(kNames[i]).value()).substr(0, 40), number),
                           where, {}, "get a complete copy");
            place[i] = *value;
        }
        place = transform.apply(place);
        return {static_cast<float>(unit_mm_ * place[0]), static_cast<float>(unit_mm_ * place[1]),
                static_cast<float>(unit_mm_ * place[2])};
    }

    static std::optional<std::size_t> parse_index(char const* text)
    {
        std::string_view const word(text);
        std::uint32_t index = 0;
        auto const [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
        if (error != std::errc{} || end != word.data() + word.size()) return std::nullopt;
        return index;
    }

    static std::array<std::uint32_t, 3> read_corners(pugi::xml_node node, std::size_t count, std::string const& where,
                                                     std::size_t number)
    {
        constexpr std::array kNames{"v1", "v2", "v3"};
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i) {
            auto const index = parse_index(node.attribute(kNames[i]).value());
            if (!index || *index >= count)
                fail_input(fmt::format("{} = '{}' of triangle {} is none of its {} vertices", kNames[i],
                                       std::string_view(node.attribute(kNames[i]).value()).substr(0, 40), number,
                                       count),
                           where, {}, "get a complete copy");
            corners[i] = static_cast<std::uint32_t>(*index);
        }
        return corners;
    }

    /// The triangle's own pid and p1 to p3, where absent those of the object; p2 and p3 default to p1.
    void read_triangle_colours(pugi::xml_node object, pugi::xml_node triangle, std::string const& where,
                               std::size_t number)
    {
        values_.colours.clear();
        auto const own_group = triangle.attribute("pid");
        std::string_view const id = (own_group ? own_group : object.attribute("pid")).value();
        if (id.empty()) return;
        if (!cached_ || cached_id_ != id) {
            auto const found = groups_.find(std::string(id));
            if (found == groups_.end())
                fail_input(fmt::format("there is no property group {}", id.substr(0, 40)),
                           fmt::format("{}: triangle {}", where, number), {}, "get a complete copy");
            cached_ = &found->second;
            cached_id_ = found->first;
        }
        if (!cached_->unsupported.empty()) {
            words_.refuse_if_materials_required(cached_->unsupported, where);
            unsupported_.insert(cached_->unsupported);
            return;
        }
        auto const p1 = triangle.attribute("p1") ? triangle.attribute("p1") : object.attribute("pindex");
        for (auto const& own : {p1, triangle.attribute("p2"), triangle.attribute("p3")}) {
            auto const index = parse_index((own ? own : p1).value());
            if (!index || *index >= cached_->colours.size())
                fail_input(fmt::format("property '{}' of triangle {} is none of the {} in group {}",
                                       std::string_view((own ? own : p1).value()).substr(0, 40), number,
                                       cached_->colours.size(), id.substr(0, 40)),
                           where, {}, "get a complete copy");
            values_.colours.push_back(cached_->colours[*index]);
        }
    }

    std::vector<std::string> list_notices() const
    {
        std::vector<std::string> notices;
        for (auto const& name : unsupported_)
            notices.push_back(fmt::format("<{}> is not supported and left out", name.substr(0, 80)));
        if (supports_ > 0) notices.push_back(fmt::format("{} support objects left out", supports_));
        if (words_.has_transparent_colours()) notices.push_back("the opacity of colours is not read");
        return notices;
    }

    pugi::xml_node model_;
    std::string const& where_;
    ModelVocabulary words_;
    MeshBuilder builder_;
    // Ranges of children keep a pointer to the name.
    std::string item_ = words_.core("item");
    std::string component_ = words_.core("component");
    std::string vertex_ = words_.core("vertex");
    std::string triangle_ = words_.core("triangle");
    double unit_mm_ = 1;
    std::map<std::string, ModelObject> objects_;
    std::map<std::string, PropertyGroup> groups_;
    PropertyGroup const* cached_ = nullptr;
    std::string_view cached_id_;
    CornerValues values_;
    std::set<std::string> unsupported_;
    std::uint64_t supports_ = 0;
};

} // namespace

MeshFile parse_three_mf_model(std::span<std::byte> xml, std::string const& where)
{
    pugi::xml_document document;
    auto const result = document.load_buffer_inplace(xml.data(), xml.size(), pugi::parse_minimal | pugi::parse_escapes);
    if (result.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!result)
        fail_input(fmt::format("is no XML: {}", result.description()),
                   fmt::format("{} at offset {}", where, result.offset), {}, "get a complete copy");
    return ModelParser(document.document_element(), where).parse();
}

} // namespace volpt
