// Merging: films of disjoint samples add up to the film of one render, in any order; a repeated file counts once;
// errors name the files.
#include "libvolpt/sys/error.h"
#include "tests/film/film_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/merge_films.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace volpt {
namespace {

using test::expect_error;
using test::merge_files;
using test::write_films;

constexpr std::uint64_t kSamples = 6;

Film make_whole_film()
{
    Film film = make_empty_film(130, 70, 3);
    add_samples(film, {0, kSamples});
    return film;
}

/// Each sample of each tile goes to a random one of the films.
std::vector<Film> deal_samples(std::size_t film_count, unsigned seed)
{
    std::mt19937 random(seed);
    std::vector<Film> films(film_count, make_empty_film(130, 70, 3));
    for (std::size_t tile = 0; tile < films[0].tile_ranges.size(); ++tile)
        for (std::uint64_t sample = 0; sample < kSamples; ++sample)
            add_samples(films[random() % film_count], tile, {sample, 1});
    return films;
}

/// Film i holds samples 2 i and 2 i + 1; the last one lacks a tile, as if it had been interrupted.
std::vector<Film> make_films(Film const& empty, std::size_t count)
{
    std::vector<Film> films(count, empty);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t tile = i + 1 == count ? 1 : 0; tile < empty.tile_ranges.size(); ++tile)
            add_samples(films[i], tile, {2 * i, 2});
    return films;
}

std::string expect_refused(std::vector<std::filesystem::path> const& paths,
                           std::initializer_list<std::string_view> parts)
{
    return expect_error(ExitStatus::input, parts, [&] { merge_files(paths); });
}

void expect_refused(Film const& left, Film const& right, std::initializer_list<std::string_view> parts)
{
    TempFolder const folder;
    expect_refused(write_films(folder, {left, right}), parts);
}

TEST(MergeFilms, AnyPartitionInAnyOrderEqualsOneRender)
{
    Film const whole = make_whole_film();
    std::string const expected = bytes_of(whole);
    for (unsigned seed = 0; seed < 3; ++seed) {
        std::vector<Film> const films = deal_samples(3, seed);
        std::vector<std::size_t> order{0, 1, 2};
        do {
            Film const &first = films[order[0]], &second = films[order[1]], &third = films[order[2]];
            Film const together = test::merge_films({first, second, third});
            EXPECT_EQ(bytes_of(together), expected);
            EXPECT_EQ(hash_film(together), hash_film(whole));
            EXPECT_EQ(bytes_of(test::merge_films({test::merge_films({first, second}), third})), expected);
            EXPECT_EQ(bytes_of(test::merge_films({first, test::merge_films({second, third})})), expected);
        } while (std::next_permutation(order.begin(), order.end()));
    }
}

TEST(MergeFilms, EmptyFilmIsNeutral)
{
    Film const empty = make_empty_film(130, 70, 3);
    EXPECT_EQ(bytes_of(test::merge_films({empty, make_whole_film(), empty})), bytes_of(make_whole_film()));
}

TEST(MergeFilms, OverlapInOneTileIsRefused)
{
    Film left = make_empty_film(130, 70, 1);
    Film right = left;
    add_samples(left, {0, 4});
    for (std::size_t tile = 0; tile < right.tile_ranges.size(); ++tile)
        add_samples(right, tile, {tile == 4 ? 3u : 4u, 4});
    expect_refused(left, right, {"tile 1,1", "samples 3:1"});
    Film other = left;
    other.sums[0] -= 1;
    expect_refused(left, other, {"tile 0,0", "samples 0:4"});
}

TEST(MergeFilms, DifferentSceneIsRefusedWithItsFields)
{
    Scene scene = make_film_scene(130, 70, 1);
    scene.camera.fov_x_deg = 30;
    scene.g = 0.5f;
    scene.override_g = true;
    expect_refused(make_empty_film(130, 70, 1), Film(scene, 42, 31),
                   {"camera.fov_x_deg (45 and 30)", "override_g (no and yes)", "g (0 and 0.5)"});
    expect_refused(make_empty_film(130, 70, 1), make_empty_film(70, 130, 1), {"width (130 and 70)", "height"});
}

TEST(MergeFilms, DifferentSeedOrScaleIsRefused)
{
    Film const film = make_empty_film(8, 8, 1);
    expect_refused(film, Film(film.scene(), 43, 31), {"seeds, 42 and 43"});
    Scene lit = film.scene(); // by an image, whose peak the file does not say
    lit.environment.kind = EnvironmentKind::image;
    expect_refused(Film(lit, 42, 31), Film(lit, 42, 30), {"2^31 and 2^30"});
}

