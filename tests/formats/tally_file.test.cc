#include "formats/tally/tally_file.h"
#include "formats/nifti/header.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_layers.h"
#include "tests/support/temp_folder.h"

#include <cstring>
#include <gtest/gtest.h>
#include <zlib.h>

namespace volpt {
namespace {

/// 2 gates, 3 bands, 4 x 3 x 2 cells; every number is its own index, errors are negative.
TallyVolume make_tally_sample()
{
    TallyVolume tally;
    tally.kind = TallyKind::fluence;
    tally.dims = {4, 3, 2};
    tally.gates = 2;
    tally.gate_ns = 0.5;
    tally.bands = 3;
    for (int i = 0; i < 2 * 3 * 24; ++i) {
        tally.values.push_back(static_cast<float>(i));
        tally.standard_errors.push_back(static_cast<float>(-i));
    }
    return tally;
}

/// Twice as many voxels as cells along x; turned about z by 90 degrees.
VolumeMeta make_tallied_voxels()
{
    VolumeMeta meta;
    meta.dims = {8, 3, 2};
    meta.pitch_mm = {0.25f, 1, 2};
    meta.placement.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
    meta.placement.origin_world_mm = {10, 20, 30};
    return meta;
}

std::size_t index_in_tally(std::size_t gate, std::size_t band, std::size_t cell)
{
    return (gate * 3 + band) * 24 + cell;
}

float float_at(std::string const& bytes, std::size_t offset)
{
    float value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof(float));
    return value;
}

std::int16_t short_at(std::string const& bytes, std::size_t offset)
{
    std::int16_t value = 0;
    std::memcpy(&value, bytes.data() + offset, sizeof(value));
    return value;
}

std::string inflate_file(std::filesystem::path const& path)
{
    std::string bytes(std::size_t{1} << 16, '\0');
    gzFile const file = gzopen(path.c_str(), "rb");
    int const size = gzread(file, bytes.data(), static_cast<unsigned>(bytes.size()));
    EXPECT_EQ(gzclose(file), Z_OK);
    bytes.resize(static_cast<std::size_t>(size));
    return bytes;
}

/// Values by cell, gate and band, then errors likewise.
void expect_interleaved(std::string const& bytes)
{
    std::size_t const channels = 12, data = 24 * channels * sizeof(float);
    ASSERT_GT(bytes.size(), data);
    for (std::size_t cell = 0; cell < 24; ++cell)
        for (std::size_t i = 0; i < 6; ++i) {
            std::size_t const at = bytes.size() - data + (cell * channels + i) * sizeof(float);
            auto const expected = static_cast<float>(index_in_tally(i / 3, i % 3, cell));
            ASSERT_EQ(float_at(bytes, at), expected);
            ASSERT_EQ(float_at(bytes, at + 6 * sizeof(float)), -expected);
        }
}

TEST(TallyFile, KnowsItsExtensions)
{
    for (char const* name : {"a.nii.gz", "a.nii", "a.mha", "a.nrrd", "a.vpk"}) EXPECT_TRUE(is_tally_file(name)) << name;
    for (char const* name : {"a.vpf", "a.png", "a.gz", "a", "a.exr"}) EXPECT_FALSE(is_tally_file(name)) << name;
}

TEST(TallyFile, NiftiHoldsGatesAsTimesAndErrorsAfterValues)
{
    test::TempFolder const folder;
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.nii.gz", {});
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.nii", {});
    std::string const bytes = inflate_file(folder / "dose.nii.gz");
    EXPECT_EQ(bytes, test::read_text(folder / "dose.nii"));
    ASSERT_EQ(bytes.size(), 352 + 2 * 144 * sizeof(float));
    int const dims[] = {5, 4, 3, 2, 2, 6};
    for (std::size_t i = 0; i < 6; ++i) EXPECT_EQ(short_at(bytes, 40 + 2 * i), dims[i]) << i;
    for (std::size_t band = 0; band < 3; ++band)
        for (std::size_t gate = 0; gate < 2; ++gate)
            for (std::size_t cell = 0; cell < 24; ++cell) {
                std::size_t const at = 352 + ((band * 2 + gate) * 24 + cell) * sizeof(float);
                auto const expected = static_cast<float>(index_in_tally(gate, band, cell));
                ASSERT_EQ(float_at(bytes, at), expected);
                ASSERT_EQ(float_at(bytes, at + 144 * sizeof(float)), -expected);
            }
}

TEST(TallyFile, NiftiLiesWhereTheVolumeLies)
{
    test::TempFolder const folder;
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.nii", {});
    std::string bytes = test::read_text(folder / "dose.nii");
    bytes[40] = 3; // its reader takes one volume
    NiftiHeader const header = parse_nifti_header(std::as_bytes(std::span(bytes)).first(348), "dose.nii");
    VolumeMeta const voxels = make_tallied_voxels();
    std::array<double, 3> const pitch{0.5, 1, 2};
    ASSERT_TRUE(header.first_voxel_world_mm);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_NEAR(header.pitch_mm[i], pitch[i], 1e-6);
        double first = voxels.placement.origin_world_mm[i];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(header.rotation[3 * i + axis], voxels.placement.rotation[3 * i + axis], 1e-6);
            first += 0.5 * pitch[axis] * voxels.placement.rotation[3 * i + axis];
        }
        EXPECT_NEAR((*header.first_voxel_world_mm)[i], first, 1e-5);
    }
}

