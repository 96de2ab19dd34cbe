// The registry: content before extension, messages, atomic writing.
#include "libvolpt/image/tone_map.h"
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

TEST(ReadImage, ContentBeatsExtension)
{
    TempFolder const folder;
    write_bytes(folder / "float_map.png", find_codec("pfm").encode(make_picture(3, 2, {"Y"})));
    EXPECT_EQ(read_image(folder / "float_map.png").width, 3);
}

TEST(ReadImage, EmptyFileIsRefusedByName)
{
    TempFolder const folder;
    write_bytes(folder / "empty.png", {});
    expect_error(ExitStatus::input, {"empty.png: the file is empty"}, [&] { read_image(folder / "empty.png"); });
}

TEST(ReadImage, MissingFileAndFolderAreInputErrors)
{
    TempFolder const folder;
    expect_error(ExitStatus::input, {}, [&] { read_image(folder / "absent.png"); });
    expect_error(ExitStatus::input, {}, [&] { read_image(folder / "."); });
}

TEST(ReadImage, UnknownContentListsTheKnownFormats)
{
    TempFolder const folder;
    write_bytes(folder / "notes.txt", to_bytes("version 1 of the notes"));
    expect_error(ExitStatus::input, {".exr .png .hdr .pfm"}, [&] { read_image(folder / "notes.txt"); });
}

TEST(ReadImage, ExtensionDecidesWhoSaysWhatIsWrong)
{
    TempFolder const folder;
    write_bytes(folder / "notes.png", to_bytes("version 1 of the notes"));
    expect_error(ExitStatus::input, {"PNG signature"}, [&] { read_image(folder / "notes.png"); });
}

TEST(ReadImage, PointersOfGitLfsAreToldAsSuch)
{
    TempFolder const folder;
    auto const pointer = to_bytes("version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n");
    for (char const* const extension : {"exr", "png", "hdr", "pfm", "jpg", "bmp", "tif", "webp", "txt"}) {
        auto const path = folder / (std::string("p.") + extension);
        write_bytes(path, pointer);
        expect_error(ExitStatus::input, {path.string() + ": is the pointer", "git lfs pull"},
                     [&] { read_image(path); });
        expect_error(ExitStatus::input, {"m.glb: texture", "is the pointer", "git lfs pull"},
                     [&] { decode_image(pointer, "m.glb: texture"); });
    }
}

TEST(WriteImage, UnknownExtensionIsAUsageErrorThatListsTheKnown)
{
    expect_error(ExitStatus::usage, {".exr .png .hdr .pfm .jpg .jpeg"},
                 [] { write_image("picture.gif", make_picture(2, 2, {"Y"})); });
    EXPECT_FALSE(is_writable_image("picture.gif"));
    EXPECT_FALSE(is_writable_image("picture"));
    EXPECT_TRUE(is_writable_image("picture.PNG"));
}

TEST(WriteImage, FormatsThatAreOnlyReadAreNotPromised)
{
    EXPECT_EQ(list_image_extensions(ImageAccess::read), ".exr .png .hdr .pfm .jpg .jpeg .bmp");
    EXPECT_EQ(list_image_extensions(ImageAccess::write), ".exr .png .hdr .pfm .jpg .jpeg");
    EXPECT_FALSE(is_writable_image("a.bmp"));
    EXPECT_FALSE(is_display_image("a.bmp"));
    expect_error(ExitStatus::usage, {"bmp pictures are read, not written"},
                 [] { write_image("a.bmp", make_picture(2, 2, {"Y"})); });
}

TEST(ReadImage, BmpIsReadThroughTheRegistry)
{
    TempFolder const folder;
    using namespace std::string_literals;
    // One red pixel of 24 bits: file header, BITMAPINFOHEADER, B G R and a byte of padding.
    std::string const head = "BM\x3a\0\0\0\0\0\0\0\x36\0\0\0"s + "\x28\0\0\0\1\0\0\0\1\0\0\0\1\0\x18\0"s;
    auto const path = folder.write("red.bmp", head + std::string(24, '\0') + "\0\0\xff\0"s);
    Image const image = read_image(path);
    ASSERT_EQ(image.channels.size(), 3u);
    EXPECT_EQ(image.find("R")->values[0], 1.0f);
    EXPECT_EQ(image.find("G")->values[0], 0.0f);
    ASSERT_EQ(list_picture_notices(image, "red.bmp").size(), 1u);
    expect_contains(list_picture_notices(image, "red.bmp")[0], {"red.bmp", "no colour profile", "taken as sRGB"});
}

TEST(IsDisplayImage, TellsFormatsOfEightBits)
{
    for (char const* name : {"a.png", "a.jpg", "a.JPEG"}) EXPECT_TRUE(is_display_image(name)) << name;
    for (char const* name : {"a.exr", "a.hdr", "a.pfm", "a.gif", "jpg"}) EXPECT_FALSE(is_display_image(name)) << name;
}

