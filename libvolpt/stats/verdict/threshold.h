// Conditions on metric values: `rmse<0.02 and max<=0.1`.
#pragma once

#include "libvolpt/stats/metrics/metric.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// condition := term { "or" term };  term := factor { "and" factor };  factor := name op number | "(" condition ")"
/// name: letters, digits, '_' and '.', beginning with a letter; op: < <= > >=; number: decimal, 2e-3, inf.
class Threshold {
public:
    struct Outcome {
        bool holds = false;
        std::vector<std::string> failures; ///< the comparisons that are false: "rmse = 0.03 is not < 0.02"
    };

    std::string const& text() const { return text_; }
    /// Every name that is compared, once each, in order of occurrence.
    std::vector<std::string> names() const;
    /// Comparisons with NaN are false. Error (usage) for a name that is not among the values.
    Outcome evaluate(std::span<MetricValue const> values) const;

private:
    friend class ThresholdParser;
    enum class Kind { compare, both, either };
    enum class Order { less, less_equal, greater, greater_equal };
    struct Node {
        Kind kind = Kind::compare;
        std::size_t left = 0, right = 0; ///< operands of both and either
        std::string name;
        Order order = Order::less;
        double bound = 0;
        std::string text; ///< "< 0.02"
    };

    bool evaluate_node(std::size_t node, std::span<MetricValue const> values, Outcome& outcome) const;

    std::string text_;
    std::vector<Node> nodes_;
    std::size_t root_ = 0;
};

/// Error (usage) quotes the expression and names the position at which it cannot be read.
Threshold parse_threshold(std::string_view expression);

} // namespace volpt
