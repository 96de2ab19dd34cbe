// What films keep of long steps: its section in the file, its refusals, and merges that split a bank.
#include "tests/film/damaged_film.h"

#include "libvolpt/film/film_banks.h"
#include "tests/support/merge_films.h"

#include <gtest/gtest.h>

#include <limits>

namespace volpt {
namespace {

constexpr std::size_t kHead = 24, kBank = 8 + 2 * 16; // bytes of the section

/// Samples of banks 0, 1 and 3 in one tile, of 1 and 2 in the other.
Film make_film_of_banks()
{
    Film film = make_stepped_film();
    add_samples(film, 0, {60, 10});
    add_samples(film, 0, {200, 3});
    add_samples(film, 1, {100, 50});
    return film;
}

std::vector<std::uint32_t> list_numbers(Film const& film)
{
    std::vector<std::uint32_t> numbers;
    for (auto const& [number, sums] : film.long_steps.bank_sums) numbers.push_back(number);
    return numbers;
}

std::string refusal_after(std::function<void(std::string&)> const& change, VerifyLevel level = VerifyLevel::full)
{
    return volpt::refusal_after(
        make_film_of_banks(), [&](Payloads& payloads) { change(payloads["long_steps"]); }, level);
}

TEST(FilmLongSteps, RoundTripKeepsTotalsAndSumsByBank)
{
    TempFolder const folder;
    Film film = make_film_of_banks();
    EXPECT_EQ(list_numbers(film), (std::vector<std::uint32_t>{0, 1, 2, 3}));
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        write_film(folder / "a.vpf", film);
        EXPECT_EQ(read_film(folder / "a.vpf", level).long_steps, film.long_steps);
    }
    write_film(folder / "b.vpf", read_film(folder / "a.vpf"));
    EXPECT_EQ(read_text(folder / "b.vpf"), read_text(folder / "a.vpf"));
}

TEST(FilmLongSteps, EmptyFilmHasAnEmptySection)
{
    TempFolder const folder;
    write_film(folder / "a.vpf", make_stepped_film());
    EXPECT_EQ(SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full).section("long_steps").size(), kHead);
    EXPECT_EQ(read_film(folder / "a.vpf").long_steps, LongStepTotals{});
}

TEST(FilmLongSteps, SectionIsThereExactlyIfTheSceneHasLongSteps)
{
    TempFolder const folder;
    write_film(folder / "off.vpf", make_empty_film(2, 2, 1));
    EXPECT_FALSE(SectionedFile::open(folder / "off.vpf", kFilmFile, VerifyLevel::full).has("long_steps"));
    expect_contains(volpt::refusal_after(make_stepped_film(), [](Payloads& p) { p.erase("long_steps"); }),
                    {"it is missing"});
    Scene const plain = make_film_scene(70, 3, 2);
    auto const turn_off = [&](Payloads& p) {
        auto const bytes = serialize_scene(plain);
        p["scene"] = {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
        overwrite(p["film"], 32, hash_scene(plain));
    };
    for (Film const& film : {make_stepped_film(), make_film_of_banks()})
        expect_contains(volpt::refusal_after(film, turn_off), {"it is there"});
}

TEST(FilmLongSteps, SectionOfAnotherSizeIsNamed)
{
    EXPECT_EQ(refusal_after([](std::string&) {}), "");
    expect_contains(refusal_after([](std::string& bytes) { bytes.clear(); }), {"long_steps"});
    for (std::size_t const size : {std::size_t{8}, kHead, kHead + 8, kHead + 3 * kBank, kHead + 4 * kBank - 1,
                                   kHead + 4 * kBank + 1, kHead + 5 * kBank})
        expect_contains(refusal_after([&](std::string& bytes) { bytes.resize(size); }, VerifyLevel::quick),
                        {"long_steps"});
    for (std::uint64_t const count :
         {std::uint64_t{0}, std::uint64_t{3}, std::uint64_t{5}, ~std::uint64_t{0}, std::uint64_t{1} << 61})
        expect_contains(refusal_after([&](std::string& bytes) { overwrite(bytes, 16, count); }), {"long_steps"});
}

TEST(FilmLongSteps, BanksMustBeThoseOfTheSamples)
{
    auto const number = [](std::size_t bank, std::uint64_t value) {
        return [=](std::string& bytes) { overwrite(bytes, kHead + bank * kBank, value); };
    };
    expect_contains(refusal_after(number(3, 2), VerifyLevel::quick), {"not ascending"});
    expect_contains(refusal_after(number(3, 4), VerifyLevel::quick), {"bank 3 is missing"});
    expect_contains(refusal_after(number(3, ~std::uint64_t{0}), VerifyLevel::quick), {"no sample of bank"});
    auto const drop_last = [](std::string& bytes) {
        bytes.resize(kHead + 3 * kBank);
        overwrite(bytes, 16, std::uint64_t{3});
    };
    expect_contains(refusal_after(drop_last, VerifyLevel::quick), {"bank 3 is missing"});
    auto const add_one = [](std::string& bytes) {
        bytes.resize(kHead + 5 * kBank);
        overwrite(bytes, 16, std::uint64_t{5});
        overwrite(bytes, kHead + 4 * kBank, std::uint64_t{9});
    };
    expect_contains(refusal_after(add_one, VerifyLevel::quick), {"no sample of bank 9"});
}

TEST(FilmLongSteps, SumAboveWhatItsSamplesCanReachIsNamed)
{
    // Bank 1 has 6 samples of 192 pixels and 28 of 18.
    std::uint64_t const largest = (std::uint64_t{6} * 192 + 28 * 18) << 31;
    auto const put = [](std::uint64_t low, std::uint64_t high) {
        return [=](std::string& bytes) {
            overwrite(bytes, kHead + kBank + 8, low);
            overwrite(bytes, kHead + kBank + 16, high);
        };
    };
    EXPECT_EQ(refusal_after(put(largest, 0), VerifyLevel::quick), "");
    expect_contains(refusal_after(put(largest + 1, 0), VerifyLevel::quick), {"bank 1, band 0"});
    expect_contains(refusal_after(put(0, 1), VerifyLevel::quick), {"bank 1, band 0"});
    expect_contains(refusal_after(put(largest, 0)), {"not those of its pixels"});
}

TEST(FilmLongSteps, FilmsThatSplitABankAddUpToTheWhole)
{
    Film whole = make_stepped_film();
    add_samples(whole, {0, 64});
    for (std::uint64_t const cut : {1u, 32u, 63u}) {
        Film first = make_stepped_film(), rest = make_stepped_film();
        add_samples(first, {0, cut});
        add_samples(rest, {cut, 64 - cut});
        EXPECT_EQ(bytes_of(test::merge_films({first, rest})), bytes_of(whole));
        EXPECT_EQ(bytes_of(test::merge_films({rest, first})), bytes_of(whole));
    }
}

/// As a render gives it of a volume that offers no long step.
Film make_film_without_banks(SampleRange samples)
{
    Film film = make_stepped_film();
    add_samples(film, samples);
    film.long_steps = {};
    return film;
}

TEST(FilmLongSteps, FilmWithoutAnyBankIsReadAndMerged)
{
    TempFolder const folder;
    Film const whole = make_film_without_banks({0, 100});
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        write_film(folder / "a.vpf", whole);
        EXPECT_EQ(bytes_of(read_film(folder / "a.vpf", level)), bytes_of(whole));
    }
    EXPECT_NO_THROW(FilmFile::open(folder / "a.vpf").verify());
    EXPECT_EQ(bytes_of(test::merge_films({make_film_without_banks({0, 30}), make_film_without_banks({30, 70})})),
              bytes_of(whole));
    EXPECT_TRUE(measure_bank_errors(whole).one_bank.empty());
}

