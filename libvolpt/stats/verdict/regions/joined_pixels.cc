#include "libvolpt/stats/verdict/regions/joined_pixels.h"

#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace volpt {
namespace {

constexpr int kLevels = 5;      ///< squares of 1, 2, 4, 8, 16 pixels
constexpr int kValueLevels = 3; ///< of which values are
constexpr int kHalfEdge = kBlockEdge / 2;
static_assert(1 << (kLevels - 1) == kBlockEdge);

struct ChannelPair {
    NoisyChannel const& test;
    NoisyChannel const& reference;
    int width, height;
    ChannelNoise noise;

    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x);
    }
};

RegionSide describe_side(NoisyValue const& own)
{
    return {own.mean, own.variance, std::sqrt(own.variance), own.samples};
}

/// The squares of one block.
class BlockSquares {
public:
    BlockSquares(ChannelPair const& pair, int x0, int y0) : pair_(pair), x0_(x0), y0_(y0)
    {
        for (int y = y0; y < std::min(y0 + kBlockEdge, pair.height); ++y)
            for (int x = x0; x < std::min(x0 + kBlockEdge, pair.width); ++x) add_pixel(x, y);
        for (int level = 1; level < kLevels; ++level)
            for (int y = 0; y < kBlockEdge >> level; ++y)
                for (int x = 0; x < kBlockEdge >> level; ++x)
                    for (int child = 0; child < 4; ++child)
                        region(level, x, y).add(region(level - 1, 2 * x + child % 2, 2 * y + child / 2));
    }

    /// In squares of this level.
    Region& region(int level, int x, int y) { return regions_[index(level, x, y)]; }

    /// Appends the values of the block to `found`, and sets z of the pixels that belong to one.
    void test_values(Region const& image, std::vector<float>& z_map, ChannelTest& found)
    {
        std::array<ContributionSizes, kSquares> sizes;
        for (int level = kLevels - 1; level >= 0; --level)
            for (int y = 0; y < kBlockEdge >> level; ++y)
                for (int x = 0; x < kBlockEdge >> level; ++x) {
                    Region const& own = region(level, x, y);
                    if (own.values == 0) continue;
                    ContributionSizes const around = level == kLevels - 1 ? pair_.noise.find_sizes_around(own, image)
                                                                          : sizes[index(level + 1, x / 2, y / 2)];
                    sizes[index(level, x, y)] = pair_.noise.find_sizes(own, around);
                    if (level < kValueLevels)
                        tests_[index(level, x, y)] = pair_.noise.test_region(own, find_z(level, x, y), around);
                }
        std::array<bool, kSquares> is_counted{};
        for (int y = y0_; y < std::min(y0_ + kBlockEdge, pair_.height); ++y)
            for (int x = x0_; x < std::min(x0_ + kBlockEdge, pair_.width); ++x) {
                if (region(0, x - x0_, y - y0_).values == 0) continue;
                int const level = find_level(x - x0_, y - y0_);
                if (level == kValueLevels) continue;
                std::size_t const i = index(level, (x - x0_) >> level, (y - y0_) >> level);
                auto const z = static_cast<float>(tests_[i].z);
                z_map[pair_.index(x, y)] = z;
                if (!std::exchange(is_counted[i], true)) add_value(z, level, x, y, found);
            }
    }

private:
    static constexpr std::size_t kSquares = 256 + 64 + 16 + 4 + 1;

    static std::size_t index(int level, int x, int y)
    {
        constexpr std::array<std::size_t, kLevels> kFirst{0, 256, 320, 336, 340};
        return kFirst[static_cast<std::size_t>(level)] + static_cast<std::size_t>(y * (kBlockEdge >> level) + x);
    }

    void add_pixel(int x, int y)
    {
        std::size_t const i = pair_.index(x, y);
        NoisyValue const t = pair_.test.at(i), r = pair_.reference.at(i);
        if (!is_usable(t) || !is_usable(r)) return;
        NoisyValue const own_t = pair_.test.without_shared_part(t), own_r = pair_.reference.without_shared_part(r);
        region(0, x - x0_, y - y0_) = {describe_side(own_t), describe_side(own_r), 1, subtract(own_t, own_r)};
    }

    double find_z(int level, int x, int y)
    {
        if (level > 0) return test_sum(pair_.noise.complete(region(level, x, y)));
        std::size_t const i = pair_.index(x0_ + x, y0_ + y);
        return test_value(pair_.test.at(i), pair_.reference.at(i));
    }

    /// Of the smallest square around a pixel of the block that has enough; kValueLevels if none has.
    int find_level(int x, int y) const
    {
        int level = 0;
        while (level < kValueLevels && !tests_[index(level, x >> level, y >> level)].has_enough()) ++level;
        return level;
    }

    static void add_value(float z, int level, int x, int y, ChannelTest& result)
    {
        int const mask = (1 << level) - 1;
        result.values.push_back(z);
        result.joined += level > 0 ? 1 : 0;
        if (std::abs(z) > std::abs(result.largest.z)) result.largest = {z, {x & ~mask, y & ~mask, 1 << level}};
    }

    ChannelPair const& pair_;
    int x0_, y0_;
    std::array<Region, kSquares> regions_{};
    std::array<RegionTest, kSquares> tests_{};
};

/// Squares of one size, row by row.
struct Grid {
    int columns = 0, rows = 0;
    std::vector<Region> regions;

