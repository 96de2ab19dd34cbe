// Meshes that bound volumes: their box, their clearances, and what a .vpk keeps of them.
#include "tests/volume/mesh_samples.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/distance_search.h"
#include "libvolpt/volume/mesh/mesh_clearance.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_stream.h"
#include "libvolpt/volume/volume_report.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using namespace test;
using Point = std::array<double, 3>;

Point to_point(Vec3 v)
{
    return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}

Point add_scaled(Point a, double s, Point b)
{
    return {a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]};
}

double dot_product(Point a, Point b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

double measure_distance(Point p, Point a, Point b)
{
    Point const edge = add_scaled(b, -1, a), to = add_scaled(p, -1, a);
    double const t = std::clamp(dot_product(to, edge) / dot_product(edge, edge), 0.0, 1.0);
    Point const rest = add_scaled(to, -t, edge);
    return std::sqrt(dot_product(rest, rest));
}

/// To the triangle: that to its edges, or to the plane where the foot lies in it.
double measure_distance(Point p, std::array<Point, 3> const& t)
{
    double least =
        std::min({measure_distance(p, t[0], t[1]), measure_distance(p, t[1], t[2]), measure_distance(p, t[2], t[0])});
    Point const e = add_scaled(t[1], -1, t[0]), f = add_scaled(t[2], -1, t[0]), to = add_scaled(p, -1, t[0]);
    double const ee = dot_product(e, e), ef = dot_product(e, f), ff = dot_product(f, f);
    double const scale = 1 / (ee * ff - ef * ef);
    double const u = scale * (ff * dot_product(e, to) - ef * dot_product(f, to));
    double const v = scale * (ee * dot_product(f, to) - ef * dot_product(e, to));
    if (u < 0 || v < 0 || u + v > 1) return least;
    Point const rest = add_scaled(add_scaled(to, -u, e), -v, f);
    return std::min(least, std::sqrt(dot_product(rest, rest)));
}

/// Calls visit(centre of the brick in voxels, clearance in voxels) for every brick.
template <typename Visit>
void visit_bricks(PlacedMesh const& placed, Visit&& visit)
{
    VolumeMeta meta;
    meta.dims = placed.box.dims;
    auto const counts = count_bricks_by_axis(meta);
    std::size_t brick = 0;
    for (int z = 0; z < counts[2]; ++z)
        for (int y = 0; y < counts[1]; ++y)
            for (int x = 0; x < counts[0]; ++x, ++brick)
                visit(Point{8 * x + 4.0, 8 * y + 4.0, 8 * z + 4.0},
                      static_cast<double>(placed.clearance_mm[brick]) / static_cast<double>(placed.box.pitch_mm[0]));
}

std::vector<TriangleMesh> list_meshes()
{
    return {make_box({-1, 2, 3}, {4, 2.5f, 9}),
            make_icosphere(2, 3),
            make_torus(5, 1, 12, 7),
            make_bumpy_sphere(3, 6, 0.4f),
            make_box({0, 0, 0}, {100, 1e-3f, 1e-3f}),
            move_mesh(make_icosphere(1e-3f, 2), {1, -2, 3}),
            join_meshes(make_icosphere(1, 2), move_mesh(make_icosphere(1, 2), {9, 7, -8}))};
}

#ifdef VOLPT_SANITIZED
constexpr int kManyBricks = 24;
#else
constexpr int kManyBricks = 64;
#endif

TEST(PlacedMesh, BoxEnclosesTheMeshWithAMargin)
{
    for (TriangleMesh const& mesh : list_meshes()) {
        for (int const bricks : {1, 3, kManyBricks}) {
            MeshPlaceOptions options;
            options.bricks = bricks;
            PlacedMesh const placed = place_mesh(mesh, options);
            ASSERT_TRUE(placed.report.is_accepted());
            EXPECT_EQ(*std::ranges::max_element(placed.box.dims), 8 * bricks);
            Vec3 const size{static_cast<float>(placed.box.dims[0]), static_cast<float>(placed.box.dims[1]),
                            static_cast<float>(placed.box.dims[2])};
            for (std::size_t i = 0; i < mesh.positions_mm.size(); ++i) {
                Vec3 const p = placed.mesh.positions_mm[i];
                for (int axis = 0; axis < 3; ++axis) {
                    auto const a = static_cast<std::size_t>(axis);
                    EXPECT_GT(get_axis(p, axis), 0.2f);
                    EXPECT_LT(get_axis(p, axis), get_axis(size, axis) - 0.2f);
                    auto const pitch_mm = static_cast<double>(placed.box.pitch_mm[0]);
                    double const there_mm =
                        placed.box.placement.origin_world_mm[a] + pitch_mm * static_cast<double>(get_axis(p, axis));
                    EXPECT_NEAR(there_mm, static_cast<double>(get_axis(mesh.positions_mm[i], axis)),
                                1e-4 * pitch_mm * bricks);
                }
            }
        }
    }
}

TEST(PlacedMesh, ClearanceIsNearlyTheDistanceOfTheCentreLessTheMargin)
{
    constexpr int kBricks = 9;
    for (TriangleMesh const& mesh : list_meshes()) {
        MeshPlaceOptions options;
        options.bricks = kBricks;
        PlacedMesh const placed = place_mesh(mesh, options);
        std::vector<std::array<Point, 3>> corners;
        for (auto const& t : placed.mesh.triangles)
            corners.push_back({to_point(placed.mesh.positions_mm[t[0]]), to_point(placed.mesh.positions_mm[t[1]]),
                               to_point(placed.mesh.positions_mm[t[2]])});
        double const margin = 0x1p-17 * 8 * kBricks;
        visit_bricks(placed, [&](Point centre, double clearance) {
            double least = 1e30;
            for (auto const& t : corners) least = std::min(least, measure_distance(centre, t));
            ASSERT_LE(clearance, std::max(0.0, least - margin));
            // What the search gives away, rounding to a float, and what the search allows for its own.
            ASSERT_GE(clearance, least * std::sqrt(1 - kDistanceLoss2) * (1 - 0x1p-22) - 1.01 * margin);
        });
    }
}

TEST(PlacedMesh, ClearanceDoesNotDependOnThreads)
{
    MeshPlaceOptions options;
    PlacedMesh const one = place_mesh(make_bumpy_sphere(3, 24, 0.4f), options);
    options.threads = 3;
    PlacedMesh const three = place_mesh(make_bumpy_sphere(3, 24, 0.4f), options);
    EXPECT_EQ(one.clearance_mm, three.clearance_mm);
    EXPECT_GT(*std::ranges::max_element(one.clearance_mm), 1.0f);
}

TEST(PlacedMesh, SharesCountBricksThatAreFarInAllTheirPoints)
{
    PlacedMesh const placed = place_mesh(make_icosphere(10, 24), {});
    auto const pitch_mm = static_cast<double>(placed.box.pitch_mm[0]);
    VoxelGrid const grid{placed.box.dims, {placed.box.pitch_mm[0], placed.box.pitch_mm[0], placed.box.pitch_mm[0]}};
    constexpr std::array<double, 5> kDistances_mm{0.1, 1, 3, 5, 11};
    std::vector<double> const shares = measure_mesh_clearance_shares(placed.clearance_mm, grid, kDistances_mm);
    double const diagonal_mm = 8 * std::sqrt(3.0) * pitch_mm;
    constexpr double kFlat_mm = 0.05; // the triangles lie less below the sphere
    constexpr int kSamples = 80;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        int near = 0, far = 0;
        for (int n = 0; n < kSamples * kSamples * kSamples; ++n) {
            auto const place = [&](int at, std::size_t axis) {
                return ((at + 0.5) / kSamples - 0.5) * placed.box.dims[axis] * pitch_mm;
            };
            Point const p{place(n % kSamples, 0), place(n / kSamples % kSamples, 1), place(n / kSamples / kSamples, 2)};
            double const distance_mm = std::abs(std::sqrt(dot_product(p, p)) - 10);
            near += distance_mm >= kDistances_mm[i] - kFlat_mm;
            far += distance_mm >= kDistances_mm[i] + diagonal_mm + kFlat_mm;
        }
        constexpr double kAll = double{kSamples} * kSamples * kSamples;
        EXPECT_LE(shares[i], near / kAll + 0.003) << kDistances_mm[i];
        EXPECT_GE(shares[i], far / kAll - 0.003) << kDistances_mm[i];
    }
}

