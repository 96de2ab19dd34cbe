// gzip files of several members (RFC 1952, 2.2), as cat and bgzip make them, in every reader of compressed voxels; and
// what follows the last member.
#include "formats/raw/reader.h"
#include "formats/reader.h"
#include "libvolpt/sys/text/base64.h"
#include "tests/formats/metaimage_text.h"
#include "tests/formats/nifti_bytes.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <fmt/format.h>
#include <functional>
#include <gtest/gtest.h>

namespace volpt::test {
namespace {

constexpr std::array<int, 3> kDims{5, 4, 3};

std::vector<float> expected_numbers()
{
    std::vector<float> numbers;
    for (int i = 0; i < 60; ++i) numbers.push_back(static_cast<float>((i * 7) % 256));
    return numbers;
}

std::string make_voxels()
{
    std::string bytes;
    for (float const number : expected_numbers()) bytes += static_cast<char>(static_cast<unsigned char>(number));
    return bytes;
}

/// Two members, the first of `first` bytes.
std::string gzip_in_two(std::string const& bytes, std::size_t first)
{
    return gzip_text(bytes.substr(0, first)) + gzip_text(bytes.substr(first));
}

/// A format whose files hold `plain`, gzipped.
struct GzipFormat {
    std::string name;
    std::string plain;
    std::function<std::unique_ptr<VolumeSource>(TempFolder const&, std::string const& packed)> open;
};

std::vector<GzipFormat> list_formats()
{
    std::string const voxels = make_voxels();
    auto const nifti = make_nifti1(kDims, 2, 8);
    std::string const nrrd = "NRRD0004\ntype: uchar\ndimension: 3\nsizes: 5 4 3\nspacings: 1 1 1\nencoding: gzip\n";
    return {{".nii.gz", nifti + voxels,
             [](TempFolder const& folder, std::string const& packed) {
                 return open_volume_source(folder.write("v.nii.gz", packed));
             }},
            {".img.gz", voxels,
             [nifti](TempFolder const& folder, std::string const& packed) {
                 std::string header = nifti.substr(0, 348);
                 header.replace(344, 4, std::string("ni1\0", 4));
                 header.replace(108, 4, std::string(4, '\0')); // vox_offset
                 folder.write("v.img.gz", packed);
                 return open_volume_source(folder.write("v.hdr", header));
             }},
            {".nrrd", voxels,
             [nrrd](TempFolder const& folder, std::string const& packed) {
                 return open_volume_source(folder.write("v.nrrd", nrrd + "\n" + packed));
             }},
            {".nhdr", voxels,
             [nrrd](TempFolder const& folder, std::string const& packed) {
                 folder.write("v.raw.gz", packed);
                 return open_volume_source(folder.write("v.nhdr", nrrd + "data file: v.raw.gz\n"));
             }},
            {".mha", voxels,
             [](TempFolder const& folder, std::string const& packed) {
                 return open_volume_source(
                     folder.write("v.mha", met_header(kDims, "MET_UCHAR", "CompressedData = True\n") + packed));
             }},
            {".raw.gz", voxels,
             [](TempFolder const& folder, std::string const& packed) {
                 return open_raw(folder.write("v.raw.gz", packed), kDims, {ElementType::u8, ByteOrder::little});
             }},
            {".jnii", voxels, [](TempFolder const& folder, std::string const& packed) {
                 return open_volume_source(folder.write(
                     "v.jnii",
                     fmt::format(R"({{"NIFTIHeader": {{}}, "NIFTIData": {{"_ArrayType_": "uint8", "_ArraySize_": )"
                                 R"([5, 4, 3], "_ArrayOrder_": "c", "_ArrayZipType_": "gzip", "_ArrayZipData_": )"
                                 R"("{}"}}}})",
                                 encode_base64(std::as_bytes(std::span(packed))))));
             }}};
}

TEST(GzipMembers, JoinInEveryReaderWhereverTheyAreCut)
{
    for (GzipFormat const& format : list_formats())
        for (std::size_t const first : {std::size_t{0}, std::size_t{1}, format.plain.size() / 4,
                                        format.plain.size() / 2, format.plain.size() - 1, format.plain.size()}) {
            SCOPED_TRACE(fmt::format("{} {}", format.name, first));
            TempFolder const folder;
            auto const source = format.open(folder, gzip_in_two(format.plain, first));
            EXPECT_EQ(read_all(*source), expected_numbers());
            EXPECT_EQ(read_all(*source), expected_numbers()) << "again from the start";
            EXPECT_TRUE(source->list_notices().empty());
        }
}

TEST(GzipMembers, JoinWhereABufferEnds)
{
    // Noise, which does not shrink: members end around the 65536 bytes that are read at a time.
    std::string voxels;
    std::uint32_t state = 1;
    for (int i = 0; i < 70000; ++i) voxels += static_cast<char>((state = state * 1664525 + 1013904223) >> 24);
    for (std::size_t first = 65536 - 40; first < 65536; ++first) {
        TempFolder const folder;
        auto const source = open_raw(folder.write("v.raw.gz", gzip_in_two(voxels, first)), {700, 100, 1},
                                     {ElementType::i8, ByteOrder::little});
        std::vector<float> const numbers = read_all(*source);
        for (std::size_t i = 0; i < voxels.size(); ++i)
            ASSERT_EQ(numbers[i], static_cast<float>(static_cast<signed char>(voxels[i]))) << first << " " << i;
    }
}

TEST(GzipMembers, WhatFollowsTheLastIsIgnoredAndToldUnlessItIsZeros)
{
    for (GzipFormat const& format : list_formats()) {
        SCOPED_TRACE(format.name);
        TempFolder const folder;
        std::string const packed = gzip_in_two(format.plain, format.plain.size() / 2);
        auto const padded = format.open(folder, packed + std::string(100'000, '\0'));
        EXPECT_EQ(read_all(*padded), expected_numbers());
        EXPECT_TRUE(padded->list_notices().empty());
        auto const followed = format.open(folder, packed + std::string(100'000, '\0') + "more");
        EXPECT_EQ(read_all(*followed), expected_numbers());
        if (format.name == ".jnii") continue; // an array in text is no file
        ASSERT_EQ(followed->list_notices().size(), 1u);
        expect_contains(followed->list_notices()[0], {"bytes after the compressed data are ignored", "v."});
    }
}

TEST(GzipMembers, DamageOfTheSecondIsTold)
{
    for (GzipFormat const& format : list_formats()) {
        SCOPED_TRACE(format.name);
        TempFolder const folder;
        std::string const packed = gzip_in_two(format.plain, format.plain.size() / 2);
        for (std::size_t const cut : {std::size_t{1}, std::size_t{8}, std::size_t{12}})
            EXPECT_THROW(read_all(*format.open(folder, packed.substr(0, packed.size() - cut))), Error) << cut;
        std::string wrong = packed;
        wrong[packed.size() - 6] = static_cast<char>(wrong[packed.size() - 6] ^ 1); // of the checksum
        EXPECT_THROW(read_all(*format.open(folder, wrong)), Error);
        EXPECT_THROW(read_all(*format.open(folder, packed + gzip_text("x"))), Error) << "more than the header asks for";
    }
}

} // namespace
} // namespace volpt::test
