// Prints of pictures: the model of inks, its inverse, halftones that keep every ink, and where things lie.
#include "libvolpt/colour/srgb.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/print/halftone.h"
#include "libvolpt/print/print_volume.h"
#include "libvolpt/print/target_picture.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace volpt {
namespace {

MaterialTable read_elek(char const* file = "elek2017.json")
{
    return read_material_table(test::tests_folder() / "../pipelines/data/materials" / file);
}

constexpr std::size_t kK = 3, kW = 4; // places in that table

/// A picture whose pixels a function of column and row gives as sRGB codes.
template <typename Pixel>
Image draw(int width, int height, Pixel pixel)
{
    Image image = make_image(width, height, Transfer::srgb, {"R", "G", "B"});
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            for (std::size_t c = 0; c < 3; ++c)
                image.channels[c].values[static_cast<std::size_t>(y * width + x)] = pixel(x, y)[c];
    return image;
}

std::vector<std::uint16_t> repeat(std::vector<double> const& mixture, std::size_t texels)
{
    std::vector<std::uint16_t> parts(mixture.size() * texels);
    for (std::size_t i = 0; i < texels; ++i)
        round_mixture(mixture, std::span(parts).subspan(i * mixture.size(), mixture.size()));
    return parts;
}

/// Voxels of each ink in a slice.
std::vector<std::int64_t> count_labels(std::vector<std::uint8_t> const& labels, std::size_t inks)
{
    std::vector<std::int64_t> counts(inks, 0);
    for (auto const label : labels) ++counts[label];
    return counts;
}

TEST(RoundMixture, PartsSumToAVoxel)
{
    std::vector<double> const thirds{1.0 / 3, 1.0 / 3, 1.0 / 3};
    std::vector<std::uint16_t> parts(3);
    round_mixture(thirds, parts);
    EXPECT_EQ(std::accumulate(parts.begin(), parts.end(), 0), kVoxelParts);
    for (auto const part : parts) EXPECT_NEAR(part, kVoxelParts / 3.0, 1);
}

TEST(InkDiffusion, EverySliceAndTheirSumHoldTheirShareOfEveryInkToSixthsOfAVoxelPerColumn)
{
    constexpr int kWidth = 61, kHeight = 47, kSlices = 19;
    std::vector<std::uint16_t> parts;
    std::vector<std::int64_t> wanted(4, 0);
    for (int y = 0; y < kHeight; ++y) // pale and dark, smooth and with an edge
        for (int x = 0; x < kWidth; ++x) {
            double const k = x < 20 ? 0.02 : 0.9 * y / kHeight, c = 0.1 * x / kWidth;
            std::vector<std::uint16_t> texel(4);
            round_mixture(std::vector<double>{c, k * (1 - c) * 0.5, k * (1 - c) * 0.5, (1 - k) * (1 - c)}, texel);
            for (std::size_t i = 0; i < 4; ++i) wanted[i] += texel[i];
            parts.insert(parts.end(), texel.begin(), texel.end());
        }
    InkDiffusion diffusion(kWidth, kHeight, 4, parts);
    std::vector<std::uint8_t> labels(std::size_t{kWidth} * kHeight);
    std::vector<std::int64_t> total(4, 0);
    for (int slice = 0; slice < kSlices; ++slice) {
        diffusion.halftone_slice(labels);
        auto const counts = count_labels(labels, 4);
        for (std::size_t i = 0; i < 4; ++i) {
            EXPECT_NEAR(static_cast<double>(counts[i]), static_cast<double>(wanted[i]) / kVoxelParts, kWidth / 6.0)
                << "slice " << slice << ", ink " << i;
            total[i] += counts[i];
        }
    }
    for (std::size_t i = 0; i < 4; ++i)
        EXPECT_NEAR(static_cast<double>(total[i]), static_cast<double>(kSlices * wanted[i]) / kVoxelParts, kWidth / 6.0)
            << "ink " << i;
}

TEST(InkDiffusion, ConstantMixtureCoversEveryPartAlikeAndColumnsMoreEvenlyThanChance)
{
    constexpr int kEdge = 64, kSlices = 19;
    auto const parts = repeat({0.1, 0.9}, std::size_t{kEdge} * kEdge);
    InkDiffusion diffusion(kEdge, kEdge, 2, parts);
    std::vector<std::uint8_t> labels(std::size_t{kEdge} * kEdge);
    std::vector<int> column(labels.size(), 0);
    int quarters[4]{};
    for (int slice = 0; slice < kSlices; ++slice) {
        diffusion.halftone_slice(labels);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            column[i] += labels[i] == 0;
            quarters[i / kEdge / (kEdge / 2) * 2 + i % kEdge / (kEdge / 2)] += labels[i] == 0;
        }
    }
    for (int const count : quarters)
        EXPECT_NEAR(count, 0.1 * kSlices * kEdge * kEdge / 4, 40); // chance would give 41 rms
    double squares = 0;
    for (int const count : column) squares += (count - 1.9) * (count - 1.9);
    EXPECT_LT(squares / static_cast<double>(column.size()), 0.25 * kSlices * 0.1 * 0.9);
}

