// Puts a Mitsuba scene's parts together.
#include "formats/mitsuba/reader.h"

#include "formats/mitsuba/boundary.h"
#include "formats/mitsuba/hints.h"
#include "formats/mitsuba/shape.h"
#include "formats/mitsuba/solids/solids.h"
#include "formats/mitsuba/stream.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

/// The shape that holds a medium, and the medium; none if the shape is hollow.
struct BoundedMedium {
    MitsubaNode const* shape = nullptr;
    MitsubaNode const* medium = nullptr;
    MitsubaNode const* exterior = nullptr; ///< the medium outside, if another shape holds it
};

/// The medium inside of a shape; null if it has none.
MitsubaNode const* find_interior(MitsubaTree const& tree, MitsubaNode const& shape)
{
    for (auto const& child : shape.children) {
        if (child->name != "interior") continue;
        if (child->tag == "medium" || (child->tag == "ref" && tree.resolve(*child).tag == "medium"))
            return &tree.resolve(*child);
    }
    return nullptr;
}

/// The medium outside of a shape, if one of `found` holds it; the property then counts as used.
MitsubaNode const* find_exterior(MitsubaTree const& tree, MitsubaNode const& shape,
                                 std::vector<BoundedMedium> const& found)
{
    for (auto const& child : shape.children) {
        auto const at = tree.by_id.find(child->id);
        if (child->name != "exterior" || child->tag != "ref" || at == tree.by_id.end()) continue;
        if (std::ranges::any_of(found, [&](BoundedMedium const& one) { return one.medium == at->second; }))
            return &tree.resolve(*child);
    }
    return nullptr;
}

/// Adds what shapes have outside where that is a medium in another one, and shapes that have nothing else: hollows in
/// it. `found` is not empty.
void find_exteriors(MitsubaTree const& tree, std::vector<BoundedMedium>& found)
{
    std::vector<BoundedMedium> all;
    for (auto const& shape : tree.root->children) {
        if (shape->tag != "shape") continue;
        auto const at = std::ranges::find_if(found, [&](BoundedMedium const& one) { return one.shape == shape.get(); });
        MitsubaNode const* const exterior = find_exterior(tree, *shape, found);
        if (at != found.end() || exterior != nullptr)
            all.push_back({shape.get(), at != found.end() ? at->medium : nullptr, exterior});
    }
    found = std::move(all);
}

/// All shapes with a medium inside; or, without a shape, the first medium.
std::vector<BoundedMedium> find_media(MitsubaTree const& tree, std::vector<std::string>& notices)
{
    std::vector<BoundedMedium> found;
    for (auto const& shape : tree.root->children) {
        if (shape->tag != "shape") continue;
        if (auto const* const medium = find_interior(tree, *shape)) found.push_back({shape.get(), medium, nullptr});
    }
    if (!found.empty()) return found;
    BoundedMedium alone;
    for (auto const& child : tree.root->children)
        if (child->tag == "medium" && alone.medium == nullptr) alone.medium = child.get();
    if (alone.medium == nullptr)
        fail_input("the scene has no medium", tree.path.string(), "surfaces alone make no volume",
                   "give a scene with a <medium>");
    alone.medium->is_used = true;
    notices.push_back(fmt::format("no shape has the {} inside: its grid's box bounds it", alone.medium->describe()));
    return {alone};
}

MitsubaMedium make_empty_medium()
{
    MitsubaMedium empty;
    empty.extinction.constant = {0};
    empty.albedo.constant = {1};
    empty.name = "empty";
    return empty;
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

/// Of Mitsuba 0.x.
std::string describe_grid_margin(MitsubaMedium const& medium)
{
    auto const& grid = medium.extinction.grid ? medium.extinction.grid : medium.albedo.grid;
    double growth = 1;
    for (int const count : grid->header.dims) growth *= count > 1 ? count / (count - 1.0) : 1;
    return fmt::format(
        "Mitsuba 0.x ends a grid at its outermost samples, the packed volume half a voxel further: it is "
        "{:.2g} % larger",
        100 * (growth - 1));
}

bool is_coloured(std::vector<double> const& values)
{
    return std::adjacent_find(values.begin(), values.end(), std::not_equal_to<>()) != values.end();
}

bool is_coloured(MitsubaMedium const& medium)
{
    return is_coloured(medium.extinction.constant) || is_coloured(medium.albedo.constant) ||
           (medium.albedo.grid && medium.albedo.grid->header.channels == 3);
}

std::size_t count_bands(std::vector<MitsubaMedium> const& media, MitsubaSurroundings const& surroundings,
                        SceneHints const& hints)
{
    bool coloured = surroundings.is_coloured();
    for (MitsubaMedium const& medium : media) coloured = coloured || is_coloured(medium);
    if (hints.environment) {
        auto const& radiance = hints.environment->radiance;
        coloured = coloured || hints.environment->kind == EnvironmentKind::image ||
                   is_coloured(std::vector<double>(radiance.begin(), radiance.end()));
    }
    return coloured ? 3 : 1;
}

/// Media of `bounded`. Where one is a grid, the first of several is left, and `bounded` has no others.
std::vector<MitsubaMedium> read_media(MitsubaTree const& tree, std::vector<BoundedMedium>& bounded,
                                      std::vector<std::string>& notices)
{
    std::map<MitsubaNode const*, MitsubaMedium> known;
    std::vector<MitsubaMedium> media;
    auto const read = [&](BoundedMedium const& one) {
        auto const [at, is_new] = known.try_emplace(one.medium);
        if (is_new)
            at->second = one.medium != nullptr ? read_mitsuba_medium(tree, *one.medium, notices) : make_empty_medium();
        media.push_back(at->second);
    };
    read(bounded[0]);
    if (bounded.size() > 1 &&
        std::ranges::any_of(bounded, [](auto const& b) { return b.medium->type != "homogeneous"; })) {
        notices.push_back("several shapes have a medium inside, not all homogeneous: the first one alone is packed");
        bounded.resize(1);
    } else if (bounded[0].shape != nullptr && bounded[0].medium->type == "homogeneous") {
        find_exteriors(tree, bounded);
        media.clear();
        read(bounded[0]);
    }
    for (std::size_t i = 1; i < bounded.size(); ++i) read(bounded[i]);
    return media;
}

} // namespace

