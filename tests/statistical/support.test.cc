// Faces under support: rough ones beside others, each as it would be alone.
#include "libvolpt/scene/volume_scene.h"
#include "libvolpt/volume/mesh/support_faces.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "tests/statistical/furnace.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_probed_object.h"

namespace volpt::test {
namespace {

enum class Support { none, below, around };

/// A block of 2 x 2 x 1 mm, printed with this support. The medium's extinction is 1, scenes scale it.
PackedVolume make_block(Support support, float one_minus_albedo)
{
    Occupancy block({6, 6, 4}), prop({6, 6, 4});
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 6; ++y)
            for (int x = 0; x < 6; ++x) {
                bool const is_block = x > 0 && x < 5 && y > 0 && y < 5 && z > 0 && z < 3;
                if (is_block) block.occupy(x, y, z);
                if (!is_block && (support == Support::around || (support == Support::below && z == 0)))
                    prop.occupy(x, y, z);
            }
    TriangleMesh faces = make_voxel_faces(block, "block");
    std::uint32_t const supported = put_supported_last(faces, prop);
    MeshBox box{{6, 6, 4}, {0.5f, 0.5f, 0.5f}, {}};
    box.placement.origin_world_mm = {-1.5, -1.5, -1};
    PlacedMesh placed = place_voxel_mesh(box, std::move(faces), 1);
    placed.supported_triangles = supported;
    TempFolder const folder;
    auto const volume = make_mesh_volume(std::make_unique<ConstantMedium>(make_constant_meta(one_minus_albedo)),
                                         std::move(placed), "block");
    pack_volume(*volume, folder / "block.vpk", {}, {});
    return PackedVolume::open(folder / "block.vpk", VerifyLevel::full);
}

BoundarySpec make_boundary(double alpha, double support_alpha = 0)
{
    BoundarySpec boundary{alpha > 0 ? BoundaryKind::rough : BoundaryKind::smooth, 1.5, 1.0, alpha};
    boundary.microfacets = Microfacets::multiple;
    boundary.support_alpha = support_alpha;
    return boundary;
}

/// The upper face or the lower one, seen aslant, so opaque that nothing comes back through the boundary. Light comes
/// from one side: the other way than a smooth face reflects the view, there is none.
Scene look_at_face(PackedVolume const& volume, bool from_above, BoundarySpec const& boundary)
{
    Scene scene = make_scene(volume, 16, 16);
    double const side = from_above ? 1 : -1;
    scene.camera.kind = CameraKind::orthographic;
    scene.camera.origin_world = {-4, 0, 6 * side};
    scene.camera.target_world = {0, 0, 0.5 * side};
    scene.camera.up_world = {0, 1, 0};
    scene.camera.ortho_width_mm = 1;
    scene.environment.kind = EnvironmentKind::hemispheres;
    scene.environment.radiance = {1};
    scene.environment.below = {0};
    scene.environment.up_axis = 0;
    scene.boundary = boundary;
    scene.scale = 3000;
    return scene;
}

void expect_equal_films(Film const& left, Film const& right, char const* what)
{
    EXPECT_EQ(left.sums, right.sums) << what;
    EXPECT_EQ(left.squares, right.squares) << what;
}

TEST(SupportFaces, OfAWhiteSolidGiveOneInEverySampleAndLoseNoPath)
{
    for (Support const support : {Support::below, Support::around}) {
        PackedVolume const volume = make_block(support, 0);
        for (double const alpha : {0.0, 0.1}) {
            Scene scene = make_scene(volume);
            scene.scale = 5;
            scene.boundary = make_boundary(alpha, 0.4);
            expect_furnace_is_one(RenderScene(scene, volume, nullptr, 7));
        }
    }
}

TEST(SupportFaces, OfASolidThatIsUnderSupportAllAroundAreItsRoughBoundary)
{
    PackedVolume const plain = make_block(Support::none, 0.2f), supported = make_block(Support::around, 0.2f);
    auto const render = [](PackedVolume const& volume, BoundarySpec const& boundary) {
        Scene scene = make_scene(volume);
        scene.scale = 4;
        scene.boundary = boundary;
        return render_scene(scene, volume, {0, 64 / kHaste});
    };
    Film const rough = render(plain, make_boundary(0.3));
    expect_equal_films(render(supported, make_boundary(0.1, 0.3)), rough, "in place of alpha 0.1");
    expect_equal_films(render(supported, make_boundary(0.3)), rough, "like the others");
    std::uint64_t const samples = 1024 / kHaste;
    auto const measure = [&](PackedVolume const& volume, BoundarySpec const& boundary, std::uint64_t seed) {
        Scene scene = make_scene(volume);
        scene.scale = 4;
        scene.boundary = boundary;
        return measure_radiance(scene, volume, samples, seed)[0];
    };
    expect_equal_means(measure(supported, make_boundary(0, 0.3), 7), measure(plain, make_boundary(0.3), 8),
                       "in place of a smooth boundary");
}

TEST(SupportFaces, BelowAreRoughAndThoseAboveAreLikeTheOthers)
{
    PackedVolume const plain = make_block(Support::none, 1), supported = make_block(Support::below, 1);
    std::uint64_t const samples = 512 / kHaste;
    auto const render = [&](PackedVolume const& volume, bool from_above, BoundarySpec const& boundary) {
        return render_scene(look_at_face(volume, from_above, boundary), volume, {0, samples});
    };
    for (double const alpha : {0.0, 0.1}) {
        BoundarySpec const mixed = make_boundary(alpha, 0.6);
        expect_equal_films(render(supported, true, mixed), render(plain, true, make_boundary(alpha)), "above");
        Film const below = render(supported, false, mixed), rough = render(plain, false, make_boundary(0.6));
        if (alpha > 0) expect_equal_films(below, rough, "below");
        expect_equal_means(measure_radiance(below)[0], measure_radiance(rough)[0], "below");
        Measurement const glossy = measure_radiance(render(plain, false, make_boundary(alpha)))[0];
        EXPECT_GT(glossy.mean, 1.1 * measure_radiance(below)[0].mean);
    }
}

TEST(SupportFaces, AreRefusedWhereAVolumeHasNone)
{
    PackedVolume const plain = make_block(Support::none, 1);
    expect_error(ExitStatus::usage, {"under support", "--surface"},
                 [&] { RenderScene(look_at_face(plain, true, make_boundary(0, 0.3)), plain, nullptr, 7); });
}

TEST(SupportFaces, AreRoughUnlessTheSceneSaysOtherwise)
{
    PackedVolume const supported = make_block(Support::below, 1), plain = make_block(Support::none, 1);
    SceneHints hints;
    hints.boundary = BoundarySpec{BoundaryKind::smooth, 1.5, 1.0, 0};
    Scene const scene = normalize_scene(make_volume_scene(supported, hints, nullptr));
    EXPECT_EQ(scene.boundary.support_alpha, kDefaultSupportAlpha);
    EXPECT_EQ(scene.boundary.microfacets, Microfacets::multiple);
    EXPECT_EQ(parse_scene(serialize_scene(scene), "s").boundary.support_alpha, kDefaultSupportAlpha);
    EXPECT_EQ(normalize_scene(make_volume_scene(plain, hints, nullptr)).boundary.support_alpha, 0);
    EXPECT_EQ(normalize_scene(make_volume_scene(supported, {}, nullptr)).boundary.support_alpha, 0);
}

} // namespace
} // namespace volpt::test
