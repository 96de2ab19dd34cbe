// NIfTI: both versions and byte orders, types, scaling, orientation, pairs, refusals.
#include "tests/formats/nifti_bytes.h"

#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/metaimage_text.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <cmath>

namespace volpt {
namespace {

using test::expect_error;
using test::TempFolder;

constexpr std::array<int, 3> kNiftiDims{3, 2, 2};

std::vector<double> make_numbers()
{
    std::vector<double> numbers;
    for (int i = 0; i < 12; ++i) numbers.push_back(i * 9);
    return numbers;
}

std::vector<float> expected_values()
{
    std::vector<float> values;
    for (double const number : make_numbers()) values.push_back(static_cast<float>(number));
    return values;
}

TEST(Nifti, EveryTypeVersionAndByteOrderReadsTheSame)
{
    TempFolder const folder;
    struct Type {
        int code;
        int bits;
        std::string (*encode)(std::vector<double> const&, bool);
    };
    for (Type const& type : {Type{2, 8, to_binary<std::uint8_t>},
                             {4, 16, to_binary<std::int16_t>},
                             {8, 32, to_binary<std::int32_t>},
                             {16, 32, to_binary<float>},
                             {64, 64, to_binary<double>},
                             {256, 8, to_binary<std::int8_t>},
                             {512, 16, to_binary<std::uint16_t>},
                             {768, 32, to_binary<std::uint32_t>},
                             {1024, 64, to_binary<std::int64_t>},
                             {1280, 64, to_binary<std::uint64_t>}}) {
        std::string const little = type.encode(make_numbers(), false);
        std::string const one = make_nifti1(kNiftiDims, type.code, type.bits);
        for (auto const& path : {folder.write("one.nii", one + little),
                                 folder.write("two.nii", make_nifti2(kNiftiDims, type.code, type.bits) + little),
                                 folder.write("big.nii", swap_nifti1(one) + type.encode(make_numbers(), true)),
                                 folder.write("packed.nii.gz", gzip_text(one + little))}) {
            auto const source = open_volume_source(path);
            EXPECT_EQ(source->meta().dims, kNiftiDims) << path;
            EXPECT_EQ(*source->meta().pitch_mm, (std::array{1.0, 2.0, 3.0})) << path;
            EXPECT_FALSE(source->meta().first_voxel_world_mm.has_value());
            EXPECT_EQ(read_all(*source), expected_values()) << path << " type " << type.code;
        }
    }
}

TEST(Nifti, SlopeAndInterceptAreAppliedUnlessZeroOrNaN)
{
    TempFolder const folder;
    auto const read_first = [&](float slope, float intercept) {
        auto header = make_nifti1({1, 1, 1}, 4, 16);
        put(header, 112, slope);
        put(header, 116, intercept);
        return read_all(*open_volume_source(folder.write("s.nii", header + to_binary<std::int16_t>({100}, false))))[0];
    };
    EXPECT_EQ(read_first(0.5f, -20), 30);
    EXPECT_EQ(read_first(0, -20), 100);
    EXPECT_EQ(read_first(std::nanf(""), 0), 100);
    EXPECT_EQ(read_first(1, -1024), -924);
}

TEST(Nifti, SformBecomesLpsPlacement)
{
    TempFolder const folder;
    auto header = make_nifti1(kNiftiDims, 2, 8);
    put<std::int16_t>(header, 254, 1);
    // x of the file runs along +y (anterior), y along -x, z along +z; 2, 3 and 4 mm.
    std::array<float, 12> const srow{0, -3, 0, 10, 2, 0, 0, 20, 0, 0, 4, 30};
    for (std::size_t i = 0; i < 12; ++i) put(header, 280 + 4 * i, srow[i]);
    auto const source = open_volume_source(folder.write("s.nii", header + std::string(12, 'x')));
    EXPECT_EQ(*source->meta().pitch_mm, (std::array{2.0, 3.0, 4.0}));
    EXPECT_EQ(*source->meta().first_voxel_world_mm, (std::array{-10.0, -20.0, 30.0}));
    std::array<double, 9> const expected{0, 1, 0, -1, 0, 0, 0, 0, 1};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(source->meta().rotation[i], expected[i], 1e-12) << i;
}

TEST(Nifti, QformQuaternionMirrorsByQfacAndTakesUnits)
{
    TempFolder const folder;
    auto header = make_nifti1(kNiftiDims, 2, 8);
    put<std::int16_t>(header, 252, 1);
    put(header, 76, -1.0f);                         // qfac
    put(header, 123, static_cast<std::uint8_t>(3)); // micrometres
    // Half a turn about z: (a, b, c, d) = (0, 0, 0, 1), which in LPS is none.
    put(header, 264, 1.0f);
    for (std::size_t i = 0; i < 3; ++i) put(header, 268 + 4 * i, 1000.0f);
    auto const source = open_volume_source(folder.write("q.nii", header + std::string(12, 'x')));
    EXPECT_NEAR((*source->meta().pitch_mm)[1], 2e-3, 1e-12);
    EXPECT_NEAR((*source->meta().first_voxel_world_mm)[0], -1, 1e-9);
    EXPECT_NEAR((*source->meta().first_voxel_world_mm)[2], 1, 1e-9);
    std::array<double, 9> const expected{1, 0, 0, 0, 1, 0, 0, 0, -1};
    for (std::size_t i = 0; i < 9; ++i) EXPECT_NEAR(source->meta().rotation[i], expected[i], 1e-7) << i;
}

TEST(Nifti, PairsAndRgbAreRead)
{
    TempFolder const folder;
    auto header = make_nifti1({1, 1, 2}, 128, 24);
    header.replace(344, 3, "ni1");
    put(header, 108, 0.0f);
    folder.write("p.img", std::string("\x1f\x8b\x03\x04\x05\x06", 6)); // like gzip, and is not
    auto const source = open_volume_source(folder.write("p.hdr", header.substr(0, 348)));
    EXPECT_EQ(source->meta().channels, 3);
    EXPECT_EQ(read_all(*source), (std::vector<float>{31, 139, 3, 4, 5, 6}));
}

TEST(Nifti, WrongHeadersAreRefusedWithTheField)
{
    TempFolder const folder;
    auto const refused = [&](std::string const& header, char const* expected) {
        SCOPED_TRACE(expected);
        expect_error(ExitStatus::input, {expected, "w.nii"},
                     [&] { open_volume_source(folder.write("w.nii", header + std::string(64, 'x'))); });
    };
    auto const with = [](auto... edits) {
        auto header = make_nifti1(kNiftiDims, 2, 8);
        (edits(header), ...);
        return header;
    };
    refused(with([](auto& h) {
                put<std::int16_t>(h, 40, 4);
                put<std::int16_t>(h, 48, -5);
            }),
            "dim[4] = -5");
    refused(with([](auto& h) { put<std::int16_t>(h, 42, -1); }), "dim[1] = -1");
    refused(with([](auto& h) { put<std::int16_t>(h, 70, 32); }), "datatype = 32");
    refused(with([](auto& h) { put(h, 108, 100.0f); }), "vox_offset = 100");
    refused(with([](auto& h) { put(h, 108, std::nanf("")); }), "vox_offset");
    refused(with([](auto& h) { put(h, 80, 0.0f); }), "pixdim[1]");
    refused(with([](auto& h) { put<std::int16_t>(h, 254, 1); }), "sform");
    refused(with([](auto& h) { h.replace(344, 4, std::string(4, '\0')); }), "ANALYZE");
    refused(make_nifti1({30000, 30000, 30000}, 64, 64), "ask for");
}

} // namespace
} // namespace volpt
