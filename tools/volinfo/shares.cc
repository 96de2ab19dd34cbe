// Adds up the shares of the labels, and those of the inks in mixtures.
#include "tools/volinfo/shares.h"

#include "libvolpt/scene/layer_image.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

/// By material: fraction of each ink.
using Fractions = std::vector<std::vector<double>>;

std::optional<std::vector<double>> find_fractions(nlohmann::json const& metadata, std::string const& name,
                                                  std::vector<std::string> const& inks)
{
    auto const found = metadata.find("inks." + name);
    if (found == metadata.end()) {
        std::vector<double> alone(inks.size());
        for (std::size_t i = 0; i < inks.size(); ++i) alone[i] = inks[i] == name ? 1 : 0;
        return std::ranges::count(inks, name) == 1 ? std::optional(alone) : std::nullopt;
    }
    if (!found->is_array() || found->size() != inks.size()) return std::nullopt;
    for (nlohmann::json const& fraction : *found)
        if (!fraction.is_number()) return std::nullopt;
    return found->get<std::vector<double>>();
}

/// Empty where the metadata knows no inks, or not those of every material: anybody may write metadata.
Fractions find_all_fractions(nlohmann::json const& metadata, std::vector<Material> const& materials,
                             std::vector<std::string>& inks)
{
    auto const listed = metadata.find("inks");
    if (listed == metadata.end() || !listed->is_array()) return {};
    for (nlohmann::json const& ink : *listed) {
        if (!ink.is_string()) return {};
        inks.push_back(ink.get<std::string>());
    }
    Fractions fractions;
    for (Material const& material : materials) {
        auto found = find_fractions(metadata, material.name, inks);
        if (!found) return {};
        fractions.push_back(std::move(*found));
    }
    return fractions;
}

std::vector<double> add_up_inks(std::vector<double> const& by_material, Fractions const& fractions, std::size_t inks)
{
    std::vector<double> by_ink(inks);
    for (std::size_t material = 0; material < by_material.size(); ++material)
        for (std::size_t ink = 0; ink < inks; ++ink) by_ink[ink] += by_material[material] * fractions[material][ink];
    return by_ink;
}

} // namespace

Shares measure_shares(PackedVolume const& volume)
{
    Coverage coverage = measure_coverage(volume);
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    std::vector<std::string> inks;
    Fractions const fractions = find_all_fractions(metadata, volume.materials(), inks);
    if (fractions.empty()) {
        std::vector<std::string> names;
        for (Material const& material : volume.materials()) names.push_back(material.name);
        return {std::move(names), choose_material_colours(volume), std::move(coverage)};
    }
    std::vector<PaintColour> colours;
    for (std::string const& ink : inks)
        colours.push_back(find_named_colour(metadata, ink).value_or(PaintColour{0.5f, 0.5f, 0.5f}));
    for (std::vector<double>& layer : coverage.layers) layer = add_up_inks(layer, fractions, inks.size());
    coverage.total = add_up_inks(coverage.total, fractions, inks.size());
    return {std::move(inks), std::move(colours), std::move(coverage)};
}

} // namespace volpt
