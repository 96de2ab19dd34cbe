// What every codec of codecs.def that reads and writes keeps: round trips, refusal of cut files, no harm from flipped
// bits.
#include "tests/image/image_fixtures.h"

namespace volpt::test {
namespace {

class CodecContract : public testing::TestWithParam<Codec const*> {
protected:
    void SetUp() override
    {
        codec_ = GetParam();
        try {
            file_ = codec_->encode(picture_);
        } catch (Error const& error) {
            GTEST_SKIP() << error.what();
        }
    }

    Codec const* codec_ = nullptr;
    Image picture_ = make_picture(37, 21, {"R", "G", "B"});
    std::vector<std::byte> file_;
};

TEST_P(CodecContract, RoundTripKeepsTheLinearPicture)
{
    Image const again =
        decode_in_both_forms([&](SampleForm form) { return codec_->decoder(file_, "picture", {}, form); });
    ASSERT_EQ(again.width, picture_.width);
    ASSERT_EQ(again.height, picture_.height);
    EXPECT_EQ(again.transfer, Transfer::linear);
    ASSERT_EQ(again.channels.size(), 3u);
    // RGBE shares an 8-bit exponent's mantissa, truncated: 2^-7 of the largest channel, which is at most 1 here.
    float const tolerance = codec_->name == "hdr" ? 0x1p-7f : 0.0f;
    for (Channel const& channel : picture_.channels) {
        Channel const* const same = again.find(channel.name);
        ASSERT_NE(same, nullptr);
        for (std::size_t i = 0; i < channel.values.size(); ++i)
            ASSERT_NEAR(same->values[i], channel.values[i], tolerance) << channel.name << " value " << i;
    }
}

TEST_P(CodecContract, OnePixelAndOneChannelSurvive)
{
    Image const pixel = make_picture(1, 1, {"Y"});
    Image const again = codec_->decode(codec_->encode(pixel), "pixel");
    ASSERT_EQ(again.pixel_count(), 1u);
    EXPECT_NEAR(again.channels[0].values[0], pixel.channels[0].values[0], codec_->name == "hdr" ? 0x1p-7f : 0.0f);
}

TEST_P(CodecContract, ItsOwnFileMatchesItAlone)
{
    for (Codec const& other : list_codecs()) EXPECT_EQ(other.matches(file_), other.name == codec_->name) << other.name;
}

TEST_P(CodecContract, EncodingIsAFunctionOfThePicture)
{
    EXPECT_EQ(codec_->encode(picture_), file_);
}

TEST_P(CodecContract, FileCutAnywhereIsRefusedAndNamed)
{
    for (std::size_t size = 0; size < file_.size(); ++size) {
        std::vector<std::byte> const cut(file_.begin(), file_.begin() + static_cast<std::ptrdiff_t>(size));
        std::string const message = expect_error(ExitStatus::input, {}, [&] { codec_->decode(cut, "cut.file"); });
        ASSERT_EQ(message.rfind("cut.file: ", 0), 0u) << "after " << size << " bytes: " << message;
    }
}

TEST_P(CodecContract, FlippedBitGivesAnErrorOrAPicture)
{
    for (std::size_t bit = 0; bit < file_.size() * 8; bit += test::kDamageStride) {
        std::vector<std::byte> flipped = file_;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        SCOPED_TRACE(bit);
        catch_error(ExitStatus::input, [&] {
            Image const image = codec_->decode(flipped, "flipped");
            check_image(image);
            EXPECT_LE(image.pixel_count() * image.channels.size() * sizeof(float), (64u << 20) + 4096 * file_.size());
        });
    }
}

TEST_P(CodecContract, RandomBytesAfterTheSignatureAreRefused)
{
    std::mt19937 random(7);
    for (int trial = 0; trial < 300; ++trial) {
        std::vector<std::byte> noise(file_.begin(), file_.begin() + std::min<std::ptrdiff_t>(11, std::ssize(file_)));
        for (int i = 0; i < 400; ++i) noise.push_back(static_cast<std::byte>(random()));
        expect_error(ExitStatus::input, {}, [&] { codec_->decode(noise, "noise"); });
    }
}

std::vector<Codec const*> all_codecs()
{
    std::vector<Codec const*> all;
    for (Codec const& codec : list_codecs())
        if (codec.encoder != nullptr && codec.name != "jpg") all.push_back(&codec); // JPEG holds no linear values
    return all;
}

INSTANTIATE_TEST_SUITE_P(Image, CodecContract, testing::ValuesIn(all_codecs()),
                         [](auto const& parameter) { return std::string(parameter.param->name); });

} // namespace
} // namespace volpt::test