TEST(PlacedMesh, UpAxisBecomesZAndNothingIsMirrored)
{
    TriangleMesh const mesh = with_corner_values(make_box({-1, -2, -3}, {4, 5, 6}));
    float const reach[] = {4, 1, 5, 2, 6, 3}; // along +x -x +y ..
    for (std::uint32_t axis = 0; axis < 6; ++axis) {
        MeshPlaceOptions options;
        options.up_axis = axis;
        options.scale = 2;
        PlacedMesh const placed = place_mesh(mesh, options);
        EXPECT_TRUE(placed.report.is_accepted());
        EXPECT_NEAR(placed.report.bounds.upper.z, 2 * reach[axis], 1e-5f);
        EXPECT_NEAR(placed.report.bounds.lower.z, -2 * reach[axis ^ 1u], 1e-5f);
        EXPECT_NEAR(placed.report.volume_mm3, 8 * 5 * 7 * 9, 1e-3);
        for (std::size_t i = 0; i < placed.mesh.triangles.size(); ++i) {
            Point const at = to_point(placed.mesh.positions_mm[placed.mesh.triangles[i][0]]);
            Point const from_origin{at[0] * placed.box.pitch_mm[0] + placed.box.placement.origin_world_mm[0],
                                    at[1] * placed.box.pitch_mm[0] + placed.box.placement.origin_world_mm[1],
                                    at[2] * placed.box.pitch_mm[0] + placed.box.placement.origin_world_mm[2]};
            double const length = std::sqrt(dot_product(from_origin, from_origin));
            EXPECT_NEAR(dot_product(from_origin, to_point(placed.mesh.normals[i][0])), length, 1e-4);
        }
    }
}

