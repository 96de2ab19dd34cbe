#include "formats/mesh/three_mf/model.h"

#include "formats/common/text.h"
#include "formats/mesh/builder.h"
#include "formats/mesh/text_scanner.h"
#include "formats/mesh/three_mf/model_part.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <memory>
#include <set>

namespace volpt {
namespace {

constexpr int kMaxComponentDepth = 64;
constexpr std::uint64_t kMaxModelTriangles = std::uint64_t{1} << 31;
constexpr std::uint64_t kMaxPart_bytes = std::uint64_t{8} << 30;

/// The pictures that triangles use, each once.
class ModelPictures {
public:
    ModelPictures(ReadModelPart const& read_part, std::string const& where, MeshPictures kept)
        : read_part_(read_part), where_(where), are_kept_(kept == MeshPictures::kept)
    {
    }

    /// Its number, or kNoPicture if pictures are dropped.
    std::uint16_t add(std::string const& name)
    {
        is_any_used_ = true;
        if (!are_kept_) return TriangleMesh::kNoPicture;
        auto const [found, is_new] = numbers_.try_emplace(to_lower(name), pictures_.size());
        if (!is_new) return static_cast<std::uint16_t>(found->second);
        if (pictures_.size() >= kMaxMeshPictures)
            fail_input(fmt::format("has more than {} pictures", kMaxMeshPictures), where_, {}, "join some of them");
        std::string const where = fmt::format("{}: {}", where_, name.substr(0, 300));
        std::uint64_t const left = kMaxMeshPictureBytes - bytes_;
        MeshPicture picture{name, read_part_(name, where, left + 1)};
        if (picture.bytes.size() > left)
            fail_input(fmt::format("with this one, pictures have more than {} bytes", kMaxMeshPictureBytes), where, {},
                       "make them smaller");
        if (!picture.is_inside()) fail_input("is an empty picture", where, {}, "get a complete copy");
        bytes_ += picture.bytes.size();
        pictures_.push_back(std::move(picture));
        return static_cast<std::uint16_t>(pictures_.size() - 1);
    }

    bool is_any_used() const { return is_any_used_; }
    std::vector<MeshPicture> take() { return std::move(pictures_); }

private:
    ReadModelPart const& read_part_;
    std::string const& where_;
    bool are_kept_;
    bool is_any_used_ = false;
    std::map<std::string, std::size_t> numbers_;
    std::vector<MeshPicture> pictures_;
    std::uint64_t bytes_ = 0;
};

class ModelPackage {
public:
    ModelPackage(ReadModelPart const& read_part, std::string const& where, MeshPictures kept)
        : read_part_(read_part), where_(where), builder_(where), pictures_(read_part, where, kept)
    {
    }

    MeshFile parse(std::string const& root_name)
    {
        ModelPart& root = open_part(root_name);
        root_ = &root;
        unit_mm_ = root.unit_mm;
        read_resources(root);
        std::uint64_t parts = 0, items = 0;
        for (auto const item : root.model.child(root.words.core("build").c_str()).children(root.item.c_str())) {
            ++items;
            if (std::string_view(item.attribute("printable").value()) == "0") {
                ++unprinted_;
                continue;
            }
            ModelObject const& object = find_object(root, item, fmt::format("{}: build", root.where));
            parts = std::min(parts + object.parts, kMaxModelTriangles + 1);
            check_size(parts, "the build", root.where);
            emit(object, root.words.parse_transform(item.attribute("transform"), root.where + ": build"));
        }
        if (items == 0) fail_input("builds nothing", root.where, "it has no <item>", "add the objects to the build");
        MeshFile file = builder_.finish(list_notices());
        file.pictures = pictures_.take();
        file.has_pictures = pictures_.is_any_used();
        return file;
    }

private:
    /// Names of parts are equal whatever their case; one without a slash before it lies beside the part that names it.
    static std::string resolve(std::string_view name, ModelPart const& from)
    {
        if (name.starts_with('/')) return std::string(name.substr(1));
        std::size_t const slash = from.name.rfind('/');
        return (slash == from.name.npos ? std::string() : from.name.substr(0, slash + 1)) + std::string(name);
    }

