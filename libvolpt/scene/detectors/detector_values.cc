#include "libvolpt/scene/detectors/detector_values.h"

#include "libvolpt/core/light/tally.hd.h"

#include <limits>

namespace volpt {
namespace {

using GroupSums = std::array<double, kTallyGroups>;

double add_groups(GroupSums const& sums)
{
    double total = 0;
    for (double const sum : sums) total += sum;
    return total;
}

class DetectorReader {
public:
    DetectorReader(TallySums const& sums, GroupCounts const& particles)
        : view_(sums.view()), bands_(sums.bands()), launched_(sums.measure_launched()), spread_(particles)
    {
    }

    DetectorValues read(DetectorView const& detector) const
    {
        DetectorValues values;
        std::uint32_t const rings = detector.rings + detector.has_beyond;
        std::vector<std::vector<GroupSums>> totals(bands_, zeros());
        for (std::uint32_t cell = 0; cell < count_detector_cells(detector); ++cell)
            for (std::uint32_t band = 0; band < bands_; ++band) {
                std::vector<GroupSums> sums = zeros();
                add_cell(detector.first_cell + cell, band, sums);
                add_cell(detector.first_cell + cell, band, totals[band]);
                values.cells.push_back(measure(sums, band));
                values.cells.back().gate = cell / rings;
                values.cells.back().ring = cell % rings;
            }
        for (std::uint32_t band = 0; band < bands_; ++band) values.total.push_back(measure(totals[band], band));
        return values;
    }

private:
    std::vector<GroupSums> zeros() const
    {
        return std::vector<GroupSums>(count_detected_sums(view_.detectors), GroupSums{});
    }

    /// Adds the sums of a cell, by DetectedSum and group, in weights and mm.
    void add_cell(std::uint32_t cell, std::uint32_t band, std::vector<GroupSums>& sums) const
    {
        DetectorsView const& detectors = view_.detectors;
        for (std::uint32_t group = 0; group < kTallyGroups; ++group) {
            std::uint64_t const* const first = view_.sums + find_detector_sum(view_, bands_, group, cell) + band;
            for (std::size_t i = 0; i < sums.size(); ++i) {
                float const scale = i == 0 ? detectors.weight_scale : detectors.length_scale;
                sums[i][group] +=
                    static_cast<double>(static_cast<std::int64_t>(first[i * bands_])) / static_cast<double>(scale);
            }
        }
    }

    DetectedLight measure(std::vector<GroupSums> const& sums, std::uint32_t band) const
    {
        DetectedLight light;
        light.band = band;
        light.weight = measure_share(sums[0], launched_[band]);
        light.optical_path_mm = measure_mean(sums[1], sums[0]);
        for (std::size_t i = 2; i < sums.size(); ++i) light.partial_paths_mm.push_back(measure_mean(sums[i], sums[0]));
        return light;
    }

    Measured measure_share(GroupSums sums, double whole) const
    {
        if (!(whole > 0)) return {};
        for (double& sum : sums) sum /= whole;
        double const share = add_groups(sums);
        return {share, spread_.find_standard_error(sums, share)};
    }

    /// Sum over weight; the error is that of the sum less its mean times the weight.
    Measured measure_mean(GroupSums const& sums, GroupSums const& weights) const
    {
        double const weight = add_groups(weights);
        constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
        if (!(weight > 0)) return {kUnknown, kUnknown};
        double const mean = add_groups(sums) / weight;
        GroupSums rest{};
        for (std::size_t group = 0; group < kTallyGroups; ++group)
            rest[group] = (sums[group] - mean * weights[group]) / weight;
        return {mean, spread_.find_standard_error(rest, 0)};
    }

    TallyView const& view_;
    std::uint32_t bands_;
    std::vector<double> launched_;
    GroupSpread spread_;
};

} // namespace

std::vector<DetectorValues> measure_detectors(TallySums const& sums, GroupCounts const& particles)
{
    DetectorsView const& detectors = sums.view().detectors;
    DetectorReader const reader(sums, particles);
    std::vector<DetectorValues> values;
    for (std::uint32_t i = 0; i < detectors.count; ++i) values.push_back(reader.read(detectors.detectors[i]));
    return values;
}

} // namespace volpt
