// The registry: content before extension, messages, atomic writing.
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

TEST(ReadImage, ContentBeatsExtension)
{
    TemporaryFolder const folder;
    save_bytes(folder / "float_map.png", find_codec("pfm").encode(make_picture(3, 2, {"Y"})));
    EXPECT_EQ(read_image(folder / "float_map.png").width, 3);
}

TEST(ReadImage, EmptyFileIsRefusedByName)
{
    TemporaryFolder const folder;
    save_bytes(folder / "empty.png", {});
    EXPECT_NE(
        message_of(ExitStatus::input, [&] { read_image(folder / "empty.png"); }).find("empty.png: the file is empty"),
        std::string::npos);
}

TEST(ReadImage, MissingFileAndFolderAreInputErrors)
{
    TemporaryFolder const folder;
    message_of(ExitStatus::input, [&] { read_image(folder / "absent.png"); });
    message_of(ExitStatus::input, [&] { read_image(folder / "."); });
}

TEST(ReadImage, UnknownContentListsTheKnownFormats)
{
    TemporaryFolder const folder;
    save_bytes(folder / "notes.txt", to_bytes("version https://git-lfs.github.com/spec/v1"));
    EXPECT_NE(message_of(ExitStatus::input, [&] { read_image(folder / "notes.txt"); }).find(".exr .png .hdr .pfm"),
              std::string::npos);
}

TEST(ReadImage, ExtensionDecidesWhoSaysWhatIsWrong)
{
    TemporaryFolder const folder;
    save_bytes(folder / "pointer.png", to_bytes("version https://git-lfs.github.com/spec/v1"));
    EXPECT_NE(message_of(ExitStatus::input, [&] { read_image(folder / "pointer.png"); }).find("PNG signature"),
              std::string::npos);
}

TEST(WriteImage, UnknownExtensionIsAUsageErrorThatListsTheKnown)
{
    EXPECT_NE(message_of(ExitStatus::usage, [] { write_image("picture.jpg", make_picture(2, 2, {"Y"})); })
                  .find(".exr .png .hdr .pfm"),
              std::string::npos);
    EXPECT_FALSE(is_writable_image("picture.jpg"));
    EXPECT_TRUE(is_writable_image("picture.PNG"));
}

TEST(WriteImage, FailureLeavesTheFileThatWasThere)
{
    TemporaryFolder const folder;
    write_image(folder / "a.png", make_picture(4, 4, {"Y"}));
    std::vector<std::byte> const before = load_bytes(folder / "a.png");
    Image bad = make_picture(4, 4, {"Y"});
    bad.channels[0].values[5] = std::nanf("");
    EXPECT_NE(message_of(ExitStatus::usage, [&] { write_image(folder / "a.png", bad); }).find("pixel 1,1"),
              std::string::npos);
    EXPECT_EQ(load_bytes(folder / "a.png"), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder / "."), {}), 1);
}

TEST(WriteImage, InconsistentImageIsRefused)
{
    TemporaryFolder const folder;
    Image image = make_picture(4, 4, {"Y", "Y"});
    message_of(ExitStatus::usage, [&] { write_image(folder / "a.pfm", image); });
    image = make_picture(4, 4, {"Y"});
    image.channels[0].values.pop_back();
    message_of(ExitStatus::usage, [&] { write_image(folder / "a.pfm", image); });
    message_of(ExitStatus::usage, [&] { write_image(folder / "a.pfm", Image{}); });
}

TEST(WriteImage, FormatsWithoutLayersRefuseThem)
{
    TemporaryFolder const folder;
    Image const image = make_picture(4, 4, {"R", "G", "B", "standard_error.R"});
    for (char const* name : {"a.png", "a.hdr", "a.pfm"})
        EXPECT_NE(message_of(ExitStatus::usage, [&] { write_image(folder / name, image); }).find("standard_error.R"),
                  std::string::npos);
}

TEST(WriteImage, LinearFormatsRefuseCodedValues)
{
    TemporaryFolder const folder;
    Image const coded = tone_map(make_picture(4, 4, {"Y"}), 1);
    for (char const* name : {"a.hdr", "a.pfm", "a.exr"})
        message_of(ExitStatus::usage, [&] { write_image(folder / name, coded); });
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
    message_of(ExitStatus::usage, [] { tone_map(make_picture(2, 2, {"band0", "band1"}), 1); });
    message_of(ExitStatus::usage, [&] { tone_map(mapped, 1); });
}

} // namespace
} // namespace volpt::test
