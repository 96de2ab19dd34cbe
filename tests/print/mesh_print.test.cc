// Prints of meshes: the depth of the ink, its shares in all directions, pictures the right way round.
#include "libvolpt/print/mesh/mesh_print.h"

#include "libvolpt/medium/materials.h"
#include "libvolpt/print/print_volume.h"
#include "libvolpt/surface/make_mesh.h"
#include "libvolpt/sys/error.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <functional>
#include <gtest/gtest.h>

namespace volpt {
namespace {

constexpr std::array<double, 3> kMeshPitch_mm{0.0423, 0.0847, 0.027};
constexpr std::size_t kMeshInks = 5, kWhiteInk = 4, kAirLabel = 5; // of elek2017

MaterialTable read_inks()
{
    return read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json");
}

PlacedMesh place_print(TriangleMesh mesh, std::array<double, 3> const& pitch_mm = kMeshPitch_mm)
{
    MeshPlaceOptions options;
    options.colours = MeshColours::kept;
    auto const print = fit_print_box(mesh, options, pitch_mm, {});
    return place_mesh_in(print->box, std::move(mesh), options);
}

struct MeshLabels {
    VolumeMeta meta;
    std::vector<std::uint8_t> labels;
    std::string report;

    std::uint8_t at(int x, int y, int z) const
    {
        return labels[(static_cast<std::size_t>(z) * static_cast<std::size_t>(meta.dims[1]) +
                       static_cast<std::size_t>(y)) *
                          static_cast<std::size_t>(meta.dims[0]) +
                      static_cast<std::size_t>(x)];
    }
    std::array<double, 3> find_world_mm(int x, int y, int z) const
    {
        std::array<double, 3> const along{(x + 0.5) * static_cast<double>(meta.pitch_mm[0]),
                                          (y + 0.5) * static_cast<double>(meta.pitch_mm[1]),
                                          (z + 0.5) * static_cast<double>(meta.pitch_mm[2])};
        std::array<double, 3> world = meta.placement.origin_world_mm;
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) world[i] += meta.placement.rotation[3 * i + j] * along[j];
        return world;
    }
    /// visit(world position, label) for every voxel.
    void visit(std::function<void(std::array<double, 3> const&, std::uint8_t)> const& visit_voxel) const
    {
        for (int z = 0; z < meta.dims[2]; ++z)
            for (int y = 0; y < meta.dims[1]; ++y)
                for (int x = 0; x < meta.dims[0]; ++x) visit_voxel(find_world_mm(x, y, z), at(x, y, z));
    }
};

MeshLabels read_mesh_labels(VoxelStream& stream, int threads)
{
    stream.use_threads(threads);
    MeshLabels read{stream.meta(), {}, {}};
    for (int z = 0; z < read.meta.dims[2]; z += kBrickEdge) {
        VoxelSlab const slab = stream.read_slab(z, std::min(kBrickEdge, read.meta.dims[2] - z));
        read.labels.insert(read.labels.end(), slab.label.begin(), slab.label.end());
    }
    read.report = stream.report_json();
    return read;
}

MeshLabels print_coated(PlacedMesh const& mesh, MaterialTable table, double clear_coat_mm, double ink_depth_mm,
                        std::string const& coat = "clear")
{
    MeshPrintOptions options;
    options.ink_depth_mm = ink_depth_mm;
    options.clear_coat_mm = clear_coat_mm;
    auto const stream =
        make_mesh_print(mesh, "mesh", make_constant_colour(0x000000), std::move(table), "elek2017", options);
    MeshLabels read = read_mesh_labels(*stream, 2);
    EXPECT_EQ(stream->materials()[kMeshInks].name, coat);
    EXPECT_EQ(stream->materials()[kMeshInks + 1].name, "air");
    return read;
}

MeshLabels print_mesh(PlacedMesh const& mesh, std::unique_ptr<SurfaceColours> colours, double ink_depth_mm,
                      int threads = 2)
{
    MeshPrintOptions options;
    options.ink_depth_mm = ink_depth_mm;
    auto const stream = make_mesh_print(mesh, "mesh", std::move(colours), read_inks(), "elek2017", options);
    return read_mesh_labels(*stream, threads);
}

struct InkShares {
    std::array<double, kMeshInks> counts{};
    double total = 0;

