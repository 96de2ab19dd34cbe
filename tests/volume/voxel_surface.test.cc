// Solids made of voxels: their faces, what is put beside them, and meshes in the boxes of volumes.
#include "tests/volume/mesh_samples.h"

#include "libvolpt/surface/check_mesh.h"
#include "libvolpt/volume/mesh/fill_border.h"
#include "libvolpt/volume/mesh/voxel_faces.h"
#include "libvolpt/volume/packed_stream.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>
#include <random>

namespace volpt {
namespace {

using namespace test;

Occupancy make_random_occupancy(std::array<int, 3> dims, double share, unsigned seed)
{
    std::mt19937 engine(seed);
    Occupancy occupied(dims);
    for (int z = 0; z < dims[2]; ++z)
        for (int y = 0; y < dims[1]; ++y)
            for (int x = 0; x < dims[0]; ++x)
                if (static_cast<double>(engine()) < share * 4294967296.0) occupied.occupy(x, y, z);
    return occupied;
}

std::uint64_t count_faces(Occupancy const& occupied)
{
    auto const& dims = occupied.dims();
    std::uint64_t faces = 0;
    for (int z = -1; z <= dims[2]; ++z)
        for (int y = -1; y <= dims[1]; ++y)
            for (int x = -1; x <= dims[0]; ++x) {
                bool const own = occupied.is_occupied(x, y, z);
                faces += own != occupied.is_occupied(x + 1, y, z) ? 1 : 0;
                faces += own != occupied.is_occupied(x, y + 1, z) ? 1 : 0;
                faces += own != occupied.is_occupied(x, y, z + 1) ? 1 : 0;
            }
    return faces;
}

TEST(VoxelFaces, BoundASolidOfAsManyVoxelsWhateverTheirPlaces)
{
    for (std::array<int, 3> const dims : {std::array{1, 1, 1}, {70, 5, 4}, {9, 9, 9}, {64, 2, 3}, {129, 3, 2}})
        for (double const share : {0.1, 0.5, 0.9, 1.0}) {
            Occupancy const occupied = make_random_occupancy(dims, share, 5);
            if (occupied.count() == 0) continue;
            MeshReport const report = check_mesh(make_voxel_faces(occupied, "v"), 2);
            EXPECT_TRUE(report.is_accepted()) << dims[0] << ' ' << share;
            EXPECT_EQ(report.triangles, 2 * count_faces(occupied));
            EXPECT_NEAR(report.area_mm2, static_cast<double>(count_faces(occupied)), 1e-6);
            EXPECT_NEAR(report.volume_mm3, static_cast<double>(occupied.count()), 1e-6);
        }
}

TEST(VoxelFaces, EdgesWhereTwoVoxelsTouchHaveFourTrianglesAndAreTold)
{
    Occupancy occupied({2, 2, 1});
    occupied.occupy(0, 0, 0);
    occupied.occupy(1, 1, 0);
    MeshReport const report = check_mesh(make_voxel_faces(occupied, "v"), 1);
    EXPECT_TRUE(report.is_accepted());
    ASSERT_NE(report.find(MeshDefect::non_manifold_edge), nullptr);
    EXPECT_EQ(report.find(MeshDefect::non_manifold_edge)->count, 1u);
}

TEST(VoxelFaces, AnEmptyVoxelInsideIsACavity)
{
    Occupancy occupied({3, 3, 3});
    for (int i = 0; i < 27; ++i)
        if (i != 13) occupied.occupy(i % 3, i / 3 % 3, i / 9);
    MeshReport const report = check_mesh(make_voxel_faces(occupied, "v"), 1);
    EXPECT_TRUE(report.is_accepted());
    EXPECT_EQ(report.find(MeshDefect::cavity)->count, 1u);
    EXPECT_NEAR(report.volume_mm3, 26, 1e-9);
}

/// Density by voxel, and an albedo that names the voxel.
std::unique_ptr<VoxelStream> open_numbered(std::array<int, 3> dims, std::function<float(int, int, int)> density)
{
    VolumeMeta meta = density_meta(dims);
    set_three_bands(meta);
    meta.albedo = Source::plane;
    meta.albedo_encoding = Encoding::f32;
    auto const number = [](int x, int y, int z, int band) {
        return static_cast<float>(1 + x + 20 * y + 400 * z + 8000 * band) / 40000.0f;
    };
    return make_packed_stream(
        make_volume(meta, {.density = std::move(density), .one_minus_albedo = number}, {}, VerifyLevel::quick), {});
}

TEST(Occupancy, IsOfDensitiesAboveTheThreshold)
{
    auto const open = [] {
        return open_numbered({70, 3, 9}, [](int x, int y, int z) { return static_cast<float>((x + y + z) % 4); });
    };
    for (float const threshold : {0.0f, 1.0f, 2.5f}) {
        Occupancy const occupied = find_occupied_voxels(*open(), threshold, {}, "v").occupied;
        for (int z = 0; z < 9; ++z)
            for (int y = 0; y < 3; ++y)
                for (int x = 0; x < 70; ++x)
                    ASSERT_EQ(occupied.is_occupied(x, y, z), static_cast<float>((x + y + z) % 4) > threshold);
    }
    expect_error(ExitStatus::input, {"no voxel has a density above 3", "lower --surface-threshold"},
                 [&] { find_occupied_voxels(*open(), 3, {}, "v"); });
    auto const dense = open_numbered({8, 8, 8}, [](int, int, int) { return 1.0f; });
    expect_error(ExitStatus::input, {"all voxels have a density above 0"},
                 [&] { find_occupied_voxels(*dense, 0, {}, "v"); });
    expect_error(ExitStatus::system, {"stopped"}, [&] {
        find_occupied_voxels(
            *open(), 0, [](Progress const&) { return false; }, "v");
    });
    HomogeneousMedium homogeneous;
    expect_error(ExitStatus::input, {"its extinction is constant"},
                 [&] { find_occupied_voxels(homogeneous, 0, {}, "v"); });
}

PackedVolume make_labels()
{
    VolumeMeta meta;
    meta.dims = {5, 4, 3};
    meta.filter = Filter::nearest;
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    std::vector<Material> const materials{
        {"air", {0.0f}, {0.0f}, 0}, {"W", {6.0f}, {0.001f}, 0}, {"K", {9.0f}, {0.9f}, 0}};
    auto const label = [](int x, int y, int z) { return y == 1 && z == 1 && (x == 1 || x == 2) ? x : 0; };
    return make_volume(meta, {.label = label}, materials);
}

TEST(Occupancy, OfLabelsIsWhatIsNotAir)
{
    auto const volume = make_packed_stream(make_labels(), {});
    Occupancy const occupied = find_occupied_voxels(*volume, 0, {}, "v").occupied;
    EXPECT_EQ(occupied.count(), 2u);
    EXPECT_TRUE(occupied.is_occupied(1, 1, 1));
    EXPECT_TRUE(occupied.is_occupied(2, 1, 1));
}

TEST(FilledBorder, GivesAirBesideTheSolidTheLabelOfItsNearestVoxel)
{
    auto volume = make_packed_stream(make_labels(), {});
    Occupancy occupied = find_occupied_voxels(*volume, 0, {}, "v").occupied;
    auto const filled = fill_border(make_packed_stream(make_labels(), {}), std::move(occupied));
    VoxelSlab const slab = filled->read_slab(0, 3);
    for (int z = 0; z < 3; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 5; ++x) {
                int const due = y > 2 || x > 3 ? 0 : x < 2 ? 1 : 2;
                EXPECT_EQ(slab.label[static_cast<std::size_t>((z * 4 + y) * 5 + x)], due) << x << ' ' << y << ' ' << z;
            }
}

TEST(FilledBorder, KeepsOccupiedAndFarVoxelsAndTakesTheOthersFromANearestNeighbour)
{
    std::array<int, 3> const dims{67, 9, 21};
    Occupancy const occupied = make_random_occupancy(dims, 0.05, 3);
    auto const open = [&] {
        return open_numbered(dims, [&](int x, int y, int z) { return occupied.is_occupied(x, y, z) ? 2.0f : 0.0f; });
    };
    auto const plain = open(), filled = fill_border(open(), occupied);
    std::size_t at = 0, kept = 0, taken = 0;
    VoxelSlab const whole = plain->read_slab(0, dims[2]);
    for (int z = 0; z < dims[2]; z += 8) {
        VoxelSlab const slab = filled->read_slab(z, std::min(8, dims[2] - z));
        for (std::size_t i = 0; i < slab.density.size(); ++i, ++at) {
            auto const x = static_cast<int>(at % 67), y = static_cast<int>(at / 67 % 9),
                       layer = static_cast<int>(at / 67 / 9);
            int nearest = 4;
            std::vector<std::size_t> sources;
            for (int n = 0; n < 27; ++n) {
                int const dx = n % 3 - 1, dy = n / 3 % 3 - 1, dz = n / 9 - 1, distance2 = dx * dx + dy * dy + dz * dz;
                if (!occupied.is_occupied(x + dx, y + dy, layer + dz) || distance2 > nearest) continue;
                if (distance2 < nearest) sources.clear();
                nearest = distance2;
                sources.push_back(static_cast<std::size_t>(((layer + dz) * 9 + y + dy) * 67 + x + dx));
            }
            ASSERT_EQ(slab.density[i], sources.empty() ? 0.0f : 2.0f);
            std::size_t const source = sources.empty() ? at : sources.front(); // the first by z, y, x
            for (std::size_t band = 0; band < 3; ++band)
                ASSERT_EQ(slab.one_minus_albedo[3 * i + band], whole.one_minus_albedo[3 * source + band]);
            kept += nearest == 0 ? 1 : 0;
            taken += nearest > 0 && nearest < 4 ? 1 : 0;
        }
    }
    EXPECT_EQ(at, whole.density.size());
    EXPECT_EQ(kept, occupied.count());
    EXPECT_GT(taken, kept);
}

/// Of unequal sides, turned by 90 degrees about z, away from the origin.
MeshBox make_turned_box()
{
    MeshBox box;
    box.dims = {40, 20, 10};
    box.pitch_mm = {0.5f, 0.25f, 1};
    box.placement.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    box.placement.origin_world_mm = {100, 10, -5};
    return box;
}

TEST(PlacedMeshIn, LiesWhereItWasInABoxThatIsTurnedAndHasOblongVoxels)
{
    // In the world the box reaches from 95 to 100 along x, from 10 to 30 along y, from -5 to 5 along z.
    TriangleMesh const mesh = with_corner_values(make_box({96, 12, -3}, {98, 28, 4}));
    PlacedMesh const placed = place_mesh_in(make_turned_box(), mesh, {});
    ASSERT_TRUE(placed.report.is_accepted());
    EXPECT_EQ(placed.outside.count, 0u);
    EXPECT_NEAR(placed.report.volume_mm3, 2 * 16 * 7, 1e-3);
    EXPECT_NEAR(placed.report.area_mm2, 2 * (2 * 16 + 16 * 7 + 7 * 2), 1e-3);
    EXPECT_NEAR(placed.bvh.bounds.lower.x, 4, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.upper.x, 36, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.lower.y, 8, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.upper.y, 16, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.upper.z, 9, 1e-5);
    for (std::size_t i = 0; i < mesh.normals.size(); ++i) {
        EXPECT_NEAR(placed.mesh.normals[i][0].x, mesh.normals[i][0].y, 1e-6f);
        EXPECT_NEAR(placed.mesh.normals[i][0].y, -mesh.normals[i][0].x, 1e-6f);
    }
}

TEST(PlacedMeshIn, VerticesBeyondTheBoxAreCountedAndTheFarthestIsTold)
{
    PlacedMesh const placed = place_mesh_in(make_turned_box(), make_box({96, 12, -3}, {98, 32, 7}), {});
    EXPECT_EQ(placed.outside.count, 6u);
    EXPECT_EQ(placed.outside.vertices, 8u);
    EXPECT_NEAR(placed.outside.farthest_by_mm, 2, 1e-5);
    EXPECT_TRUE(placed.bvh.nodes.empty());
    EXPECT_TRUE(placed.clearance_mm.empty());
}

TEST(PlacedMeshIn, AMeshThatIsTheBoxIsInside)
{
    PlacedMesh const placed = place_mesh_in(make_turned_box(), make_box({95, 10, -5}, {100, 30, 5}), {});
    EXPECT_EQ(placed.outside.count, 0u);
    EXPECT_TRUE(placed.report.is_accepted());
    EXPECT_NEAR(placed.report.volume_mm3, 1000, 1e-2);
    float const nan = std::numeric_limits<float>::quiet_NaN();
    TriangleMesh broken = make_box({95, 10, -5}, {100, 30, 5});
    broken.positions_mm[2].x = nan;
    EXPECT_NE(place_mesh_in(make_turned_box(), broken, {}).report.find(MeshDefect::not_finite), nullptr);
}

TEST(BoundedVolume, OfVoxelsThatAreNoCubesIsReadBackWithItsPlanes)
{
    TempFolder const folder;
    std::array<int, 3> const dims{24, 17, 20};
    Occupancy const occupied = make_random_occupancy(dims, 0.5, 8);
    auto const open = [&] {
        auto volume =
            open_numbered(dims, [&](int x, int y, int z) { return occupied.is_occupied(x, y, z) ? 2.0f : 0.0f; });
        RepackOptions options;
        pack_volume(*volume, folder / "plain.vpk", {}, {});
        options.pitch_mm = {0.1, 0.2, 0.3};
        return make_packed_stream(PackedVolume::open(folder / "plain.vpk"), options);
    };
    auto medium = open();
    MeshBox const box = get_mesh_box(medium->meta());
    PlacedMesh placed = place_voxel_mesh(box, make_voxel_faces(occupied, "v"), 2);
    ASSERT_TRUE(placed.report.is_accepted());
    auto const bounded = bound_volume(fill_border(std::move(medium), occupied), std::move(placed));
    pack_volume(*bounded, folder / "v.vpk", {}, {}, find_layer_memory(), 2);
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk", VerifyLevel::full, 2);
    EXPECT_EQ(volume.meta().extinction, Source::plane);
    EXPECT_EQ(volume.surface().triangles.size(), 2 * count_faces(occupied));
    EXPECT_NEAR(volume.surface().volume_mm3, static_cast<double>(occupied.count()) * 0.1 * 0.2 * 0.3, 1e-5);
    // Packed again it keeps its mesh, but not another pitch.
    auto const again = make_packed_stream(PackedVolume::open(folder / "v.vpk"), {});
    pack_volume(*again, folder / "w.vpk", {}, {});
    EXPECT_EQ(PackedVolume::open(folder / "w.vpk", VerifyLevel::full).data_checksum(), volume.data_checksum());
}

} // namespace
} // namespace volpt
