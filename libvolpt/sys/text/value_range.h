// The range of a number that options, files and reports share: each range is said once and checked everywhere.
#pragma once

#include <string>

namespace volpt {

/// An interval; NaN lies in none.
struct ValueRange {
    enum class Ends { included, excluded };

    double lowest;
    double highest;
    Ends ends;

    constexpr bool contains(double value) const
    {
        return ends == Ends::excluded ? value > lowest && value < highest : value >= lowest && value <= highest;
    }
    bool operator==(ValueRange const&) const = default;

    static constexpr ValueRange closed(double lowest, double highest) { return {lowest, highest, Ends::included}; }
    static constexpr ValueRange open(double lowest, double highest) { return {lowest, highest, Ends::excluded}; }
};

/// "0 to 180, ends excluded".
std::string describe_range(ValueRange range);

} // namespace volpt