TEST(MergeFilms, FilmsOfEstimatorOneMergeWithTheirLikeAlone)
{
    Film first = make_old_film(8, 8, 1), second = first, both = first;
    add_samples(first, {0, 2});
    add_samples(second, {2, 3});
    add_samples(both, {0, 5});
    TempFolder const folder;
    EXPECT_EQ(bytes_of(merge_files(write_films(folder, {first, second}))), bytes_of(both));
    Film newer = make_empty_film(8, 8, 1);
    add_samples(newer, {2, 3});
    expect_refused(first, newer, {"different estimators", "estimator (1 and 3)"});
}

TEST(MergeFilms, SumsThatWouldWrapAreRefused)
{
    Film left = make_empty_film(8, 8, 1);
    Film right = left;
    add_samples(left, {0, 1});
    add_samples(right, {1, 1});
    right.squares[63] = ~Wide{0};
    expect_refused(left, right, {"1.vpf, section 'squares'", "not a sum of the squares of its 1 samples"});
    left = right = make_covered_film(8, 8, 1);
    add_samples(right, {1, 1});
    right.coverage[63] = 2;
    expect_refused(left, right, {"1.vpf, section 'coverage'", "at pixel 7,7, 2 samples hit something, of 1"});
    left = right = make_empty_film(8, 8, 1);
    add_samples(left, {0, 1});
    right.statistics.extensions = ~std::uint64_t{0};
    expect_refused(left, right, {"statistics"});
}

