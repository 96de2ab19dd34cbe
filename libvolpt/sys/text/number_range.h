// The range of a number that options, files and reports share: each range is said once and checked everywhere.
#pragma once

#include <cstdint>
#include <string>

namespace volpt {

/// An interval; NaN lies in none.
struct NumberRange {
    enum class Ends { included, excluded };

    double lowest;
    double highest;
    Ends ends;

    constexpr bool contains(double value) const
    {
        return ends == Ends::excluded ? value > lowest && value < highest : value >= lowest && value <= highest;
    }
    bool operator==(NumberRange const&) const = default;

    static constexpr NumberRange closed(double lowest, double highest) { return {lowest, highest, Ends::included}; }
    static constexpr NumberRange open(double lowest, double highest) { return {lowest, highest, Ends::excluded}; }
};

/// The end of a range of integers.
constexpr std::int64_t highest_integer(NumberRange range)
{
    return static_cast<std::int64_t>(range.highest);
}

/// "0 to 180, ends excluded".
std::string describe_range(NumberRange range);

} // namespace volpt
