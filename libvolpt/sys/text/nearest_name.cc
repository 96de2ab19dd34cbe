#include "libvolpt/sys/text/nearest_name.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace volpt {
namespace {

char to_small(char c)
{
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

std::size_t count_edits(std::string_view from, std::string_view to)
{
    std::vector<std::size_t> row(to.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < from.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < to.size(); ++j) {
            std::size_t const replaced = diagonal + (to_small(from[i]) == to_small(to[j]) ? 0u : 1u);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

} // namespace

std::string_view find_nearest_name(std::string_view name, std::span<std::string_view const> known)
{
    // Longer words are not typing errors, and would take long to compare.
    if (name.size() > 64) return {};
    std::string_view nearest;
    std::size_t fewest = name.size() + 64;
    for (std::string_view const candidate : known) {
        std::size_t const edits = count_edits(name, candidate);
        if (edits < fewest && 2 * edits <= std::max(name.size(), candidate.size())) {
            nearest = candidate;
            fewest = edits;
        }
    }
    return nearest;
}

} // namespace volpt