TEST(InkDiffusion, PureTexelsStayPureBesideMixedOnes)
{
    auto parts = repeat({0, 0.5, 0.5}, 256);
    for (std::size_t i = 0; i < 128; ++i)
        round_mixture(std::vector<double>{0, 0, 1}, std::span(parts).subspan(3 * i, 3));
    InkDiffusion diffusion(16, 16, 3, parts);
    std::vector<std::uint8_t> labels(256);
    for (int slice = 0; slice < 8; ++slice) {
        diffusion.halftone_slice(labels);
        EXPECT_EQ(count_labels(labels, 3)[0], 0);
        for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(labels[i], 2) << i;
    }
}

TEST(InkModel, LayerOfTheCoresMaterialIsPartOfTheCore)
{
    auto const table = read_elek();
    Triple const thin = InkModel(table, kW, 0.1, 9.9).paper_xyz();
    Triple const half = InkModel(table, kW, 5, 5).paper_xyz();
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(thin[i], half[i], 1e-12);
}

TEST(InkModel, SlabsOfTenMillimetresAreNearTheTruth)
{
    // Adding-doubling, see the slab tests: two fluxes are an approximation, up to 0.035 too bright.
    double const truth[5][3] = {{.0409, .0883, .4218},
                                {.4218, .0420, .1915},
                                {.6807, .6262, .0432},
                                {.0504, .0504, .0504},
                                {.8090, .8813, .8022}};
    auto const table = read_elek();
    for (std::size_t ink = 0; ink < 5; ++ink) {
        Triple const rgb = kRelativeXyzToRgb * InkModel(table, ink, 5, 5).paper_xyz();
        for (std::size_t band = 0; band < 3; ++band)
            EXPECT_NEAR(rgb[band], truth[ink][band], 0.035) << table.materials[ink].name << " " << band;
    }
}

TEST(InkModel, BandsWithoutColourAreRefused)
{
    auto table = read_elek();
    for (auto& material : table.materials) {
        material.sigma_t.push_back(1);
        material.one_minus_albedo.push_back(0.5f);
    }
    EXPECT_THROW(InkModel(table, kW, 0.5, 9.5), Error);
}

void expect_black_to_grow(MaterialTable const& table)
{
    InkModel const model(table, kW, 0.5, 9.5);
    InkSeparation separation(model, Intent::relative);
    std::vector<double> mixture(5);
    separation.separate({1, 1, 1}, mixture);
    EXPECT_EQ(mixture, (std::vector<double>{0, 0, 0, 0, 1}));
    double black = 0, lightness = 200;
    for (int code = 255; code >= 0; --code) {
        double const linear = decode_srgb(code / 255.0);
        separation.separate({linear, linear, linear}, mixture);
        EXPECT_NEAR(std::accumulate(mixture.begin(), mixture.end(), 0.0), 1, 1e-9);
        EXPECT_GE(mixture[kK], black - 1e-3) << code;
        EXPECT_LE(model.predict_lab(mixture)[0], lightness + 1e-3) << code;
        black = mixture[kK];
        lightness = model.predict_lab(mixture)[0];
    }
    EXPECT_GT(black, 0.9);
}

TEST(InkSeparation, WhiteIsTheCoreAloneAndAGreyRampHasEverMoreBlack)
{
    expect_black_to_grow(read_elek());
    expect_black_to_grow(read_elek("elek2017_36.json"));
}

TEST(InkSeparation, ColoursOfMixturesAreFoundAgain)
{
    auto const table = read_elek();
    InkModel const model(table, kW, 0.5, 9.5);
    InkSeparation const separation(model, Intent::absolute);
    for (auto const& mixture : {std::vector<double>{.2, 0, .1, 0, .7},
                                {0, .3, .3, .1, .3},
                                {.05, .05, .05, .05, .8},
                                {0, 0, .9, 0, .1},
                                {.5, .3, 0, .2, 0}}) {
        Triple const aim = model.predict_lab(mixture);
        auto const found = separation.solve(aim);
        Triple const lab = model.predict_lab(found);
        EXPECT_LT(std::hypot(lab[0] - aim[0], lab[1] - aim[1], lab[2] - aim[2]), 0.1);
        EXPECT_GE(found[kW], mixture[kW] - 1e-2); // of equal colours, the one with the least ink
    }
}

