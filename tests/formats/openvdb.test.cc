// OpenVDB grids of every kind: what becomes of their numbers, transforms, tiles and backgrounds, and what is refused.
#include "formats/openvdb/reader.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/openvdb_files.h"
#include "tests/formats/read_all.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <algorithm>
#include <limits>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;
using test::TempFolder;

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

double number_at(int x, int y, int z, int channel)
{
    return x + 4 * y + 16 * z + 64 * channel;
}

class OpenVdb : public testing::Test {
protected:
    std::filesystem::path write(std::vector<VdbGridSample> const& samples) const
    {
        write_vdb(folder_ / "t.vdb", samples);
        return folder_ / "t.vdb";
    }

    using Parts = std::initializer_list<std::string_view>;
    /// The file is refused when it is opened or when it is read.
    static void expect_refused(std::filesystem::path const& path, VdbOptions const& options, Parts parts)
    {
        expect_error(ExitStatus::input, parts, [&] {
            auto const density = open_openvdb(path, options);
            read_all(*density);
            if (!options.albedo_grid.empty()) read_all(*open_openvdb_albedo(path, options, *density));
        });
    }
    void expect_refused(std::vector<VdbGridSample> const& samples, VdbOptions const& options, Parts parts) const
    {
        expect_refused(write(samples), options, parts);
    }

    TempFolder folder_;
};

TEST_F(OpenVdb, ScalarsOfEveryTypeKeepTheirNumbers)
{
    for (auto const type : {VdbType::half, VdbType::float32, VdbType::float64, VdbType::int32, VdbType::int64}) {
        auto const source =
            open_openvdb(write({{.type = type, .low = {-3, 5, 7}, .dims = {4, 4, 4}, .value = number_at}}));
        EXPECT_EQ(source->meta().dims, (std::array<int, 3>{4, 4, 4}));
        EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array<double, 3>{-3, 5, 7}));
        auto const values = read_all(*source);
        for (std::size_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], static_cast<float>(i)) << int(type);
    }
}

TEST_F(OpenVdb, BooleansAreZeroAndOne)
{
    auto const source = open_openvdb(write(
        {{.type = VdbType::boolean, .dims = {3, 1, 1}, .value = [](int x, int, int, int) { return double(x == 1); }}}));
    EXPECT_EQ(source->meta().element, ElementType::u8);
    EXPECT_EQ(read_all(*source), (std::vector<float>{0, 1, 0}));
}

TEST_F(OpenVdb, VectorsAloneAreThreeChannels)
{
    for (auto const type : {VdbType::vec3s, VdbType::vec3d}) {
        auto const source = open_openvdb(write({{.name = "Cd", .type = type, .dims = {2, 1, 1}, .value = number_at}}));
        EXPECT_EQ(source->meta().channels, 3);
        EXPECT_EQ(read_all(*source), (std::vector<float>{0, 64, 128, 1, 65, 129}));
    }
}

TEST_F(OpenVdb, InactiveVoxelsInsideTheBoxHaveTheBackground)
{
    VdbGridSample sample{.background = 0.25, .dims = {1, 1, 1}};
    sample.tiles = {{{2, 0, 0}, {2, 0, 0}, 3}};
    EXPECT_EQ(read_all(*open_openvdb(write({sample}))), (std::vector<float>{1, 0.25f, 3}));
}

TEST_F(OpenVdb, RotationAndUnequalVoxelsArePlacementAndPitch)
{
    VdbGridSample sample{.dims = {2, 3, 4}, .value = number_at};
    sample.rows = {{{0, 2, 0}, {-3, 0, 0}, {0, 0, 5}, {10, 20, 30}}};
    auto const source = open_openvdb(write({sample}));
    EXPECT_EQ(source->meta().dims, (std::array<int, 3>{2, 3, 4}));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{2, 3, 5}));
    EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array<double, 3>{10, 20, 30}));
    EXPECT_EQ(source->meta().rotation, (std::array<double, 9>{0, -1, 0, 1, 0, 0, 0, 0, 1}));
    EXPECT_EQ(read_all(*source)[1 + 2 * 1], 5.0f) << "voxels stay in index order";
}

