#include "libvolpt/job/info/volume_contents.h"

#include "libvolpt/medium/coverage.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>

namespace volpt {
namespace {

constexpr DrawnBox kPlot{90, 50, 620, 380};
constexpr int kWidth = 960, kHeight = 520;
constexpr PaintColour kInk{0.13f, 0.13f, 0.13f}, kGrid{0.6f, 0.6f, 0.6f};
/// More rows do not fit beside the plot.
constexpr std::size_t kLegendRows = 14;

/// What the layers consist of: materials, or, for mixtures, their inks.
struct Shares {
    std::vector<std::string> names;
    std::vector<PaintColour> colours;
    Coverage coverage;
};

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

/// Empty unless the metadata has the inks of every material; metadata may have any content.
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

/// Mixtures are materials for which source metadata "inks.NAME" lists a fraction of each of "inks"
/// (docs/design/print-pictures.md). Error (usage) unless the volume has labels.
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

/// What a print is paid by, without air: volume of each material, and mass where source metadata
/// "density_g_per_cm3.NAME" has its density.
nlohmann::ordered_json report_amounts(PackedVolume const& volume, Shares const& shares)
{
    auto const metadata = nlohmann::json::parse(volume.source_metadata_json());
    VolumeMeta const& meta = volume.meta();
    double box_ml = 1e-3;
    for (std::size_t i = 0; i < 3; ++i) box_ml *= meta.dims[i] * static_cast<double>(meta.pitch_mm[i]);
    auto volumes = nlohmann::ordered_json::object(), masses = nlohmann::ordered_json::object();
    double volume_ml = 0, mass_g = 0;
    for (std::size_t i = 0; i < shares.names.size(); ++i) {
        std::string const& name = shares.names[i];
        auto const of_name = [&](Material const& material) { return material.name == name && is_air(material); };
        if (std::ranges::any_of(volume.materials(), of_name)) continue;
        double const amount_ml = shares.coverage.total[i] * box_ml;
        volumes[name] = amount_ml;
        volume_ml += amount_ml;
        auto const density = metadata.find("density_g_per_cm3." + name);
        if (density == metadata.end() || !density->is_number()) continue;
        masses[name] = amount_ml * density->get<double>();
        mass_g += amount_ml * density->get<double>();
    }
    nlohmann::ordered_json amounts{{"volume_ml", std::move(volumes)}, {"whole_volume_ml", volume_ml}};
    bool const weighs_all = masses.size() == amounts["volume_ml"].size();
    if (!masses.empty()) amounts["mass_g"] = std::move(masses);
    if (weighs_all) amounts["whole_mass_g"] = mass_g;
    if (!volume.surface().is_empty()) amounts["inside_surface_ml"] = volume.surface().volume_mm3 * 1e-3;
    return amounts;
}

/// A round length that divides `whole` into 4 to 10 parts.
double choose_step(double whole)
{
    double const decade = std::pow(10, std::floor(std::log10(whole / 4)));
    for (double const factor : {5.0, 2.0})
        if (whole / (factor * decade) >= 4) return factor * decade;
    return decade;
}

/// From the top: the layers down to the last that differs from the deepest one, and a tenth more; at least four.
std::size_t count_shown_layers(Coverage const& coverage)
{
    auto const deepest = coverage.layers.back();
    std::size_t differing = coverage.layers.size();
    while (differing > 0 && coverage.layers[differing - 1] == deepest) --differing;
    return std::min(coverage.layers.size(), std::max<std::size_t>(differing + differing / 10 + 1, 4));
}

/// Materials that occur, the most frequent first.
std::vector<std::size_t> sort_by_share(Coverage const& coverage)
{
    std::vector<std::size_t> order(coverage.total.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::erase_if(order, [&](std::size_t material) { return coverage.total[material] == 0; });
    std::ranges::stable_sort(order, std::ranges::greater{}, [&](std::size_t i) { return coverage.total[i]; });
    return order;
}

void draw_layers(Drawing& drawing, Coverage const& coverage, std::size_t shown, std::vector<PaintColour> const& colours)
{
    double const step = kPlot.width / static_cast<double>(shown);
    std::vector<std::size_t> const order = sort_by_share(coverage);
    for (std::size_t layer = 0; layer < shown; ++layer) {
        // Rounded to whole pixels: no gaps or overlaps between layers.
        double const left = std::round(kPlot.x + static_cast<double>(layer) * step);
        double const right = std::round(kPlot.x + static_cast<double>(layer + 1) * step);
        double share = 0;
        for (std::size_t const material : order) {
            double const bottom = kPlot.y + (1 - share) * kPlot.height;
            share += coverage.layers[layer][material];
            double const top = kPlot.y + (1 - share) * kPlot.height;
            drawing.fill_box({left, top, right - left, bottom - top}, colours[material]);
        }
    }
}

void draw_axes(Drawing& drawing, double depth_mm, double whole_mm)
{
    double const bottom = kPlot.y + kPlot.height;
    for (int percent = 0; percent <= 100; percent += 25) {
        double const y = bottom - percent * kPlot.height / 100;
        drawing.draw_line({kPlot.x - 6, y}, {kPlot.x, y}, kInk);
        drawing.draw_text({kPlot.x - 10, y}, fmt::format("{}", percent), {2, Anchor::end, kInk});
        if (percent % 100 != 0) drawing.draw_line({kPlot.x, y}, {kPlot.x + kPlot.width, y}, kGrid);
    }
    double const step = choose_step(depth_mm);
    for (double depth = 0; depth <= depth_mm * 1.0001; depth += step) {
        double const x = kPlot.x + depth / depth_mm * kPlot.width;
        drawing.draw_line({x, bottom}, {x, bottom + 6}, kInk);
        drawing.draw_text({x, bottom + 18}, fmt::format("{:.4g}", depth), {2, Anchor::middle, kInk});
    }
    drawing.frame_box(kPlot, kInk);
    drawing.draw_text({kPlot.x, kPlot.y - 22}, "share of the voxels of a layer, %");
    std::string const rest = depth_mm < whole_mm ? fmt::format(" (the same down to {:.4g})", whole_mm) : "";
    drawing.draw_text({kPlot.x + kPlot.width / 2, bottom + 46}, "depth below the +z face, mm" + rest,
                      {2, Anchor::middle, kInk});
}

void draw_legend(Drawing& drawing, Shares const& shares)
{
    std::vector<std::size_t> const order = sort_by_share(shares.coverage);
    double const x = kPlot.x + kPlot.width + 24;
    double y = kPlot.y + 10;
    drawing.draw_text({x, kPlot.y - 22}, "whole volume");
    for (std::size_t row = 0; row < std::min(order.size(), kLegendRows); ++row, y += 26) {
        std::size_t const material = order[row];
        drawing.fill_box({x, y - 9, 18, 18}, shares.colours[material]);
        drawing.frame_box({x, y - 9, 18, 18}, kInk);
        drawing.draw_text({x + 26, y},
                          fmt::format("{:.8} {:.3g} %", shares.names[material], 100 * shares.coverage.total[material]));
    }
    if (order.size() > kLegendRows) drawing.draw_text({x, y}, fmt::format("and {} more", order.size() - kLegendRows));
}

} // namespace

nlohmann::ordered_json report_coverage(PackedVolume const& volume)
{
    Shares const shares = measure_shares(volume);
    auto const& [names, colours, coverage] = shares;
    double const pitch_mm = static_cast<double>(volume.meta().pitch_mm[2]);
    nlohmann::ordered_json report{{"materials", names}, {"total", nlohmann::ordered_json::object()}};
    for (std::size_t i = 0; i < names.size(); ++i) report["total"][names[i]] = coverage.total[i];
    report["amounts"] = report_amounts(volume, shares);
    for (std::size_t layer = 0; layer < coverage.layers.size(); ++layer) {
        double const top_mm = static_cast<double>(layer) * pitch_mm;
        report["layers"].push_back({{"layer", coverage.layers.size() - 1 - layer},
                                    {"depth_mm", {top_mm, top_mm + pitch_mm}},
                                    {"share", coverage.layers[layer]}});
    }
    return report;
}

Drawing draw_coverage(PackedVolume const& volume)
{
    Shares const shares = measure_shares(volume);
    std::size_t const shown = count_shown_layers(shares.coverage);
    Drawing drawing(kWidth, kHeight);
    draw_layers(drawing, shares.coverage, shown, shares.colours);
    double const pitch_mm = static_cast<double>(volume.meta().pitch_mm[2]);
    draw_axes(drawing, static_cast<double>(shown) * pitch_mm,
              static_cast<double>(shares.coverage.layers.size()) * pitch_mm);
    draw_legend(drawing, shares);
    return drawing;
}

} // namespace volpt
