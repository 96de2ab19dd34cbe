// What films keep of coverage: its section in the file, its refusals, its layer and its figures.
#include "tests/film/damaged_film.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_output.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/image/codecs/codecs.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace volpt {
namespace {

Film make_sampled_covered_film()
{
    Film film = make_covered_film(70, 3, 2);
    add_samples(film, 0, {0, 4});
    add_samples(film, 1, {0, 3});
    return film;
}

std::string refusal_of_covered(std::function<void(Payloads&)> const& change, VerifyLevel level = VerifyLevel::full)
{
    return volpt::refusal_after(make_sampled_covered_film(), change, level);
}

TEST(FilmCoverage, RoundTripKeepsIt)
{
    TempFolder const folder;
    Film const film = make_sampled_covered_film();
    EXPECT_GT(std::ranges::max(film.coverage), 0u);
    write_film(folder / "a.vpf", film);
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        Film const back = read_film(folder / "a.vpf", level);
        EXPECT_EQ(back.coverage, film.coverage);
        EXPECT_EQ(hash_film(back), hash_film(film));
    }
    FilmFile const file = FilmFile::open(folder / "a.vpf");
    EXPECT_TRUE(file.head().coverage.empty());
    EXPECT_TRUE(std::ranges::equal(file.coverage(), film.coverage));
    EXPECT_EQ(file.verify(), hash_film(film));
}

TEST(FilmCoverage, WithAHiddenBackgroundItIsTheAlphaOfPictures)
{
    TempFolder const folder;
    Film const counted = make_sampled_covered_film();
    EXPECT_EQ(film_to_image(counted).find("A"), nullptr) << "the background is in the picture";
    Scene scene = counted.scene();
    scene.bands = 1;
    scene.wavelengths_nm.clear();
    scene.environment.background = Background::hidden;
    Film film(scene, 42, 31);
    film.tile_ranges = {{{0, 4}}, {{0, 4}}};
    // Half of the samples of pixel 1 hit something of radiance 0.2, all of pixel 2.
    film.coverage[1] = 2;
    film.coverage[2] = 4;
    film.sums[1] = static_cast<std::uint64_t>(0.4 * 0x1p31);
    film.sums[2] = static_cast<std::uint64_t>(0.8 * 0x1p31);
    Image const image = film_to_image(film);
    EXPECT_EQ(image.find("A")->values[0], 0);
    EXPECT_EQ(image.find("A")->values[1], 0.5f);
    EXPECT_NEAR(image.find("Y")->values[1], 0.1f, 1e-6) << "colours are multiplied by alpha";
    write_film_outputs(film, std::vector<std::filesystem::path>{folder / "a.png", folder / "a.pfm", folder / "a.jpg"});
    Image const png = read_image(folder / "a.png"), pfm = read_image(folder / "a.pfm");
    ASSERT_NE(png.find("A"), nullptr);
    EXPECT_EQ(png.find("A")->values[0], 0);
    EXPECT_NEAR(png.find("A")->values[1], 0.5f, 0.01);
    EXPECT_EQ(png.find("A")->values[2], 1);
    EXPECT_EQ(png.find("Y")->values[1], png.find("Y")->values[2]) << "PNG's colours are not multiplied by alpha";
    EXPECT_EQ(pfm.find("A"), nullptr);
    EXPECT_NEAR(pfm.find("Y")->values[1], 0.1f, 1e-6);
}

TEST(FilmCoverage, ContentOfAFileDependsOnIt)
{
    TempFolder const folder;
    Film film = make_sampled_covered_film();
    write_film(folder / "a.vpf", film);
    film.coverage[5] = film.coverage[5] == 0 ? 1 : 0;
    write_film(folder / "b.vpf", film);
    EXPECT_NE(FilmFile::open(folder / "a.vpf").content(), FilmFile::open(folder / "b.vpf").content());
}

TEST(FilmCoverage, SectionIsThereExactlyIfTheSceneCountsCoverage)
{
    TempFolder const folder;
    write_film(folder / "a.vpf", make_empty_film(70, 3, 2));
    EXPECT_FALSE(SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full).has("coverage"));
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        EXPECT_EQ(refusal_of_covered([](Payloads&) {}, level), "");
        expect_contains(refusal_of_covered([](Payloads& p) { p.erase("coverage"); }, level),
                        {"section 'coverage'", "missing, but the scene counts coverage"});
        expect_contains(refusal_of_covered(
                            [](Payloads& p) {
                                Film const plain = make_empty_film(70, 3, 2);
                                auto const bytes = serialize_scene(plain.scene());
                                p["scene"] = {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
                                overwrite(p["film"], 32, plain.scene_hash());
                            },
                            level),
                        {"section 'coverage'", "there, but the scene counts no coverage"});
    }
}

TEST(FilmCoverage, SectionOfAnotherSizeIsNamed)
{
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        expect_contains(refusal_of_covered([](Payloads& p) { p["coverage"].pop_back(); }, level),
                        {"section 'coverage'", "1679 bytes instead of 1680"});
        expect_contains(refusal_of_covered([](Payloads& p) { p["coverage"].clear(); }, level), {"section 'coverage'"});
    }
}

TEST(FilmCoverage, MoreHitsThanSamplesAreRefused)
{
    auto const set_hits = [](std::uint64_t hits) {
        return [=](Payloads& p) { overwrite(p["coverage"], (70 + 69) * 8, hits); };
    };
    EXPECT_EQ(refusal_of_covered(set_hits(3)), "");
    expect_contains(refusal_of_covered(set_hits(4)),
                    {"section 'coverage'", "at pixel 69,1, 4 samples hit something, of 3"});
    expect_contains(refusal_of_covered(set_hits(~std::uint64_t{0})), {"section 'coverage'"});
}

TEST(FilmCoverage, LayerIsThePartOfSamplesThatHit)
{
    Film film = make_sampled_covered_film();
    film.coverage[0] = 3;
    film.coverage[69] = 1;
    Image const image = film_to_image(film);
    auto const channel =
        std::ranges::find_if(image.channels, [](Channel const& layer) { return layer.name == "coverage.share"; });
    ASSERT_NE(channel, image.channels.end());
    EXPECT_EQ(channel->values[0], 0.75f);
    EXPECT_EQ(channel->values[69], 1.0f / 3);
    Image const plain = film_to_image(make_empty_film(70, 3, 2));
    EXPECT_TRUE(
        std::ranges::none_of(plain.channels, [](Channel const& layer) { return layer.name == "coverage.share"; }));
}

TEST(FilmCoverage, ReportTellsPartAndUncoveredPixels)
{
    Film film = make_covered_film(2, 1, 1);
    EXPECT_EQ(report_film(film)["coverage"], 0);
    add_samples(film, {0, 4});
    film.coverage = {3, 0};
    EXPECT_EQ(report_film(film)["coverage"], 0.375);
    EXPECT_EQ(report_film(film)["uncovered_pixels"], 1);
    EXPECT_FALSE(report_film(make_empty_film(2, 1, 1)).contains("coverage"));
}

} // namespace
} // namespace volpt
