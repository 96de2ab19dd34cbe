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

/// A wall with a picture and interpolated normals, a glass sphere, and one with a lobe, for a solid of about 2 mm
/// around (1, 1, 1).
inline SurroundingShapes make_wall_and_spheres()
{
    SurroundingShapes shapes;
    BsdfView wall = make_bsdf(BsdfKind::diffuse);
    wall.diffuse.width = wall.diffuse.height = 2;
    shapes.texels.resize(1);
    for (std::uint32_t i = 0; i < 2 * 2 * kMaxBands; ++i)
        shapes.texels[0].push_back(0.1f * static_cast<float>(i * 7 % 10));
    add_mesh(shapes, make_box({-4, 3, 0}, {5, 3.5f, 3}), wall);
    shapes.mesh_mm = add_smooth_normals(std::move(shapes.mesh_mm));
    shapes.mesh_mm.texture_coordinates.assign(shapes.mesh_mm.triangles.size(), {{{0, 0}, {2, 0}, {0, 3}}});
    add_sphere(shapes, {{-2, 1, 1.4f}, 1.0f}, make_bsdf(BsdfKind::dielectric));
    BsdfView phong = make_bsdf(BsdfKind::phong, 0.4f);
    for (float& value : phong.specular) value = 0.3f;
    phong.exponent = 30;
    phong.specular_share = 0.4f;
    add_sphere(shapes, {{1, -1.5f, 0.5f}, 0.5f}, phong);
    return shapes;
}

/// A picture of a smooth solid on a ground, from where make_wall_and_spheres stand behind and beside it.
inline Scene make_surrounded_picture(PackedVolume const& volume)
{
    Scene scene = make_scene(volume);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    scene.camera.origin_world = {-6, -9, 7};
    scene.camera.fov_x_deg = 40;
    scene.ground = {GroundKind::checker, {0.8f}, {0.3f}, 0.7, 4};
    return scene;
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
