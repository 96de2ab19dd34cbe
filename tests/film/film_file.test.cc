// .vpf files: round trip, equal content in equal bytes, and refusal of every damage.
#include "tests/film/damaged_film.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

Film make_small_film()
{
    Film film = make_empty_film(70, 3, 2);
    add_samples(film, 0, {0, 2});
    add_samples(film, 0, {5, 1});
    add_samples(film, 1, {0, 3});
    film.statistics.cut_paths = 1;
    film.statistics.cut_throughput = 12345;
    film.provenance.set("tool", "test");
    return film;
}

TEST(FilmFile, RoundTripKeepsEverything)
{
    TempFolder const folder;
    Film const film = make_small_film();
    write_film(folder / "a.vpf", film);
    for (VerifyLevel const level : {VerifyLevel::quick, VerifyLevel::full}) {
        Film const back = read_film(folder / "a.vpf", level);
        EXPECT_EQ(back.sums, film.sums);
        EXPECT_EQ(back.squares, film.squares);
        EXPECT_EQ(back.tile_ranges, film.tile_ranges);
        EXPECT_EQ(back.statistics, film.statistics);
        EXPECT_EQ(back.provenance.entries, film.provenance.entries);
        EXPECT_EQ(back.scene_hash(), film.scene_hash());
        EXPECT_EQ(hash_film(back), hash_film(film));
        write_film(folder / "b.vpf", back);
        EXPECT_EQ(read_text(folder / "b.vpf"), read_text(folder / "a.vpf"));
    }
}

TEST(FilmFile, EqualContentIsEqualFilesWithoutProvenance)
{
    Film const film = make_small_film();
    Film other = film;
    other.provenance.set("host", "elsewhere");
    EXPECT_EQ(bytes_of(other), bytes_of(film));
    TempFolder const folder;
    write_film(folder / "a.vpf", film);
    write_film(folder / "b.vpf", other);
    SectionedFile const a = SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full);
    SectionedFile const b = SectionedFile::open(folder / "b.vpf", kFilmFile, VerifyLevel::full);
    EXPECT_EQ(a.sections().back().name, "provenance");
    for (std::size_t i = 0; i + 1 < a.sections().size(); ++i) {
        EXPECT_EQ(a.sections()[i].offset_bytes, b.sections()[i].offset_bytes);
        EXPECT_EQ(a.sections()[i].checksum, b.sections()[i].checksum);
    }
}

TEST(FilmFile, OverwritingKeepsTheOldFileUntilTheNewOneIsWhole)
{
    TempFolder const folder;
    write_film(folder / "a.vpf", make_small_film());
    std::string const before = read_text(folder / "a.vpf");
    Film damaged = make_small_film();
    damaged.sums.pop_back();
    EXPECT_THROW(write_film(folder / "a.vpf", damaged), Error);
    EXPECT_EQ(read_text(folder / "a.vpf"), before);
    EXPECT_THROW(write_film(folder / "no_such_folder/a.vpf", make_small_film()), Error);
}

TEST(FilmFile, EmptyAndForeignFilesAreRefused)
{
    TempFolder const folder;
    for (std::string const& bytes :
         {std::string(), std::string("x"), std::string(100'000, 'x'), std::string(8192, '\0')}) {
        write_text(folder / "a.vpf", bytes);
        EXPECT_NE(refusal_of(folder / "a.vpf"), "");
    }
}

TEST(FilmFile, TruncationIsRefused)
{
    TempFolder const folder;
    write_film(folder / "a.vpf", make_small_film());
    std::string const bytes = read_text(folder / "a.vpf");
    for (std::size_t size = 0; size < bytes.size(); size += size % 4096 < 64 ? 1 : 509) {
        write_text(folder / "cut.vpf", bytes.substr(0, size));
        EXPECT_NE(refusal_of(folder / "cut.vpf", size % 2 ? VerifyLevel::full : VerifyLevel::quick), "") << size;
    }
    write_text(folder / "cut.vpf", bytes + '\0');
    EXPECT_NE(refusal_of(folder / "cut.vpf"), "");
}

TEST(FilmFile, FlipOfAnyByteIsRefused)
{
    TempFolder const folder;
    write_film(folder / "a.vpf", make_small_film());
    std::string const bytes = read_text(folder / "a.vpf");
    std::fstream file(folder / "a.vpf", std::ios::binary | std::ios::in | std::ios::out);
    auto const put = [&](std::size_t offset, int value) {
        file.seekp(static_cast<std::streamoff>(offset));
        file.put(static_cast<char>(value));
        file.flush();
    };
    for (std::size_t offset = 0; offset < bytes.size(); offset += test::kDamageStride) {
        put(offset, bytes[offset] ^ (1 << offset % 8));
        EXPECT_NE(refusal_of(folder / "a.vpf"), "") << offset;
        put(offset, bytes[offset]);
    }
    EXPECT_EQ(refusal_of(folder / "a.vpf"), "");
}

std::string refusal_after(std::function<void(Payloads&)> const& change, VerifyLevel level = VerifyLevel::full)
{
    return refusal_after(make_small_film(), change, level);
}

TEST(FilmFile, MissingSectionIsNamed)
{
    EXPECT_EQ(refusal_after([](Payloads&) {}), "");
    for (char const* const name : {"scene", "film", "tiles", "sums", "squares", "statistics"})
        expect_contains(refusal_after([&](Payloads& p) { p.erase(name); }), {name});
    EXPECT_EQ(refusal_after([](Payloads& p) { p.erase("provenance"); }), "");
}

TEST(FilmFile, SectionOfAnotherSizeIsNamed)
{
    for (char const* const name : {"scene", "film", "tiles", "sums", "squares", "statistics", "provenance"}) {
        expect_contains(refusal_after([&](Payloads& p) { p[name].pop_back(); }), {name});
        expect_contains(refusal_after([&](Payloads& p) { p[name].push_back('x'); }), {name});
        if (name != std::string("provenance"))
            expect_contains(refusal_after([&](Payloads& p) { p[name].clear(); }), {name});
    }
}

TEST(FilmFile, AbsurdSizesAllocateNothingAndAreRefused)
{
    auto const claim_size = [](std::uint32_t size, std::uint32_t bands) {
        return [=](Payloads& p) {
            Scene const scene = make_film_scene(size, size, bands);
            auto const bytes = serialize_scene(scene);
            p["scene"] = {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
            overwrite(p["film"], 8, size);
            overwrite(p["film"], 12, size);
            overwrite(p["film"], 16, bands);
            overwrite(p["film"], 32, hash_scene(scene));
        };
    };
    expect_contains(refusal_after(claim_size(65536, 16)), {"sums"});
    expect_contains(refusal_after(claim_size(65536, 16), VerifyLevel::quick), {"sums"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["tiles"], 0, ~std::uint64_t{0}); }), {"do not fit"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["tiles"], 0, std::uint64_t{1} << 60); }),
                    {"do not fit"});
}