TEST(MergeFilms, ManyRangesMergeInLinearTime)
{
    Film odd = make_empty_film(1, 1, 1);
    Film even = odd;
    for (std::uint64_t i = 0; i < 300'000; ++i) {
        even.tile_ranges[0].push_back({4 * i, 1});
        odd.tile_ranges[0].push_back({4 * i + 2, 1});
    }
    EXPECT_EQ(test::merge_films({even, odd}).tile_ranges[0].size(), 600'000u);
}

TEST(MergeFilms, FilesInAnyOrderOnAnyNumberOfThreadsAreEqual)
{
    for (Film const& empty : {make_empty_film(130, 70, 3), make_covered_film(130, 70, 2), make_stepped_film()}) {
        TempFolder const folder;
        std::vector<Film> const films = make_films(empty, 6);
        Film whole = empty;
        for (std::size_t tile = 0; tile < whole.tile_ranges.size(); ++tile)
            add_samples(whole, tile, {0, tile == 0 ? 10u : 12u});
        auto paths = write_films(folder, films);
        std::mt19937 random(1);
        for (int threads : {1, 2, 3}) {
            std::ranges::shuffle(paths, random);
            MergePlan plan = plan_merge(paths);
            EXPECT_TRUE(plan.head->sums.empty());
            EXPECT_EQ(plan.head->tile_ranges, whole.tile_ranges);
            EXPECT_EQ(bytes_of(merge_films(plan, threads)), bytes_of(whole));
            for (MergeInput const& input : plan.inputs) EXPECT_EQ(input.film_hash, hash_film(read_film(input.path)));
        }
    }
}

TEST(MergeFilms, RepeatedFileCountsOnce)
{
    TempFolder const folder;
    std::vector<Film> const films = make_films(make_empty_film(70, 3, 1), 2);
    auto paths =
        write_films(folder, {films[0], films[1], films[0], make_empty_film(70, 3, 1), make_empty_film(70, 3, 1)});
    MergePlan plan = plan_merge(paths);
    EXPECT_EQ(plan.inputs[2].same_as, 0u);
    for (std::size_t const i : {0u, 1u, 3u, 4u}) EXPECT_FALSE(plan.inputs[i].same_as) << i;
    EXPECT_EQ(bytes_of(merge_films(plan, 2)), bytes_of(test::merge_films({films[0], films[1]})));
    EXPECT_EQ(plan.inputs[2].film_hash, plan.inputs[0].film_hash);
}

TEST(MergeFilms, OverlapNamesBothFilesTileAndSamples)
{
    TempFolder const folder;
    std::vector<Film> films = make_films(make_empty_film(130, 70, 1), 4);
    Film more = make_empty_film(130, 70, 1);
    add_samples(more, 2, {5, 4});
    films.push_back(more);
    auto const paths = write_films(folder, films);
    std::string const message =
        expect_refused(paths, {paths[2].string(), paths[4].string(), "tile 2,0", "samples 5:1"});
    EXPECT_EQ(message.find(paths[1].string()), std::string::npos) << message;
}

TEST(MergeFilms, FileThatChangesAfterThePlanIsRefused)
{
    TempFolder const folder;
    auto const paths = write_films(folder, make_films(make_empty_film(70, 3, 1), 2));
    MergePlan plan = plan_merge(paths);
    Film other = make_empty_film(70, 3, 1);
    add_samples(other, {4, 1});
    write_film(paths[1], other);
    EXPECT_THROW(merge_films(plan, 1), Error);
}

TEST(MergeFilms, DamagedPlaneIsNamed)
{
    for (char const* const plane : {"sums", "squares"}) {
        TempFolder const folder;
        auto const paths = write_films(folder, make_films(make_empty_film(70, 3, 1), 3));
        std::uint64_t offset = 0;
        std::vector<SectionInfo> const sections =
            SectionedFile::open(paths[1], kFilmFile, VerifyLevel::full).sections();
        for (SectionInfo const& section : sections)
            if (section.name == plane) offset = section.offset_bytes + section.size_bytes - 1;
        std::string bytes = read_text(paths[1]);
        bytes[offset] ^= 1;
        write_text(paths[1], bytes);
        expect_refused(paths, {paths[1].string(), plane});
    }
}

TEST(MergeFilms, SumThatItsSamplesCannotGiveIsRefused)
{
    TempFolder const folder;
    std::vector<Film> films = make_films(make_empty_film(70, 3, 2), 3);
    films[1].squares.back() = (Wide{2} << 62) + 1;
    expect_refused(write_films(folder, films), {"1.vpf, section 'squares'"});
}

TEST(MergeFilms, WhatFullVerificationRefusesIsRefused)
{
    struct Pair {
        std::uint64_t sum;
        Wide square;
    };
    // Of two samples a pixel; the last one of a film of particles, where all pixels' particles may add to one.
    for (auto const& [sum, square] : {Pair{1000, 0}, Pair{30, 448}, Pair{4, 2}, Pair{1, (Wide{1} << 31) + 1},
                                      Pair{31, 500}, Pair{(std::uint64_t{2} << 31) + 1, (Wide{2} << 62) + 1}}) {
        TempFolder const folder;
        std::vector<Film> films = make_films(make_empty_film(70, 3, 2), 3);
        films[1].sums[7] = sum;
        films[1].squares[7] = square;
        auto const paths = write_films(folder, films);
        EXPECT_THROW(read_film(paths[1]), Error) << sum;
        expect_refused(paths, {"1.vpf, section 's", "pixel 7,0"});
    }
    Scene scene = make_film_scene(70, 3, 1);
    scene.integrator = Integrator::light;
    for (Wide const square : {Wide{0}, Wide{58}, Wide{400}}) {
        TempFolder const folder;
        std::vector<Film> films{Film(scene, 42, 31), Film(scene, 42, 31)};
        for (std::uint32_t i = 0; i < 2; ++i)
            for (SampleRanges& ranges : films[i].tile_ranges) insert_ranges(ranges, {{i, 1}});
        films[1].sums[7] = 400; // of 210 particles
        films[1].squares[7] = square;
        expect_refused(write_films(folder, films), {"1.vpf, section 'squares'", "pixel 7,0"});
        films[1].squares[7] = 800;
        EXPECT_EQ(merge_files(write_films(folder, films)).squares[7], Wide{800});
    }
}

TEST(MergeFilms, StopThatProgressAsksForIsNoFilm)
{
    TempFolder const folder;
    MergePlan plan = plan_merge(write_films(folder, make_films(make_empty_film(70, 3, 1), 9)));
    EXPECT_THROW(merge_films(plan, 1, [](Progress const&) { return false; }), Error);
}

/// 2^24 passes, all as bright as can be: the sum is just below 2^64.
TEST(MergeFilms, MostPassesOfChainsFitTheSums)
{
    std::uint64_t const half = std::uint64_t{1} << 23, largest = (std::uint64_t{1} << 40) - 1;
    Scene scene = make_film_scene(70, 3, 2);
    scene.integrator = Integrator::mlt;
    std::vector<Film> films;
    for (std::uint64_t const first : {std::uint64_t{0}, half}) {
        Film& film = films.emplace_back(scene, 42, 31);
        for (SampleRanges& ranges : film.tile_ranges) insert_range(ranges, {first, half});
        std::ranges::fill(film.sums, half * largest);
        std::ranges::fill(film.squares, Wide{half} * largest * largest);
    }
    TempFolder const folder;
    Film const merged = merge_files(write_films(folder, films));
    EXPECT_EQ(merged.tile_ranges[0], (SampleRanges{{0, 2 * half}}));
    for (std::uint64_t const sum : merged.sums) ASSERT_EQ(sum, 2 * half * largest);
    for (Wide const square : merged.squares) ASSERT_TRUE(square == Wide{2 * half} * largest * largest);

    films[1].sums[7] += half + 1; // more than 2^40 each
    expect_refused(write_films(folder, films), {"1.vpf, section 'sums'"});
}

} // namespace
} // namespace volpt
