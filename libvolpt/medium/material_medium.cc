// Fills metadata, hints and reports from a material table.
#include "libvolpt/medium/material_medium.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <numeric>

namespace volpt {

void set_labelled_medium(MaterialTable const& table, VolumeMeta& meta)
{
    std::size_t const bands = table.bands();
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers.resize(bands);
    std::iota(meta.band_numbers.begin(), meta.band_numbers.end(), 0u);
    meta.wavelengths_nm = table.wavelengths_nm;
    meta.constant_extinction.assign(bands, 1.0f);
    meta.constant_one_minus_albedo.assign(bands, 0.0f);
}

void add_material_metadata(MaterialTable const& table, nlohmann::ordered_json& metadata)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i)
        if (table.colours[i]) metadata["colour." + table.materials[i].name] = format_colour(*table.colours[i]);
    if (!table.source.empty()) metadata["materials.source"] = table.source;
}

void LabelCounts::add(std::span<std::uint8_t const> labels)
{
    std::array<std::uint64_t, kMaxMaterials> counts{};
    for (std::uint8_t const label : labels) ++counts[label];
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += counts[i];
}

nlohmann::ordered_json LabelCounts::report_shares(std::vector<Material> const& materials) const
{
    auto const total = std::max<std::uint64_t>(1, std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
    nlohmann::ordered_json shares = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < counts_.size(); ++i)
        shares[materials[i].name] = static_cast<double>(counts_[i]) / static_cast<double>(total);
    return shares;
}

} // namespace volpt
