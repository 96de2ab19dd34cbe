#include "libvolpt/scene/light/emitter_shapes.h"

#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light/emitter_records.h"
#include "libvolpt/scene/vectors.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/surroundings/surrounding_sections.h"

#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kDiskTriangles = 128;

Vec3d scale_to(Vec3d const& v, double length)
{
    double const factor = length / measure_length(v);
    return {factor * v[0], factor * v[1], factor * v[2]};
}

/// centre + s u + t v
Vec3d find_point(Vec3d const& centre, double s, Vec3d const& u, double t, Vec3d const& v)
{
    Vec3d point{};
    for (std::size_t i = 0; i < 3; ++i) point[i] = centre[i] + s * u[i] + t * v[i];
    return point;
}

class ShapeList {
public:
    ShapeList(SurroundingShapes shapes, Placement const& placement) : shapes_(std::move(shapes)), placement_(placement)
    {
    }

    EmitterPlace add(Emitter const& emitter)
    {
        if (emitter.kind == EmitterKind::mesh) return {emitter.first_triangle, emitter.triangle_count, 0};
        if (emitter.kind == EmitterKind::sphere) return add_sphere(emitter);
        EmitterPlace place{static_cast<std::uint32_t>(shapes_.mesh_mm.triangles.size()), 0, 0};
        if (emitter.kind == EmitterKind::rectangle)
            add_rectangle(emitter);
        else
            add_disk(emitter);
        place.triangle_count = static_cast<std::uint32_t>(shapes_.mesh_mm.triangles.size()) - place.first_triangle;
        return place;
    }

    SurroundingShapes take() { return std::move(shapes_); }

private:
    std::uint32_t get_black()
    {
        if (!has_black_) shapes_.bsdfs.emplace_back();
        has_black_ = true;
        return static_cast<std::uint32_t>(shapes_.bsdfs.size() - 1);
    }

    EmitterPlace add_sphere(Emitter const& emitter)
    {
        shapes_.spheres.push_back(
            {round_vector(place_in_box(placement_, emitter.origin_world)), static_cast<float>(emitter.radius_mm)});
        shapes_.bsdf_of_sphere.push_back(get_black());
        return {0, 0, static_cast<std::uint32_t>(shapes_.spheres.size() - 1)};
    }

    void add_rectangle(Emitter const& emitter)
    {
        Vec3d const front = turn_into_box(placement_, find_cross(emitter.u_axis_mm, emitter.v_axis_mm));
        auto const corner = [&](double s, double t) {
            Vec3d const world = find_point(emitter.origin_world, s, emitter.u_axis_mm, t, emitter.v_axis_mm);
            return place_in_box(placement_, world);
        };
        Vec3d const a = corner(-1, -1), b = corner(1, -1), c = corner(1, 1), d = corner(-1, 1);
        add_triangle({a, b, c}, front);
        add_triangle({a, c, d}, front);
    }

    void add_disk(Emitter const& emitter)
    {
        Vec3d const front = turn_into_box(placement_, emitter.direction_world);
        std::size_t smallest = 0;
        for (std::size_t i = 1; i < 3; ++i)
            if (std::abs(front[i]) < std::abs(front[smallest])) smallest = i;
        Vec3d axis{};
        axis[smallest] = 1;
        // The polygon's corners lie a little outside of the circle, for the circle's area.
        double const step_deg = 360.0 / kDiskTriangles;
        double const widening = std::sqrt(2 * kPi / (kDiskTriangles * sine_cosine_of_degrees(step_deg).sine));
        Vec3d const u = scale_to(find_cross(front, axis), emitter.radius_mm * widening);
        Vec3d const v = scale_to(find_cross(front, u), emitter.radius_mm * widening);
        Vec3d const centre = place_in_box(placement_, emitter.origin_world);
        auto const corner = [&](int i) {
            SineCosineDouble const angle = sine_cosine_of_degrees(step_deg * (i % kDiskTriangles));
            return find_point(centre, angle.cosine, u, angle.sine, v);
        };
        for (int i = 0; i < kDiskTriangles; ++i) add_triangle({centre, corner(i), corner(i + 1)}, front);
    }

    /// With its front where `front` points.
    void add_triangle(std::array<Vec3d, 3> corners, Vec3d const& front)
    {
        auto const& [a, b, c] = corners;
        Vec3d const normal = find_cross(find_difference(b, a), find_difference(c, a));
        if (find_dot(normal, front) < 0) std::swap(corners[1], corners[2]);
        TriangleMesh& mesh = shapes_.mesh_mm;
        auto const first = static_cast<std::uint32_t>(mesh.positions_mm.size());
        for (Vec3d const& corner : corners) mesh.positions_mm.push_back(round_vector(corner));
        // Without values of their own by corner: normals of 0 mean that of the triangle.
        if (!mesh.normals.empty()) mesh.normals.push_back({Vec3{0, 0, 0}, Vec3{0, 0, 0}, Vec3{0, 0, 0}});
        if (!mesh.texture_coordinates.empty()) mesh.texture_coordinates.emplace_back();
        mesh.triangles.push_back({first, first + 1, first + 2});
        shapes_.bsdf_of_triangle.push_back(get_black());
    }

    SurroundingShapes shapes_;
    Placement const& placement_;
    bool has_black_ = false;
};

} // namespace

std::array<double, 3> place_in_box(Placement const& placement, std::array<double, 3> const& world)
{
    return turn_into_box(placement, find_point(world, -1, placement.origin_world_mm, 0, world));
}

LitShapes add_emitter_shapes(SurroundingShapes shapes, std::span<Emitter const> emitters, VolumeMeta const& meta)
{
    std::uint64_t const triangles = shapes.mesh_mm.triangles.size();
    LitShapes lit;
    ShapeList list(std::move(shapes), meta.placement);
    bool adds = false;
    for (std::size_t i = 0; i < emitters.size(); ++i) {
        Emitter const& emitter = emitters[i];
        if (emitter.kind == EmitterKind::mesh &&
            std::uint64_t{emitter.first_triangle} + emitter.triangle_count > triangles)
            fail_usage(fmt::format("emitter {} consists of triangles {} to {}, but the volume's surroundings have {}",
                                   i, emitter.first_triangle,
                                   std::uint64_t{emitter.first_triangle} + emitter.triangle_count, triangles));
        bool const has_area = is_area_emitter(emitter.kind);
        adds = adds || (has_area && emitter.kind != EmitterKind::mesh);
        lit.places.push_back(has_area ? list.add(emitter) : EmitterPlace{});
    }
    lit.shapes = list.take();
    if (!adds) return lit;
    if (std::string const problem = find_shape_problem(lit.shapes, meta); !problem.empty())
        fail_usage("an emitter cannot be rendered: " + problem, "place it nearer to the volume, or make it larger");
    return lit;
}

} // namespace volpt