TEST(MixMaterials, ExtinctionAndScatteringAreLinear)
{
    Material const a{"a", {2, 4}, {0.5f, 0}, 0.8f}, b{"b", {6, 0}, {0.25f, 0.5f}, 0.8f};
    Material const mixed = mix_materials(std::vector{a, b}, std::vector{0.25, 0.75}, "m");
    EXPECT_FLOAT_EQ(mixed.sigma_t[0], 5.0f);
    EXPECT_FLOAT_EQ(mixed.one_minus_albedo[0], (0.25f * 1 + 0.75f * 1.5f) / 5);
    EXPECT_FLOAT_EQ(mixed.sigma_t[1], 1.0f);
    EXPECT_FLOAT_EQ(mixed.one_minus_albedo[1], 0.0f);
    EXPECT_FLOAT_EQ(mixed.g, 0.8f);
}

TEST(MixMaterials, AnisotropyIsTheMeanByScatteringOfEachBand)
{
    // Both bands scatter in the same proportion: .25 * 1 of a, .75 * 4 of b.
    Material const a{"a", {2, 1}, {0.5f, 0}, 0.8f}, b{"b", {5, 8}, {0.2f, 0.5f}, -0.2f};
    EXPECT_FLOAT_EQ(mix_materials(std::vector{a, b}, std::vector{0.25, 0.75}, "m").g, (0.8f * 1 - 0.2f * 12) / 13);
    // One that does not scatter plays no part.
    Material const black{"k", {5, 5}, {1, 1}, 0.9f};
    EXPECT_FLOAT_EQ(mix_materials(std::vector{a, black}, std::vector{0.5, 0.5}, "m").g, 0.8f);
    EXPECT_EQ(mix_materials(std::vector{black, black}, std::vector{0.5, 0.5}, "m").g, 0);
}

TEST(MixMaterials, AnAnisotropyThatDiffersByBandIsRefused)
{
    Material const a{"a", {2, 4}, {0.5f, 0}, 0.8f}, b{"b", {6, 2}, {0.25f, 0.5f}, 0};
    test::expect_error(ExitStatus::input, {"g of m is between", "--halftone diffusion"}, [&] {
        mix_materials(std::vector{a, b}, std::vector{0.25, 0.75}, "m");
    });
    EXPECT_NO_THROW(mix_materials(std::vector{a, b}, std::vector{1.0, 0.0}, "m"));
}

TEST(ReduceMixtures, AsManyAsFitAreKeptExactly)
{
    InkModel const model(read_elek(), kW, 0.5, 9.5);
    std::vector<std::uint16_t> parts;
    for (int i = 0; i < 300; ++i) {
        double const k = (i % 100) / 100.0;
        auto const texel = repeat({0, 0, 0, k, 1 - k}, 1);
        parts.insert(parts.end(), texel.begin(), texel.end());
    }
    auto const table = reduce_mixtures(model, parts, 256);
    EXPECT_EQ(table.mixtures.size(), 100u);
    for (std::size_t i = 0; i < 300; ++i)
        for (std::size_t ink = 0; ink < 5; ++ink)
            EXPECT_NEAR(table.mixtures[table.labels[i]][ink] * kVoxelParts, parts[5 * i + ink], 1e-6);
    EXPECT_EQ(table.labels[0], 0); // white is the core's own
    auto const few = reduce_mixtures(model, parts, 8);
    EXPECT_EQ(few.mixtures.size(), 8u);
}

PictureOptions small_print()
{
    PictureOptions options;
    options.size_mm = {4, 3};
    options.pitch_mm = {0.1, 0.1, 0.05};
    options.ink_depth_mm = 0.5;
    options.core_mm = 1;
    return options;
}

std::vector<std::uint8_t> read_labels(VoxelStream& stream, int at_once)
{
    std::vector<std::uint8_t> labels;
    for (int z = 0; z < stream.meta().dims[2]; z += at_once) {
        auto const slab = stream.read_slab(z, std::min(at_once, stream.meta().dims[2] - z));
        labels.insert(labels.end(), slab.label.begin(), slab.label.end());
    }
    return labels;
}

TEST(PrintVolume, LabelsDoNotDependOnTheSlabs)
{
    auto const picture = draw(40, 30, [](int x, int y) {
        return std::array{static_cast<float>(x) / 39, static_cast<float>(y) / 29, 0.5f};
    });
    auto const make = [&] { return make_print_volume(picture, "p", read_elek(), "t", small_print()); };
    auto const whole = read_labels(*make(), 30);
    for (int const at_once : {1, 7, 8}) EXPECT_EQ(read_labels(*make(), at_once), whole);
    auto const stream = make();
    EXPECT_EQ(read_labels(*stream, 8), whole);
    EXPECT_EQ(read_labels(*stream, 8), whole); // from the start again
}