TEST(PlacedMesh, DefectsAreToldInMillimetres)
{
    TriangleMesh mesh = move_mesh(make_box({0, 0, 0}, {2, 2, 2}), {100, 0, 0});
    mesh.triangles.pop_back();
    PlacedMesh const placed = place_mesh(mesh, {});
    ASSERT_FALSE(placed.report.is_accepted());
    MeshFinding const* const found = placed.report.find(MeshDefect::open_edge);
    ASSERT_NE(found, nullptr);
    EXPECT_EQ(found->count, 3u);
    EXPECT_NEAR(found->places[0].position_mm.x, 102, 1e-4);
    EXPECT_TRUE(placed.clearance_mm.empty());
}

TEST(PlacedMesh, MeshesWithoutExtentOrNumbersAreRefusedByTheReport)
{
    float const nan = std::numeric_limits<float>::quiet_NaN();
    TriangleMesh mesh = make_box({0, 0, 0}, {1, 1, 1});
    mesh.positions_mm[3].y = nan;
    EXPECT_NE(place_mesh(mesh, {}).report.find(MeshDefect::not_finite), nullptr);
    for (Vec3& p : mesh.positions_mm) p = {1, 2, 3};
    EXPECT_FALSE(place_mesh(mesh, {}).report.is_accepted());
    EXPECT_NE(place_mesh({}, {}).report.find(MeshDefect::no_triangles), nullptr);
}