TEST(FilmLongSteps, FilmsWithAndWithoutBanksAreNotMerged)
{
    Film banked = make_stepped_film();
    add_samples(banked, {30, 70});
    Film const none = make_film_without_banks({0, 30});
    EXPECT_THROW(test::merge_films({none, banked}), Error);
    EXPECT_THROW(test::merge_films({banked, none}), Error);
    EXPECT_EQ(bytes_of(test::merge_films({make_stepped_film(), banked})), bytes_of(banked));
    EXPECT_EQ(bytes_of(test::merge_films({make_stepped_film(), none})), bytes_of(none));
}

TEST(FilmLongSteps, TotalsThatWouldWrapAreRefused)
{
    Film left = make_stepped_film(), right = make_stepped_film();
    add_samples(left, {0, 1});
    add_samples(right, {1, 1});
    right.long_steps.collisions = std::numeric_limits<std::uint64_t>::max();
    EXPECT_THROW(test::merge_films({left, right}), Error);
}

TEST(BankSamples, RangesAreCutAtTheBordersOfBanks)
{
    using Runs = std::vector<BankRun>;
    EXPECT_EQ(list_bank_runs({}), Runs{});
    EXPECT_EQ(list_bank_runs({{0, 64}}), (Runs{{0, 1, 64}}));
    EXPECT_EQ(list_bank_runs({{70, 5}}), (Runs{{1, 1, 5}}));
    EXPECT_EQ(list_bank_runs({{60, 200}}), (Runs{{0, 1, 4}, {1, 3, 64}, {4, 1, 4}}));
    EXPECT_EQ(list_bank_runs({{0, 10}, {20, 10}, {40, 30}}), (Runs{{0, 1, 44}, {1, 1, 6}}));
    EXPECT_EQ(list_bank_runs({{0, kSampleLimit}}), (Runs{{0, kSampleLimit / 64, 64}}));
}

TEST(BankSamples, EachSampleCountsOnceInItsBank)
{
    Film const film = make_film_of_banks();
    std::vector<std::uint32_t> const banks = list_numbers(film);
    std::vector<std::uint64_t> const once(2, 1);
    EXPECT_EQ(add_up_by_bank<std::uint64_t>(film, banks, once), (std::vector<std::uint64_t>{4, 6 + 28, 22, 3}));
}

} // namespace
} // namespace volpt