TEST(FilmFile, RecordThatContradictsTheSceneIsNamed)
{
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 8, 71u); }), {"width is 71, not 70"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 12, 4u); }), {"height"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 16, 1u); }), {"bands"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 20, 32u); }), {"tile_edge"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 24, 300); }), {"2^300"});
    auto const rescale = [](Payloads& p) {
        overwrite(p["film"], 24, 1);
        overwrite(p["film"], 28, 2);
    };
    expect_contains(refusal_after(rescale), {"sum_log2 is 1, not 31"});
    expect_contains(refusal_after([](Payloads& p) { overwrite(p["film"], 28, -300); }),
                    {"square_log2 is -300, not 62"});
    expect_contains(refusal_after([](Payloads& p) { p["film"][40] ^= 1; }), {"scene_hash"});
}

TEST(FilmFile, RangesMustBeSortedDisjointJoinedAndBelowTheLimit)
{
    auto const first_tile = [](SampleRange first, SampleRange second) {
        return [=](Payloads& p) {
            overwrite(p["tiles"], 8, first);
            overwrite(p["tiles"], 24, second);
        };
    };
    EXPECT_EQ(refusal_after(first_tile({0, 2}, {5, 1})), "");
    expect_contains(refusal_after(first_tile({5, 1}, {0, 2})), {"not sorted"});
    expect_contains(refusal_after(first_tile({0, 2}, {1, 1})), {"not sorted"});
    expect_contains(refusal_after(first_tile({0, 2}, {2, 1})), {"not sorted"});
    expect_contains(refusal_after(first_tile({0, 0}, {5, 3})), {"empty"});
    expect_contains(refusal_after(first_tile({0, 2}, {kSampleLimit, 1})), {"limit"});
    expect_contains(refusal_after(first_tile({0, 2}, {5, ~std::uint64_t{0} - 2})), {"limit"});
}

/// Band 1 of pixel 65,2, which has 3 samples.
void overwrite_pixel(Payloads& payloads, std::uint64_t sum, Wide square)
{
    std::size_t const i = (1 * 3 + 2) * 70 + 65;
    overwrite(payloads["sums"], i * sizeof(sum), sum);
    overwrite(payloads["squares"], i * sizeof(square), square);
}

TEST(FilmFile, SumAboveWhatItsSamplesCanReachIsNamedAtFullLevel)
{
    std::uint64_t const largest = std::uint64_t{3} << 31;
    EXPECT_EQ(refusal_after([&](Payloads& p) { overwrite_pixel(p, largest, Wide{3} << 62); }), "");
    auto const exceed = [&](Payloads& p) { overwrite_pixel(p, largest + 1, Wide{3} << 62); };
    expect_contains(refusal_after(exceed), {"pixel 65,2, band 1", "'sums'"});
    EXPECT_EQ(refusal_after(exceed, VerifyLevel::quick), "");
}