    void add(std::uint8_t label)
    {
        if (label >= kMeshInks) return;
        ++counts[label];
        ++total;
    }
    double operator[](std::size_t ink) const { return counts[ink] / total; }
};

/// Black, white and nothing else: a colour that no core has, so that ink is told from core.
TEST(MeshPrint, InkOfASphereIsAsDeepAsAskedForWithinAVoxel)
{
    PlacedMesh const mesh = place_print(make_icosphere(2, 24));
    ASSERT_TRUE(mesh.report.is_accepted());
    MeshLabels const labels = print_mesh(mesh, make_constant_colour(0x000000), 0.5);
    std::size_t core = 0, ink = 0;
    double const voxel_mm = 0.0847;
    double nearest_mm = 2; // facets lie within the sphere
    TriangleMesh const sphere = make_icosphere(2, 24);
    for (auto const& t : sphere.triangles) {
        Vec3 const a = sphere.positions_mm[t[0]];
        Vec3 const normal = normalize(cross(sphere.positions_mm[t[1]] - a, sphere.positions_mm[t[2]] - a));
        nearest_mm = std::min(nearest_mm, static_cast<double>(dot(normal, a)));
    }
    double const chord_mm = 2 - nearest_mm;
    labels.visit([&](std::array<double, 3> const& p, std::uint8_t label) {
        double const depth_mm = 2 - std::hypot(p[0], p[1], p[2]);
        if (label == kAirLabel) {
            EXPECT_LT(depth_mm, chord_mm + 1e-6);
        } else if (label == kWhiteInk) {
            EXPECT_GT(depth_mm, 0.5);
            ++core;
        } else {
            EXPECT_GT(depth_mm, -1e-6);
            EXPECT_LT(depth_mm, 0.5 + voxel_mm / 2 + chord_mm);
            ++ink;
        }
    });
    double const voxel_mm3 = kMeshPitch_mm[0] * kMeshPitch_mm[1] * kMeshPitch_mm[2];
    EXPECT_NEAR(static_cast<double>(core + ink) * voxel_mm3, mesh.report.volume_mm3, 1e-3 * mesh.report.volume_mm3);
    double const core_mm3 = 4.0 / 3 * 3.14159265 * 1.5 * 1.5 * 1.5;
    EXPECT_NEAR(static_cast<double>(core) * voxel_mm3, core_mm3, 1e-2 * core_mm3);
}

TEST(MeshPrint, ClearCoatAndTheInkBelowItAreAsDeepAsAskedForWithinAVoxel)
{
    constexpr std::uint8_t kClearLabel = kMeshInks, kAirBesideClear = kMeshInks + 1;
    double const coat_mm = 0.25, ink_mm = 0.4, voxel_mm = 0.0847;
    PlacedMesh const mesh = place_print(make_icosphere(2, 24));
    MeshLabels const labels = print_coated(mesh, read_inks(), coat_mm, ink_mm);
    double const chord_mm = 0.005; // facets lie within the sphere by less
    std::array<std::size_t, 7> counts{};
    labels.visit([&](std::array<double, 3> const& p, std::uint8_t label) {
        double const depth_mm = 2 - std::hypot(p[0], p[1], p[2]);
        ++counts[label];
        if (label == kAirBesideClear) {
            EXPECT_LT(depth_mm, chord_mm);
        } else if (label == kClearLabel) {
            EXPECT_GT(depth_mm, -1e-6);
            EXPECT_LT(depth_mm, coat_mm + voxel_mm / 2 + chord_mm);
        } else if (label == kWhiteInk) {
            EXPECT_GT(depth_mm, coat_mm + ink_mm);
        } else {
            EXPECT_GT(depth_mm, coat_mm);
            EXPECT_LT(depth_mm, coat_mm + ink_mm + voxel_mm / 2 + chord_mm);
        }
    });
    double const voxel_mm3 = kMeshPitch_mm[0] * kMeshPitch_mm[1] * kMeshPitch_mm[2];
    auto const find_ball_mm3 = [](double radius_mm) { return 4.0 / 3 * 3.14159265 * std::pow(radius_mm, 3); };
    double const coat_mm3 = mesh.report.volume_mm3 - find_ball_mm3(2 - coat_mm);
    EXPECT_NEAR(static_cast<double>(counts[kClearLabel]) * voxel_mm3, coat_mm3, 2e-2 * coat_mm3);
    double const core_mm3 = find_ball_mm3(2 - coat_mm - ink_mm);
    EXPECT_NEAR(static_cast<double>(counts[kWhiteInk]) * voxel_mm3, core_mm3, 2e-2 * core_mm3);
}

TEST(MeshPrint, ClearMaterialOfTheTableIsTheCoatAndNoInk)
{
    PlacedMesh const mesh = place_print(make_box({0, 0, 0}, {1, 1, 1}));
    MeshLabels const made = print_coated(mesh, read_inks(), 0.1, 0.2);
    MaterialTable table = read_inks();
    Material resin = make_clear_material(table.bands(), "VeroClear");
    resin.sigma_t.assign(table.bands(), 0.02f); // measured
    table.clear = {resin.name};
    table.materials.insert(table.materials.begin() + 2, std::move(resin));
    table.ids.push_back(5);
    table.colours.insert(table.colours.begin() + 2, 0xddeeffffu);
    EXPECT_EQ(print_coated(mesh, table, 0.1, 0.2, "VeroClear").labels, made.labels);
}

TEST(MeshPrint, ColourHasTheSameInksOnTopBelowAtTheSidesAndAt45Degrees)
{
    PlacedMesh const mesh = place_print(make_icosphere(3, 24));
    for (std::uint32_t const colour : {0xc08040u, 0x9090a0u, 0xf0ece8u}) {
        MeshLabels const labels = print_mesh(mesh, make_constant_colour(colour), 0.3);
        double const s = std::sqrt(0.5), t = std::sqrt(1.0 / 3);
        std::vector<std::array<double, 3>> const directions{{0, 0, 1},  {0, 0, -1}, {1, 0, 0},  {-1, 0, 0}, {0, 1, 0},
                                                            {0, -1, 0}, {s, 0, s},  {0, s, -s}, {s, s, 0},  {t, -t, t}};
        std::vector<InkShares> shares(directions.size());
        InkShares all;
        labels.visit([&](std::array<double, 3> const& p, std::uint8_t label) {
            double const radius = std::hypot(p[0], p[1], p[2]);
            if (radius < 2.72) return; // ink alone
            all.add(label);
            for (std::size_t i = 0; i < directions.size(); ++i) {
                auto const& d = directions[i];
                if (p[0] * d[0] + p[1] * d[1] + p[2] * d[2] > 0.93 * radius) shares[i].add(label);
            }
        });
        for (std::size_t i = 0; i < directions.size(); ++i)
            for (std::size_t ink = 0; ink < kMeshInks; ++ink)
                EXPECT_NEAR(shares[i][ink], all[ink], 0.01)
                    << std::hex << colour << ", direction " << i << ", ink " << ink;
    }
}

TEST(MeshPrint, InkSharesAreThoseOfTheSeparation)
{
    PlacedMesh const mesh = place_print(make_box({0, 0, 0}, {3, 3, 2}));
    MeshPrintOptions options;
    options.ink_depth_mm = 0.4;
    auto const stream = make_mesh_print(mesh, "mesh", make_constant_colour(0xd0a090), read_inks(), "elek2017", options);
    read_mesh_labels(*stream, 2);
    std::string const report = stream->report_json();
    auto const find = [&](std::string const& group, std::string const& ink) {
        std::size_t const at = report.find("\"" + ink + "\":", report.find("\"" + group + "\""));
        return std::stod(report.substr(at + ink.size() + 3));
    };
    for (auto const* const ink : {"C", "M", "Y", "K", "W"})
        EXPECT_NEAR(find("material_shares", ink), find("separated_shares", ink), 2e-4) << ink;
}

TEST(MeshPrint, LayersOfAFlatFaceDifferAndEachHoldsItsShare)
{
    PlacedMesh const mesh = place_print(make_box({0, 0, 0}, {4.23f, 4.235f, 1.08f}));
    MeshLabels const labels = print_mesh(mesh, make_constant_colour(0xe0e0e0), 0.3);
    int const top = labels.meta.dims[2] - 2;
    int same_dark = 0;
    std::vector<int> dark;
    for (int layer = 0; layer < 10; ++layer) {
        int& count = dark.emplace_back(0);
        for (int y = 8; y < labels.meta.dims[1] - 8; ++y)
            for (int x = 12; x < labels.meta.dims[0] - 12; ++x) {
                bool const is_dark = labels.at(x, y, top - layer) != kWhiteInk;
                count += is_dark;
                same_dark += is_dark && labels.at(x, y, top - layer - 1) != kWhiteInk;
            }
    }
    double sum = 0;
    for (int const count : dark) sum += count;
    for (int const count : dark) EXPECT_NEAR(count, sum / 10, 0.15 * sum / 10);
    double const share = sum / (10.0 * (labels.meta.dims[1] - 16) * (labels.meta.dims[0] - 24));
    EXPECT_LT(same_dark, 1.0 * share * sum); // no more than chance gives
}

TEST(MeshPrint, LabelsDoNotDependOnThreads)
{
    PlacedMesh const mesh = place_print(make_bumpy_sphere(1.5f, 16, 0.3f));
    auto const colours = [&] { return make_constant_colour(0x80a0c0); };
    MeshLabels const one = print_mesh(mesh, colours(), 0.3, 1);
    EXPECT_EQ(one.labels, print_mesh(mesh, colours(), 0.3, 4).labels);
    EXPECT_EQ(one.labels.size(), one.meta.dims[0] * std::size_t{1} * static_cast<std::size_t>(one.meta.dims[1]) *
                                     static_cast<std::size_t>(one.meta.dims[2]));
}

TEST(MeshPrint, InsideIsWhatLabelsSay)
{
    PlacedMesh const mesh = place_print(make_torus(1.5f, 0.5f, 24, 12));
    Occupancy const inside = find_inside(mesh, 3);
    MeshLabels const labels = print_mesh(mesh, make_constant_colour(0x404040), 0.1);
    std::size_t differences = 0;
    for (int z = 0; z < labels.meta.dims[2]; ++z)
        for (int y = 0; y < labels.meta.dims[1]; ++y)
            for (int x = 0; x < labels.meta.dims[0]; ++x)
                differences += inside.is_occupied(x, y, z) != (labels.at(x, y, z) != kAirLabel);
    EXPECT_EQ(differences, 0u);
}

/// Rows through vertices and along edges and faces: corners of the cubes lie at centres of voxels.
TEST(MeshPrint, RowsThroughVerticesAndEdgesCountEachCrossingOnce)
{
    MeshBox const box{{12, 12, 12}, {1, 1, 1}, {}};
    PlacedMesh const mesh = place_mesh_in(box, make_box({2.5f, 2.5f, 2.5f}, {6.5f, 6.5f, 6.5f}), {});
    ASSERT_TRUE(mesh.report.is_accepted());
    EXPECT_EQ(find_inside(mesh, 1).count(), 4u * 4 * 4);
    PlacedMesh const diamond = [&] {
        TriangleMesh octahedron;
        octahedron.positions_mm = {{9.5f, 5.5f, 5.5f}, {1.5f, 5.5f, 5.5f}, {5.5f, 9.5f, 5.5f},
                                   {5.5f, 1.5f, 5.5f}, {5.5f, 5.5f, 9.5f}, {5.5f, 5.5f, 1.5f}};
        octahedron.triangles = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
        return place_mesh_in(box, octahedron, {});
    }();
    ASSERT_TRUE(diamond.report.is_accepted());
    Occupancy const inside = find_inside(diamond, 1);
    int wrong = 0;
    for (int z = 0; z < 12; ++z)
        for (int y = 0; y < 12; ++y)
            for (int x = 0; x < 12; ++x) {
                int const distance = std::abs(x - 5) + std::abs(y - 5) + std::abs(z - 5);
                if (distance != 4) wrong += inside.is_occupied(x, y, z) != (distance < 4);
            }
    EXPECT_EQ(wrong, 0);
}

struct Face {
    std::array<double, 3> normal, right, up; ///< as seen from outside
    std::array<char const*, 5> letter;
};

std::vector<Face> const& list_faces()
{
    static std::vector<Face> const faces{
        {{0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {"####", "#...", "###.", "#...", "#..."}},   // F
        {{0, 0, -1}, {1, 0, 0}, {0, -1, 0}, {".###", "#...", "#.##", "#..#", ".###"}}, // G
        {{0, -1, 0}, {1, 0, 0}, {0, 0, 1}, {"..##", "...#", "...#", "#..#", ".##."}},  // J
        {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}, {"#...", "#...", "#...", "#...", "####"}},  // L
        {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {"###.", "#..#", "###.", "#...", "#..."}},   // P
        {{-1, 0, 0}, {0, -1, 0}, {0, 0, 1}, {"###.", "#..#", "###.", "#.#.", "#..#"}}, // R
    };
    return faces;
}

/// A cube of edge 2 * half_mm around the origin; the letter of face i is tile i of the texture, from the left.
TriangleMesh make_letter_cube(float half_mm)
{
    TriangleMesh cube;
    for (std::size_t i = 0; i < 6; ++i) {
        Face const& face = list_faces()[i];
        auto const first = static_cast<std::uint32_t>(cube.positions_mm.size());
        std::array<TextureCoordinates, 4> uv;
        for (std::size_t corner = 0; corner < 4; ++corner) {
            bool const is_right = corner == 1 || corner == 2, is_up = corner >= 2;
            auto const along = [&](std::size_t a) {
                return half_mm * static_cast<float>(face.normal[a] + (is_right ? 1 : -1) * face.right[a] +
                                                    (is_up ? 1 : -1) * face.up[a]);
            };
            cube.positions_mm.push_back({along(0), along(1), along(2)});
            uv[corner] = {static_cast<float>((static_cast<double>(i) + (is_right ? 1 : 0)) / 6), is_up ? 1.0f : 0.0f};
        }
        for (auto const& [b, c] : {std::pair<std::uint32_t, std::uint32_t>{1, 2}, {2, 3}}) {
            cube.triangles.push_back({first, first + b, first + c});
            cube.texture_coordinates.push_back({uv[0], uv[b], uv[c]});
        }
    }
    return cube;
}

TEST(MeshPrint, LettersOnTheFacesOfACubeStandUprightAndUnmirrored)
{
    Image texture = make_image(24, 5, Transfer::srgb, {"R", "G", "B"});
    for (std::size_t face = 0; face < 6; ++face)
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 4; ++column)
                for (auto& channel : texture.channels)
                    channel.values[row * 24 + face * 4 + column] =
                        list_faces()[face].letter[row][column] == '#' ? 0.0f : 1.0f;
    PlacedMesh const mesh = place_print(make_letter_cube(2));
    ASSERT_TRUE(mesh.report.is_accepted());
    MeshLabels const labels =
        print_mesh(mesh, make_texture_colours(texture, "t.png", mesh.mesh, mesh.box.pitch_mm), 0.2);
    std::vector<InkShares> tiles(6 * 20);
    labels.visit([&](std::array<double, 3> const& p, std::uint8_t label) {
        for (std::size_t i = 0; i < 6; ++i) {
            Face const& face = list_faces()[i];
            auto const along = [&](std::array<double, 3> const& d) { return p[0] * d[0] + p[1] * d[1] + p[2] * d[2]; };
            double const depth = 2 - along(face.normal), column = along(face.right) + 2, row = 2 - along(face.up);
            double const margin = std::max({std::abs(column - 2), std::abs(row - 2)});
            if (depth < 0 || depth > 0.15 || margin > 1.8) continue; // apart from the other faces' ink
            tiles[i * 20 + static_cast<std::size_t>(row / 0.8) * 4 + static_cast<std::size_t>(column)].add(label);
        }
    });
    for (std::size_t i = 0; i < 6; ++i)
        for (std::size_t row = 0; row < 5; ++row)
            for (std::size_t column = 0; column < 4; ++column) {
                bool const is_dark = list_faces()[i].letter[row][column] == '#';
                InkShares const& tile = tiles[i * 20 + row * 4 + column];
                EXPECT_GT(tile.total, 100);
                EXPECT_NEAR(tile[kWhiteInk], is_dark ? 0 : 1, 0.1)
                    << "face " << i << ", row " << row << ", column " << column;
            }
}

