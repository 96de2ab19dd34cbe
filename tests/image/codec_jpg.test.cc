// JPEG is decoded here by stb_image, whose decoder the library leaves out.
#define STBI_ONLY_JPEG
#define STBI_NO_STDIO
#define STB_IMAGE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include "libvolpt/image/tone_map.h"
#include "tests/image/image_fixtures.h"

#include <cmath>
#include <memory>

namespace volpt::test {
namespace {

struct Decoded {
    int width = 0, height = 0, channels = 0;
    std::vector<int> samples; ///< three per pixel
};

Decoded decode(std::vector<std::byte> const& file)
{
    Decoded picture;
    std::unique_ptr<stbi_uc, decltype(&stbi_image_free)> const samples(
        stbi_load_from_memory(reinterpret_cast<stbi_uc const*>(file.data()), static_cast<int>(file.size()),
                              &picture.width, &picture.height, &picture.channels, 3),
        stbi_image_free);
    if (samples) picture.samples.assign(samples.get(), samples.get() + 3 * picture.width * picture.height);
    return picture;
}

/// A colour gradient: smooth, so that what the cosine transform drops is small.
Image make_gradient(int width, int height)
{
    Image image = make_image(width, height, Transfer::srgb, {"R", "G", "B"});
    for (std::size_t i = 0; i < image.pixel_count(); ++i) {
        auto const x = static_cast<float>(i % static_cast<std::size_t>(width)) / static_cast<float>(width);
        auto const y = static_cast<float>(i / static_cast<std::size_t>(width)) / static_cast<float>(height);
        image.channels[0].values[i] = x;
        image.channels[1].values[i] = y;
        image.channels[2].values[i] = 1 - 0.5f * (x + y);
    }
    return image;
}

/// Y, Cb and Cr are rounded on the way.
TEST(CodecJpg, KeepsASmoothPictureWithinFourLevels)
{
    Image const image = make_gradient(61, 45);
    Decoded const again = decode(find_codec("jpg").encode(image, 2));
    ASSERT_EQ(again.width, 61);
    ASSERT_EQ(again.height, 45);
    for (std::size_t i = 0; i < again.samples.size(); ++i)
        ASSERT_NEAR(again.samples[i], 255 * image.channels[i % 3].values[i / 3], 4) << "sample " << i;
}

TEST(CodecJpg, GreyIsWrittenAsGrey)
{
    Image image = make_image(9, 7, Transfer::srgb, {"Y"});
    image.channels[0].values.assign(63, 0.5f);
    for (int const sample : decode(find_codec("jpg").encode(image)).samples) ASSERT_NEAR(sample, 128, 1);
}

TEST(CodecJpg, BytesDoNotDependOnThreads)
{
    Image const image = make_gradient(200, 300);
    EXPECT_EQ(find_codec("jpg").encode(image, 1), find_codec("jpg").encode(image, 3));
}

TEST(CodecJpg, RefusesWhatItCannotHold)
{
    Codec const& codec = find_codec("jpg");
    auto const coded = [](int width, std::vector<std::string> const& names) {
        return make_image(width, 1, Transfer::srgb, names);
    };
    expect_error(ExitStatus::usage, {"alpha"}, [&] { codec.encode(coded(1, {"R", "G", "B", "A"})); });
    expect_error(ExitStatus::usage, {"linear"}, [&] { codec.encode(make_picture(1, 1, {"Y"})); });
    expect_error(ExitStatus::usage, {"65501 x 1"}, [&] { codec.encode(coded(65501, {"Y"})); });
    EXPECT_FALSE(codec.encode(coded(65500, {"Y"})).empty());
    Image nan = coded(1, {"Y"});
    nan.channels[0].values = {std::nanf("")};
    expect_error(ExitStatus::usage, {"pixel 0,0"}, [&] { codec.encode(nan); });
}

} // namespace
} // namespace volpt::test
