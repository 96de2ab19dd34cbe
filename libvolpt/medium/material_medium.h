// What a material table says about a volume as a whole: its medium, and what is kept of it as metadata.
#pragma once

#include "libvolpt/medium/materials.h"
#include "libvolpt/volume/voxel_stream.h"

#include <nlohmann/json_fwd.hpp>

namespace volpt {

/// Extinction, albedo and g by material, and the bands with their wavelengths.
void set_labelled_medium(MaterialTable const& table, VolumeMeta& meta);

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
