// Scenes with surfaces around the solid.
#pragma once

#include "libvolpt/scene/surfaces/surroundings.h"
#include "tests/support/make_object_scene.h"

namespace volpt::test {

inline BsdfView make_bsdf(BsdfKind kind, float reflectance = 1)
{
    BsdfView bsdf;
    bsdf.kind = kind;
    for (float& colour : bsdf.diffuse.colour[0]) colour = reflectance;
    bsdf.two_sided = 1;
    bsdf.boundary = {BoundaryKindView::smooth, 1.5f, 1 / 1.5f, 0, MicrofacetsView::multiple, 1};
    return bsdf;
}

inline void add_sphere(SurroundingShapes& shapes, SphereView sphere, BsdfView const& bsdf)
{
    shapes.spheres.push_back(sphere);
    shapes.bsdf_of_sphere.push_back(static_cast<std::uint32_t>(shapes.bsdfs.size()));
    shapes.bsdfs.push_back(bsdf);
}

inline void add_mesh(SurroundingShapes& shapes, TriangleMesh const& mesh_mm, BsdfView const& bsdf)
{
    shapes.mesh_mm = join_meshes(shapes.mesh_mm, mesh_mm);
    shapes.bsdf_of_triangle.resize(shapes.mesh_mm.triangles.size(), static_cast<std::uint32_t>(shapes.bsdfs.size()));
    shapes.bsdfs.push_back(bsdf);
}

/// `volume` within `mesh_mm`, and `shapes` and the ground of `scene` around it.
class SurroundedScene {
public:
    SurroundedScene(Scene const& scene, PackedVolume const& volume, TriangleMesh const& mesh_mm,
                    SurroundingShapes shapes)
        : object_(without_ground(scene), volume, mesh_mm),
          around_(scene.ground, std::move(shapes), volume.meta(), corners_of(object_.view(), mesh_mm)),
          view_(object_.view())
    {
        view_.surroundings = around_.view();
    }

    SceneView const& view() const { return view_; }

private:
    static Scene without_ground(Scene scene)
    {
        scene.ground = {};
        return scene;
    }
    static std::vector<Vec3> corners_of(SceneView const& view, TriangleMesh const& mesh_mm)
    {
        return scale_to_voxels(mesh_mm, view.medium).positions_mm;
    }

    ObjectScene object_;
    Surroundings around_;
    SceneView view_;
};

} // namespace volpt::test