    ModelPart& open_part(std::string const& name)
    {
        std::unique_ptr<ModelPart>& part = parts_[to_lower(name)];
        if (part == nullptr) {
            std::string where = fmt::format("{}: {}", where_, name.substr(0, 300));
            auto xml = read_part_(name, where, kMaxPart_bytes);
            part = std::make_unique<ModelPart>(name, std::move(xml), std::move(where));
        }
        return *part;
    }

    void read_resources(ModelPart& part)
    {
        for (auto const node : part.model.child(part.words.core("resources").c_str()).children()) {
            if (node.type() != pugi::node_element) continue;
            std::string const name = node.name();
            std::string const id = need_id(part, node);
            if (name == part.words.core("object")) {
                read_object(part, node, id);
            } else if (!part.groups.read(node, id)) {
                part.groups.add_unsupported(id, name);
                std::string const& material = part.words.material();
                if (material.empty() || !name.starts_with(material)) unsupported_.insert(name); // others where used
            }
        }
    }

    static std::string need_id(ModelPart& part, pugi::xml_node node)
    {
        std::string const id = node.attribute("id").value();
        if (id.empty())
            fail_input(fmt::format("a <{}> has no id", cut_text(node.name(), 80)), part.where, {}, "correct the file");
        if (!part.ids.insert(id).second)
            fail_input(fmt::format("two resources have the id {}", id.substr(0, 40)), part.where, {},
                       "correct the file");
        return id;
    }

    /// Components name objects that stand before them, or objects of another part, whose components name none; so there
    /// are no circles.
    void read_object(ModelPart& part, pugi::xml_node node, std::string const& id)
    {
        ModelObject object;
        object.node = node;
        object.part = &part;
        std::string_view const type = node.attribute("type").value();
        object.is_part_of_print = type != "support" && type != "solidsupport" && type != "other";
        for (auto const triangle :
             node.child(part.words.core("mesh").c_str()).child(part.words.core("triangles").c_str()).children()) {
            static_cast<void>(triangle);
            ++object.parts;
        }
        for (auto const component : components_of(part, node)) {
            ModelObject const& inner = find_object(part, component, part.describe(node));
            object.parts = std::min(object.parts + inner.parts, kMaxModelTriangles + 1);
            object.depth = std::max(object.depth, inner.depth + 1);
        }
        if (object.depth > kMaxComponentDepth)
            fail_input(fmt::format("components lie more than {} deep in each other", kMaxComponentDepth),
                       part.describe(node), {}, "flatten the assembly");
        check_size(object.parts, fmt::format("object {}", id.substr(0, 40)), part.where);
        part.objects.emplace(id, object);
    }

    static pugi::xml_object_range<pugi::xml_named_node_iterator> components_of(ModelPart const& part,
                                                                               pugi::xml_node object)
    {
        return object.child(part.words.core("components").c_str()).children(part.component.c_str());
    }

    static void check_size(std::uint64_t parts, std::string const& what, std::string const& where)
    {
        if (parts > kMaxModelTriangles)
            fail_input(fmt::format("{} has more than 2^31 triangles", what), where, "components multiply",
                       "simplify the assembly");
    }

    /// Of a component or an item of `part`.
    ModelObject const& find_object(ModelPart& part, pugi::xml_node reference, std::string const& where)
    {
        ModelPart* of = &part;
        if (auto const path = part.words.find_path(reference)) {
            if (&part != root_)
                fail_input(fmt::format("names an object of the part {}", path->substr(0, 200)), where,
                           "only the model that the file begins with may name other parts", "export it again");
            std::string const name = resolve(*path, part);
            bool const is_new = !parts_.contains(to_lower(name));
            of = &open_part(name);
            if (is_new) read_resources(*of);
        }
        std::string_view const id = reference.attribute("objectid").value();
        auto const found = of->objects.find(id);
        if (found == of->objects.end())
            fail_input(fmt::format("there is no object \"{}\" before its use{}", id.substr(0, 40),
                                   of == &part ? std::string() : fmt::format(" in {}", of->name.substr(0, 200))),
                       where, {}, "get a complete copy");
        return found->second;
    }

