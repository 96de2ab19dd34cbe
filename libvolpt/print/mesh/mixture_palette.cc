#include "libvolpt/print/mesh/mixture_palette.h"

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/print/halftone.h"

#include <algorithm>
#include <numeric>

namespace volpt {
namespace {

std::array<double, 3> decode_colour(std::uint32_t srgb)
{
    std::array<double, 3> linear{};
    for (std::size_t i = 0; i < 3; ++i) linear[i] = decode_srgb((srgb >> (16 - 8 * i) & 0xffu) / 255.0);
    return linear;
}

/// L*, a*, b* of colours, as measure_de2000 takes them.
struct LabList {
    void add(Triple const& lab)
    {
        for (std::size_t i = 0; i < 3; ++i) planes[i].push_back(static_cast<float>(lab[i]));
    }
    ColourRow row() { return {planes[0].data(), planes[1].data(), planes[2].data()}; }

    std::array<std::vector<float>, 3> planes;
};

} // namespace

MixturePalette::MixturePalette(InkModel const& model, Intent intent)
    : model_(model), separation_(model, intent), entry_of_colour_(std::size_t{1} << 24, -1)
{
}

std::uint16_t const* MixturePalette::take(std::uint32_t srgb)
{
    std::int32_t& entry = entry_of_colour_[srgb & 0xffffffu];
    if (entry < 0) {
        std::vector<double> mixture(model_.inks());
        separation_.separate(decode_colour(srgb), mixture);
        Entry& made = entries_.emplace_back(Entry{srgb, 0, std::vector<std::uint16_t>(model_.inks())});
        round_mixture(mixture, made.parts);
        entry = static_cast<std::int32_t>(entries_.size() - 1);
    }
    Entry& found = entries_[static_cast<std::size_t>(entry)];
    ++found.voxels;
    return found.parts.data();
}

std::vector<double> MixturePalette::find_wanted_shares() const
{
    std::vector<double> shares(model_.inks(), 0);
    double voxels = 0;
    for (Entry const& entry : entries_) {
        voxels += static_cast<double>(entry.voxels);
        for (std::size_t ink = 0; ink < shares.size(); ++ink)
            shares[ink] += static_cast<double>(entry.voxels) * entry.parts[ink] / kVoxelParts;
    }
    for (double& share : shares) share = voxels > 0 ? share / voxels : 0;
    return shares;
}

SeparationFigures MixturePalette::measure_separation() const
{
    SeparationFigures figures;
    if (entries_.empty()) return figures;
    LabList aims, predicted;
    std::vector<Triple> printed;
    std::vector<double> mixture(model_.inks());
    for (Entry const& entry : entries_) {
        for (std::size_t ink = 0; ink < mixture.size(); ++ink)
            mixture[ink] = static_cast<double>(entry.parts[ink]) / kVoxelParts;
        aims.add(separation_.find_aim(decode_colour(entry.srgb)));
        Triple const xyz = model_.predict_xyz(mixture);
        predicted.add(to_lab(xyz));
        printed.push_back(separation_.find_printed(xyz));
    }
    std::vector<float> differences(entries_.size());
    measure_de2000(predicted.row(), aims.row(), differences.size(), differences.data());
    std::vector<std::size_t> order(entries_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return differences[i]; });
    double voxels = 0, sum = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        auto const count = static_cast<double>(entries_[i].voxels);
        voxels += count;
        sum += count * static_cast<double>(differences[i]);
        figures.gamut.add(decode_colour(entries_[i].srgb), printed[i], static_cast<double>(differences[i]),
                          entries_[i].voxels);
    }
    double below = 0;
    for (std::size_t const i : order) {
        figures.delta_e_2000_p95 = static_cast<double>(differences[i]);
        below += static_cast<double>(entries_[i].voxels);
        if (below >= 0.95 * voxels) break;
    }
    figures.delta_e_2000_mean = sum / voxels;
    return figures;
}

} // namespace volpt