TEST(PlacedMesh, RepairIsDoneOnlyIfAsked)
{
    // Separate corners that are off by less than the tolerance, and turned triangles.
    TriangleMesh const whole = make_icosphere(10, 4);
    TriangleMesh mesh;
    for (std::size_t i = 0; i < whole.triangles.size(); ++i) {
        auto const first = static_cast<std::uint32_t>(mesh.positions_mm.size());
        for (std::uint32_t const corner : whole.triangles[i])
            mesh.positions_mm.push_back(whole.positions_mm[corner] + Vec3{i % 2 == 0 ? 2e-5f : 0.0f, 0, 0});
        mesh.triangles.push_back({first, first + (i % 5 == 0 ? 2u : 1u), first + (i % 5 == 0 ? 1u : 2u)});
    }
    mesh.positions_mm.push_back({std::numeric_limits<float>::infinity(), 0, 0}); // unused
    EXPECT_FALSE(place_mesh(mesh, {}).report.is_accepted());
    MeshPlaceOptions options;
    options.repair = MeshRepair::safe;
    PlacedMesh const placed = place_mesh(mesh, options);
    EXPECT_TRUE(placed.report.is_accepted());
    ASSERT_TRUE(placed.repaired.has_value());
    EXPECT_GT(placed.repaired->turned_triangles, 0u);
    EXPECT_EQ(placed.mesh.positions_mm.size(), whole.positions_mm.size());
}

TEST(MeshVolume, KeepsEverythingThatWasPlaced)
{
    TempFolder const folder;
    TriangleMesh const mesh = with_corner_values(make_icosphere(3, 4));
    MeshPlaceOptions options;
    options.bricks = 5;
    PlacedMesh const placed = place_mesh(mesh, options);
    pack_mesh(folder / "v.vpk", mesh, options);
    PackedVolume const volume = PackedVolume::open(folder / "v.vpk", VerifyLevel::full, 2);
    EXPECT_EQ(volume.meta().dims, placed.box.dims);
    EXPECT_EQ(volume.meta().placement.origin_world_mm, placed.box.placement.origin_world_mm);
    SurfaceMeshView const surface = volume.surface(), due = placed.view();
    ASSERT_FALSE(surface.is_empty());
    auto const are_same = [](auto a, auto b) { return std::ranges::equal(std::as_bytes(a), std::as_bytes(b)); };
    EXPECT_TRUE(are_same(surface.vertices_voxels, due.vertices_voxels));
    EXPECT_TRUE(are_same(surface.triangles, due.triangles));
    EXPECT_TRUE(are_same(surface.normals, due.normals));
    EXPECT_TRUE(are_same(surface.texture_coordinates, due.texture_coordinates));
    EXPECT_TRUE(are_same(surface.bvh_nodes, due.bvh_nodes));
    EXPECT_TRUE(are_same(surface.bvh_order, due.bvh_order));
    EXPECT_TRUE(are_same(surface.clearance_mm, due.clearance_mm));
    EXPECT_EQ(surface.volume_mm3, due.volume_mm3);
    EXPECT_EQ(surface.bounds_voxels.upper.y, due.bounds_voxels.upper.y);
    auto const report = report_volume(volume)["surface"];
    EXPECT_EQ(report["triangles"], mesh.triangles.size());
    EXPECT_EQ(report["area_mm2"], due.area_mm2);
    volume.verify_contents();
}

TEST(MeshVolume, BytesDoNotDependOnThreads)
{
    TempFolder const folder;
    TriangleMesh const mesh = make_bumpy_sphere(3, 64, 0.3f);
    for (int const threads : {1, 4}) {
        MeshPlaceOptions options;
        options.threads = threads;
        options.bricks = 24;
        options.repair = MeshRepair::safe;
        pack_mesh(folder / fmt::format("{}.vpk", threads), mesh, options);
        EXPECT_NO_THROW(PackedVolume::open(folder / "1.vpk", VerifyLevel::full, threads));
    }
    EXPECT_EQ(read_bytes(folder / "1.vpk"), read_bytes(folder / "4.vpk"));
}

