// Merging files: what merging films gives, whatever the order; repeated files count once; what is wrong is named.
#include "libvolpt/film/merge_files.h"
#include "libvolpt/film/film_bytes.h"
#include "libvolpt/sys/error.h"
#include "tests/film/film_samples.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace volpt {
namespace {

using test::expect_error;

std::vector<std::filesystem::path> write_films(TempFolder const& folder, std::vector<Film> const& films)
{
    std::vector<std::filesystem::path> paths;
    for (Film const& film : films) {
        paths.push_back(folder / (std::to_string(paths.size()) + ".vpf"));
        write_film(paths.back(), film);
    }
    return paths;
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
    return expect_error(ExitStatus::input, parts, [&] {
        MergePlan plan = plan_merge(paths);
        add_up(plan, 2);
    });
}

TEST(MergeFiles, FilesInAnyOrderGiveWhatFilmsGive)
{
    for (Film const& empty : {make_empty_film(130, 70, 3), make_stepped_film()}) {
        TempFolder const folder;
        std::vector<Film> const films = make_films(empty, 6);
        Film whole = empty;
        for (Film const& film : films) merge_film(whole, film);
        auto paths = write_films(folder, films);
        std::mt19937 random(1);
        for (int threads : {1, 2, 3}) {
            std::ranges::shuffle(paths, random);
            MergePlan plan = plan_merge(paths);
            EXPECT_TRUE(plan.head->sums.empty());
            EXPECT_EQ(plan.head->tile_ranges, whole.tile_ranges);
            EXPECT_EQ(bytes_of(add_up(plan, threads)), bytes_of(whole));
            for (MergeInput const& input : plan.inputs) EXPECT_EQ(input.film_hash, hash_film(read_film(input.path)));
        }
    }
}

TEST(MergeFiles, RepeatedFileCountsOnce)
{
    TempFolder const folder;
    std::vector<Film> const films = make_films(make_empty_film(70, 3, 1), 2);
    auto paths =
        write_films(folder, {films[0], films[1], films[0], make_empty_film(70, 3, 1), make_empty_film(70, 3, 1)});
    MergePlan plan = plan_merge(paths);
    EXPECT_EQ(plan.inputs[2].same_as, 0u);
    for (std::size_t const i : {0u, 1u, 3u, 4u}) EXPECT_FALSE(plan.inputs[i].same_as) << i;
    Film whole = films[0];
    merge_film(whole, films[1]);
    EXPECT_EQ(bytes_of(add_up(plan, 2)), bytes_of(whole));
    EXPECT_EQ(plan.inputs[2].film_hash, plan.inputs[0].film_hash);
}

TEST(MergeFiles, OverlapNamesBothFilesTileAndSamples)
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

TEST(MergeFiles, FileThatChangesAfterThePlanIsRefused)
{
    TempFolder const folder;
    auto const paths = write_films(folder, make_films(make_empty_film(70, 3, 1), 2));
    MergePlan plan = plan_merge(paths);
    Film other = make_empty_film(70, 3, 1);
    add_samples(other, {4, 1});
    write_film(paths[1], other);
    EXPECT_THROW(add_up(plan, 1), Error);
}

TEST(MergeFiles, DamagedPlaneIsNamed)
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

TEST(MergeFiles, SumThatItsSamplesCannotGiveIsRefused)
{
    TempFolder const folder;
    std::vector<Film> films = make_films(make_empty_film(70, 3, 2), 3);
    films[1].squares.back() = (std::uint64_t{2} << 31) + 1;
    expect_refused(write_films(folder, films), {"1.vpf, section 'squares'"});
}

TEST(MergeFiles, StopThatProgressAsksForIsNoFilm)
{
    TempFolder const folder;
    MergePlan plan = plan_merge(write_films(folder, make_films(make_empty_film(70, 3, 1), 9)));
    EXPECT_THROW(add_up(plan, 1, [](Progress const&) { return false; }), Error);
}

} // namespace
} // namespace volpt
