// Surroundings in the axes of a volume's box, and which of them reach into it.
#include "formats/mitsuba/surroundings/surroundings.h"

#include "libvolpt/surface/solid_locator.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <memory>

namespace volpt {
namespace {

/// Of the box's longest side: coordinates in scenes are rounded, and shapes that touch the box do not lie in it.
constexpr double kTouch = 1e-5;
constexpr float kSolidTouch = 1e-4f; ///< the same of a solid of triangles
constexpr double kFarthest_mm = 1e9;
/// Of coordinates in voxels, from the triangle test: smaller ones are taken as 0.
constexpr double kFarthest_voxels = 0x1p39;
constexpr double kSmallest_voxels = 0x1p-39;

/// An axis-aligned box from 0 to `size`, less the margin.
struct InnerBox {
    MitsubaVector centre, half;

    InnerBox(MitsubaVector const& size, double margin)
    {
        for (std::size_t i = 0; i < 3; ++i) {
            centre[i] = size[i] / 2;
            half[i] = std::max(0.0, size[i] / 2 - margin);
        }
    }
};

/// A triangle has points within the box, by separating axes (T. Akenine-Möller, Fast 3D triangle-box overlap testing,
/// 2001).
bool overlaps(InnerBox const& box, std::array<MitsubaVector, 3> corners)
{
    for (MitsubaVector& corner : corners)
        for (std::size_t i = 0; i < 3; ++i) corner[i] -= box.centre[i];
    auto const separates = [&](MitsubaVector const& axis) {
        double low = INFINITY, high = -INFINITY, reach = 0;
        for (MitsubaVector const& c : corners) {
            double const along = axis[0] * c[0] + axis[1] * c[1] + axis[2] * c[2];
            low = std::min(low, along);
            high = std::max(high, along);
        }
        for (std::size_t i = 0; i < 3; ++i) reach += box.half[i] * std::abs(axis[i]);
        // Axes without length separate nothing.
        return (low >= reach || high <= -reach) && axis != MitsubaVector{0, 0, 0};
    };
    for (std::size_t i = 0; i < 3; ++i) {
        MitsubaVector axis{0, 0, 0};
        axis[i] = 1;
        if (separates(axis)) return false;
    }
    std::array<MitsubaVector, 3> edges;
    for (std::size_t e = 0; e < 3; ++e)
        for (std::size_t i = 0; i < 3; ++i) edges[e][i] = corners[(e + 1) % 3][i] - corners[e][i];
    auto const& [u, v, w] = edges;
    if (separates({u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]})) return false;
    for (MitsubaVector const& e : edges)
        if (separates({0, -e[2], e[1]}) || separates({e[2], 0, -e[0]}) || separates({-e[1], e[0], 0})) return false;
    return true;
}

PlaceInSolid locate_mesh(InnerBox const& box, double margin, ShapeMesh const& mesh)
{
    bool is_inside = true;
    for (auto const& triangle : mesh.triangles)
        for (std::uint32_t const vertex : triangle)
            for (std::size_t i = 0; i < 3; ++i)
                is_inside =
                    is_inside && std::abs(mesh.positions[vertex][i] - box.centre[i]) <= box.half[i] + 2 * margin;
    bool const is_across = std::any_of(mesh.triangles.begin(), mesh.triangles.end(), [&](auto const& t) {
        return overlaps(box, {mesh.positions[t[0]], mesh.positions[t[1]], mesh.positions[t[2]]});
    });
    if (!is_across) return PlaceInSolid::outside; // on its faces, perhaps
    return is_inside ? PlaceInSolid::inside : PlaceInSolid::across;
}

PlaceInSolid locate_sphere(InnerBox const& box, double margin, MitsubaVector const& centre, double radius)
{
    double nearest2 = 0, farthest2 = 0;
    bool is_inside = true;
    for (std::size_t i = 0; i < 3; ++i) {
        double const from = std::abs(centre[i] - box.centre[i]);
        nearest2 += std::pow(std::max(0.0, from - box.half[i]), 2);
        farthest2 += std::pow(from + box.half[i], 2);
        is_inside = is_inside && from + radius <= box.half[i] + 2 * margin;
    }
    if (is_inside) return PlaceInSolid::inside;
    return nearest2 < radius * radius && farthest2 > radius * radius ? PlaceInSolid::across : PlaceInSolid::outside;
}

Vec3 narrow(MitsubaVector const& v)
{
    return {static_cast<float>(v[0]), static_cast<float>(v[1]), static_cast<float>(v[2])};
}

/// In mm, and smaller by kSolidTouch: spheres of triangles, which stand on a ground, reach a little below it.
TriangleMesh shrink(TriangleMesh mesh, Vec3 pitch_mm)
{
    BoundingBox bounds{mesh.positions_mm[0], mesh.positions_mm[0]};
    for (Vec3 const p : mesh.positions_mm) {
        bounds.lower = {std::min(bounds.lower.x, p.x), std::min(bounds.lower.y, p.y), std::min(bounds.lower.z, p.z)};
        bounds.upper = {std::max(bounds.upper.x, p.x), std::max(bounds.upper.y, p.y), std::max(bounds.upper.z, p.z)};
    }
    Vec3 const middle = 0.5f * (bounds.lower + bounds.upper);
    for (Vec3& p : mesh.positions_mm) p = pitch_mm * (p - kSolidTouch * (p - middle));
    return mesh;
}

class Placer {
public:
    Placer(MitsubaSurroundings const& from, VolumeMeta const& meta, std::span<TriangleMesh const> solids_voxels)
        : from_(from), emitters_(from.emitters)
    {
        // Turns and mirrors, but has no scale: its inverse is its transpose.
        auto const& r = meta.placement.rotation;
        MitsubaVector const& origin = meta.placement.origin_world_mm;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                to_box_[4 * i + j] = r[3 * j + i];
                to_box_[4 * i + 3] -= r[3 * j + i] * origin[j];
            }
            pitch_mm_[i] = static_cast<double>(meta.pitch_mm[i]);
            size_mm_[i] = meta.dims[i] * pitch_mm_[i];
        }
        for (TriangleMesh const& solid : solids_voxels)
            solids_.push_back(std::make_unique<SolidLocator>(shrink(solid, narrow(pitch_mm_))));
        margin_mm_ = kTouch * *std::max_element(size_mm_.begin(), size_mm_.end());
        for (MitsubaBsdf const& bsdf : from.bsdfs)
            to_.bsdfs.push_back(make_bsdf_view(bsdf, meta.bands(), to_.texels.emplace_back()));
    }

    void add(MitsubaShape const& shape)
    {
        ShapeMesh mesh = shape.mesh;
        MitsubaVector const centre = transform_point(to_box_, shape.centre);
        transform_mesh(mesh, to_box_);
        PlaceInSolid const place =
            solids_.empty() ? locate_in_box(mesh, centre, shape.radius) : locate_in_solids(mesh, centre, shape);
        bool const emits = !shape.radiance.empty();
        bool const is_seen = emits || from_.bsdfs[shape.bsdf].kind != BsdfKind::null;
        std::string const name = emits ? shape.name + " with its light" : shape.name;
        if (place == PlaceInSolid::inside) {
            if (is_seen) inside_.push_back(name);
            return;
        }
        if (place == PlaceInSolid::across && is_seen) across_.push_back(name);
        if (emits) add_emitter(mesh, shape);
        if (emits && shape.radius > 0) return;
        if (shape.radius > 0) {
            to_.spheres.push_back({narrow_position(centre, shape.name), static_cast<float>(shape.radius)});
            to_.bsdf_of_sphere.push_back(static_cast<std::uint32_t>(shape.bsdf));
        } else {
            add_mesh(mesh, shape);
        }
    }

    PlacedSurroundings finish(std::vector<std::string>& notices)
    {
        fill_gaps();
        char const* const what = solids_.empty() ? "the box of the medium" : "a solid with a medium";
        if (!inside_.empty())
            notices.push_back(
                fmt::format("in {}, where no surfaces can be, and left out: {}", what, fmt::join(inside_, ", ")));
        if (!across_.empty())
            notices.push_back(fmt::format("partly in {}, where they are not seen: {}", what, fmt::join(across_, ", ")));
        return {to_.is_empty() ? SurroundingShapes{} : std::move(to_), std::move(emitters_)};
    }

