#include "formats/mitsuba/surroundings/surroundings.h"

#include "formats/mitsuba/boundary.h"
#include "formats/mitsuba/surroundings/emitters.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <map>

namespace volpt {
namespace {

/// Whether `child` is an object of this tag, or refers to one; marks nothing as used.
bool is_object(MitsubaTree const& tree, MitsubaNode const& child, std::string_view tag)
{
    if (child.tag != "ref") return child.tag == tag;
    auto const found = tree.by_id.find(child.id);
    return found != tree.by_id.end() && found->second->tag == tag;
}

bool has_object(MitsubaTree const& tree, MitsubaNode const& shape, std::string_view tag)
{
    return std::any_of(shape.children.begin(), shape.children.end(),
                       [&](auto const& child) { return is_object(tree, *child, tag); });
}

/// Null if the shape has none.
MitsubaNode const* find_emitter(MitsubaTree const& tree, MitsubaNode const& shape)
{
    for (auto const& child : shape.children)
        if (is_object(tree, *child, "emitter")) return &tree.resolve(*child);
    return nullptr;
}

bool is_known_shape(std::string const& type)
{
    return type == "cube" || type == "sphere" || type == "rectangle" || type == "disk" || type == "cylinder" ||
           type == "obj" || type == "ply";
}

class SurroundingsReader {
public:
    SurroundingsReader(MitsubaTree const& tree, std::vector<std::string>& notices) : tree_(tree), notices_(notices) {}

    void read(MitsubaNode const& node)
    {
        auto const bsdf = find_bsdf_index(node);
        node.is_used = true;
        if (!bsdf) return;
        check_file(node);
        MitsubaShape shape;
        shape.name = node.describe();
        shape.bsdf = *bsdf;
        read_light(node, shape);
        bool const is_flipped = read_boolean(node, "flip_normals", false);
        if (node.type == "sphere")
            read_sphere(node, is_flipped, shape);
        else
            read_triangles(node, is_flipped, shape);
        result_.shapes.push_back(std::move(shape));
    }

    MitsubaSurroundings finish()
    {
        if (!tessellated_.empty())
            notices_.push_back(fmt::format("made of triangles, {} around: {}; up to {:.2g} mm from their true surfaces",
                                           kCircleSegments, fmt::join(tessellated_, ", "), deviation_mm_));
        if (!mirrored_.empty())
            notices_.push_back(fmt::format("without normals of their own and mirrored by their transforms: {}; their "
                                           "front is inside, as in Mitsuba",
                                           fmt::join(mirrored_, ", ")));
        if (!black_.empty())
            notices_.push_back(fmt::format("these spheres emit, and absorb what falls on them, whatever their bsdf: {}",
                                           fmt::join(black_, ", ")));
        result_.emitters = read_mitsuba_emitters(tree_, notices_);
        return std::move(result_);
    }

private:
    void read_light(MitsubaNode const& node, MitsubaShape& shape)
    {
        MitsubaNode const* const emitter = find_emitter(tree_, node);
        if (emitter == nullptr) return;
        emitter->is_used = true;
        for (auto const& child : node.children)
            if (is_object(tree_, *child, "emitter")) child->is_used = true;
        auto radiance = read_mitsuba_light(*emitter, "radiance");
        if (sends_light(*emitter, radiance, notices_)) shape.radiance = std::move(radiance);
    }

    void check_file(MitsubaNode const& shape) const
    {
        std::string const name = read_string(shape, "filename", "");
        std::error_code error;
        if (name.empty() || std::filesystem::exists(tree_.find_file(name), error)) return;
        fail_input(
            fmt::format("{}, the file of the {}, is not there", tree_.find_file(name).string(), shape.describe()),
            shape.where, "without it the picture is another one", "put it there, or take the shape out of the scene");
    }

    /// Absent with a notice if it is not supported.
    std::optional<std::size_t> find_bsdf_index(MitsubaNode const& shape)
    {
        MitsubaNode const* const node = find_mitsuba_bsdf(tree_, shape);
        if (auto const found = indices_.find(node); found != indices_.end()) return found->second;
        std::string reason;
        auto bsdf = node == nullptr ? std::optional(MitsubaBsdf{}) : read_mitsuba_bsdf(tree_, *node, notices_, reason);
        if (!bsdf) {
            notices_.push_back(fmt::format("the {} is left out: {}", shape.describe(), reason));
            shape.mark_all_used();
            node->mark_all_used();
            return std::nullopt;
        }
        result_.bsdfs.push_back(std::move(*bsdf));
        return indices_[node] = result_.bsdfs.size() - 1;
    }