TEST(FilmFile, SquaresThatNoSamplesOfTheSumHaveAreNamedAtFullLevel)
{
    auto const refusal_of = [](std::uint64_t sum, Wide square) {
        return refusal_after([=](Payloads& p) { overwrite_pixel(p, sum, square); });
    };
    for (std::array<std::uint64_t, 3> const& v : std::vector<std::array<std::uint64_t, 3>>{
             {0, 0, 0}, {0, 0, 1}, {1, 1, 1}, {7, 7, 8}, {0, 1, std::uint64_t{1} << 31}, {5, 70000, 123456789}})
        EXPECT_EQ(refusal_of(v[0] + v[1] + v[2], v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), "");
    expect_contains(refusal_of(1000, 0), {"'squares'", "pixel 65,2, band 1"});
    expect_contains(refusal_of(30, 298), {"'squares'"}); // less than 3 * 10^2
    expect_contains(refusal_of(2, 0), {"'squares'"});
    expect_contains(refusal_of(1, (Wide{1} << 31) + 1), {"'squares'"}); // more than 1 * 2^31
    expect_contains(refusal_of(31, 400), {"'squares'"});                // odd and even
}

Film make_metropolis_film(SampleRange samples = {0, 3})
{
    Scene scene = make_film_scene(70, 3, 2);
    scene.integrator = Integrator::mlt;
    Film film(scene, 42, 31);
    for (SampleRanges& ranges : film.tile_ranges) insert_range(ranges, samples);
    return film;
}

TEST(FilmFile, PassesOfChainsAddUpToTwoToThe40)
{
    Film const film = make_metropolis_film();
    auto const refusal_of = [&](std::uint64_t sum, Wide square) {
        return refusal_after(film, [=](Payloads& p) { overwrite_pixel(p, sum, square); });
    };
    std::uint64_t const largest = std::uint64_t{3} << 40;
    EXPECT_EQ(refusal_of(largest, Wide{3} << 80), "");
    EXPECT_EQ(refusal_of(1 + (std::uint64_t{1} << 39), 1 + (Wide{1} << 78)), "");
    expect_contains(refusal_of(largest + 1, Wide{3} << 80), {"pixel 65,2, band 1", "'sums'"});
    expect_contains(refusal_of(largest, (Wide{3} << 80) + 2), {"'squares'"});
    expect_contains(refusal_of(largest, (Wide{3} << 80) - 2), {"'squares'"});
}

TEST(FilmFile, PassesOfChainsAreNumberedBelowTwoToThe24)
{
    std::uint64_t const limit = std::uint64_t{1} << 24;
    auto const refusal_of = [](Film const& film, SampleRange range) {
        return refusal_after(film, [=](Payloads& p) { overwrite(p["tiles"], 8, range); });
    };
    Film const film = make_metropolis_film();
    EXPECT_EQ(refusal_of(film, {limit - 3, 3}), "");
    expect_contains(refusal_of(film, {limit - 2, 3}), {"'tiles'", "the limit of 16777216"});
    expect_contains(refusal_of(film, {limit, 3}), {"'tiles'", "the limit of 16777216"});
    Film paths = make_empty_film(70, 3, 2);
    for (SampleRanges& ranges : paths.tile_ranges) insert_range(ranges, {0, 3});
    EXPECT_EQ(refusal_of(paths, {limit, 3}), "");
}

TEST(FilmFile, FilmOfEstimatorOneKeepsItsVersionAndItsHash)
{
    TempFolder const folder;
    Film old = make_old_film(70, 3, 2);
    add_samples(old, {0, 5});
    write_film(folder / "a.vpf", old);
    EXPECT_EQ(read_text(folder / "a.vpf").substr(8, 4), std::string("\0\0\1\0", 4));
    SectionedFile const file = SectionedFile::open(folder / "a.vpf", kFilmFile, VerifyLevel::full);
    EXPECT_EQ(file.section("squares").size(), file.section("sums").size());
    Film const back = read_film(folder / "a.vpf");
    EXPECT_EQ(back.squares, old.squares);
    EXPECT_EQ(back.scene().estimator, 1u);
    EXPECT_EQ(FilmFile::open(folder / "a.vpf").verify(), hash_film(old));

    Film newer = make_empty_film(70, 3, 2);
    add_samples(newer, {0, 5});
    write_film(folder / "b.vpf", newer);
    EXPECT_EQ(read_text(folder / "b.vpf").substr(8, 4), std::string("\0\0\2\0", 4));
    EXPECT_EQ(FilmFile::open(folder / "b.vpf").verify(), hash_film(newer));
    EXPECT_NE(newer.scene_hash(), old.scene_hash());
}

TEST(FilmFile, RoundedSquaresOfNoneUnderBrightSumsAreRefused)
{
    Film old = make_old_film(3, 1, 1);
    add_samples(old, {0, 5});
    EXPECT_EQ(refusal_after(old, [](Payloads&) {}), "");
    expect_contains(refusal_after(old, [](Payloads& p) { overwrite(p["squares"], 8, std::uint64_t{0}); }),
                    {"'squares'", "pixel 1,0"});
}

} // namespace
} // namespace volpt
