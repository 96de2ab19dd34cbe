// Pictures, files and folders that the image tests share.
#pragma once

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <iterator>
#include <random>
#include <unistd.h>

namespace volpt::test {

/// A folder of its own, removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = testing::TempDir() + "volpt_image_XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;

    std::filesystem::path operator/(std::string const& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

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

inline std::vector<std::byte> load_bytes(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<char> const text{std::istreambuf_iterator<char>(file), {}};
    auto const* bytes = reinterpret_cast<std::byte const*>(text.data());
    return {bytes, bytes + text.size()};
}

inline void save_bytes(std::filesystem::path const& path, std::span<std::byte const> bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
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

/// The message of the Error of that status which `action` throws; empty, with a test failure, if it throws none.
template <class Action>
std::string message_of(ExitStatus status, Action&& action)
{
    try {
        action();
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), status) << error.what();
        return error.what();
    }
    ADD_FAILURE() << "no Error was thrown";
    return {};
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