    void tell_tessellation(MitsubaNode const& node, Matrix4 const& to_world, double deviation)
    {
        tessellated_.push_back(node.describe());
        for (std::size_t j = 0; j < 3; ++j)
            deviation_mm_ =
                std::max(deviation_mm_, deviation * std::hypot(to_world[j], to_world[4 + j], to_world[8 + j]));
    }

    /// Analytic, if it has no texture and is seen from outside, or alike from both sides.
    void read_sphere(MitsubaNode const& node, bool is_flipped, MitsubaShape& shape)
    {
        double const radius = read_number(node, "radius", 1);
        MitsubaVector const centre = read_point(node, "center", {0, 0, 0});
        if (!(radius > 0)) fail_input(fmt::format("radius is {}", radius), node.where, "it is positive", "correct it");
        Matrix4 const to_world = read_to_world(node);
        auto const frame = find_box_frame(to_world);
        double const shortest = frame ? *std::min_element(frame->edges.begin(), frame->edges.end()) : 0;
        double const longest = frame ? *std::max_element(frame->edges.begin(), frame->edges.end()) : 1;
        if (longest > shortest * (1 + 1e-4))
            fail_input(fmt::format("the {} is stretched or sheared", node.describe()), node.where,
                       "spheres stay spheres", "give it as a mesh (obj or ply)");
        // Mitsuba turns the normals of a mirrored sphere.
        is_flipped = is_flipped != (find_determinant(to_world) < 0);
        MitsubaBsdf const& bsdf = result_.bsdfs[shape.bsdf];
        bool const emits = !shape.radiance.empty();
        if ((is_flipped && (emits || (bsdf.is_opaque() && !bsdf.is_two_sided))) || bsdf.diffuse.varies()) {
            shape.mesh = make_sphere_mesh();
            Matrix4 const local{radius, 0, 0, centre[0], 0, radius, 0, centre[1], 0, 0, radius, centre[2], 0, 0, 0, 1};
            Matrix4 const all = multiply(to_world, local);
            transform_mesh(shape.mesh, all);
            if (is_flipped) flip_mesh(shape.mesh);
            apply_to_uv(bsdf.diffuse, shape.mesh);
            tell_tessellation(node, all, kSphereDeviation);
            return;
        }
        if (emits) black_.push_back(node.describe());
        if (is_flipped && bsdf.kind == BsdfKind::dielectric) shape.bsdf = find_inverse(shape.bsdf);
        shape.radius = radius * longest;
        shape.centre = transform_point(to_world, centre);
    }

    /// The dielectric whose inside is the other one's outside.
    std::size_t find_inverse(std::size_t index)
    {
        auto const [found, is_new] = inverses_.try_emplace(index, result_.bsdfs.size());
        if (is_new) {
            MitsubaBsdf inverse = result_.bsdfs[index];
            std::swap(inverse.boundary.int_ior, inverse.boundary.ext_ior);
            result_.bsdfs.push_back(std::move(inverse));
        }
        return found->second;
    }

    void read_triangles(MitsubaNode const& node, bool is_flipped, MitsubaShape& shape)
    {
        Matrix4 const to_world = read_to_world(node);
        MitsubaTexture const& texture = result_.bsdfs[shape.bsdf].diffuse;
        ShapeMesh& mesh = shape.mesh;
        mesh = make_mesh(node, to_world);
        // Of meshes without texture coordinates Mitsuba takes the barycentric ones.
        if (mesh.uv.empty() && texture.varies()) mesh.uv.assign(mesh.triangles.size(), {{{0, 0}, {1, 0}, {0, 1}}});
        bool const is_faceted = read_boolean(node, "face_normals", false);
        bool const is_file = node.type == "obj" || node.type == "ply";
        bool const is_smoothed = is_file && !is_faceted && mesh.normals.empty();
        if (is_faceted) mesh.normals.clear();
        transform_mesh(mesh, to_world);
        if (is_file && mesh.normals.empty() && find_determinant(to_world) < 0) {
            // Mitsuba computes normals after the transform.
            flip_mesh(mesh);
            mirrored_.push_back(node.describe());
        }
        if (is_smoothed) smooth_normals(mesh);
        if (is_flipped) flip_mesh(mesh);
        apply_to_uv(texture, mesh);
    }