TEST(MeshPrint, PictureOnAFlatSquareHasTheInksOfThePrintOfThatPicture)
{
    constexpr int kTile = 20, kTiles = 4; // voxels, tiles of one colour
    constexpr double kSquare = kTile * kTiles;
    Image picture = make_image(kTiles, kTiles, Transfer::srgb, {"R", "G", "B"});
    for (std::size_t i = 0; i < kTiles * kTiles; ++i) {
        picture.channels[0].values[i] = static_cast<float>(40 + 12 * i) / 255;
        picture.channels[1].values[i] = static_cast<float>(250 - 10 * i) / 255;
        picture.channels[2].values[i] = static_cast<float>(60 + 40 * (i % 4)) / 255;
    }
    double const x_mm = kSquare * kMeshPitch_mm[0], y_mm = kSquare * kMeshPitch_mm[1], z_mm = 60 * kMeshPitch_mm[2];
    TriangleMesh plate =
        make_box({0, 0, 0}, {static_cast<float>(x_mm), static_cast<float>(y_mm), static_cast<float>(z_mm)});
    for (auto const& triangle : plate.triangles) {
        auto& uv = plate.texture_coordinates.emplace_back();
        for (std::size_t corner = 0; corner < 3; ++corner) {
            Vec3 const p = plate.positions_mm[triangle[corner]];
            uv[corner] = {p.x / static_cast<float>(x_mm), p.y / static_cast<float>(y_mm)};
        }
    }
    PlacedMesh const mesh = place_print(plate);
    MeshLabels const labels =
        print_mesh(mesh, make_texture_colours(picture, "p.png", mesh.mesh, mesh.box.pitch_mm), 10 * kMeshPitch_mm[2]);
    ASSERT_EQ(labels.meta.dims, (std::array<int, 3>{82, 82, 62}));
    PictureOptions options;
    options.size_mm = {x_mm, y_mm};
    options.pitch_mm = kMeshPitch_mm;
    options.ink_depth_mm = 10 * kMeshPitch_mm[2];
    options.core_mm = 2 * mesh.report.volume_mm3 / mesh.report.area_mm2 - options.ink_depth_mm;
    auto const reference = make_print_volume(picture, "p.png", read_inks(), "elek2017", options);
    MeshLabels const printed = read_mesh_labels(*reference, 1);
    for (int ty = 0; ty < kTiles; ++ty)
        for (int tx = 0; tx < kTiles; ++tx) {
            InkShares of_mesh, of_print;
            for (int layer = 0; layer < 10; ++layer)
                for (int y = 0; y < kTile; ++y)
                    for (int x = 0; x < kTile; ++x) {
                        if (std::min({kTile * tx + x, kTile * ty + y, 79 - kTile * tx - x, 79 - kTile * ty - y}) < 7)
                            continue; // nearer to a side
                        of_mesh.add(labels.at(1 + kTile * tx + x, 1 + kTile * ty + y, 60 - layer));
                        of_print.add(printed.at(kTile * tx + x, kTile * ty + y, printed.meta.dims[2] - 1 - layer));
                    }
            for (std::size_t ink = 0; ink < kMeshInks; ++ink)
                EXPECT_NEAR(of_mesh[ink], of_print[ink], 0.02) << "tile " << tx << "," << ty << ", ink " << ink;
        }
}

