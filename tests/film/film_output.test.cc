// Outputs of a film by extension: what each holds, and what is refused before anything is written.
#include "tests/film/film_samples.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/tone_map.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace volpt {
namespace {

using test::expect_error;
using Paths = std::vector<std::filesystem::path>;

#if VOLPT_TEST_OPENEXR
constexpr bool kHasOpenExr = true;
#else
constexpr bool kHasOpenExr = false;
#endif

Film make_output_film()
{
    Film film = make_empty_film(70, 20, 3);
    add_samples(film, {0, 4});
    film.provenance.set("tool", "test");
    return film;
}

TEST(FilmOutput, ExrKeepsEveryLayerAndSaysWhereItIsFrom)
{
    if (!kHasOpenExr) GTEST_SKIP() << "built without OpenEXR";
    TempFolder const folder;
    Film const film = make_output_film();
    write_film_outputs(film, Paths{folder / "a.exr"});
    Image const expected = film_to_image(film);
    Image const image = read_image(folder / "a.exr");
    ASSERT_EQ(image.channels.size(), expected.channels.size());
    for (Channel const& channel : expected.channels) {
        ASSERT_NE(image.find(channel.name), nullptr) << channel.name;
        EXPECT_EQ(image.find(channel.name)->values, channel.values) << channel.name;
    }
    std::map<std::string, std::string> const said(image.metadata.begin(), image.metadata.end());
    EXPECT_EQ(said.at("scene_hash"), to_hex(film.scene_hash()));
    EXPECT_EQ(said.at("film_hash"), to_hex(hash_film(film)));
    EXPECT_EQ(said.at("seed"), "42");
    EXPECT_EQ(said.at("samples"), "4");
    EXPECT_EQ(said.at("paths"), "5600");
    EXPECT_EQ(said.at("scene.camera.fov_x_deg"), "45");
    EXPECT_EQ(said.at("provenance"), R"({"tool":"test"})");
}

TEST(FilmOutput, ExrHasTheCameraAndFurtherLayersAndOthersDoNot)
{
    if (!kHasOpenExr) GTEST_SKIP() << "built without OpenEXR";
    TempFolder const folder;
    Film const film = make_output_film();
    FilmOutputOptions options;
    options.make_layers = [](Film const& made) {
        Image layers =
            make_image(static_cast<int>(made.width()), static_cast<int>(made.height()), Transfer::linear, {"depth.Z"});
        layers.channels[0].values[5] = 7;
        layers.metadata = {{"aov.depth", "mm"}};
        return layers;
    };
    write_film_outputs(film, Paths{folder / "a.exr", folder / "a.png", folder / "a.pfm"}, options);
    write_film_outputs(film, Paths{folder / "b.exr", folder / "b.png", folder / "b.pfm"});
    Image image = read_image(folder / "a.exr");
    Image const without = read_image(folder / "b.exr");
    ASSERT_NE(image.find("depth.Z"), nullptr);
    EXPECT_EQ(image.find("depth.Z")->values[5], 7);
    std::map<std::string, std::string> const said(image.metadata.begin(), image.metadata.end());
    EXPECT_EQ(said.at("aov.depth"), "mm");
    std::erase_if(image.channels, [](Channel const& channel) { return channel.name == "depth.Z"; });
    ASSERT_EQ(image.channels.size(), without.channels.size());
    for (Channel const& channel : without.channels) EXPECT_EQ(image.find(channel.name)->values, channel.values);
    for (char const* const name : {".png", ".pfm"})
        EXPECT_EQ(read_text(folder / (std::string("a") + name)), read_text(folder / (std::string("b") + name)));
    CameraMatrices const camera = *make_camera_matrices(film.scene());
    EXPECT_EQ(said.at("worldToCamera"), fmt::format("{}", fmt::join(camera.world_to_camera, ",")));
    EXPECT_EQ(said.at("worldToNDC"), fmt::format("{}", fmt::join(camera.world_to_ndc, ",")));
    EXPECT_NE(said.at("worldToNDC"), said.at("worldToCamera"));
}

/// Bands are colours of a material: the film has every kind of layer.
Film make_large_probe_film()
{
    Scene scene = make_film_scene(200, 300, 3);
    scene.camera.kind = CameraKind::probe;
    Film film(scene, 42, 31);
    add_samples(film, {0, 3});
    add_samples(film, 1, {3, 1});
    return film;
}

TEST(FilmOutput, FilesDoNotDependOnTheNumberOfThreads)
{
    TempFolder const folder;
    Film const film = make_large_probe_film();
    std::vector<std::string> names{"a.vpf", "a.png", "a.hdr", "a.pfm"};
    if (kHasOpenExr) names.emplace_back("a.exr");
    for (int const threads : {1, 2, 5}) {
        std::filesystem::create_directory(folder / std::to_string(threads));
        Paths paths;
        for (std::string const& name : names) paths.push_back(folder / std::to_string(threads) / name);
        write_film_outputs(film, paths, {.threads = threads});
        for (std::string const& name : names)
            EXPECT_EQ(read_text(folder / std::to_string(threads) / name), read_text(folder / "1" / name))
                << name << " on " << threads << " threads";
    }
}

TEST(FilmOutput, TheBeautyIsTheFirstLayersOfTheWholeImage)
{
    Scene spectral = make_film_scene(20, 10, 4);
    spectral.wavelengths_nm = {420, 500, 580, 660};
    Film bands(spectral, 42, 31);
    add_samples(bands, {0, 3});
    for (Film const& film : {make_output_film(), make_large_probe_film(), bands}) {
        Image const beauty = film_to_beauty(film), whole = film_to_image(film);
        ASSERT_EQ(beauty.channels.size(), 3u);
        for (std::size_t channel = 0; channel < 3; ++channel) {
            EXPECT_EQ(beauty.channels[channel].name, whole.channels[channel].name);
            EXPECT_EQ(beauty.channels[channel].values, whole.channels[channel].values);
        }
    }
}

TEST(FilmOutput, OddProvenanceKeysDoNotKeepAPictureFromBeingWritten)
{
    if (!kHasOpenExr) GTEST_SKIP() << "built without OpenEXR";
    TempFolder const folder;
    Film film = make_output_film();
    film.provenance.set("", "a\nb");
    film.provenance.set("a b\n", std::string(500, 'x'));
    EXPECT_NO_THROW(write_film_outputs(film, Paths{folder / "a.exr", folder / "a.png"}));
}

TEST(FilmOutput, PngIsTheToneMappedBeauty)
{
    TempFolder const folder;
    Film const film = make_output_film();
    write_film_outputs(film, Paths{folder / "a.png", folder / "a.vpf"}, {.exposure = 0.5f});
    Image const expected = tone_map(film_to_image(film), 0.5f);
    Image const image = read_image(folder / "a.png");
    ASSERT_EQ(image.channels.size(), 3u);
    for (Channel const& channel : expected.channels)
        for (std::size_t i = 0; i < channel.values.size(); ++i)
            ASSERT_NEAR(image.find(channel.name)->values[i], channel.values[i], 0.51f / 255) << channel.name << i;
    EXPECT_EQ(hash_film(read_film(folder / "a.vpf")), hash_film(film));
}

TEST(FilmOutput, ReproducibleOutputsHoldNoProvenance)
{
    TempFolder const folder;
    write_film_outputs(make_output_film(), Paths{folder / "a.vpf", folder / "a.png"},
                       {.keep_provenance = KeepProvenance::no});
    EXPECT_EQ(read_text(folder / "a.vpf"), bytes_of(make_output_film()));
    EXPECT_EQ(read_text(folder / "a.png").find("provenance"), std::string::npos);
}

TEST(FilmOutput, WrongOutputsAreRefusedBeforeAnyIsWritten)
{
    TempFolder const folder;
    Film const five = make_empty_film(4, 4, 5);
    for (Paths const& outputs : {Paths{folder / "a.vpf", folder / "b.bmp"}, Paths{folder / "a.vpf", folder / "a.vpf"},
                                 Paths{folder / "a.vpf", folder / "b"}, Paths{folder / "a.vpf", folder / "b.png"}}) {
        expect_error(ExitStatus::usage, {}, [&] { write_film_outputs(five, outputs); });
        EXPECT_FALSE(std::filesystem::exists(folder / "a.vpf"));
    }
}

TEST(FilmReport, HoldsTheFixedKeysAndNullForTheUnknown)
{
    Film film = make_output_film();
    film.statistics.cut_throughput = 3u << 23;
    auto const report = report_film(film);
    EXPECT_EQ(report["paths"], 5600);
    EXPECT_EQ(report["extensions"], film.statistics.extensions);
    EXPECT_EQ(report["tentative_collisions"], 0);
    EXPECT_EQ(report["cut_throughput"], 1.5);
    EXPECT_EQ(report["samples"], 4);
    EXPECT_EQ(report["film_hash"], to_hex(hash_film(film)));
    EXPECT_EQ(report["mean"].size(), 3u);
    EXPECT_EQ(report["standard_error"].size(), 3u);
    EXPECT_NE(report_film(make_empty_film(2, 2, 1)).dump().find(R"("mean":[null])"), std::string::npos);
}

} // namespace
} // namespace volpt