    Grid(int width, int height, int edge)
        : columns((width + edge - 1) / edge), rows((height + edge - 1) / edge),
          regions(static_cast<std::size_t>(columns) * static_cast<std::size_t>(rows))
    {
    }
    std::size_t index(int x, int y) const
    {
        return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x);
    }
    Region& at(int x, int y) { return regions[index(x, y)]; }
    Region const& at(int x, int y) const { return regions[index(x, y)]; }
};

Grid join_fours(Grid const& grid)
{
    Grid joined(grid.columns, grid.rows, 2);
    for (int y = 0; y < grid.rows; ++y)
        for (int x = 0; x < grid.columns; ++x) joined.at(x / 2, y / 2).add(grid.at(x, y));
    return joined;
}

/// Two sizes of squares above `grid` say how large contributions around its own are.
std::vector<TestedBlock> test_grid(Grid const& grid, int edge, ChannelNoise const& noise, Region const& image)
{
    Grid const parents = join_fours(grid), grandparents = join_fours(parents);
    std::vector<TestedBlock> blocks(grid.regions.size());
    for (int y = 0; y < grid.rows; ++y)
        for (int x = 0; x < grid.columns; ++x) {
            Region const& own = grid.at(x, y);
            TestedBlock& block = blocks[grid.index(x, y)];
            block = {own, {}, {x * edge, y * edge, edge}};
            if (own.values == 0) continue;
            Region const& outer = grandparents.at(x / 4, y / 4);
            ContributionSizes const around = noise.find_sizes(
                parents.at(x / 2, y / 2), noise.find_sizes(outer, noise.find_sizes_around(outer, image)));
            block.test = noise.test_region(own, test_sum(noise.correlate(own)), around);
        }
    return blocks;
}

/// Appends what one row of blocks has found.
void append_row(ChannelTest const& row, ChannelTest& result)
{
    result.values.insert(result.values.end(), row.values.begin(), row.values.end());
    result.joined += row.joined;
    if (std::abs(row.largest.z) > std::abs(result.largest.z)) result.largest = row.largest;
}

/// z of pixels that belong to no value from the blocks around them, and what share of the light could be judged.
void judge_pixels(ChannelPair const& pair, Grid const& halves, Grid const& blocks, ChannelTest& result)
{
    for (int y = 0; y < pair.height; ++y)
        for (int x = 0; x < pair.width; ++x) {
            NoisyValue const t = pair.test.at(pair.index(x, y)), r = pair.reference.at(pair.index(x, y));
            if (!is_usable(t) || !is_usable(r)) continue;
            float& z = result.z[pair.index(x, y)];
            for (TestedBlock const* const block : {&result.halves[halves.index(x / kHalfEdge, y / kHalfEdge)],
                                                   &result.blocks[blocks.index(x / kBlockEdge, y / kBlockEdge)]})
                if (std::isnan(z) && block->test.has_enough()) z = static_cast<float>(block->test.z);
            double const light = std::abs(t.mean) + std::abs(r.mean);
            result.usable += 1;
            result.light += light;
            result.judged += std::isnan(z) ? 0 : 1;
            result.judged_light += std::isnan(z) ? 0 : light;
            result.test_samples = std::max(result.test_samples, t.samples);
            result.reference_samples = std::max(result.reference_samples, r.samples);
        }
}

} // namespace

ChannelTest test_channel(NoisyChannel const& test, NoisyChannel const& reference, int width, int height, int threads)
{
    ChannelTest result;
    result.noise = {test.shared_variance(),  reference.shared_variance(), test.pixel_noise(),
                    reference.pixel_noise(), test.has_contributions(),    reference.has_contributions()};
    ChannelPair const pair{test, reference, width, height, result.noise};
    result.z.assign(static_cast<std::size_t>(width) * static_cast<std::size_t>(height),
                    std::numeric_limits<float>::quiet_NaN());
    Grid halves(width, height, kHalfEdge), blocks(width, height, kBlockEdge);
    parallel_for_rows(threads, height, kBlockEdge, [&](RowRange rows) {
        for (int column = 0; column < blocks.columns; ++column) {
            BlockSquares squares(pair, column * kBlockEdge, rows.first);
            int const row = rows.first / kBlockEdge;
            blocks.at(column, row) = squares.region(kLevels - 1, 0, 0);
            for (int child = 0; child < 4; ++child) {
                int const x = 2 * column + child % 2, y = 2 * row + child / 2;
                if (x < halves.columns && y < halves.rows)
                    halves.at(x, y) = squares.region(kLevels - 2, child % 2, child / 2);
            }
        }
    });
    for (Region const& block : blocks.regions) result.all.add(block);
    std::vector<ChannelTest> row_results(static_cast<std::size_t>(blocks.rows));
    parallel_for_rows(threads, height, kBlockEdge, [&](RowRange rows) {
        ChannelTest& found = row_results[static_cast<std::size_t>(rows.first / kBlockEdge)];
        for (int column = 0; column < blocks.columns; ++column)
            BlockSquares(pair, column * kBlockEdge, rows.first).test_values(result.all, result.z, found);
    });
    for (ChannelTest const& found : row_results) append_row(found, result);
    result.blocks = test_grid(blocks, kBlockEdge, result.noise, result.all);
    result.halves = test_grid(halves, kHalfEdge, result.noise, result.all);
    judge_pixels(pair, halves, blocks, result);
    return result;
}

} // namespace volpt
