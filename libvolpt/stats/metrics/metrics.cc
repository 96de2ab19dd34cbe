#include "libvolpt/stats/metrics/metric.h"

#include "libvolpt/sys/error.h"

#include <array>
#include <fmt/format.h>

namespace volpt {

#define VOLPT_METRIC(name) extern Metric const name##_metric;
#include "libvolpt/stats/metrics/metrics.def"
#undef VOLPT_METRIC

std::span<Metric const> list_metrics()
{
#define VOLPT_METRIC(name) name##_metric,
    static std::array const metrics{
#include "libvolpt/stats/metrics/metrics.def"
    };
#undef VOLPT_METRIC
    return metrics;
}

std::size_t find_worst(std::span<BackgroundError const> errors)
{
    std::size_t worst = 0;
    for (std::size_t i = 1; i < errors.size(); ++i)
        if (!(errors[i].mean < errors[worst].mean)) worst = i;
    return worst;
}

Metric const& find_metric(std::string_view name)
{
    std::string known;
    for (Metric const& metric : list_metrics()) {
        if (metric.name == name) return metric;
        known += fmt::format(" {}", metric.name);
    }
    fail_usage(fmt::format("no metric is called '{}'", name), "the metrics are" + known);
}

} // namespace volpt
