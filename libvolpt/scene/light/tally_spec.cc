#include "libvolpt/scene/light/tally_spec.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <vector>

namespace volpt {
namespace {

constexpr std::uint32_t kMostGates = 65535;
constexpr int kMostCells = 65535; // along an axis
constexpr double kMostGate_ns = 1e9;

/// A tally's text, taken apart word by word.
class TallyText {
public:
    TallyText(std::string_view option, std::string_view text) : option_(option), text_(text) {}

    TallySpec parse()
    {
        auto const colon = text_.find(':');
        TallySpec spec;
        spec.kind = parse_kind(text_.substr(0, colon));
        if (colon != std::string_view::npos) parse_words(text_.substr(colon + 1), spec);
        if (has_gates_ && spec.gate_ns == 0)
            fail_usage(fmt::format("{} {}: the gates have no width", option_, text_),
                       "give the width of one in nanoseconds: gates=50,ns=0.1");
        return spec;
    }

private:
    [[noreturn]] void refuse(std::string_view word, std::string_view expected) const
    {
        fail_usage(fmt::format("{} {}: '{}' is not {}", option_, text_, word, expected),
                   "for example absorbed, or fluence:gates=50,ns=0.1,grid=64x64x32");
    }

    TallyKind parse_kind(std::string_view word) const
    {
        if (word == "absorbed") return TallyKind::absorbed;
        if (word == "fluence") return TallyKind::fluence;
        refuse(word, "absorbed or fluence");
    }

    void parse_words(std::string_view rest, TallySpec& spec)
    {
        for (bool has_more = true; has_more;) {
            auto const comma = rest.find(',');
            parse_word(rest.substr(0, comma), spec);
            has_more = comma != std::string_view::npos;
            if (has_more) rest.remove_prefix(comma + 1);
        }
    }

    void parse_word(std::string_view word, TallySpec& spec)
    {
        auto const equals = word.find('=');
        std::string_view const key = word.substr(0, equals);
        std::string_view const value = equals == std::string_view::npos ? "" : word.substr(equals + 1);
        if (std::ranges::find(seen_, key) != seen_.end()) refuse(word, "a key that was not given before");
        seen_.push_back(key);
        if (key == "gates") {
            spec.gates = static_cast<std::uint32_t>(parse_count(word, value, static_cast<int>(kMostGates)));
            has_gates_ = true;
        } else if (key == "ns") {
            spec.gate_ns = parse_width(word, value);
        } else if (key == "index") {
            spec.index = parse_index(word, value);
        } else if (key == "grid") {
            spec.grid = parse_grid(word, value);
        } else if (key == "estimator" && spec.kind == TallyKind::fluence) {
            spec.estimator = parse_estimator(word, value);
        } else {
            refuse(word, "gates=N, ns=WIDTH, index=N, grid=XxYxZ or, of fluence, estimator=collision|length");
        }
    }

    int parse_count(std::string_view word, std::string_view value, int most) const
    {
        int count = 0;
        auto const [end, error] = std::from_chars(value.begin(), value.end(), count);
        if (error != std::errc() || end != value.end() || count < 1 || count > most)
            refuse(word, fmt::format("a number from 1 to {}", most));
        return count;
    }

    double parse_width(std::string_view word, std::string_view value) const
    {
        double width_ns = 0;
        auto const [end, error] = std::from_chars(value.begin(), value.end(), width_ns);
        if (error != std::errc() || end != value.end() || !(width_ns > 0 && width_ns <= kMostGate_ns))
            refuse(word, "a gate's width in nanoseconds, above 0 and at most 1e9");
        return width_ns;
    }

    double parse_index(std::string_view word, std::string_view value) const
    {
        double index = 0;
        auto const [end, error] = std::from_chars(value.begin(), value.end(), index);
        if (error != std::errc() || end != value.end() || !(index >= 0.1 && index <= 10))
            refuse(word, "an index of refraction from 0.1 to 10");
        return index;
    }

    std::array<int, 3> parse_grid(std::string_view word, std::string_view value) const
    {
        std::array<int, 3> grid{};
        for (std::size_t axis = 0; axis < 3; ++axis) {
            auto const cross = value.find('x');
            if ((cross == std::string_view::npos) != (axis == 2)) refuse(word, "grid=XxYxZ");
            grid[axis] = parse_count(word, value.substr(0, cross), kMostCells);
            if (axis < 2) value.remove_prefix(cross + 1);
        }
        return grid;
    }

    FluenceEstimator parse_estimator(std::string_view word, std::string_view value) const
    {
        if (value == "collision") return FluenceEstimator::collision;
        if (value == "length") return FluenceEstimator::length;
        refuse(word, "estimator=collision or estimator=length");
    }

    std::string_view option_;
    std::string_view text_;
    bool has_gates_ = false;
    std::vector<std::string_view> seen_;
};

} // namespace

TallySpec parse_tally(std::string_view option, std::string_view text)
{
    return TallyText(option, text).parse();
}

} // namespace volpt