// Of every processor and compiler: welding, hierarchy, figures, clearances and layout.
TEST(MeshVolume, BytesStay)
{
    TempFolder const folder;
    MeshPlaceOptions options;
    options.bricks = 8;
    pack_mesh(folder / "v.vpk", with_corner_values(make_bumpy_sphere(3, 6, 0.4f)), options);
    EXPECT_EQ(to_hex(hash_bytes(read_bytes(folder / "v.vpk"))), "377d05207364b7659ac90b47a9725f0f");
}

TEST(MeshVolume, OldReadersRefuseItAndOthersKeepTheirVersion)
{
    TempFolder const folder;
    pack_mesh(folder / "mesh.vpk", make_icosphere(3, 2));
    expect_error(ExitStatus::input, {"2.0"},
                 [&] { SectionedFile::open(folder / "mesh.vpk", kVolumeFile, VerifyLevel::quick); });
    VolumePacker(folder / "box.vpk", HomogeneousMedium().meta()).finish({});
    auto const file = SectionedFile::open(folder / "box.vpk", kVolumeFile, VerifyLevel::quick);
    EXPECT_EQ(file.version(), file_version(1, 0));
    EXPECT_TRUE(PackedVolume::open(folder / "box.vpk", VerifyLevel::full).surface().is_empty());
}

TEST(MeshVolume, RepackingKeepsTheMesh)
{
    TempFolder const folder;
    pack_mesh(folder / "a.vpk", with_corner_values(make_icosphere(3, 4)), {.bricks = 8}, 3);
    RepackOptions options;
    options.scale = 7.0f;
    auto const stream =
        select_bands(make_packed_stream(PackedVolume::open(folder / "a.vpk", VerifyLevel::full), options), {0, 2});
    pack_volume(*stream, folder / "b.vpk", {}, {});
    auto const a = SectionedFile::open(folder / "a.vpk", kMeshVolumeFile, VerifyLevel::full);
    auto const b = SectionedFile::open(folder / "b.vpk", kMeshVolumeFile, VerifyLevel::full);
    for (SectionInfo const& info : a.sections())
        if (info.name.starts_with("mesh")) {
            EXPECT_TRUE(b.checksum(info.name) == info.checksum) << info.name;
        }
    PackedVolume const volume = PackedVolume::open(folder / "b.vpk", VerifyLevel::full);
    EXPECT_EQ(volume.meta().bands(), 2u);
    EXPECT_EQ(volume.meta().scale, 7.0f);
    options.pitch_mm = {1, 1, 1};
    expect_error(ExitStatus::usage, {"--pitch", "--mesh-scale"},
                 [&] { make_packed_stream(PackedVolume::open(folder / "a.vpk"), options); });
}

TEST(MeshVolume, DataChecksumCoversTheMesh)
{
    TempFolder const folder;
    auto const hash = [&](TriangleMesh const& mesh) {
        pack_mesh(folder / "v.vpk", mesh, {.bricks = 8});
        return PackedVolume::open(folder / "v.vpk").data_checksum();
    };
    TriangleMesh mesh = make_icosphere(3, 4);
    Hash128 const before = hash(mesh);
    EXPECT_TRUE(before == hash(mesh));
    mesh.positions_mm[40] = 0.99f * mesh.positions_mm[40];
    EXPECT_FALSE(before == hash(mesh));
}

TEST(MeshVolume, MeshThatIsTooSmallOrTooFarIsRefused)
{
    TempFolder const folder;
    auto const pack = [&](TriangleMesh const& mesh) { pack_mesh(folder / "v.vpk", mesh); };
    expect_error(ExitStatus::input, {"--mesh-scale"}, [&] { pack(make_icosphere(1e-8f, 1)); });
    expect_error(ExitStatus::input, {"--mesh-scale"}, [&] { pack(make_icosphere(1e8f, 1)); });
    EXPECT_FALSE(std::filesystem::exists(folder / "v.vpk"));
}

} // namespace
} // namespace volpt