    ShapeMesh make_mesh(MitsubaNode const& node, Matrix4 const& to_world)
    {
        if (node.type == "cube") return make_cube_mesh();
        if (node.type == "rectangle") return make_rectangle_mesh();
        if (node.type == "disk") {
            tell_tessellation(node, to_world, kCircleDeviation);
            return make_disk_mesh();
        }
        if (node.type == "cylinder") {
            double const radius = read_number(node, "radius", 1);
            if (!(radius > 0))
                fail_input(fmt::format("radius is {}", radius), node.where, "it is positive", "correct it");
            tell_tessellation(node, to_world, kCircleDeviation * radius);
            return make_cylinder_mesh(read_point(node, "p0", {0, 0, 0}), read_point(node, "p1", {0, 0, 1}), radius,
                                      node.where);
        }
        std::string const name = read_string(node, "filename", "");
        if (name.empty()) fail_input(fmt::format("the {} has no filename", node.describe()), node.where, {}, "add it");
        ShapeMesh mesh = load_shape_mesh(tree_.find_file(name), notices_);
        bool const is_upwards = read_boolean(node, "flip_tex_coords", node.type == "obj");
        for (auto& corners : mesh.uv)
            for (auto& uv : corners) uv[1] = is_upwards ? 1 - uv[1] : uv[1];
        return mesh;
    }

    /// Without a texture no uv are needed. Pictures have their first row at v = 1 in the renderer.
    static void apply_to_uv(MitsubaTexture const& texture, ShapeMesh& mesh)
    {
        if (!texture.varies()) {
            mesh.uv.clear();
            return;
        }
        auto const& m = texture.to_uv;
        for (auto& corners : mesh.uv)
            for (auto& uv : corners) {
                double const u = m[0] * uv[0] + m[1] * uv[1] + m[2];
                double const v = m[3] * uv[0] + m[4] * uv[1] + m[5];
                uv = {u, texture.width > 0 ? 1 - v : v};
            }
    }

    MitsubaTree const& tree_;
    std::vector<std::string>& notices_;
    MitsubaSurroundings result_;
    std::map<MitsubaNode const*, std::size_t> indices_;
    std::map<std::size_t, std::size_t> inverses_;
    std::vector<std::string> tessellated_;
    std::vector<std::string> mirrored_;
    std::vector<std::string> black_;
    double deviation_mm_ = 0;
};

} // namespace

bool MitsubaSurroundings::is_coloured() const
{
    auto const differ = [](std::vector<float> const& values) {
        return std::ranges::adjacent_find(values, std::not_equal_to<>()) != values.end();
    };
    return std::ranges::any_of(bsdfs, [](MitsubaBsdf const& bsdf) { return bsdf.is_coloured(); }) ||
           std::ranges::any_of(emitters, [&](Emitter const& emitter) { return differ(emitter.amount); }) ||
           std::ranges::any_of(shapes, [&](MitsubaShape const& shape) { return differ(shape.radiance); });
}

bool MitsubaSurroundings::has_light() const
{
    return !emitters.empty() ||
           std::ranges::any_of(shapes, [](MitsubaShape const& shape) { return !shape.radiance.empty(); });
}

MitsubaSurroundings read_mitsuba_surroundings(MitsubaTree const& tree, std::span<MitsubaNode const* const> bounding,
                                              std::vector<std::string>& notices)
{
    SurroundingsReader reader(tree, notices);
    for (auto const& child : tree.root->children) {
        MitsubaNode const& shape = *child;
        if (shape.tag != "shape" || !is_known_shape(shape.type)) continue;
        if (std::find(bounding.begin(), bounding.end(), &shape) != bounding.end()) continue;
        if (has_object(tree, shape, "medium")) continue;
        MitsubaNode const* const emitter = find_emitter(tree, shape);
        if (emitter != nullptr && emitter->type != "area") continue;
        reader.read(shape);
    }
    return reader.finish();
}

} // namespace volpt