TEST(TallyFile, MetaImageAndNrrdHoldAllChannelsOfACell)
{
    test::TempFolder const folder;
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.mha", {});
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.nrrd", {});
    std::string const meta_image = test::read_text(folder / "dose.mha"), nrrd = test::read_text(folder / "dose.nrrd");
    expect_interleaved(meta_image);
    expect_interleaved(nrrd);
    for (char const* line : {"\nElementNumberOfChannels = 12\n", "\nDimSize = 4 3 2\n", "\nElementSpacing = 0.5 1 2\n",
                             "\nComment = fluence, 1/mm^2 per launched joule of a pulse; values of 3 bands, gate by"})
        EXPECT_NE(meta_image.find(line), std::string::npos) << line;
    for (char const* line : {"\nsizes: 12 4 3 2\n", "\ntally:=fluence, 1/mm^2 per launched joule of a pulse"})
        EXPECT_NE(nrrd.find(line), std::string::npos) << line;
}

TEST(TallyFile, ThePackedVolumeHoldsTheMeanOfBandsOverAllTimes)
{
    test::TempFolder const folder;
    write_tally(make_tally_sample(), make_tallied_voxels(), folder / "dose.vpk", {});
    PackedVolume const volume = PackedVolume::open(folder / "dose.vpk", VerifyLevel::full);
    EXPECT_EQ(volume.meta().dims, (std::array<int, 3>{4, 3, 2}));
    EXPECT_EQ(volume.meta().pitch_mm, (std::array<float, 3>{0.5f, 1, 2}));
    EXPECT_EQ(volume.meta().placement.origin_world_mm, make_tallied_voxels().placement.origin_world_mm);
    std::vector<float> layer(12);
    VolumeView const view = volume.view();
    read_plane_layer(view, view.density, 1, layer);
    for (std::size_t i = 0; i < layer.size(); ++i) {
        float sum = 0;
        for (std::size_t value = 0; value < 6; ++value) sum += static_cast<float>(value * 24 + 12 + i);
        EXPECT_FLOAT_EQ(layer[i], sum / 3);
    }
}

TEST(TallyFile, NiftiRefusesMoreThan16BitsHold)
{
    test::TempFolder const folder;
    TallyView tally;
    for (std::uint32_t& cells : tally.dims) cells = 2;
    tally.gates = 40000;
    check_tally_file(folder / "dose.nrrd", tally);
    try {
        check_tally_file(folder / "dose.nii.gz", tally);
        FAIL() << "accepted";
    } catch (Error const& error) {
        EXPECT_EQ(error.status(), ExitStatus::usage);
    }
    EXPECT_FALSE(std::filesystem::exists(folder / "dose.nrrd"));
}

} // namespace
} // namespace volpt