private:
    PlaceInSolid locate_in_box(ShapeMesh const& mesh, MitsubaVector const& centre, double radius) const
    {
        InnerBox const box(size_mm_, margin_mm_);
        return radius > 0 ? locate_sphere(box, margin_mm_, centre, radius) : locate_mesh(box, margin_mm_, mesh);
    }

    /// `across` if it reaches into any of them.
    PlaceInSolid locate_in_solids(ShapeMesh const& mesh, MitsubaVector const& centre, MitsubaShape const& shape) const
    {
        TriangleMesh surface;
        surface.triangles = mesh.triangles;
        for (MitsubaVector const& p : mesh.positions) surface.positions_mm.push_back(narrow_position(p, shape.name));
        PlaceInSolid place = PlaceInSolid::outside;
        for (auto const& solid : solids_) {
            PlaceInSolid const in_this = shape.radius > 0
                                             ? solid->locate_sphere(narrow(centre), static_cast<float>(shape.radius))
                                             : solid->locate(surface);
            if (in_this != PlaceInSolid::outside) place = in_this;
        }
        return place;
    }

    Vec3 narrow_position(MitsubaVector v, std::string const& name) const
    {
        for (std::size_t i = 0; i < 3; ++i) {
            if (!(std::abs(v[i]) <= std::min(kFarthest_mm, kFarthest_voxels * pitch_mm_[i])))
                fail_input(fmt::format("the {} is {:.3g} mm from the volume", name, v[i]), "the scene",
                           "rays meet what lies within 1e9 mm and 2^39 voxels", "make it smaller, or leave it out");
            if (std::abs(v[i]) < kSmallest_voxels * std::max(1.0, pitch_mm_[i])) v[i] = 0;
        }
        return narrow(v);
    }

    void add_mesh(ShapeMesh const& mesh, MitsubaShape const& shape)
    {
        TriangleMesh& all = to_.mesh_mm;
        std::size_t const first = all.positions_mm.size();
        std::size_t const count = all.triangles.size() + mesh.triangles.size();
        if (first + mesh.positions.size() > UINT32_MAX || count >= UINT32_MAX / 3)
            fail_input("too many triangles", shape.name, "about a thousand million are possible", "leave some out");
        for (MitsubaVector const& p : mesh.positions) all.positions_mm.push_back(narrow_position(p, shape.name));
        for (auto const& t : mesh.triangles) {
            auto const shift = static_cast<std::uint32_t>(first);
            all.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
        }
        to_.bsdf_of_triangle.resize(count, static_cast<std::uint32_t>(shape.bsdf));
        if (!mesh.normals.empty()) {
            all.normals.resize(count - mesh.triangles.size());
            for (auto const& n : mesh.normals) all.normals.push_back({narrow(n[0]), narrow(n[1]), narrow(n[2])});
        }
        if (!mesh.uv.empty()) {
            all.texture_coordinates.resize(count - mesh.triangles.size());
            for (auto const& uv : mesh.uv) {
                auto& corners = all.texture_coordinates.emplace_back();
                for (std::size_t i = 0; i < 3; ++i)
                    corners[i] = {static_cast<float>(uv[i][0]), static_cast<float>(uv[i][1])};
            }
        }
    }

    /// Before the triangles of `mesh` are added.
    void add_emitter(ShapeMesh const& mesh, MitsubaShape const& shape)
    {
        Emitter emitter;
        emitter.kind = shape.radius > 0 ? EmitterKind::sphere : EmitterKind::mesh;
        emitter.unit = EmitterUnit::radiance;
        emitter.amount = shape.radiance;
        if (shape.radius > 0) narrow_position(transform_point(to_box_, shape.centre), shape.name); // for its error
        emitter.origin_world = shape.centre;
        emitter.radius_mm = shape.radius;
        if (shape.radius == 0) {
            emitter.first_triangle = static_cast<std::uint32_t>(to_.mesh_mm.triangles.size());
            emitter.triangle_count = static_cast<std::uint32_t>(mesh.triangles.size());
        }
        emitters_.push_back(std::move(emitter));
    }

    /// Normals and uv of all triangles or of none: zeros where a shape has none.
    void fill_gaps()
    {
        TriangleMesh& all = to_.mesh_mm;
        if (!all.normals.empty()) all.normals.resize(all.triangles.size());
        if (!all.texture_coordinates.empty()) all.texture_coordinates.resize(all.triangles.size());
    }

    MitsubaSurroundings const& from_;
    Matrix4 to_box_ = kIdentity;
    MitsubaVector pitch_mm_{}, size_mm_{};
    double margin_mm_ = 0;
    std::vector<std::unique_ptr<SolidLocator>> solids_; ///< in mm; empty: the box
    SurroundingShapes to_;
    std::vector<Emitter> emitters_;
    std::vector<std::string> inside_, across_;
};

} // namespace

PlacedSurroundings place_mitsuba_surroundings(MitsubaSurroundings const& surroundings, VolumeMeta const& meta,
                                              std::vector<std::string>& notices,
                                              std::span<TriangleMesh const> solids_voxels)
{
    if (surroundings.shapes.empty()) return {{}, surroundings.emitters};
    Placer placer(surroundings, meta, solids_voxels);
    for (MitsubaShape const& shape : surroundings.shapes) placer.add(shape);
    return placer.finish(notices);
}

} // namespace volpt