    void emit(ModelObject const& object, ModelTransform const& transform)
    {
        if (!object.is_part_of_print) {
            ++supports_;
            return;
        }
        ModelPart& part = *object.part;
        if (auto const mesh = object.node.child(part.words.core("mesh").c_str()))
            emit_mesh(part, object.node, mesh, transform);
        for (auto const component : components_of(part, object.node)) {
            std::string const where = part.describe(object.node);
            emit(find_object(part, component, where),
                 transform * part.words.parse_transform(component.attribute("transform"), where));
        }
    }

    void emit_mesh(ModelPart& part, pugi::xml_node object, pugi::xml_node mesh, ModelTransform const& transform)
    {
        std::string const where = part.describe(object);
        for (auto const child : mesh.children())
            if (std::string const name = child.name(); name != part.words.core("vertices") &&
                                                       name != part.words.core("triangles") &&
                                                       !name.ends_with(":trianglesets") && !name.empty())
                unsupported_.insert(name);
        auto const first = static_cast<std::uint32_t>(builder_.position_count());
        for (auto const vertex : mesh.child(part.words.core("vertices").c_str()).children(part.vertex.c_str()))
            builder_.add_position(read_vertex(part, vertex, transform, where, builder_.position_count() - first));
        std::size_t const count = builder_.position_count() - first;
        bool const is_mirrored = transform.determinant() < 0;
        std::size_t number = 0;
        group_ = nullptr;
        for (auto const triangle : mesh.child(part.words.core("triangles").c_str()).children(part.triangle.c_str())) {
            std::array<std::uint32_t, 3> corners = read_corners(triangle, count, where, number);
            read_triangle_colours(part, object, triangle, where, number);
            if (is_mirrored) {
                std::swap(corners[1], corners[2]);
                if (!values_.colours.empty()) std::swap(values_.colours[1], values_.colours[2]);
                auto& coordinates = values_.texture_coordinates;
                if (!coordinates.empty()) std::swap(coordinates[1], coordinates[2]);
            }
            for (std::uint32_t& corner : corners) corner += first;
            builder_.add_triangle(corners, values_);
            ++number;
        }
    }

    Vec3 read_vertex(ModelPart const& part, pugi::xml_node node, ModelTransform const& transform,
                     std::string const& where, std::size_t number) const
    {
        constexpr std::array kNames{"x", "y", "z"};
        std::array<double, 3> place{};
        for (std::size_t i = 0; i < 3; ++i) {
            auto const value = parse_mesh_number(node.attribute(kNames[i]).value());
            if (!value || !(std::abs(*value) < 1e30))
                fail_input(fmt::format("{} = '{}' of vertex {} is no number", kNames[i],
                                       cut_text(node.attribute(kNames[i]).value()), number),
                           where, {}, "get a complete copy");
            place[i] = part.unit_mm == unit_mm_ ? *value : *value * (part.unit_mm / unit_mm_);
        }
        place = transform.apply(place);
        return {static_cast<float>(unit_mm_ * place[0]), static_cast<float>(unit_mm_ * place[1]),
                static_cast<float>(unit_mm_ * place[2])};
    }

    static std::array<std::uint32_t, 3> read_corners(pugi::xml_node node, std::size_t count, std::string const& where,
                                                     std::size_t number)
    {
        constexpr std::array kNames{"v1", "v2", "v3"};
        std::array<std::uint32_t, 3> corners{};
        for (std::size_t i = 0; i < 3; ++i) {
            auto const index = parse_model_index(node.attribute(kNames[i]).value());
            if (!index || *index >= count)
                fail_input(fmt::format("{} = '{}' of triangle {} is none of its {} vertices", kNames[i],
                                       cut_text(node.attribute(kNames[i]).value()), number, count),
                           where, {}, "get a complete copy");
            corners[i] = static_cast<std::uint32_t>(*index);
        }
        return corners;
    }

