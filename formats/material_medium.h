// What a material table says about a volume as a whole: medium, boundary, and what is kept for those who look at it.
#pragma once

#include "formats/voxel_stream.h"
#include "libvolpt/volume/materials.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Extinction, albedo and g by material, and the bands with their wavelengths.
void set_labelled_medium(MaterialTable const& table, VolumeMeta& meta);

/// Scene hints: a smooth boundary of the table's index of refraction against air; "{}" if it names none. `origin` is the file
/// that they are said to come from.
std::string make_material_hints(MaterialTable const& table, std::string const& origin);

/// Adds "colour.NAME" of each material that has one, and "materials.source".
void add_material_metadata(MaterialTable const& table, nlohmann::ordered_json& metadata);

/// Counts the voxels of each label.
class LabelCounts {
public:
    explicit LabelCounts(std::size_t materials) : counts_(materials, 0) {}
    void add(std::span<std::uint8_t const> labels);
    /// {"C": 0.2, "W": 0.8}: each material's share of the voxels counted.
    nlohmann::ordered_json report_shares(std::vector<Material> const& materials) const;

private:
    std::vector<std::uint64_t> counts_;
};

} // namespace volpt
