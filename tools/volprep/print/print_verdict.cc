#include "tools/volprep/print/print_verdict.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr double kNoShare = 0.0005;    ///< less is told as none
constexpr double kLargeShare = 0.1;    ///< more is worth another intent
constexpr double kVisibleShare = 0.01; ///< of a colour whose difference is seen beside the picture

std::string format_percent(double share)
{
    return share < 0.1 ? fmt::format("{:.2g} %", 100 * share) : fmt::format("{:.0f} %", 100 * share);
}

std::string list_worst(nlohmann::json const& colours, std::string_view surface)
{
    std::string text;
    for (auto const& entry : colours) {
        double const share = entry["share"].get<double>();
        if (!text.empty() && share < kVisibleShare) break;
        text += fmt::format("{}{} prints as {} ({} of the {}, Delta E {:.1f})", text.empty() ? "" : ", ",
                            entry["colour"].get<std::string>(), entry["printed"].get<std::string>(),
                            format_percent(share), surface, entry["delta_e_2000"].get<double>());
    }
    return text;
}

} // namespace

std::vector<std::string> describe_separation(nlohmann::json const& figures)
{
    auto const found = figures.find("separation");
    if (found == figures.end()) return {};
    std::string_view const surface = figures.contains("ink_voxels") ? "mesh" : "picture";
    double const share = (*found)["out_of_gamut_share"].get<double>();
    std::string const expected =
        fmt::format("mean Delta E 2000 {:.1f}, 95 % of the {} below {:.1f}",
                    (*found)["delta_e_2000_mean"].get<double>(), surface, (*found)["delta_e_2000_p95"].get<double>());
    if (share < kNoShare) return {fmt::format("The inks can mix all colours of the {} ({}).", surface, expected)};
    std::vector<std::string> sentences{
        fmt::format("{} of the {} is out of gamut, more than Delta E 2000 1 from what the inks can mix ({}).",
                    format_percent(share), surface, expected),
        fmt::format("Worst: {}.", list_worst((*found)["worst_colours"], surface))};
    if (share > kLargeShare && (*found)["intent"] == "absolute")
        sentences.emplace_back(
            "Colours are taken as they are (--intent absolute); --intent relative makes white the core's.");
    sentences.emplace_back(
        "This is a model of mixed inks, without blur and halftone: the rendered prediction decides.");
    return sentences;
}

} // namespace volpt
