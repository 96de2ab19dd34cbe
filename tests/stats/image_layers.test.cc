// Layers of other renderers' pictures: which is compared, which is noise.
#include "libvolpt/stats/verdict/image_layers.h"

#include "libvolpt/stats/verdict/verdict.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

Subject make_layered(std::vector<std::pair<std::string, float>> const& channels)
{
    std::vector<std::string> names;
    for (auto const& [name, value] : channels) names.push_back(name);
    Subject subject{.name = "layers.exr", .film = {}, .image = make_image(4, 4, Transfer::linear, names)};
    for (std::size_t i = 0; i < channels.size(); ++i)
        for (float& value : subject.image.channels[i].values) value = channels[i].second;
    return subject;
}

float value_of(Subject const& subject, std::string const& channel)
{
    Channel const* const found = subject.image.find(channel);
    return found == nullptr ? NAN : found->values.front();
}

TEST(ImageLayers, ThePrefixOfOneLayerIsDroppedAndOtherLayersToo)
{
    Subject blender =
        make_layered({{"ViewLayer.Combined.R", 1}, {"ViewLayer.Combined.G", 2}, {"ViewLayer.Depth.Z", 3}});
    Subject plain = make_layered({{"R", 1}, {"G", 2}});
    choose_layers(plain, blender, {"ViewLayer.Combined", {}});
    EXPECT_EQ(blender.image.channels.size(), 2u);
    EXPECT_EQ(value_of(blender, "G"), 2);
    EXPECT_TRUE(judge(plain, blender, {}).positive);
}

TEST(ImageLayers, AnyNumberOfSidesIsPreparedAlike)
{
    Subject first = make_layered({{"C.R", 1}}), second = make_layered({{"C.R", 2}}), plain = make_layered({{"R", 3}});
    std::vector<Subject*> const sides{&first, &second, &plain};
    choose_layers(sides, {"C", {}});
    EXPECT_EQ(value_of(first, "R") + value_of(second, "R"), value_of(plain, "R"));
    expect_error(ExitStatus::input, {"no side has a layer 'D'", "layers.exr has none"}, [&] {
        choose_layers(sides, {"D", {}});
    });
}

TEST(ImageLayers, NoiseBecomesTheStandardErrorOfEachPixel)
{
    struct Case {
        char const* option;
        float error;
    };
    for (Case const& test : {Case{"noise", 0.04f}, Case{"noise,variance", 0.2f},
                             Case{"noise,deviation,samples=16", 0.01f}, Case{"noise,variance,samples=4", 0.1f}}) {
        Subject left = make_layered({{"R", 1}, {"noise.R", 0.04f}}), right = make_layered({{"R", 1}});
        choose_layers(left, right, {"", parse_noise_layer(test.option)});
        EXPECT_FLOAT_EQ(value_of(left, "standard_error.R"), test.error) << test.option;
        EXPECT_EQ(right.image.channels.size(), 1u);
        EXPECT_EQ(left.notices.size(), 1u);
    }
}

TEST(ImageLayers, OneNoiseChannelIsThatOfAll)
{
    Subject left = make_layered({{"C.R", 1}, {"C.G", 1}, {"C.A", 1}, {"N.X", 0.5f}}), right = make_layered({{"R", 1}});
    choose_layers(left, right, {"C", parse_noise_layer("N")});
    EXPECT_EQ(value_of(left, "standard_error.R"), 0.5f);
    EXPECT_EQ(value_of(left, "standard_error.G"), 0.5f);
    EXPECT_EQ(left.image.find("standard_error.A"), nullptr);
}

TEST(ImageLayers, ALayerOfOneChannelIsComparedAsY)
{
    Subject blender = make_layered({{"R", 1}, {"ViewLayer.Depth.Z", 3}, {"ViewLayer.Depth.Z.x", 4}});
    Subject depth = make_layered({{"R", 2}, {"Depth", 3}}), plain = make_layered({{"Y", 3}});
    choose_layers(blender, plain, {"ViewLayer.Depth.Z", {}});
    EXPECT_EQ(value_of(blender, "x"), 4) << "channels of the layer come before one of its name";
    blender = make_layered({{"R", 1}, {"ViewLayer.Depth.Z", 3}});
    choose_layers(blender, plain, {"ViewLayer.Depth.Z", {}});
    choose_layers(depth, plain, {"Depth", {}});
    for (Subject const* const subject : {&blender, &depth}) {
        ASSERT_EQ(subject->image.channels.size(), 1u);
        EXPECT_EQ(value_of(*subject, "Y"), 3);
        EXPECT_TRUE(judge(*subject, plain, {}).positive);
    }
}

