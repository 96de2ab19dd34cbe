// From numbers by voxel to the radiance of the medium's source.
#include "libvolpt/medium/emission_volume.h"

#include "libvolpt/colour/planck.h"
#include "libvolpt/volume/packed_stream.h"
#include "tests/support/expect_error.h"
#include "tests/support/make_volume.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

namespace volpt::test {
namespace {

/// Numbers by voxel and channel, x fastest but for channels.
class MadeSource final : public VolumeSource {
public:
    MadeSource(std::array<int, 3> dims, int channels, std::vector<float> values)
        : VolumeSource(make_meta(dims, channels)), values_(std::move(values))
    {
    }

    void read_slab(int z_first, int, std::span<float> values) override
    {
        auto const layer = static_cast<std::size_t>(meta().dims[0] * meta().dims[1] * meta().channels);
        std::copy_n(values_.begin() + static_cast<std::ptrdiff_t>(layer) * z_first, values.size(), values.begin());
    }

private:
    static SourceMeta make_meta(std::array<int, 3> dims, int channels)
    {
        SourceMeta meta;
        meta.path = "heat.mha";
        meta.dims = dims;
        meta.channels = channels;
        meta.element = ElementType::f32;
        return meta;
    }

    std::vector<float> values_;
};

/// Two voxels of density 1 and 4, scale 2, albedo 0.75, 0.5 and 0 by band.
std::unique_ptr<VoxelStream> make_medium()
{
    VolumeMeta meta = density_meta({2, 1, 1});
    set_three_bands(meta);
    meta.scale = 2;
    meta.constant_one_minus_albedo = {0.25f, 0.5f, 1};
    return make_packed_stream(make_volume(meta, {.density = [](int x, int, int) { return x == 0 ? 1.0f : 4.0f; }}), {});
}

std::vector<float> emit(std::vector<float> numbers, int channels, EmissionOptions const& options)
{
    auto const stream = add_emission(
        make_medium(), std::make_unique<MadeSource>(std::array{2, 1, 1}, channels, std::move(numbers)), options);
    EXPECT_TRUE(stream->meta().has_emission);
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(slab.density.size(), 2u);
    return {slab.emission.begin(), slab.emission.end()};
}

TEST(EmissionVolume, RadianceIsScaledAndTheSameInAllBands)
{
    EXPECT_EQ(emit({3, 5}, 1, {.scale = 2}), (std::vector<float>{6, 6, 6, 10, 10, 10}));
    EXPECT_EQ(emit({1, 2, 3, 4, 5, 6}, 3, {}), (std::vector<float>{1, 2, 3, 4, 5, 6}));
}

TEST(EmissionVolume, ConstantNeedsNoSource)
{
    auto const stream = add_emission(make_medium(), nullptr, {.scale = 0.5, .constant = {2, 4, 6}});
    auto const slab = stream->read_slab(0, 1);
    EXPECT_EQ(std::vector(slab.emission.begin(), slab.emission.end()), (std::vector<float>{1, 2, 3, 1, 2, 3}));
}

TEST(EmissionVolume, RadiancePerLengthIsDividedByAbsorption)
{
    EmissionOptions const options{.numbers = EmissionNumbers::radiance_per_mm};
    // sigma_a is 0.5, 1, 2 and 2, 4, 8 per mm.
    EXPECT_EQ(emit({1, 8}, 1, options), (std::vector<float>{2, 1, 0.5f, 4, 2, 1}));
    auto const white = [&] {
        VolumeMeta meta;
        meta.dims = {2, 1, 1};
        return add_emission(make_packed_stream(make_volume(meta), {}),
                            std::make_unique<MadeSource>(std::array{2, 1, 1}, 1, std::vector<float>{0, 1}), options);
    };
    expect_error(ExitStatus::input, {"where nothing absorbs", "heat.mha: voxel 1,0,0"},
                 [&] { white()->read_slab(0, 1); });
}

TEST(EmissionVolume, TemperaturesAreBlackBodies)
{
    EmissionOptions const options{
        .numbers = EmissionNumbers::blackbody, .scale = 3, .temperature_scale = 1000, .temperature_offset = 0.5};
    auto const got = emit({2, 0.25f}, 1, options);
    auto const expected = compute_blackbody(3, {}, 1500);
    for (std::size_t band = 0; band < 3; ++band) {
        EXPECT_EQ(got[band], static_cast<float>(3 * expected[band]));
        EXPECT_EQ(got[3 + band], 0) << "below 0 K";
    }
}

TEST(EmissionVolume, NumbersThatAreNoEmissionAreRefusedByVoxel)
{
    float const nan = std::numeric_limits<float>::quiet_NaN(), infinite = std::numeric_limits<float>::infinity();
    for (float const bad : {-1.0f, nan, infinite})
        expect_error(ExitStatus::input, {"is no emission", "heat.mha: voxel 1,0,0"}, [&] { emit({1, bad}, 1, {}); });
    for (float const bad : {nan, infinite})
        expect_error(ExitStatus::input, {"is no emission", "voxel 0,0,0"}, [&] {
            emit({bad, 1}, 1, {.numbers = EmissionNumbers::blackbody});
        });
}

TEST(EmissionVolume, NumbersThatDoNotFitAreRefused)
{
    auto const add = [](std::array<int, 3> dims, int channels, EmissionOptions const& options) {
        return add_emission(make_medium(), std::make_unique<MadeSource>(dims, channels, std::vector<float>(6)),
                            options);
    };
    expect_error(ExitStatus::input, {"3x1x1", "2x1x1"}, [&] { add({3, 1, 1}, 1, {}); });
    expect_error(ExitStatus::usage, {"2 numbers for 3 bands"}, [&] { add({2, 1, 1}, 2, {}); });
    expect_error(ExitStatus::usage, {"no temperature"}, [&] {
        add({2, 1, 1}, 3, {.numbers = EmissionNumbers::blackbody});
    });
    expect_error(ExitStatus::usage, {"emission already"}, [&] {
        add_emission(add({2, 1, 1}, 1, {}), nullptr, {.constant = {1}});
    });
}

} // namespace
} // namespace volpt::test