std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const& options)
{
    MitsubaTree const tree = load_mitsuba_tree(path, options.definitions);
    std::vector<std::string> notices = tree.notices;
    std::vector<BoundedMedium> bounded = find_media(tree, notices);
    std::vector<MitsubaMedium> const media = read_media(tree, bounded, notices);
    SceneHints hints = read_mitsuba_hints(tree, notices);
    std::optional<Matrix4> box;
    std::vector<MitsubaNode const*> shapes;
    for (BoundedMedium const& one : bounded) {
        if (one.shape == nullptr) continue;
        one.shape->is_used = true;
        shapes.push_back(one.shape);
    }
    std::vector<MitsubaSolid> solids;
    if (shapes.size() == 1)
        box = find_shape_box(tree, *shapes[0], options.approximate_shape ? ShapeUse::bounding_box : ShapeUse::exact,
                             notices);
    if (shapes.size() == 1 && !box && media[0].has_grid())
        fail_input(fmt::format("a medium with a grid is bounded by the {}, which is no box", shapes[0]->describe()),
                   shapes[0]->where, "within meshes, media of scenes are homogeneous",
                   "give --approximate-shape to take its bounding box; or pack the grid alone, and then the mesh with "
                   "--medium");
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        BoundarySpec const boundary = read_mitsuba_boundary(tree, *shapes[i], notices);
        hints.boundary = boundary;
        if (!box)
            solids.push_back({shapes[i]->describe(), shapes[i]->where, read_solid_mesh(tree, *shapes[i], notices),
                              boundary, media[i], bounded[i].medium, bounded[i].exterior});
    }
    if (!share_boundary(solids)) hints.boundary.reset(); // they go with the solids
    MitsubaSurroundings const surroundings = read_mitsuba_surroundings(tree, shapes, notices);
    if (!hints.environment && !surroundings.has_light())
        notices.push_back("the scene has no emitter that is read: without --env and --light, volrender's own light is "
                          "used");
    if (tree.is_legacy && media[0].has_grid()) notices.push_back(describe_grid_margin(media[0]));
    if (!tree.is_legacy) list_stretching_rotations(*tree.root, notices);
    list_leftovers(tree, notices);
    std::size_t const bands = count_bands(media, surroundings, hints);
    if (!solids.empty()) {
        if (options.filter || options.encoding)
            fail_usage("--filter and --encode have no meaning for media within meshes", "they are homogeneous");
        return make_solid_volume(std::move(solids), surroundings,
                                 {bands, options.scale, options.g, options.mesh_bricks, options.threads}, path.string(),
                                 std::move(notices), format_scene_hints(hints));
    }
    MitsubaStreamOptions stream;
    stream.bands = bands;
    stream.faces = hints.boundary && hints.boundary->kind != BoundaryKind::none ? BoxFaces::boundary : BoxFaces::free;
    stream.grid_end = tree.is_legacy ? GridEnd::samples : GridEnd::cells;
    stream.fit = options.approximate_shape ? ShapeUse::bounding_box : ShapeUse::exact;
    stream.encoding = options.encoding;
    stream.scale = options.scale;
    stream.g = options.g;
    stream.filter = options.filter;
    return make_mitsuba_stream(media[0], box, surroundings, stream, path.string(), std::move(notices),
                               format_scene_hints(hints));
}

} // namespace volpt
