// Volumes whose voxels are labels: one byte per voxel that names its material.
#pragma once

#include "libvolpt/medium/colour_labels.h"
#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/pack/label_histogram.h"
#include "libvolpt/volume/source/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <nlohmann/json_fwd.hpp>
#include <optional>

namespace volpt {

struct LabelledOptions {
    std::optional<std::array<double, 3>> pitch_mm; ///< replaces the file's own
    float scale = 1;                               ///< of the materials' extinction
    Filter filter = Filter::nearest;
    double core_mm = 0;             ///< depth of one material below slice 0, rounded to whole layers; pictures only
    std::string core_material = {}; ///< its name; empty: the one named W
    std::string scene_hints_json = "{}";
    std::vector<std::string> notices = {}; ///< what was assumed about the table
    std::vector<ColourLabel> labels = {};  ///< colours beside the table's, which they replace
    int snap = 0;                          ///< of ColourLabels
    /// Of reading on behind the first unknown colour; false stops that, and what is known is told.
    ProgressSink progress = {};
};

/// A foreign volume whose colours or numbers name materials. Pictures are matched by exact colour if the table has any
/// (ColourLabels; grey counts as R = G = B, missing alpha as 255), everything else by id: a voxel's number is the id of
/// its material. Error (input) unless coloured pictures are u8; while reading, it names the voxel of the first number
/// that belongs to no material, or the first such colours with their numbers of pixels and the nearest materials. The
/// materials' colours, the source of their numbers, "core.layers" and "core.material" are kept as source metadata.
/// `table_name` is for messages.
std::unique_ptr<VoxelStream> make_labelled_volume(std::unique_ptr<VolumeSource> source, MaterialTable table,
                                                  std::string const& table_name, LabelledOptions const& options);

/// The material of a core: the one named, or W; Error (usage) if there is neither.
std::size_t find_core_material(MaterialTable const& table, std::string const& name, std::string const& table_name);

/// Whole layers of a core, at least one. Error (usage) if the volume would have more than 65535 layers.
int count_core_layers(double core_mm, float pitch_mm, int other_layers);

/// Extinction, albedo and g by material, and the bands with their wavelengths.
void set_labelled_medium(MaterialTable const& table, VolumeMeta& meta);

/// Adds "colour.NAME" of each material that has a colour, "density_g_per_cm3.NAME" of each that has a density, and
/// "materials.source".
void add_material_metadata(MaterialTable const& table, nlohmann::ordered_json& metadata);

/// Counts the voxels of each label.
class LabelCounts {
public:
    explicit LabelCounts(std::size_t materials) : counts_(materials, 0) {}
    void add(std::span<std::uint8_t const> labels);
    void add(LabelHistogram const& histogram);
    std::uint64_t count(std::size_t label) const { return counts_[label]; }
    /// {"C": 0.2, "W": 0.8}: each material's share of the counted voxels.
    nlohmann::ordered_json report_shares(std::vector<Material> const& materials) const;
    /// {"materials": ["air"], "voxels": 12, "share": 0.1}; null if no material is air.
    nlohmann::ordered_json report_air(std::vector<Material> const& materials) const;

private:
    std::vector<std::uint64_t> counts_;
};

} // namespace volpt