TEST(MeshPrint, ColoursOfCornersAreMixedInLinearLight)
{
    auto const colours = make_corner_colours({{0x000000, 0xffffff, 0x000000}});
    NearestPoint point;
    point.triangle = 0;
    point.weight_b = 0.5;
    EXPECT_EQ(colours->find(point), 0xbcbcbcu);
    point.weight_b = 1;
    EXPECT_EQ(colours->find(point), 0xffffffu);
}

TEST(MeshPrint, EachTriangleHasItsOwnPictureTimesTheColoursOfItsCorners)
{
    TriangleMesh mesh = make_letter_cube(2);
    for (auto& corners : mesh.texture_coordinates) corners = {{{0.25f, 0.5f}, {0.25f, 0.5f}, {0.25f, 0.5f}}};
    mesh.pictures.assign(12, 0);
    mesh.colours.assign(12, {0xffffff, 0xffffff, 0xffffff});
    mesh.pictures[1] = 1;
    mesh.pictures[2] = TriangleMesh::kNoPicture;
    mesh.colours[2] = {0x102030, 0x102030, 0x102030};
    mesh.colours[3] = {0xbcbc00, 0xbcbc00, 0xbcbc00};
    Image picture = make_image(2, 1, Transfer::srgb, {"R", "G", "B"});
    for (std::size_t i = 0; i < 3; ++i) picture.channels[i].values = {static_cast<float>(i) / 2, 0};
    Image const black = make_image(1, 1, Transfer::srgb, {"Y"});
    auto const colours = make_texture_colours({make_texture_levels(picture, "p"), make_texture_levels(black, "b")},
                                              "mesh", mesh, {1, 1, 1});
    auto const find = [&](std::uint32_t triangle) {
        NearestPoint point;
        point.triangle = triangle;
        return colours->find(point);
    };
    EXPECT_EQ(find(0), 0x0080ffu);
    EXPECT_EQ(find(1), 0x000000u);
    EXPECT_EQ(find(2), 0x102030u);
    EXPECT_EQ(find(3), 0x005d00u); // 0.2159 of the light times 0.5029
}

