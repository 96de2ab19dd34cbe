// Solids bounded by triangles: no light is lost in them, and a cube of triangles is the box.
#include "tests/statistical/measure.h"
#include "tests/support/make_object_scene.h"

#include <iostream>
#include <map>

namespace volpt::test {
namespace {

/// Within the cube of make_object_medium.
std::map<std::string, TriangleMesh> list_meshes()
{
    Vec3 const centre{1, 1, 1};
    return {{"icosphere", move_mesh(make_icosphere(0.9f, 24), centre)},
            {"torus", move_mesh(make_torus(0.6f, 0.3f, 60, 30), centre)},
            {"bumpy sphere", move_mesh(make_bumpy_sphere(0.8f, 24, 0.4f), centre)}};
}

std::map<std::string, BoundarySpec> list_boundaries()
{
    BoundarySpec rough{BoundaryKind::rough, 1.4, 1.0, 0.3};
    rough.microfacets = Microfacets::multiple;
    return {{"matched", {}}, {"smooth", {BoundaryKind::smooth, 1.5, 1.0, 0}}, {"rough", rough}};
}

TEST(Object, WhiteFurnaceGivesOneInEverySampleAndLosesNoPath)
{
    PackedVolume const volume = make_object_medium(8, 0);
    std::uint32_t const samples = 90 / kHaste + 1;
    for (auto const& [boundary_name, boundary] : list_boundaries())
        for (auto const& [name, flat] : list_meshes())
            for (bool const smooth : {false, true}) {
                if (smooth && boundary_name == "matched") continue;
                Scene scene = make_scene(volume);
                scene.boundary = boundary;
                ObjectScene const object(scene, volume, smooth ? add_smooth_normals(flat) : flat);
                ObjectSums const got = render_object(object.view(), samples, list_cpu_kernels().front());
                std::string const what = boundary_name + " " + name + (smooth ? " interpolated" : " flat");
                auto const one = static_cast<std::uint64_t>(static_cast<double>(object.view().sum_scale));
                for (std::uint64_t const sum : got.planes.sums) ASSERT_EQ(sum, samples * one) << what;
                EXPECT_EQ(got.counts.lost_paths, 0u) << what;
                EXPECT_EQ(got.counts.cut_paths, 0u) << what;
                EXPECT_GT(2 * got.counts.extensions, 3 * got.counts.paths) << what;
                std::cout << what << " " << got.counts.paths << " " << got.counts.extensions << " "
                          << got.counts.strayed_paths << std::endl;
            }
}

} // namespace
} // namespace volpt::test
