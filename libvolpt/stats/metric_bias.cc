// Mean signed error.
#include "libvolpt/stats/pixel_difference.h"

namespace volpt
{
namespace
{

std::vector<MetricValue> evaluate(Image const& test, Image const& reference)
{
    return average_differences(
        "bias", test, reference, [](double difference) { return difference; }, [](double mean) { return mean; });
}

} // namespace

extern constinit Metric const bias_metric{"bias", "mean of t - r; tells a systematic difference from noise",
                                          Better::closer_to_zero, evaluate};

} // namespace volpt