    /// The triangle's own pid and p1 to p3, where absent those of the object; p2 and p3 default to p1.
    void read_triangle_colours(ModelPart& part, pugi::xml_node object, pugi::xml_node triangle,
                               std::string const& where, std::size_t number)
    {
        values_.colours.clear();
        values_.texture_coordinates.clear();
        values_.picture = TriangleMesh::kNoPicture;
        auto const own_group = triangle.attribute("pid");
        std::string_view const id = (own_group ? own_group : object.attribute("pid")).value();
        if (id.empty()) return;
        if (group_ == nullptr || group_id_ != id) {
            group_ = part.groups.find(id);
            group_id_ = id;
            if (group_ == nullptr)
                fail_input(fmt::format("there is no property group {}", id.substr(0, 40)),
                           fmt::format("{}: triangle {}", where, number), {}, "get a complete copy");
        }
        if (!group_->unsupported.empty()) {
            part.words.refuse_if_materials_required(group_->unsupported, where);
            unsupported_.insert(group_->unsupported);
            return;
        }
        auto const p1 = triangle.attribute("p1") ? triangle.attribute("p1") : object.attribute("pindex");
        for (auto const& own : {p1, triangle.attribute("p2"), triangle.attribute("p3")}) {
            auto const index = parse_model_index((own ? own : p1).value());
            if (!index || *index >= group_->size())
                fail_input(fmt::format("property '{}' of triangle {} is none of the {} in group {}",
                                       cut_text((own ? own : p1).value()), number, group_->size(), id.substr(0, 40)),
                           where, {}, "get a complete copy");
            if (group_->texture) {
                values_.texture_coordinates.push_back(group_->coordinates[*index]);
                continue;
            }
            values_.colours.push_back(group_->colours[*index]);
            are_transparent_ = are_transparent_ || group_->find_opacity(*index) < 1;
        }
        if (group_->texture) take_picture(part, *group_->texture);
        lie_on_colours_ = lie_on_colours_ || group_->is_on_colours;
    }

    void take_picture(ModelPart const& part, ModelTexture const& texture)
    {
        values_.picture = pictures_.add(resolve(texture.path, part));
        bool const is_beyond = std::ranges::any_of(values_.texture_coordinates, [&](TextureCoordinates const& at) {
            auto const is_outside = [](float x) { return x < -1e-4f || x > 1 + 1e-4f; };
            return (!texture.is_repeated[0] && is_outside(at.u)) || (!texture.is_repeated[1] && is_outside(at.v));
        });
        if (is_beyond) ++repeated_anyway_;
    }

    std::vector<std::string> list_notices() const
    {
        std::vector<std::string> notices;
        for (auto const& name : unsupported_)
            notices.push_back(fmt::format("<{}> is not supported and left out", name.substr(0, 80)));
        if (supports_ > 0) notices.push_back(fmt::format("{} support objects left out", supports_));
        if (unprinted_ > 0)
            notices.push_back(fmt::format("{} objects that the file says are not to be printed left out", unprinted_));
        if (repeated_anyway_ > 0)
            notices.push_back(
                fmt::format("{} triangles have texture coordinates beyond 0..1, where their picture is to "
                            "be clamped or mirrored: it is repeated",
                            repeated_anyway_));
        if (lie_on_colours_)
            notices.push_back("pictures that lie on colours are shown on white where they are transparent");
        if (are_transparent_)
            notices.push_back("colours that lie on nothing are opaque, though the file has an opacity");
        return notices;
    }

    ReadModelPart const& read_part_;
    std::string const& where_;
    MeshBuilder builder_;
    ModelPictures pictures_;
    ModelPart const* root_ = nullptr;
    double unit_mm_ = 1;                                      ///< of the root, in which its transforms are
    std::map<std::string, std::unique_ptr<ModelPart>> parts_; ///< by name in lower case
    PropertyGroup const* group_ = nullptr;                    ///< of the last triangle
    std::string_view group_id_;
    CornerValues values_;
    std::set<std::string> unsupported_;
    bool are_transparent_ = false; ///< colours that no multiproperties blend
    bool lie_on_colours_ = false;  ///< pictures
    std::uint64_t supports_ = 0, unprinted_ = 0, repeated_anyway_ = 0;
};

} // namespace

MeshFile parse_three_mf_model(ReadModelPart const& read_part, std::string const& root, std::string const& where,
                              MeshPictures pictures)
{
    return ModelPackage(read_part, where, pictures).parse(root);
}

} // namespace volpt
