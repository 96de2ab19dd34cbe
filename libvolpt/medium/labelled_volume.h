// A foreign volume whose colours or numbers name materials, as a labelled volume.
#pragma once

#include "libvolpt/medium/materials.h"
#include "libvolpt/volume/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

struct LabelledOptions {
    std::optional<std::array<double, 3>> pitch_mm; ///< instead of the file's own
    float scale = 1;                               ///< of the materials' extinction
    Filter filter = Filter::nearest;
    double core_mm = 0;             ///< of one material below slice 0, rounded to whole layers; pictures only
    std::string core_material = {}; ///< its name; empty: the one named W
    std::string scene_hints_json = "{}";
};

/// Pictures are matched by exact colour if the table has any (grey counts as R = G = B, missing alpha as 255),
/// everything else by id: a voxel's number is the id of its material. Error (input) unless coloured pictures are u8;
/// while reading, names the voxel of the first colour or number that no material has. Colours and the source of the
/// numbers are kept as source metadata, as are "core.layers" and "core.material". `table_name` is for messages.
std::unique_ptr<VoxelStream> make_labelled_volume(std::unique_ptr<VolumeSource> source, MaterialTable table,
                                                  std::string const& table_name, LabelledOptions const& options);

/// The material of a core: the one named, or W, or, if there is none, an Error (usage).
std::size_t find_core_material(MaterialTable const& table, std::string const& name, std::string const& table_name);

/// Whole layers of a core, at least one. Error (usage) if the volume would grow beyond 65535 layers.
int count_core_layers(double core_mm, float pitch_mm, int other_layers);

} // namespace volpt