TEST_F(OpenVdb, ShearedAndFrustumTransformsAreRefused)
{
    VdbGridSample sheared{.dims = {2, 2, 2}};
    sheared.rows[1] = {0.5, 1, 0};
    expect_refused({sheared}, {}, {"shears"});
    VdbGridSample frustum{.dims = {2, 2, 2}, .is_frustum = true};
    expect_refused({frustum}, {}, {"no affine map"});
}

TEST_F(OpenVdb, PointsMasksAndEmptyGridsAreRefused)
{
    auto const points = test::tests_folder() / "fuzz/seeds/openvdb/points.vdb";
    expect_refused(points, {}, {"there is no grid of numbers"});
    VdbOptions named;
    named.density_grid = "density";
    expect_refused(points, named, {"points are no density"});
    expect_refused({{.type = VdbType::mask}}, named, {"the grid is a mask"});
    expect_refused(std::vector<VdbGridSample>(1), {}, {"the grid is empty"});
}

TEST_F(OpenVdb, BoxesBeyondThePackedFormatAreRefused)
{
    VdbGridSample far{.dims = {1, 1, 1}};
    far.tiles = {{{100000, 0, 0}, {100000, 0, 0}, 1}};
    expect_refused({far}, {}, {"65535"});
}

/// 4096^3 active voxels are 256 GiB of floats; the process that reads has 1 GiB.
TEST_F(OpenVdb, TilesAreNeverExpanded)
{
    VdbGridSample sample;
    sample.tiles = {{{0, 0, 0}, {4095, 4095, 4095}, 2.5}};
    auto const source = open_openvdb(write({sample}));
    EXPECT_EQ(source->meta().dims, (std::array<int, 3>{4096, 4096, 4096}));
    std::vector<float> layer(std::size_t{4096} * 4096, 0.0f);
    source->read_slab(4095, 1, layer);
    EXPECT_EQ(std::ranges::count(layer, 2.5f), 4096 * 4096);
}

TEST_F(OpenVdb, BoxesWhoseLayersTakeTooMuchMemoryAreRefused)
{
    VdbGridSample sample;
    sample.tiles = {{{0, 0, 0}, {7, 7, 7}, 1}, {{59992, 59992, 0}, {59999, 59999, 7}, 1}};
    auto const path = write({sample});
    expect_error(ExitStatus::input, {"t.vdb", "eight layers of 60000 x 60000 voxels"},
                 [&] { open_volume_source(path); });
}

TEST_F(OpenVdb, CountsThatTheFileCannotHoldAreRefusedAtOnce)
{
    float const background = 1234.5625f;
    auto const path = write({{.background = background, .dims = {4, 4, 4}}});
    std::string bytes = test::read_text(path);
    // The root node's topology: background, number of tiles, number of children.
    std::size_t const at = bytes.find(std::string_view(reinterpret_cast<char const*>(&background), sizeof background));
    ASSERT_NE(at, std::string::npos);
    bytes.replace(at + 4, 4, "\xff\xff\xff\x7f");
    VdbOptions options;
    options.limits = SandboxLimits{std::uint64_t{4} << 30, 5}; // seconds; 2^31 tiles take 60
    expect_error(ExitStatus::input, {"many.vdb", "claims more than it holds"},
                 [&] { open_openvdb(folder_.write("many.vdb", bytes), options); });
}

TEST_F(OpenVdb, LevelSetsRampToTheInteriorOverTheNarrowBand)
{
    VdbGridSample sample{.grid_class = VdbClass::level_set, .background = 2, .dims = {6, 1, 1}};
    sample.value = [](int x, int, int, int) { return 1.0 - x; };
    auto source = open_openvdb(write({sample}));
    EXPECT_EQ(read_all(*source), (std::vector<float>{0, 0, 0.5f, 1, 1, 1}));
    expect_contains(source->meta().notices.at(0), {"level set"});
    VdbOptions dense;
    dense.interior = 8;
    EXPECT_EQ(read_all(*open_openvdb(folder_ / "t.vdb", dense)), (std::vector<float>{0, 0, 4, 8, 8, 8}));
}

