// Totals of passes: the error of a film's mean by their spread, in files, in merged films, and
// refused where they are wrong.
#include "libvolpt/film/passes/pass_totals.h"
#include "libvolpt/film/film_merge.h"
#include "libvolpt/film/film_stats.h"
#include "tests/film/damaged_film.h"

#include <cmath>
#include <gtest/gtest.h>

namespace volpt {
namespace {

Film make_chain_film(SampleRange passes, bool with_totals = true)
{
    Scene scene = make_film_scene(70, 3, 2);
    scene.integrator = Integrator::mlt;
    Film film(scene, 42, 31);
    add_samples(film, passes);
    for (std::uint64_t pass = passes.first; with_totals && pass < passes.first + passes.count; ++pass) {
        std::vector<Wide>& totals = film.long_steps.bank_sums[static_cast<std::uint32_t>(pass)];
        totals.resize(2);
        for (std::size_t band = 0; band < 2; ++band)
            for (std::uint64_t pixel = 0; pixel < 210; ++pixel) totals[band] += sample_value(pixel, band, pass);
    }
    return film;
}

TEST(PassTotals, ErrorOfTheMeanIsThatOfThePasses)
{
    Film film = make_chain_film({3, 4});
    film.long_steps.bank_sums = {{3, {100, 0}}, {4, {200, 0}}, {5, {300, 0}}, {6, {400, 0}}};
    double const unit = std::ldexp(1.0 / 210, -31), variance = 50000.0 / 3 / 4;
    EXPECT_NEAR(measure_pass_variance(film, 0), variance * unit * unit, 1e-12 * unit * unit * variance);
    EXPECT_NEAR(summarize_film(film).standard_error[0], std::sqrt(variance) * unit, 1e-12 * unit);
    film.long_steps.bank_sums.erase(6); // of an older program
    EXPECT_NEAR(measure_pass_variance(film, 0), 20000.0 / 2 / 4 * unit * unit, 1e-9 * unit * unit);
    film.long_steps.bank_sums = {{3, {100, 0}}};
    EXPECT_TRUE(std::isnan(measure_pass_variance(film, 0)));
    EXPECT_GT(summarize_film(film).standard_error[0], 0);
}

TEST(PassTotals, FilesKeepThemOutsideOfTheHash)
{
    TempFolder const folder;
    Film const film = make_chain_film({0, 3});
    write_film(folder / "a.vpf", film);
    Film const back = read_film(folder / "a.vpf", VerifyLevel::full);
    EXPECT_EQ(list_pass_totals(back), list_pass_totals(film));
    EXPECT_EQ(hash_film(back), hash_film(make_chain_film({0, 3}, false)));
    EXPECT_TRUE(list_pass_totals(make_empty_film(4, 4, 1)).empty());
}

TEST(PassTotals, MergedFilmsHaveThoseOfAllPasses)
{
    Film const whole = make_chain_film({0, 5}), one = make_chain_film({0, 2}), other = make_chain_film({2, 3});
    Film const* const films[] = {&other, &one};
    EXPECT_EQ(bytes_of(merge_held_films(films)), bytes_of(whole));
    // Those of an older program have none: the others stay.
    Film const old = make_chain_film({2, 3}, false);
    Film const* const mixed[] = {&one, &old};
    EXPECT_EQ(list_pass_totals(merge_held_films(mixed)).size(), 2u);
    EXPECT_EQ(hash_film(merge_held_films(mixed)), hash_film(whole));
}

TEST(PassTotals, WrongOnesAreRefused)
{
    Film const film = make_chain_film({2, 3});
    auto const change_word = [&](std::size_t word, std::uint64_t value) {
        return refusal_after(film, [&](Payloads& payloads) { overwrite(payloads["pass_totals"], 8 * word, value); });
    };
    expect_contains(change_word(0, 4), {"pass_totals", "passes"});
    expect_contains(change_word(1, 9), {"pass_totals", "no pass 9"});
    expect_contains(change_word(6, 2), {"pass_totals", "ascending"});
    expect_contains(change_word(2, 1), {"pass_totals", "band 0"});
    expect_contains(change_word(3, 1u << 20), {"pass_totals", "pass 2"});
    Film const plain = make_empty_film(4, 4, 1);
    TempFolder const folder;
    write_film(folder / "a.vpf", plain);
    SectionedFile const file = SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full);
    {
        SectionedWriter writer(folder / "b.vpf", kFilmFile);
        for (SectionInfo const& section : file.sections())
            writer.write_section(section.name, file.section(section.name));
        writer.write_section("pass_totals", std::as_bytes(std::span("0000000", 8)));
        writer.commit();
    }
    expect_contains(refusal_of(folder / "b.vpf"), {"pass_totals"});
}

} // namespace
} // namespace volpt
