// Blocks of voxels as one: means, most frequent labels, place, partial blocks, memory.
#include "libvolpt/volume/source/downsampled_source.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/source/cropped_source.h"
#include "libvolpt/volume/voxel_stream.h"
#include "tests/formats/read_all.h"
#include "tests/support/expect_error.h"
#include "tests/support/listed_source.h"

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace volpt {
namespace {

constexpr std::uint64_t kAmpleMemory = std::uint64_t{1} << 30;

struct SourceSample {
    SourceMeta meta;
    std::vector<float> values;

    std::unique_ptr<VolumeSource> open() const { return std::make_unique<test::ListedSource>(meta, values); }
    float at(std::array<int, 3> const& voxel, int channel) const
    {
        auto const row = static_cast<std::size_t>(voxel[2] * meta.dims[1] + voxel[1]);
        return values[(row * static_cast<std::size_t>(meta.dims[0]) + static_cast<std::size_t>(voxel[0])) *
                          static_cast<std::size_t>(meta.channels) +
                      static_cast<std::size_t>(channel)];
    }
};

SourceSample sample_source(std::array<int, 3> dims, int channels, int largest)
{
    SourceSample sample{test::describe_listed(dims, channels), {}};
    std::mt19937 generator(3);
    std::uniform_int_distribution<int> uniform(0, largest);
    sample.values.resize(static_cast<std::size_t>(dims[0] * dims[1] * dims[2] * channels));
    for (float& value : sample.values) value = static_cast<float>(uniform(generator));
    return sample;
}

/// Calls `take` for each voxel of a block.
template <typename Take>
void visit_block(std::array<int, 3> const& dims, std::array<int, 3> const& factor, std::array<int, 3> const& block,
                 Take take)
{
    auto const end = [&](std::size_t axis) { return std::min(dims[axis], (block[axis] + 1) * factor[axis]); };
    for (int z = block[2] * factor[2]; z < end(2); ++z)
        for (int y = block[1] * factor[1]; y < end(1); ++y)
            for (int x = block[0] * factor[0]; x < end(0); ++x) take(std::array{x, y, z});
}

/// Calls `check` for each block and channel with the value found.
template <typename Check>
void visit_values(VolumeSource& source, Check check)
{
    auto const values = read_all(source);
    auto value = values.begin();
    for (int z = 0; z < source.meta().dims[2]; ++z)
        for (int y = 0; y < source.meta().dims[1]; ++y)
            for (int x = 0; x < source.meta().dims[0]; ++x)
                for (int channel = 0; channel < source.meta().channels; ++channel)
                    check(std::array{x, y, z}, channel, *value++);
}

TEST(DownsampledSource, MeansAreThoseOfTheBlocksAlsoOfPartialOnes)
{
    for (int const channels : {1, 3})
        for (std::array<int, 3> const factor : {std::array{2, 2, 2}, {3, 1, 4}, {16, 16, 16}, {1, 1, 20}}) {
            SourceSample const sample = sample_source({11, 6, 21}, channels, 255);
            auto const small = downsample_source(sample.open(), factor, BlockValue::mean, {}, kAmpleMemory);
            for (std::size_t i = 0; i < 3; ++i)
                EXPECT_EQ(small->meta().dims[i], (sample.meta.dims[i] + factor[i] - 1) / factor[i]);
            EXPECT_EQ(small->meta().element, ElementType::f32);
            visit_values(*small, [&](std::array<int, 3> const& block, int channel, float found) {
                double sum = 0;
                int count = 0;
                visit_block(sample.meta.dims, factor, block, [&](std::array<int, 3> const& voxel) {
                    sum += static_cast<double>(sample.at(voxel, channel));
                    ++count;
                });
                EXPECT_EQ(found, static_cast<float>(sum / count));
            });
        }
}

TEST(DownsampledSource, LabelsAreTheMostFrequentOnesAndTheLowestOfEquallyFrequentOnes)
{
    for (std::array<int, 3> const factor : {std::array{2, 2, 2}, {3, 1, 4}, {2, 2, 12}}) {
        SourceSample const sample = sample_source({11, 6, 21}, 1, 3);
        auto const small = downsample_source(sample.open(), factor, BlockValue::most_frequent, {}, kAmpleMemory);
        EXPECT_EQ(small->meta().element, ElementType::u8);
        visit_values(*small, [&](std::array<int, 3> const& block, int channel, float found) {
            std::map<float, int> counts;
            visit_block(sample.meta.dims, factor, block,
                        [&](std::array<int, 3> const& voxel) { ++counts[sample.at(voxel, channel)]; });
            auto const less = [](auto const& a, auto const& b) { return a.second < b.second; };
            EXPECT_EQ(found, std::max_element(counts.begin(), counts.end(), less)->first);
        });
    }
}

TEST(DownsampledSource, ColoursAreTakenWhole)
{
    // Red, green, green, blue: the most frequent red alone would be 0, as would the most frequent blue.
    SourceSample const sample{test::describe_listed({4, 1, 1}, 3), {255, 0, 0, 0, 255, 0, 0, 255, 0, 0, 0, 255}};
    auto const small = downsample_source(sample.open(), {4, 1, 1}, BlockValue::most_frequent, {}, kAmpleMemory);
    EXPECT_EQ(read_all(*small), (std::vector<float>{0, 255, 0}));
}

TEST(DownsampledSource, BlocksLieWhereTheirVoxelsAre)
{
    std::array<int, 3> const factor{2, 3, 4};
    for (bool const is_placed : {false, true})
        for (bool const has_pitch : {false, true}) {
            SourceSample sample = sample_source({4, 6, 8}, 1, 3);
            sample.meta.rotation = {0, -1, 0, 1, 0, 0, 0, 0, 1};
            if (is_placed) sample.meta.first_voxel_world_mm = {10, 20, 30};
            if (has_pitch) sample.meta.pitch_mm = {0.5, 0.25, 2};
            std::vector<std::string> notices;
            VolumeMeta whole, small;
            place_source(sample.meta, {}, whole, notices);
            auto const source = downsample_source(sample.open(), factor, BlockValue::mean, {}, kAmpleMemory);
            place_source(source->meta(), {}, small, notices);
            for (std::size_t i = 0; i < 3; ++i) {
                EXPECT_EQ(small.pitch_mm[i], whole.pitch_mm[i] * static_cast<float>(factor[i]));
                EXPECT_NEAR(small.placement.origin_world_mm[i], whole.placement.origin_world_mm[i], 1e-12);
            }
            EXPECT_EQ(source->meta().notices.size(), has_pitch ? 0u : 1u);
        }
}

TEST(DownsampledSource, AnotherPitchIsThatOfTheSource)
{
    SourceSample sample = sample_source({4, 4, 4}, 1, 3);
    sample.meta.first_voxel_world_mm = {1, 1, 1};
    sample.meta.pitch_mm = {9, 9, 9};
    auto const source =
        downsample_source(sample.open(), {2, 2, 2}, BlockValue::mean, std::array{1.0, 2.0, 3.0}, kAmpleMemory);
    EXPECT_EQ(source->meta().pitch_mm, (std::array{2.0, 4.0, 6.0}));
    EXPECT_EQ(source->meta().first_voxel_world_mm, (std::array{1.5, 2.0, 2.5}));
}

TEST(DownsampledSource, PartialBlocksAreToldAndCountAsWhole)
{
    SourceSample const sample = sample_source({5, 4, 4}, 1, 3);
    auto const source = downsample_source(sample.open(), {2, 2, 2}, BlockValue::mean, {}, kAmpleMemory);
    test::expect_contains(source->meta().notices.back(), {"5x4x4", "2x2x2", "fewer voxels"});
}

TEST(DownsampledSource, FollowsACrop)
{
    SourceSample const sample = sample_source({8, 8, 8}, 1, 255);
    auto const source = downsample_source(crop_source(sample.open(), {{3, 2, 1}, {7, 6, 5}}, {}), {4, 4, 4},
                                          BlockValue::mean, {}, kAmpleMemory);
    double sum = 0;
    for (int z = 1; z < 5; ++z)
        for (int y = 2; y < 6; ++y)
            for (int x = 3; x < 7; ++x) sum += static_cast<double>(sample.at({x, y, z}, 0));
    EXPECT_EQ(read_all(*source), std::vector<float>{static_cast<float>(sum / 64)});
    test::expect_contains(source->describe_voxel(0, 0, 0), {"voxel 3,2,1", "4x4x4"});
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(DownsampledSource, MeansOfNumbersThatAreNotFiniteAreNot)
{
    SourceSample const sample{test::describe_listed({4, 1, 1}), {1, kNan, 3, 5}};
    auto const mean = read_all(*downsample_source(sample.open(), {2, 1, 1}, BlockValue::mean, {}, kAmpleMemory));
    EXPECT_TRUE(std::isnan(mean[0]));
    EXPECT_EQ(mean[1], 4);
}

TEST(DownsampledSource, ALabelThatIsNotFiniteIsThatOfItsBlock)
{
    SourceSample const sample{test::describe_listed({8, 1, 1}), {1, 1, 1, kNan, 3, 3, -0.0f, 0}};
    auto const labels =
        read_all(*downsample_source(sample.open(), {4, 1, 1}, BlockValue::most_frequent, {}, kAmpleMemory));
    EXPECT_TRUE(std::isnan(labels[0]));
    EXPECT_EQ(labels[1], 0) << "-0 and 0 are one label";
}

TEST(DownsampledSource, LabelsOfDeepBlocksThatTakeTooMuchMemoryAreRefused)
{
    SourceSample const sample = sample_source({16, 16, 64}, 1, 3);
    std::uint64_t const eight_layers = 16 * 16 * 8 * sizeof(float);
    auto const open = [&](std::array<int, 3> const& factor, BlockValue value) {
        return downsample_source(sample.open(), factor, value, {}, eight_layers + 16 * 4 * 4 * 8);
    };
    EXPECT_NO_THROW(open({4, 4, 8}, BlockValue::most_frequent));
    EXPECT_NO_THROW(open({64, 64, 64}, BlockValue::mean));
    test::expect_error(ExitStatus::input, {"has 9 layers of 16 x 16 voxels", "--layer-memory"}, [&] {
        open({1, 1, 9}, BlockValue::most_frequent);
    });
    test::expect_error(ExitStatus::input, {"has 8 layers"}, [&] { open({5, 4, 8}, BlockValue::most_frequent); });
}

TEST(DownsampledSource, ReadsNoMoreThanEightLayersOfMeansAtATime)
{
    /// Zeros, and how many layers were asked for at a time.
    class CountingSource final : public VolumeSource {
    public:
        explicit CountingSource(int& most) : VolumeSource(test::describe_listed({2, 2, 100})), most_(most) {}
        void read_slab(int, int z_count, std::span<float> values) override
        {
            most_ = std::max(most_, z_count);
            std::ranges::fill(values, 0.0f);
        }

    private:
        int& most_;
    };
    int most = 0;
    auto const source =
        downsample_source(std::make_unique<CountingSource>(most), {2, 2, 50}, BlockValue::mean, {}, kAmpleMemory);
    read_all(*source);
    EXPECT_EQ(most, 8);
}

TEST(DownsampledSource, FactorsBelowOneAreRefused)
{
    test::expect_error(ExitStatus::usage, {"--downsample 0"}, [&] {
        downsample_source(sample_source({2, 2, 2}, 1, 1).open(), {2, 0, 2}, BlockValue::mean, {}, kAmpleMemory);
    });
}

} // namespace
} // namespace volpt
