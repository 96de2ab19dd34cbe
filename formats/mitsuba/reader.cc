// Puts a Mitsuba scene's parts together.
#include "formats/mitsuba/reader.h"

#include "formats/mitsuba/boundary.h"
#include "formats/mitsuba/hints.h"
#include "formats/mitsuba/shape.h"
#include "formats/mitsuba/stream.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

/// The shape that holds a medium, and the medium.
struct BoundedMedium {
    MitsubaNode const* shape = nullptr;
    MitsubaNode const* medium = nullptr;
};

bool is_medium_of(MitsubaTree const& tree, MitsubaNode const& property)
{
    if (property.name != "interior") return false;
    return property.tag == "medium" || (property.tag == "ref" && tree.resolve(property).tag == "medium");
}

BoundedMedium find_medium(MitsubaTree const& tree, std::vector<std::string>& notices)
{
    BoundedMedium found;
    for (auto const& shape : tree.root->children) {
        if (shape->tag != "shape" || found.shape != nullptr) continue;
        for (auto const& child : shape->children)
            if (found.shape == nullptr && is_medium_of(tree, *child)) found = {shape.get(), &tree.resolve(*child)};
    }
    if (found.shape != nullptr) {
        found.shape->is_used = true;
        return found;
    }
    for (auto const& child : tree.root->children)
        if (child->tag == "medium" && found.medium == nullptr) found.medium = child.get();
    if (found.medium == nullptr)
        fail_input("the scene has no medium", tree.path.string(), "surfaces alone make no volume",
                   "give a scene with a <medium>");
    found.medium->is_used = true;
    notices.push_back(fmt::format("no shape has the {} inside: its grid's box bounds it", found.medium->describe()));
    return found;
}

std::string describe_leftover(MitsubaNode const& node)
{
    std::string text = node.describe();
    if (!node.name.empty()) text += text.empty() ? node.name : " " + node.name;
    for (auto const& child : node.children)
        if (child->tag == "emitter") text += " with its light";
    return text;
}

void collect_leftovers(MitsubaNode const& node, std::vector<std::string>& list)
{
    for (auto const& child : node.children)
        if (child->is_used)
            collect_leftovers(*child, list);
        else
            list.push_back(describe_leftover(*child));
}

/// One sentence on objects that were left out, and one on each used object with unused properties.
void list_leftovers(MitsubaTree const& tree, std::vector<std::string>& notices)
{
    std::vector<std::string> objects;
    for (auto const& child : tree.root->children) {
        if (!child->is_used) {
            objects.push_back(describe_leftover(*child));
            continue;
        }
        std::vector<std::string> properties;
        collect_leftovers(*child, properties);
        if (!properties.empty())
            notices.push_back(fmt::format("of the {}, left out: {}", child->describe(), fmt::join(properties, ", ")));
    }
    if (!objects.empty()) notices.push_back(fmt::format("of the scene, left out: {}", fmt::join(objects, ", ")));
}

/// Mitsuba 3 takes an axis as it is given, and the shape is stretched if its length is not 1; 0.x does not.
void list_stretching_rotations(MitsubaNode const& node, std::vector<std::string>& notices)
{
    if (node.tag == "rotate" && node.is_used) {
        double const length = find_axis_length(node);
        if (std::abs(length - 1) > 1e-4)
            notices.push_back(fmt::format("{}: the axis of a rotation has length {:.4g}; it is rendered without the "
                                          "stretching that it has in Mitsuba 3",
                                          node.where, length));
    }
    for (auto const& child : node.children) list_stretching_rotations(*child, notices);
}

bool is_coloured(std::vector<double> const& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

std::size_t count_bands(MitsubaMedium const& medium, MitsubaSurroundings const& surroundings, SceneHints const& hints)
{
    bool coloured = surroundings.is_coloured() || is_coloured(medium.extinction.constant) ||
                    is_coloured(medium.albedo.constant) ||
                    (medium.albedo.grid && medium.albedo.grid->header.channels == 3);
    if (hints.environment) {
        auto const& radiance = hints.environment->radiance;
        coloured = coloured || hints.environment->kind == EnvironmentKind::image ||
                   is_coloured(std::vector<double>(radiance.begin(), radiance.end()));
    }
    return coloured ? 3 : 1;
}

} // namespace

std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const& options)
{
    MitsubaTree const tree = load_mitsuba_tree(path, options.definitions);
    std::vector<std::string> notices = tree.notices;
    BoundedMedium const bounded = find_medium(tree, notices);
    MitsubaMedium const medium = read_mitsuba_medium(tree, *bounded.medium, notices);
    SceneHints hints = read_mitsuba_hints(tree, notices);
    std::optional<Matrix4> box;
    if (bounded.shape != nullptr) {
        hints.boundary = read_mitsuba_boundary(tree, *bounded.shape, notices);
        box = find_shape_box(tree, *bounded.shape, options.approximate_shape ? ShapeUse::bounding_box : ShapeUse::exact,
                             notices);
    }
    MitsubaSurroundings const surroundings = read_mitsuba_surroundings(tree, bounded.shape, notices);
    if (tree.is_legacy && (medium.extinction.grid || medium.albedo.grid))
        notices.push_back("Mitsuba 0.x ends a grid at its outermost samples, the packed volume half a voxel further");
    if (!tree.is_legacy) list_stretching_rotations(*tree.root, notices);
    list_leftovers(tree, notices);
    MitsubaStreamOptions stream;
    stream.bands = count_bands(medium, surroundings, hints);
    stream.faces = hints.boundary && hints.boundary->kind != BoundaryKind::none ? BoxFaces::boundary : BoxFaces::free;
    stream.encoding = options.encoding;
    stream.scale = options.scale;
    stream.g = options.g;
    stream.filter = options.filter;
    return make_mitsuba_stream(medium, box, surroundings, stream, path.string(), std::move(notices),
                               format_scene_hints(hints));
}

} // namespace volpt
