// The memory that pictures take: the bound of every codec, the rule of the default, and what decoding holds.
#include "libvolpt/image/codecs/picture_memory.h"

#include "libvolpt/image/codecs/bmp_picture.h"
#include "tests/image/image_fixtures.h"

#include <atomic>
#include <limits>
#include <malloc.h>
#include <new>

namespace {

std::atomic<std::size_t> held_bytes{0}, peak_bytes{0};

void* take(std::size_t size_bytes)
{
    void* const place = std::malloc(size_bytes); // NOLINT(cppcoreguidelines-no-malloc): it is the allocator
    if (place == nullptr) throw std::bad_alloc();
    std::size_t const now = held_bytes += ::malloc_usable_size(place);
    std::size_t peak = peak_bytes;
    while (now > peak && !peak_bytes.compare_exchange_weak(peak, now)) {
    }
    return place;
}

void give_back(void* place) noexcept
{
    if (place == nullptr) return;
    held_bytes -= ::malloc_usable_size(place);
    std::free(place); // NOLINT(cppcoreguidelines-no-malloc)
}

} // namespace

void* operator new(std::size_t size_bytes)
{
    return take(size_bytes);
}
void* operator new[](std::size_t size_bytes)
{
    return take(size_bytes);
}
void operator delete(void* place) noexcept
{
    give_back(place);
}
void operator delete[](void* place) noexcept
{
    give_back(place);
}
void operator delete(void* place, std::size_t) noexcept
{
    give_back(place);
}
void operator delete[](void* place, std::size_t) noexcept
{
    give_back(place);
}