TEST(MeshPrint, TextureWithoutCoordinatesIsRefused)
{
    PlacedMesh const mesh = place_print(make_box({0, 0, 0}, {1, 1, 1}));
    Image const picture = make_image(2, 2, Transfer::srgb, {"R", "G", "B"});
    test::expect_error(ExitStatus::input, {"box.stl", "no texture coordinates"},
                       [&] { make_texture_colours(picture, "box.stl", mesh.mesh, mesh.box.pitch_mm); });
}

TEST(PrintBox, SizeAlongOneAxisScalesAllOfThemAndTheMeshBeginsAtAVoxelsCorner)
{
    TriangleMesh const mesh = make_box({1, 2, 3}, {3, 8, 7});
    auto const print = fit_print_box(mesh, {}, {0.5, 0.25, 0.1}, {std::nullopt, 12.0, std::nullopt});
    ASSERT_TRUE(print.has_value());
    EXPECT_DOUBLE_EQ(print->scale, 2);
    EXPECT_NEAR(print->size_mm[0], 4, 1e-12);
    EXPECT_EQ(print->box.dims, (std::array<int, 3>{8 + 2, 48 + 2, 80 + 2}));
    MeshPlaceOptions options;
    options.scale = print->scale;
    PlacedMesh const placed = place_mesh_in(print->box, mesh, options);
    EXPECT_TRUE(placed.report.is_accepted()); // although rows run downwards
    EXPECT_NEAR(placed.bvh.bounds.lower.x, 1, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.lower.y, 1, 1e-5);
    EXPECT_NEAR(placed.bvh.bounds.upper.z, 81, 1e-4);
}

} // namespace
} // namespace volpt
