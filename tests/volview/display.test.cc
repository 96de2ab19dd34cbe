// Pictures for browsers, and the files that films are saved to.
#include "tools/volview/display.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/codecs/codecs.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"
#include "tools/volview/access/token_file.h"
#include "tools/volview/film_files.h"

#include <sys/stat.h>

namespace volpt {
namespace {

using test::TempFolder;

/// Three grey pixels of two samples: 0, 0.25 and 0.5; a sum_log2 of 31.
Film make_row_film(std::uint32_t bands)
{
    Scene scene;
    scene.width = 3;
    scene.height = 1;
    scene.bands = bands;
    scene.environment.radiance = {1.0f};
    Film film(normalize_scene(scene), 0, 31);
    film.tile_ranges = {{{0, 2}}};
    for (std::uint32_t band = 0; band < bands; ++band)
        for (std::uint64_t x = 0; x < 3; ++x) {
            film.sums[band * 3 + x] = x << 30;
            film.squares[band * 3 + x] = Wide{x * x} << 59;
        }
    return film;
}

TEST(Display, LinearToneIsTheMeanTimesTheExposure)
{
    Film const film = make_row_film(1);
    Image const picture = make_display_picture(film, {1, DisplayTone::linear, Illuminant::d65, -1}, 1);
    EXPECT_EQ(picture.channels.at(0).values, (std::vector<float>{0, 0.5f, 1}));
    Image const bright = make_display_picture(film, {8, DisplayTone::linear, Illuminant::d65, -1}, 1);
    EXPECT_EQ(bright.channels.at(0).values, (std::vector<float>{0, 1, 1}));
}

TEST(Display, FilmicToneIsThatOfPictures)
{
    Film const film = make_row_film(1);
    Image const picture = make_display_picture(film, {1, DisplayTone::filmic, Illuminant::d65, -1}, 1);
    Image const srgb = make_display_picture(film, {1, DisplayTone::srgb, Illuminant::d65, -1}, 1);
    EXPECT_EQ(picture.channels.at(0).values[0], 0);
    EXPECT_NEAR(decode_srgb(static_cast<double>(picture.channels.at(0).values[1])), show_filmic(0.5), 1e-6);
    EXPECT_NE(picture.channels.at(0).values, srgb.channels.at(0).values);
}

TEST(Display, BandsWithoutColourAreShownOneByOne)
{
    Film film = make_row_film(2);
    film.sums[3 + 0] = std::uint64_t{1} << 31;
    DisplaySettings settings{0, DisplayTone::linear, Illuminant::d65, -1};
    EXPECT_EQ(make_display_picture(film, settings, 1).channels.at(0).values[0], 0);
    settings.band = 1;
    EXPECT_EQ(make_display_picture(film, settings, 1).channels.at(0).values[0], 0.5f);
}

TEST(Display, LargePicturesAreJpegAndSmallOnesExact)
{
    EXPECT_EQ(encode_for_stream(make_image(16, 16, Transfer::srgb, {"R", "G", "B"}), 1).type, "image/png");
    EXPECT_EQ(encode_for_stream(make_image(512, 512, Transfer::srgb, {"R", "G", "B"}), 1).type, "image/jpeg");
    EXPECT_EQ(encode_for_stream(make_image(512, 512, Transfer::srgb, {"R", "G", "B", "A"}), 1).type, "image/png");
}

TEST(FilmFiles, SavingOverwritesNothing)
{
    TempFolder const folder;
    Film const film = make_row_film(1);
    folder.write("head-0002.vpf", "mine");
    EXPECT_EQ(save_film(film, folder.path(), "head", ".vpf", {}), "head-0001.vpf");
    EXPECT_EQ(save_film(film, folder.path(), "head", ".vpf", {}), "head-0003.vpf");
    EXPECT_EQ(save_film(film, folder.path(), "head", ".png", {}), "head-0001.png");
    EXPECT_EQ(test::read_text(folder / "head-0002.vpf"), "mine");
    EXPECT_EQ(hash_film(read_film(folder / "head-0003.vpf")), hash_film(film));
}

TEST(FilmFiles, FailedSavesLeaveNoFile)
{
    TempFolder const folder;
    test::expect_error(ExitStatus::usage, {"2 bands"},
                       [&] { save_film(make_row_film(2), folder.path(), "head", ".png", {}); });
    EXPECT_TRUE(std::filesystem::is_empty(folder.path()));
}

TEST(FilmFiles, DownloadIsTheFileThatWouldBeWritten)
{
    TempFolder const folder;
    Film const film = make_row_film(1);
    write_film(folder / "film.vpf", film);
    auto const file = make_film_file(film, ".vpf", {});
    auto const expected = test::read_bytes(folder / "film.vpf");
    EXPECT_TRUE(std::equal(expected.begin(), expected.end(), file->bytes().begin(), file->bytes().end()));
}

TEST(TokenFile, IsReadableByItsOwnerAloneAndGoes)
{
    TempFolder const folder;
    std::string const token(32, 'a');
    {
        TokenFile const file(folder / "token", token);
        struct stat status {};
        ASSERT_EQ(stat((folder / "token").c_str(), &status), 0);
        EXPECT_EQ(status.st_mode & 0777, 0600u);
        EXPECT_EQ(test::read_text(folder / "token"), token + "\n");
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "token"));
}

TEST(TokenFile, ReplacesATokenAndNothingElse)
{
    TempFolder const folder;
    std::string const zeros(32, '0'), ones(32, '1');
    folder.write("old", zeros + "\n");
    folder.write("mine", "not a token");
    TokenFile const file(folder / "old", ones);
    EXPECT_EQ(test::read_text(folder / "old"), ones + "\n");
    test::expect_error(ExitStatus::usage, {"something else"},
                       [&] { TokenFile(folder / "mine", std::string(32, '1')); });
    EXPECT_EQ(test::read_text(folder / "mine"), "not a token");
}

} // namespace
} // namespace volpt