TEST_F(OpenVdb, NumbersThatAreNoDensityComeAsTheyAreUnlessClamped)
{
    std::vector<double> const numbers{kNaN, kInfinity, -kInfinity, -1, 0.5};
    for (auto const type : {VdbType::float32, VdbType::float64}) {
        auto const path = write({{.type = type, .dims = {5, 1, 1}, .value = [&](int x, int, int, int) {
                                      return numbers[static_cast<std::size_t>(x)];
                                  }}});
        auto const plain = read_all(*open_openvdb(path));
        EXPECT_NE(plain[0], plain[0]);
        EXPECT_EQ(plain[1], std::numeric_limits<float>::infinity());
        EXPECT_EQ(plain[3], -1.0f);
        VdbOptions clamp;
        clamp.bad_numbers = BadNumbers::clamped;
        auto const source = open_openvdb(path, clamp);
        EXPECT_EQ(read_all(*source), (std::vector<float>{0, std::numeric_limits<float>::max(), 0, 0, 0.5f}));
        expect_contains(source->meta().notices.at(0), {"4 numbers"});
    }
}

TEST_F(OpenVdb, AlbedoOfEqualTransformIsCopiedVoxelByVoxel)
{
    VdbGridSample const density{.dims = {4, 4, 4}};
    // A smaller box: outside it the background holds.
    VdbGridSample const albedo{.name = "Cd",
                               .type = VdbType::vec3s,
                               .background = 0.5,
                               .low = {1, 1, 1},
                               .dims = {2, 2, 2},
                               .value = [](int x, int, int, int channel) { return 0.25 * x + 0.125 * channel; }};
    VdbOptions options;
    options.albedo_grid = "Cd";
    auto const source = open_openvdb(write({density, albedo}), options);
    EXPECT_TRUE(source->meta().notices.empty()) << source->meta().notices.front();
    auto const tint = open_openvdb_albedo(folder_ / "t.vdb", options, *source);
    EXPECT_EQ(tint->meta().channels, 3);
    EXPECT_TRUE(tint->meta().notices.empty());
    auto const values = read_all(*tint);
    EXPECT_EQ(values[0], 0.5f);
    std::size_t const voxel = 2 + 4 * 1 + 16 * 1;
    for (std::size_t channel = 0; channel < 3; ++channel)
        EXPECT_EQ(values[3 * voxel + channel], 0.25f + 0.125f * static_cast<float>(channel));
}

TEST_F(OpenVdb, AlbedoOfAnotherTransformIsResampledWithANotice)
{
    VdbGridSample density{.dims = {8, 8, 8}};
    VdbGridSample albedo{.name = "Cd",
                         .type = VdbType::vec3d,
                         .dims = {16, 16, 16},
                         .value = [](int x, int y, int, int channel) { return channel == 0 ? x / 16.0 : y / 16.0; }};
    // Half the pitch, turned by 90 degrees about z: world x is index y.
    albedo.rows = {{{0, 0.5, 0}, {0.5, 0, 0}, {0, 0, 0.5}, {0, 0.25, 0}}};
    VdbOptions options;
    options.albedo_grid = "Cd";
    auto const source = open_openvdb(write({density, albedo}), options);
    auto const tint = open_openvdb_albedo(folder_ / "t.vdb", options, *source);
    EXPECT_EQ(tint->meta().dims, source->meta().dims);
    ASSERT_EQ(tint->meta().notices.size(), 1u);
    expect_contains(tint->meta().notices[0], {"grid Cd has another transform and was resampled"});
    auto const values = read_all(*tint);
    for (int y = 1; y < 7; ++y)
        for (int x = 0; x < 7; ++x) {
            auto const at = static_cast<std::size_t>(3 * (x + 8 * y));
            EXPECT_NEAR(values[at], (2 * y - 0.5) / 16, 1e-6) << x << " " << y;
            EXPECT_NEAR(values[at + 1], 2 * x / 16.0, 1e-6) << x << " " << y;
        }
}

