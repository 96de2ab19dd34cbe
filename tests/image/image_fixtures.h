// Images and files that the image tests share.
#pragma once

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/codecs.h"
#include "tests/image/both_forms.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>

namespace volpt::test {

/// Linear values in 0..1 with runs in them, so that every compressor has something to do; the seed is fixed.
inline Image make_picture(int width, int height, std::vector<std::string> const& channels)
{
    std::mt19937 random(20180917);
    Image image = make_image(width, height, Transfer::linear, channels);
    for (Channel& channel : image.channels)
        for (std::size_t i = 0; i < channel.values.size(); ++i)
            channel.values[i] =
                i % 7 < 4 && i > 0 ? channel.values[i - 1] : static_cast<float>(random() % 256) / 255.0f;
    return image;
}

inline std::vector<std::byte> to_bytes(std::string_view text)
{
    auto const* bytes = reinterpret_cast<std::byte const*>(text.data());
    return {bytes, bytes + text.size()};
}

inline std::filesystem::path const* find_test_data()
{
    static char const* const name = std::getenv("VOLPT_TEST_DATA");
    static std::filesystem::path const path = name == nullptr ? "" : name;
    return name == nullptr ? nullptr : &path;
}

inline Codec const& find_codec(std::string_view name)
{
    for (Codec const& codec : list_codecs())
        if (codec.name == name) return codec;
    throw std::runtime_error("no such codec");
}

} // namespace volpt::test

/// Skips the test, visibly, where the real files are not.
#define VOLPT_NEED_TEST_DATA(folder)                                                                                   \
    if (volpt::test::find_test_data() == nullptr) GTEST_SKIP() << "VOLPT_TEST_DATA is not set";                        \
    std::filesystem::path const folder = *volpt::test::find_test_data()
