// Frozen .vpf bytes, made by tests/frozen/make_tiny_vpf.py from the format's page alone, decode and encode forever.
#include "tests/film/film_samples.h"

#include "libvolpt/sys/error.h"
#include "tests/support/data_paths.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

std::filesystem::path const kFrozen = test::tests_folder() / "frozen";

void expect_tiny_film(Film const& film)
{
    EXPECT_EQ(film.width(), 3u);
    EXPECT_EQ(film.height(), 2u);
    EXPECT_EQ(film.bands(), 3u);
    EXPECT_EQ(film.seed(), 42u);
    EXPECT_EQ(film.sum_log2(), 31);
    EXPECT_EQ(film.square_log2(), 31);
    EXPECT_EQ(film.scene().boundary.kind, BoundaryKind::rough);
    EXPECT_EQ(film.scene().boundary.alpha, 0.1);
    EXPECT_EQ(film.scene().environment.radiance, (std::vector<float>{1, 0.5f, 0.25f}));
    EXPECT_EQ(film.scene().camera.origin_world, (Vec3d{0, 0, 100}));
    EXPECT_EQ(film.scene().g, 0.4f);
    EXPECT_EQ(film.tile_ranges, (std::vector<SampleRanges>{{{0, 2}, {5, 1}}}));
    EXPECT_EQ(film.statistics, (FilmStatistics{18, 1500, 2500, 1, 123456}));
    for (std::uint64_t i = 0; i < 18; ++i) {
        EXPECT_EQ(film.sums[i], i << 28);
        EXPECT_EQ(film.squares[i], i << 27);
    }
    EXPECT_EQ(to_hex(film.scene_hash()), "859ef860c321d12ce84e5fca401962c6");
    EXPECT_EQ(to_hex(hash_film(film)), "794d0c4483df8d1ac522085dabf85bbd");
}

TEST(FrozenFilm, Version1Decodes)
{
    Film const film = read_film(kFrozen / "tiny.vpf");
    expect_tiny_film(film);
    ASSERT_NE(film.provenance.find("tool"), nullptr);
    EXPECT_EQ(*film.provenance.find("tool"), "make_tiny_vpf.py");
}

TEST(FrozenFilm, Version1IsWhatIsWritten)
{
    TempFolder const folder;
    write_film(folder / "again.vpf", read_film(kFrozen / "tiny.vpf"));
    EXPECT_TRUE(read_text(folder / "again.vpf") == read_text(kFrozen / "tiny.vpf"));
}

TEST(FrozenFilm, LaterMinorVersionWithASectionOfItsOwnDecodes)
{
    Film const film = read_film(kFrozen / "tiny_newer_minor.vpf");
    expect_tiny_film(film);
    EXPECT_TRUE(film.provenance.entries.empty());
}

} // namespace
} // namespace volpt