TEST_F(OpenVdb, AlbedoHasToBeAVectorGridThatIsThere)
{
    VdbOptions options;
    options.albedo_grid = "heat";
    VdbGridSample const density{.dims = {2, 2, 2}};
    expect_refused({density}, options, {"no grid \"heat\""});
    VdbGridSample heat = density;
    heat.name = "heat";
    expect_refused({density, heat}, options, {"albedo is a Vec3 grid"});
}

TEST_F(OpenVdb, EmissionIsAScalarOrVectorGridOfAnySize)
{
    VdbGridSample const density{.dims = {4, 4, 4}};
    VdbGridSample const heat{.name = "temperature",
                             .low = {1, 1, 1},
                             .dims = {2, 2, 2},
                             .value = [](int x, int, int, int) { return 1000.0 + x; }};
    VdbGridSample const colour{.name = "Le",
                               .type = VdbType::vec3s,
                               .low = {1, 1, 1},
                               .dims = {2, 2, 2},
                               .value = [](int, int, int, int channel) { return channel == 0 ? -1.0 : 7.0; }};
    VdbOptions options;
    options.emission_grid = "temperature";
    auto const source = open_openvdb(write({density, heat, colour}), options);
    auto const kelvin = open_openvdb_emission(folder_ / "t.vdb", options, *source);
    EXPECT_EQ(kelvin->meta().channels, 1);
    EXPECT_EQ(kelvin->meta().dims, source->meta().dims);
    std::size_t const voxel = 2 + 4 * 1 + 16 * 1;
    auto const values = read_all(*kelvin);
    EXPECT_EQ(values[0], 0.0f);
    EXPECT_EQ(values[voxel], 1001.0f) << "values count from the grid's own corner";
    options.emission_grid = "Le";
    options.bad_numbers = BadNumbers::clamped;
    auto const radiance = read_all(*open_openvdb_emission(folder_ / "t.vdb", options, *source));
    EXPECT_EQ(radiance[3 * voxel], 0.0f);
    EXPECT_EQ(radiance[3 * voxel + 1], 7.0f) << "no albedo, which ends at 1";
    options.emission_grid = "flame";
    expect_error(ExitStatus::input, {"no grid \"flame\"", "temperature"},
                 [&] { open_openvdb_emission(folder_ / "t.vdb", options, *source); });
}

TEST_F(OpenVdb, OfSeveralDensitiesOneIsReadInItsOwnPlaceAndTheOthersAreNamed)
{
    VdbGridSample first{.dims = {2, 2, 2}};
    VdbGridSample second{.dims = {3, 3, 3}};
    second.rows[0] = {0.5, 0, 0};
    second.rows[3] = {7, 8, 9};
    VdbGridSample smoke = second;
    smoke.name = "smoke";
    auto const path = write({smoke, first, second});
    auto const read_first = open_openvdb(path);
    EXPECT_EQ(read_first->meta().dims, (std::array<int, 3>{2, 2, 2}));
    ASSERT_EQ(read_first->meta().notices.size(), 1u);
    expect_contains(read_first->meta().notices[0], {"density[0] of "});
    expect_contains(read_first->meta().notices[0], {"smoke"});
    for (auto const* name : {"density[1]", "smoke"}) {
        VdbOptions options;
        options.density_grid = name;
        auto const source = open_openvdb(path, options);
        EXPECT_TRUE(source->meta().notices.empty());
        EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array<double, 3>{7, 8, 9}));
        EXPECT_EQ(*source->meta().pitch_mm, (std::array<double, 3>{0.5, 1, 1}));
    }
}

} // namespace
} // namespace volpt