TEST(PrintVolume, AirAndClearMaterialsOfTheTableAreNoInks)
{
    auto const picture = draw(12, 8, [](int x, int y) {
        return std::array{static_cast<float>(x) / 11, static_cast<float>(y) / 7, 0.5f};
    });
    MaterialTable table = read_elek();
    add_material(table, make_clear_material(table.bands()), {}, "t");
    add_material(table, make_air_material(table.bands()), {}, "t");
    EXPECT_EQ(read_labels(*make_print_volume(picture, "p", table, "t", small_print()), 8),
              read_labels(*make_print_volume(picture, "p", read_elek(), "t", small_print()), 8));
}

TEST(PrintVolume, InkIsUppermostAndThePictureStandsUpright)
{
    // Black at the top left.
    auto const picture = draw(4, 3, [](int x, int y) {
        float const v = x == 0 && y == 0 ? 0 : 1;
        return std::array{v, v, v};
    });
    for (Halftone const halftone : {Halftone::diffusion, Halftone::mixture}) {
        auto options = small_print();
        options.halftone = halftone;
        auto const stream = make_print_volume(picture, "p", read_elek(), "t", options);
        VolumeMeta const& meta = stream->meta();
        ASSERT_EQ(meta.dims, (std::array{40, 30, 30}));
        std::uint8_t const white = halftone == Halftone::diffusion ? kW : 0;
        auto const labels = read_labels(*stream, 8);
        double highest = -9, mean_x = 0, count = 0, lowest_z = 9;
        for (int z = 0; z < 30; ++z)
            for (int y = 0; y < 30; ++y)
                for (int x = 0; x < 40; ++x) {
                    if (labels[static_cast<std::size_t>((z * 30 + y) * 40 + x)] == white) continue;
                    auto const& p = meta.placement;
                    auto const at = [&](std::size_t axis) {
                        return p.origin_world_mm[axis] + p.rotation[3 * axis] * (x + 0.5) * 0.1 +
                               p.rotation[3 * axis + 1] * (y + 0.5) * 0.1 + p.rotation[3 * axis + 2] * (z + 0.5) * 0.05;
                    };
                    highest = std::max(highest, at(1));
                    mean_x += at(0);
                    lowest_z = std::min(lowest_z, at(2));
                    ++count;
                }
        EXPECT_NEAR(count, 10 * 10 * 10, halftone == Halftone::mixture ? 0 : 20); // a texel's columns, ten layers
        EXPECT_NEAR(highest, 1.45, 1e-6);
        EXPECT_NEAR(mean_x / count, -1.5, 0.02);
        EXPECT_NEAR(lowest_z, 0.75 - 0.5 + 0.025, 1e-6);
    }
}

TEST(PrintVolume, WhitePictureIsAllCore)
{
    auto const white = draw(5, 5, [](int, int) { return std::array{1.0f, 1.0f, 1.0f}; });
    PictureOptions options = small_print();
    options.scene_hints_json = make_material_hints(read_elek(), "t");
    auto const stream = make_print_volume(white, "p", read_elek(), "t", options);
    for (auto const label : read_labels(*stream, 8)) ASSERT_EQ(label, kW);
    EXPECT_NE(stream->scene_hints_json().find(R"("int_ior":1.5)"), std::string::npos);
}

TEST(TargetPicture, PremultipliedAndStraightFormsAreOneTarget)
{
    Image straight = draw(4, 3, [](int x, int y) { return std::array{0.25f * float(x), 0.3f * float(y), 0.7f}; });
    straight.add_channel("A").values.assign(12, 0.4f);
    Image premultiplied = straight;
    premultiplied.transfer = Transfer::linear;
    for (std::size_t c = 0; c < 3; ++c)
        for (float& value : premultiplied.channels[c].values)
            value = 0.4f * static_cast<float>(decode_srgb(static_cast<double>(value)));
    auto const one = sample_target(straight, 4, 3, "s.png"), other = sample_target(premultiplied, 4, 3, "p.exr");
    for (std::size_t i = 0; i < one.size(); ++i)
        for (std::size_t c = 0; c < 3; ++c) EXPECT_NEAR(one[i][c], other[i][c], 1e-6);
    EXPECT_NEAR(one[0][0], 0.6, 1e-6) << "white through black of alpha 0.4";
}

TEST(PrintVolume, TransparencyShowsTheWhite)
{
    Image picture = draw(2, 1, [](int, int) { return std::array{0.0f, 0.0f, 0.0f}; });
    picture.add_channel("A").values = {0, 1};
    auto const labels = read_labels(*make_print_volume(picture, "p", read_elek(), "t", small_print()), 30);
    for (std::size_t i = 0; i < labels.size(); ++i) ASSERT_EQ(labels[i] == kW, i % 40 < 20 || i < 20 * 1200) << i;
}

} // namespace
} // namespace volpt
