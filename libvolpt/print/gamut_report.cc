#include "libvolpt/print/gamut_report.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/medium/materials.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

namespace volpt {

std::uint32_t code_colour(Triple const& linear_rgb)
{
    std::uint32_t colour = 0;
    for (double const linear : linear_rgb)
        colour = colour << 8 | static_cast<std::uint32_t>(
                                   std::lround(255 * std::clamp(encode_srgb(std::max(0.0, linear)), 0.0, 1.0)));
    return colour << 8 | 0xffu;
}

void GamutReport::add(Triple const& asked_rgb, Triple const& predicted_rgb, double difference, std::uint64_t texels)
{
    texels_ += texels;
    if (!(difference > kGamutDifference)) return;
    outside_ += texels;
    auto const count = static_cast<double>(texels);
    std::uint32_t const code = code_colour(asked_rgb);
    std::size_t const cell = (code >> 29) * kSteps * kSteps + (code >> 21 & 7u) * kSteps + (code >> 13 & 7u);
    Cell& sums = cells_[cell];
    for (std::size_t i = 0; i < 3; ++i) {
        sums.asked[i] += count * asked_rgb[i];
        sums.predicted[i] += count * predicted_rgb[i];
    }
    sums.difference += count * difference;
    sums.texels += texels;
}

double GamutReport::out_of_gamut_share() const
{
    return texels_ == 0 ? 0 : static_cast<double>(outside_) / static_cast<double>(texels_);
}

nlohmann::ordered_json GamutReport::list_worst(std::size_t count) const
{
    std::vector<Cell const*> order;
    for (Cell const& cell : cells_)
        if (cell.texels > 0) order.push_back(&cell);
    std::ranges::stable_sort(order, std::ranges::greater{}, [](Cell const* cell) { return cell->difference; });
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < std::min(count, order.size()); ++i) {
        Cell const& cell = *order[i];
        auto const texels = static_cast<double>(cell.texels);
        Triple asked{}, predicted{};
        for (std::size_t c = 0; c < 3; ++c) {
            asked[c] = cell.asked[c] / texels;
            predicted[c] = cell.predicted[c] / texels;
        }
        list.push_back({{"colour", format_colour(code_colour(asked))},
                        {"printed", format_colour(code_colour(predicted))},
                        {"delta_e_2000", cell.difference / texels},
                        {"share", texels / static_cast<double>(texels_)}});
    }
    return list;
}

} // namespace volpt