namespace volpt::test {
namespace {

constexpr int kPictureWidth = 400, kPictureHeight = 300;
constexpr std::uint64_t kFloatBytes = std::uint64_t{kPictureWidth} * kPictureHeight * 3 * sizeof(float);

struct NamedFile {
    std::string name;
    std::vector<std::byte> bytes;
};

/// R G B of every codec that writes, and a BMP.
std::vector<NamedFile> make_files()
{
    std::vector<NamedFile> files;
    Image image = make_picture(kPictureWidth, kPictureHeight, {"R", "G", "B"});
    for (Codec const& codec : list_codecs()) {
        if (codec.encoder == nullptr) continue;
        image.transfer = codec.display_transfer;
        files.push_back({std::string("p.") + std::string(codec.name), codec.encode(image)});
    }
    std::vector<std::byte> bmp = to_bytes("BM");
    auto const append = [&](std::uint32_t value, int size_bytes) {
        for (int i = 0; i < size_bytes; ++i) bmp.push_back(static_cast<std::byte>(value >> 8 * i));
    };
    for (std::uint32_t const value : {0u, 0u, 54u, 40u, std::uint32_t{kPictureWidth}, std::uint32_t{kPictureHeight}})
        append(value, 4);
    append(1, 2);
    append(24, 2);
    for (int i = 0; i < 6; ++i) append(0, 4);
    bmp.resize(bmp.size() + std::size_t{kPictureWidth} * kPictureHeight * 3);
    files.push_back({"p.bmp", std::move(bmp)});
    return files;
}

TEST(PictureMemory, EveryCodecAsksBeforeItTakes)
{
    for (NamedFile const& file : make_files()) {
        SCOPED_TRACE(file.name);
        PictureMemory const too_little{.given_bytes = kFloatBytes - 1, .usable_bytes = 0};
        std::size_t const before = peak_bytes = held_bytes.load();
        expect_error(ExitStatus::input,
                     {file.name + ": 400 x 300 pixels of 3 channels take", "allowed for a picture", "--picture-memory"},
                     [&] { decode_image(file.bytes, file.name, {}, ProfileUse::applied, too_little); });
        EXPECT_LT(peak_bytes - before, kFloatBytes / 4);
        PictureMemory const enough{.given_bytes = 2 * kFloatBytes, .usable_bytes = 0};
        EXPECT_EQ(decode_image(file.bytes, file.name, {}, ProfileUse::applied, enough).channels.size(), 3u);
    }
}

TEST(PictureMemory, DecodersHoldTheFloatsAndLittleElse)
{
    for (NamedFile const& file : make_files()) {
        SCOPED_TRACE(file.name);
        std::size_t const before = peak_bytes = held_bytes.load();
        Image const image = decode_image(file.bytes, file.name);
        // A line, chunks of the libraries; nothing that grows with the picture.
        EXPECT_LT(peak_bytes - before, kFloatBytes + kFloatBytes / 2);
    }
}

TEST(PictureMemory, StoredPicturesTakeTheBytesOfTheirSamples)
{
    std::vector<NamedFile> files = make_files();
    std::vector<std::uint16_t> const samples(std::size_t{kPictureWidth} * kPictureHeight, 12345);
    files.push_back({"16.png", encode_grey_png_16(kPictureWidth, kPictureHeight, samples)});
    for (NamedFile const& file : files) {
        SCOPED_TRACE(file.name);
        bool const has_floats = file.name == "p.exr" || file.name == "p.hdr" || file.name == "p.pfm";
        std::size_t const stored_bytes = has_floats              ? kFloatBytes
                                         : file.name == "16.png" ? samples.size() * sizeof samples[0]
                                                                 : kFloatBytes / sizeof(float);
        PictureMemory const too_little{.given_bytes = stored_bytes - 1, .usable_bytes = 0};
        expect_error(ExitStatus::input, {file.name, "--picture-memory"},
                     [&] { decode_stored_image(file.bytes, file.name, {}, too_little); });
        // Radiance is decoded twice at a time.
        PictureMemory const enough{.given_bytes = file.name == "p.hdr" ? 2 * stored_bytes : stored_bytes,
                                   .usable_bytes = 0};
        std::size_t const before = peak_bytes = held_bytes.load();
        StoredImage const image = decode_stored_image(file.bytes, file.name, {}, enough);
        EXPECT_LT(peak_bytes - before, stored_bytes + (has_floats ? kFloatBytes / 2 : kFloatBytes / 4));
    }
}

TEST(PictureMemory, ChoiceOfTheProgramHoldsForAllPictures)
{
    NamedFile const file = make_files().front();
    choose_picture_memory(1000);
    expect_error(ExitStatus::input, {"--picture-memory"}, [&] { decode_image(file.bytes, file.name); });
    choose_picture_memory({});
    EXPECT_EQ(decode_image(file.bytes, file.name).width, kPictureWidth);
}

constexpr std::uint64_t kGib = std::uint64_t{1} << 30;

TEST(PictureMemory, SeventySevenMegapixelsFitIntoAMachineOfFourGib)
{
    // Of 4 GiB, systems tell programs of 3.8. R G B, and R G B A; 100 MB is what such a photo has.
    PictureMemory const machine{.given_bytes = {}, .usable_bytes = 38 * kGib / 10};
    for (std::uint64_t const channels : {std::uint64_t{3}, std::uint64_t{4}})
        EXPECT_NO_THROW(check_picture_memory({10266, 7500, channels}, 100'000'000, machine, "photo.png"));
    // Two pictures leave a third of the memory.
    EXPECT_LE(2 * machine.most_bytes(std::uint64_t{1} << 40), machine.usable_bytes * 2 / 3);
}

TEST(PictureMemory, SmallFilesOfManyPixelsAreRefusedOnAnyMachine)
{
    for (std::uint64_t const usable_gib : {std::uint64_t{4}, std::uint64_t{64}, std::uint64_t{4096}}) {
        PictureMemory const machine{.given_bytes = {}, .usable_bytes = usable_gib * kGib};
        expect_error(ExitStatus::input,
                     {"big.png: 30000 x 30000 pixels of 1 channel take 3.35 GiB", "--picture-memory"}, [&] {
                         check_picture_memory({30000, 30000, 1}, 900'000, machine, "big.png");
                     });
    }
    // What a file pays for is read where there is memory: 4096 x 4096 pixels of 73 channels.
    PictureMemory const large{.given_bytes = {}, .usable_bytes = 64 * kGib};
    EXPECT_NO_THROW(check_picture_memory({4096, 4096, 73}, 2'000'000'000, large, "bands.exr"));
}

TEST(PictureMemory, SizesOfAnyHeaderDoNotOverflow)
{
    std::uint64_t const most = std::numeric_limits<std::uint64_t>::max();
    expect_error(ExitStatus::input, {"--picture-memory"}, [&] {
        check_picture_memory({most, most, most}, 1, {.given_bytes = kGib, .usable_bytes = 0}, "x");
    });
}

} // namespace
} // namespace volpt::test
