// Scenes whose solid is a closed triangle mesh.
#pragma once

#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/scene/surfaces/solid_surface.h"
#include "libvolpt/surface/make_mesh.h"
#include "tests/support/make_scene.h"

namespace volpt::test {

/// Unit normals of the vertices, means of the triangles about them by area.
inline TriangleMesh add_smooth_normals(TriangleMesh mesh)
{
    std::vector<Vec3> sums(mesh.positions_mm.size());
    for (auto const& t : mesh.triangles) {
        Vec3 const a = mesh.positions_mm[t[0]];
        Vec3 const area = cross(mesh.positions_mm[t[1]] - a, mesh.positions_mm[t[2]] - a);
        for (std::uint32_t const vertex : t) sums[vertex] = sums[vertex] + area;
    }
    for (auto const& t : mesh.triangles)
        mesh.normals.push_back({normalize(sums[t[0]]), normalize(sums[t[1]]), normalize(sums[t[2]])});
    return mesh;
}

inline TriangleMesh scale_to_voxels(TriangleMesh mesh, MediumView const& medium)
{
    for (Vec3& p : mesh.positions_mm) p = p * medium.inv_pitch;
    return mesh;
}

/// Area and volume of a closed mesh.
struct MeshSize {
    double area = 0;
    double volume = 0;
};

inline MeshSize measure_mesh(TriangleMesh const& mesh)
{
    MeshSize size;
    auto const widen = [](Vec3 p) {
        return Vec3d{static_cast<double>(p.x), static_cast<double>(p.y), static_cast<double>(p.z)};
    };
    for (auto const& t : mesh.triangles) {
        Vec3d const a = widen(mesh.positions_mm[t[0]]), b = widen(mesh.positions_mm[t[1]]),
                    c = widen(mesh.positions_mm[t[2]]);
        auto const span = [](Vec3d const& p, Vec3d const& q) {
            return Vec3d{p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]};
        };
        Vec3d const normal = span({b[0] - a[0], b[1] - a[1], b[2] - a[2]}, {c[0] - a[0], c[1] - a[1], c[2] - a[2]});
        size.area += 0.5 * std::sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
        size.volume += (a[0] * normal[0] + a[1] * normal[1] + a[2] * normal[2]) / 6;
    }
    return size;
}

/// Bumpy, with smooth normals, in the middle of the box of `meta`, most of which it takes.
inline TriangleMesh make_roomy_bumpy_sphere(VolumeMeta const& meta)
{
    TriangleMesh mesh = move_mesh(make_bumpy_sphere(0.4f, 12, 0.4f), {0.5f, 0.5f, 0.5f});
    auto const side = [&](std::size_t a) { return static_cast<float>(meta.dims[a]) * meta.pitch_mm[a]; };
    for (Vec3& p : mesh.positions_mm) p = p * Vec3{side(0), side(1), side(2)};
    return add_smooth_normals(std::move(mesh));
}

enum class Clearance { measured, zero };

/// `volume` within `mesh_mm`, whose positions are from the corner of the volume's box. The volume outlives the scene.
class ObjectScene {
public:
    ObjectScene(Scene const& scene, PackedVolume const& volume, TriangleMesh const& mesh_mm,
                Clearance clearance = Clearance::measured)
        : built_(scene, volume, nullptr, 11), view_(built_.view()),
          surface_(scale_to_voxels(mesh_mm, view_.medium), view_.medium, 1)
    {
        if (clearance == Clearance::measured) surface_.set_clearance_mm(surface_.compute_clearance_mm(1));
        view_.surface = surface_.view();
    }

    SceneView const& view() const { return view_; }
    /// The same in the whole box.
    SceneView const& view_box() const { return built_.view(); }

private:
    RenderScene built_;
    SceneView view_;
    SolidSurface surface_;
};

struct ObjectSums {
    TileSums planes;
    PathCounts counts;
};

/// The sums of the whole picture.
inline ObjectSums render_object(SceneView const& view, std::uint32_t samples, CpuKernel const& kernel)
{
    ObjectSums result{TileSums(std::size_t{view.width} * view.height * view.bands), {}};
    kernel.render(view, {0, 0, view.width, view.height, 0, samples}, result.planes.view(), result.counts, {});
    return result;
}

/// A cube of 2 mm of `dims` voxels with one constant extinction.
inline PackedVolume make_object_medium(float sigma_t, float one_minus_albedo, float g = 0,
                                       std::array<int, 3> dims = {64, 64, 64})
{
    VolumeMeta meta;
    meta.dims = dims;
    for (std::size_t axis = 0; axis < 3; ++axis) meta.pitch_mm[axis] = 2.0f / static_cast<float>(dims[axis]);
    meta.scale = sigma_t;
    meta.constant_one_minus_albedo = {one_minus_albedo};
    meta.g = g;
    return make_volume(meta);
}

} // namespace volpt::test