TEST(ImageLayers, NoiseReplacesTheStandardErrorsOfTheFile)
{
    Subject left = make_layered({{"R", 1}, {"G", 1}, {"standard_error.R", 9}, {"standard_error.G", 8}, {"N.R", 0.5f}});
    Subject right = make_layered({{"R", 1}, {"G", 1}});
    choose_layers(left, right, {"", parse_noise_layer("N")});
    EXPECT_EQ(value_of(left, "standard_error.R"), 0.5f);
    EXPECT_EQ(std::ranges::count(left.image.channels, "standard_error.R", &Channel::name), 1);
    EXPECT_EQ(value_of(left, "standard_error.G"), 0.5f) << "a single channel is the noise of all";
    left = make_layered({{"R", 1}, {"G", 1}, {"standard_error.G", 8}, {"N.R", 0.5f}, {"N.B", 0.5f}});
    choose_layers(left, right, {"", parse_noise_layer("N")});
    EXPECT_EQ(value_of(left, "standard_error.G"), 8) << "the layer has no noise of this channel";
}

TEST(ImageLayers, NoiseOfOtherChannelsIsRefused)
{
    Subject left = make_layered({{"R", 1}, {"G", 1}, {"N.U", 1}, {"N.V", 1}}), right = make_layered({{"R", 1}});
    expect_error(ExitStatus::input, {"'N'", "N.U, N.V", "R, G", "layers.exr"}, [&] {
        choose_layers(left, right, {"", parse_noise_layer("N")});
    });
}

TEST(ImageLayers, NegativeVariancesAreRefused)
{
    Subject left = make_layered({{"R", 1}, {"N.R", -0.25f}}), right = make_layered({{"R", 1}});
    expect_error(ExitStatus::input, {"'N.R'", "-0.25", "layers.exr", "N,deviation"}, [&] {
        choose_layers(left, right, {"", parse_noise_layer("N,variance")});
    });
    left = make_layered({{"R", 1}, {"N.R", -0.25f}});
    choose_layers(left, right, {"", parse_noise_layer("N")});
    EXPECT_EQ(value_of(left, "standard_error.R"), 0.25f);
}

TEST(ImageLayers, ANoiseLayerOfOneChannelIsNotCompared)
{
    Subject left = make_layered({{"R", 1}, {"noise", 0.5f}}), right = make_layered({{"R", 1}});
    choose_layers(left, right, {"", parse_noise_layer("noise")});
    EXPECT_EQ(left.image.find("noise"), nullptr);
    EXPECT_EQ(left.image.channels.size(), 2u);
    EXPECT_EQ(value_of(left, "standard_error.R"), 0.5f);
    left = make_layered({{"C.R", 1}, {"C.noise", 0.5f}});
    choose_layers(left, right, {"C", parse_noise_layer("C.noise")});
    EXPECT_EQ(left.image.channels.size(), 2u);
    EXPECT_EQ(value_of(left, "standard_error.R"), 0.5f);
}

TEST(ImageLayers, ANameThatSaysVarianceIsOne)
{
    EXPECT_EQ(parse_noise_layer("Denoising Image Variance").kind, NoiseKind::variance);
    EXPECT_EQ(parse_noise_layer("Denoising Image Variance,deviation").kind, NoiseKind::standard_deviation);
    EXPECT_EQ(parse_noise_layer("Sigma").kind, NoiseKind::standard_deviation);
    for (char const* text :
         {"", ",variance", "N,sigma", "N,samples=0", "N,samples=x", "N,samples=1e99", "N,samples=4x"})
        expect_error(ExitStatus::usage, {"cannot be read"}, [&] { parse_noise_layer(text); });
}

TEST(ImageLayers, ALayerThatNoSideHasNamesThoseThereAre)
{
    Subject left = make_layered({{"A.R", 1}, {"B.R", 1}}), right = make_layered({{"R", 1}});
    expect_error(ExitStatus::input, {"'A', 'B'"}, [&] { choose_layers(left, right, {"Z", {}}); });
    expect_error(ExitStatus::input, {"no side has a layer 'N'"}, [&] {
        choose_layers(left, right, {"", parse_noise_layer("N")});
    });
}

} // namespace
} // namespace volpt::test
