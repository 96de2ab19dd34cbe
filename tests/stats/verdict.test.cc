// Verdicts over images and films, and their JSON.
#include "libvolpt/stats/report/verdict_report.h"

#include "libvolpt/film/film_image.h"
#include "libvolpt/film/film_report.h"
#include "libvolpt/stats/verdict/compare_films.h"
#include "libvolpt/sys/error.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <nlohmann/json.hpp>

namespace volpt::test {
namespace {

Subject make_grey(float value)
{
    Image image = make_image(3, 2, Transfer::linear, {"Y"});
    image.channels[0].values.assign(6, value);
    return {.name = "grey", .film = {}, .image = std::move(image)};
}

Criteria with_threshold(char const* expression)
{
    return {.metrics = {}, .threshold = parse_threshold(expression), .expectation = {}, .settings = {}};
}

/// One sample of value 0.5 in every pixel of one tile.
Film make_small_film(std::uint64_t seed)
{
    Scene scene;
    scene.width = 4;
    scene.height = 3;
    scene.bands = 1;
    Film film(scene, seed, 20);
    for (std::uint64_t& sum : film.sums) sum = 1u << 19;
    for (Wide& square : film.squares) square = Wide{1} << 38;
    for (SampleRanges& ranges : film.tile_ranges) insert_range(ranges, {0, 1});
    return film;
}

bool any_holds(std::vector<std::string> const& lines, std::string_view text)
{
    for (std::string const& line : lines)
        if (line.find(text) != std::string::npos) return true;
    return false;
}

TEST(Verdict, WithoutThresholdOnlyEqualBitsPass)
{
    EXPECT_TRUE(judge(make_grey(0.5f), make_grey(0.5f), {}).positive);
    Verdict const verdict = judge(make_grey(0.5f), make_grey(0.5000001f), {});
    EXPECT_FALSE(verdict.positive);
    EXPECT_TRUE(any_holds(verdict.reasons, "pixel 0,0 of channel Y"));
}

TEST(Verdict, ThresholdDecidesAndBringsItsMetrics)
{
    EXPECT_TRUE(judge(make_grey(0.5f), make_grey(0.25f), with_threshold("mae.Y<=0.25 and bias>0")).positive);
    Verdict const verdict = judge(make_grey(0.5f), make_grey(0.25f), with_threshold("mae<0.25"));
    EXPECT_FALSE(verdict.positive);
    EXPECT_EQ(verdict.reasons, std::vector<std::string>{"mae = 0.25 is not < 0.25"});
    EXPECT_THROW(judge(make_grey(0), make_grey(0), with_threshold("ssim2>0.9")), Error);
}

TEST(Verdict, WithoutThresholdASheetIsNotJudged)
{
    Verdict const verdict = judge(make_grey(0.5f), make_grey(0.25f), {});
    EXPECT_TRUE(format_verdict(verdict).starts_with("verdict      fail\n"));
    EXPECT_NE(format_verdict(verdict).find("because "), std::string::npos);
    Criteria criteria;
    criteria.purpose = Purpose::sheet;
    EXPECT_TRUE(format_verdict(verdict, criteria).starts_with("verdict      no threshold\n"));
    EXPECT_EQ(format_verdict(verdict, criteria).find("because "), std::string::npos);
    EXPECT_EQ(report_verdict(verdict, criteria)["judged_by"], "equality");
    EXPECT_EQ(report_verdict(verdict, criteria)["verdict"], "fail") << "the key says what the status says";
    Criteria judged = with_threshold("mae<1");
    judged.purpose = Purpose::sheet;
    EXPECT_EQ(spell_verdict(judge(make_grey(0.5f), make_grey(0.25f), judged), judged), "pass");
    EXPECT_EQ(describe_criterion(judged), "threshold");
    judged.expectation = ExpectationSettings{};
    EXPECT_EQ(describe_criterion(judged), "threshold and statistics");
}

TEST(Verdict, AlphaThatDecidedIsInEveryForm)
{
    Subject clear = make_grey(0.5f), opaque = make_grey(0.5f);
    clear.image.add_channel("A");
    opaque.image.add_channel("A").values.assign(6, 1.0f);
    Criteria const criteria = with_threshold("de2000.max<1");
    Verdict const verdict = judge(clear, opaque, criteria);
    EXPECT_FALSE(verdict.positive);
    EXPECT_NE(format_verdict(verdict, criteria).find("\nalpha        100 % of the pixels"), std::string::npos);
    auto const alpha = report_verdict(verdict, criteria)["alpha"];
    EXPECT_EQ(alpha["backgrounds"].dump(), "[\"black\",\"white\"]");
    EXPECT_EQ(alpha["metrics"].dump(), "[\"de2000\"]");
    EXPECT_EQ(alpha["share_not_opaque"], 1);
    NamedVerdict const named{"a", verdict, criteria};
    EXPECT_NE(format_junit("suite", {&named, 1}).find("<property name=\"alpha\" value=\"100 % of"), std::string::npos);
    Verdict const plain = judge(opaque, opaque, criteria);
    EXPECT_TRUE(report_verdict(plain, criteria)["alpha"].is_null());
    EXPECT_EQ(format_verdict(plain, criteria).find("alpha"), std::string::npos);
}

TEST(Verdict, ThresholdDoesNotForgiveSizesOrInfinities)
{
    Subject small = make_grey(0.5f);
    small.image = make_image(2, 2, Transfer::linear, {"Y"});
    EXPECT_FALSE(judge(small, make_grey(0.5f), with_threshold("max<100")).positive);
    Subject infinite = make_grey(0.5f);
    infinite.image.channels[0].values[4] = std::numeric_limits<float>::infinity();
    Verdict const verdict = judge(infinite, make_grey(0.5f), with_threshold("max<100"));
    EXPECT_FALSE(verdict.positive);
    EXPECT_TRUE(any_holds(verdict.reasons, "NaN or infinite"));
    EXPECT_TRUE(judge(infinite, infinite, with_threshold("max<100")).positive);
}

TEST(Verdict, PlaceOfAnInfinityIsInReasonTextAndJson)
{
    Subject infinite = make_grey(0.5f);
    infinite.image.channels[0].values[4] = -std::numeric_limits<float>::infinity();
    infinite.image.channels[0].values[5] = std::nanf("");
    for (Criteria const& criteria : {Criteria{}, with_threshold("max<100")}) {
        Verdict const verdict = judge(infinite, make_grey(0.5f), criteria);
        EXPECT_TRUE(any_holds(verdict.reasons, "pixel 1,1 of channel Y: -inf against 0.5")) << verdict.reasons.front();
        EXPECT_NE(format_verdict(verdict).find("pixel 1,1 of channel Y"), std::string::npos);
        auto const places = report_verdict(verdict, criteria)["non_finite"]["places"];
        ASSERT_EQ(places.size(), 2u);
        EXPECT_EQ(places[0]["x"], 1);
        EXPECT_EQ(places[0]["y"], 1);
        EXPECT_EQ(places[0]["channel"], "Y");
        EXPECT_EQ(places[0]["test"], "-inf");
        EXPECT_EQ(places[0]["reference"], 0.5);
        EXPECT_EQ(places[1]["test"], "nan");
    }
}

TEST(Verdict, FilmsOfOneSeedInTwoScenesAreNotTakenAsIndependentWithoutANote)
{
    auto const make = [](std::uint64_t seed, float scale) {
        Scene scene;
        scene.width = 4;
        scene.height = 3;
        scene.bands = 1;
        scene.scale = scale;
        Film film(scene, seed, 20);
        for (std::uint64_t& sum : film.sums) sum = static_cast<std::uint64_t>(scale * (1u << 19));
        for (Wide& square : film.squares) square = Wide{1} << 40;
        for (SampleRanges& ranges : film.tile_ranges) insert_range(ranges, {0, 4});
        return film;
    };
    Criteria const criteria{.metrics = {}, .threshold = {}, .expectation = ExpectationSettings{}, .settings = {}};
    auto const notices = [&](Film test, Film reference) {
        return judge(make_subject("a", std::move(test)), make_subject("b", std::move(reference)), criteria).notices;
    };
    EXPECT_TRUE(any_holds(notices(make(7, 1), make(7, 2)), "of different scenes but of one seed"));
    EXPECT_FALSE(any_holds(notices(make(7, 1), make(8, 2)), "seed: where"));
    // As images, seed and scene are attributes.
    auto const as_image = [](Film const& film) {
        Subject subject{.name = "image", .film = {}, .image = film_to_image(film)};
        subject.image.metadata = list_film_attributes(film, KeepProvenance::no);
        return subject;
    };
    Subject const one = as_image(make(7, 1)), two = as_image(make(7, 2)), other = as_image(make(8, 2));
    EXPECT_TRUE(any_holds(judge(one, two, criteria).notices, "of one seed"));
    EXPECT_TRUE(any_holds(judge(one, make_subject("b", make(7, 2)), criteria).notices, "of one seed"));
    EXPECT_FALSE(any_holds(judge(one, other, criteria).notices, "of one seed"));
}

TEST(Verdict, NegativeVerdictAlwaysHasAReason)
{
    Subject minus_zero = make_grey(-0.0f);
    Verdict const verdict = judge(minus_zero, make_grey(0.0f), {});
    EXPECT_FALSE(verdict.positive);
    EXPECT_FALSE(verdict.reasons.empty());
}

TEST(Verdict, FilmsAreEqualByHashWhateverTheirProvenance)
{
    Film other = make_small_film(7);
    other.provenance.set("host", "elsewhere");
    other.statistics.extensions = 99;
    Verdict const verdict = judge(make_subject("a", make_small_film(7)), make_subject("b", std::move(other)), {});
    EXPECT_TRUE(verdict.positive);
    EXPECT_TRUE(verdict.equal_bits);
}

TEST(Verdict, FilmsOfEqualPictureButOtherSeedDiffer)
{
    Subject const test = make_subject("a", make_small_film(7));
    Subject const reference = make_subject("b", make_small_film(8));
    Verdict const exact = judge(test, reference, {});
    EXPECT_FALSE(exact.positive);
    EXPECT_FALSE(exact.equal_bits);
    EXPECT_TRUE(any_holds(exact.reasons, "seed: 7 against 8"));
    Verdict const close = judge(test, reference, with_threshold("max<=0"));
    EXPECT_TRUE(close.positive);
    EXPECT_TRUE(any_holds(close.notices, "seed: 7 against 8"));
}

TEST(Verdict, FilmAgainstItsOwnImageIsEqual)
{
    Subject const film = make_subject("a", make_small_film(7));
    EXPECT_TRUE(judge(film, {.name = "image", .film = {}, .image = film.image}, {}).positive);
}

TEST(CompareFilms, SceneFieldsSamplesAndSumsAreNamed)
{
    Film const film = make_small_film(7);
    Scene scene = film.scene();
    scene.camera.fov_x_deg = 46;
    EXPECT_TRUE(any_holds(compare_films(film, Film(scene, 7, 20)).differences, "scene.camera.fov_x_deg"));

    Film more = film;
    insert_range(more.tile_ranges[0], {1, 1});
    EXPECT_TRUE(any_holds(compare_films(film, more).differences, "samples: 0:1 against 0:2"));

    Film changed = film;
    changed.sums[6] += 1;
    FilmComparison const comparison = compare_films(film, changed);
    EXPECT_FALSE(comparison.equal);
    EXPECT_TRUE(
        any_holds(comparison.differences, "sums: 1 of 12 differ, first band 0 at pixel 2,1: 524288 against 524289"));
}

TEST(Verdict, JsonHasTheFixedKeys)
{
    Criteria const criteria = with_threshold("rmse<1");
    Verdict const verdict = judge(make_grey(0.5f), make_grey(0.25f), criteria);
    nlohmann::ordered_json const report = report_verdict(verdict, criteria);
    EXPECT_EQ(report["verdict"], "pass");
    EXPECT_EQ(report["equal_bits"], false);
    EXPECT_EQ(report["metrics"]["rmse"], 0.25);
    EXPECT_EQ(report["metrics"]["max.Y"], 0.25);
    EXPECT_EQ(report["largest_difference"]["channel"], "Y");
}

} // namespace
} // namespace volpt::test
