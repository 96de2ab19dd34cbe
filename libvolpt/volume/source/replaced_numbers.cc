#include "libvolpt/volume/source/replaced_numbers.h"

#include <cmath>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

struct ReplacedCounts {
    std::uint64_t nan = 0, below = 0, above = 0;
};

class ReplacedNumbers final : public VolumeSource {
public:
    ReplacedNumbers(std::unique_ptr<VolumeSource> source, NumberReplacement const& replacement)
        : VolumeSource(source->meta()), source_(std::move(source)), replacement_(replacement),
          counts_(static_cast<std::size_t>(meta().dims[2]))
    {
    }

    void use_threads(int threads) override { source_->use_threads(threads); }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        source_->read_slab(z_first, z_count, values);
        std::size_t const layer = values.size() / static_cast<std::size_t>(z_count);
        // Not added: layers may be read twice.
        for (std::size_t i = 0; i < static_cast<std::size_t>(z_count); ++i)
            counts_[static_cast<std::size_t>(z_first) + i] = replace(values.subspan(i * layer, layer));
    }

    std::vector<std::string> list_notices() const override
    {
        auto notices = source_->list_notices();
        ReplacedCounts all;
        for (ReplacedCounts const& layer : counts_) {
            all.nan += layer.nan;
            all.below += layer.below;
            all.above += layer.above;
        }
        if (all.nan > 0)
            notices.push_back(fmt::format("{}: {} NaN became {:g}", meta().path, all.nan, *replacement_.nan));
        if (all.below > 0) notices.push_back(describe(all.below, "below", (*replacement_.range)[0]));
        if (all.above > 0) notices.push_back(describe(all.above, "above", (*replacement_.range)[1]));
        return notices;
    }

    std::string describe_voxel(int x, int y, int z) const override { return source_->describe_voxel(x, y, z); }

private:
    ReplacedCounts replace(std::span<float> values) const
    {
        ReplacedCounts counts;
        for (float& value : values) {
            if (std::isnan(value)) {
                if (!replacement_.nan) continue;
                ++counts.nan;
                value = *replacement_.nan;
            }
            if (!replacement_.range) continue;
            auto const [low, high] = *replacement_.range;
            counts.below += value < low;
            counts.above += value > high;
            value = value < low ? low : value > high ? high : value;
        }
        return counts;
    }

    std::string describe(std::uint64_t count, std::string_view side, float end) const
    {
        if (std::abs(end) == std::numeric_limits<float>::max())
            return fmt::format("{}: {} infinite numbers became {:g}", meta().path, count, end);
        return fmt::format("{}: {} numbers {} {:g} became {:g}", meta().path, count, side, end, end);
    }

    std::unique_ptr<VolumeSource> source_;
    NumberReplacement replacement_;
    std::vector<ReplacedCounts> counts_; ///< by layer
};

} // namespace

std::unique_ptr<VolumeSource> replace_numbers(std::unique_ptr<VolumeSource> source,
                                              NumberReplacement const& replacement)
{
    return std::make_unique<ReplacedNumbers>(std::move(source), replacement);
}

} // namespace volpt