TEST(WriteImage, FailureLeavesTheFileThatWasThere)
{
    TempFolder const folder;
    write_image(folder / "a.png", make_picture(4, 4, {"Y"}));
    std::vector<std::byte> const before = read_bytes(folder / "a.png");
    Image bad = make_picture(4, 4, {"Y"});
    bad.channels[0].values[5] = std::nanf("");
    expect_error(ExitStatus::usage, {"pixel 1,1"}, [&] { write_image(folder / "a.png", bad); });
    EXPECT_EQ(read_bytes(folder / "a.png"), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "."), {}), 1);
}

TEST(WriteImage, InconsistentImageIsRefused)
{
    TempFolder const folder;
    Image image = make_picture(4, 4, {"Y", "Y"});
    expect_error(ExitStatus::usage, {}, [&] { write_image(folder / "a.pfm", image); });
    image = make_picture(4, 4, {"Y"});
    image.channels[0].values.pop_back();
    expect_error(ExitStatus::usage, {}, [&] { write_image(folder / "a.pfm", image); });
    expect_error(ExitStatus::usage, {}, [&] { write_image(folder / "a.pfm", Image{}); });
}

TEST(WriteImage, FormatsWithoutLayersRefuseThem)
{
    TempFolder const folder;
    Image const image = make_picture(4, 4, {"R", "G", "B", "standard_error.R"});
    for (char const* name : {"a.png", "a.hdr", "a.pfm"})
        expect_error(ExitStatus::usage, {"standard_error.R"}, [&] { write_image(folder / name, image); });
}

TEST(WriteImage, LinearFormatsRefuseCodedValues)
{
    TempFolder const folder;
    Image const coded = tone_map(make_picture(4, 4, {"Y"}), 1);
    for (char const* name : {"a.hdr", "a.pfm", "a.exr"})
        expect_error(ExitStatus::usage, {}, [&] { write_image(folder / name, coded); });
    write_image(folder / "a.png", coded);
    EXPECT_EQ(read_image(folder / "a.png").transfer, Transfer::srgb);
}

TEST(ToneMap, FollowsTheStandardsTransfer)
{
    Image linear = make_image(6, 1, Transfer::linear, {"Y"});
    linear.channels[0].values = {-1.0f, 0.0f, 0.0031308f, 0.18f, 1.0f, 7.0f};
    Image const mapped = tone_map(linear, 1);
    std::vector<float> const& coded = mapped.channels[0].values;
    EXPECT_EQ(mapped.transfer, Transfer::srgb);
    EXPECT_EQ(coded[0], 0.0f);
    EXPECT_EQ(coded[1], 0.0f);
    EXPECT_NEAR(coded[2], 0.04045f, 1e-6);
    EXPECT_NEAR(coded[3], 0.461356f, 1e-6); // 0.18 is code value 117.6 of 255
    EXPECT_EQ(coded[4], 1.0f);
    EXPECT_EQ(coded[5], 1.0f);
}

TEST(ToneMap, ExposureMultipliesAndLayersAreLeftOut)
{
    Image linear = make_image(1, 1, Transfer::linear, {"R", "G", "B", "sample_count"});
    for (Channel& channel : linear.channels) channel.values = {0.25f};
    Image const mapped = tone_map(linear, 4);
    ASSERT_EQ(mapped.channels.size(), 3u);
    for (Channel const& channel : mapped.channels) EXPECT_EQ(channel.values[0], 1.0f);
    expect_error(ExitStatus::usage, {}, [] { tone_map(make_picture(2, 2, {"band0", "band1"}), 1); });
    expect_error(ExitStatus::usage, {}, [&] { tone_map(mapped, 1); });
}

TEST(ReadImage, PicturesOfOtherFormatsAreNamedWithACommandThatConvertsThem)
{
    TempFolder const folder;
    using namespace std::string_literals;
    for (auto const& [name, head, kind] : {std::tuple{"it's.tif", "MM\0+"s, "a TIFF picture"},
                                           {"p.tif", "II*\0"s, "a TIFF picture"},
                                           {"q.tif", "MM\0*"s, "a TIFF picture"},
                                           {"p.webp", "RIFF\0\0\0\0WEBP"s, "a WebP picture"},
                                           {"p.heic",
                                            "\0\0\0\x18"
                                            "ftypheic"s,
                                            "a HEIF or AVIF picture"},
                                           {"a.png", "8BPS"s, "a Photoshop picture"}}) {
        auto const path = folder.write(name, head + std::string(40, '\1'));
        expect_error(ExitStatus::input,
                     {name[0] == 'i' ? "it'\\''s_srgb.png" : "_srgb.png'", kind, "convert '", "-profile"},
                     [&] { read_image(path); });
    }
}

} // namespace
} // namespace volpt::test
