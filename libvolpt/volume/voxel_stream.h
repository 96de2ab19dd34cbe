// A volume on its way into the packer: complete metadata, then voxel slabs in z order.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/pack/packer.h"
#include "libvolpt/volume/source/layer_memory.h"
#include "libvolpt/volume/source/volume_source.h"
#include "libvolpt/volume/surroundings/surrounding_shapes.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

class VoxelStream {
public:
    virtual ~VoxelStream() = default;

    VolumeMeta const& meta() const noexcept { return meta_; }
    std::vector<Material> const& materials() const noexcept { return materials_; }
    std::string const& source_metadata_json() const noexcept { return source_metadata_json_; }
    std::string const& scene_hints_json() const noexcept { return scene_hints_json_; }

    /// The mesh that bounds the medium, into this object; empty if there is none.
    SurfaceMeshView const& surface() const noexcept { return surface_; }

    /// What stands around the volume; mostly nothing.
    SurroundingShapes const& surroundings() const noexcept { return surroundings_; }

    /// The light of the source's scene, but for its environment; mostly none.
    std::vector<Emitter> const& emitters() const noexcept { return emitters_; }

    /// From now on, reading may use up to `threads` threads, which end with each call (parallel_for_joined). Not before
    /// all files are open, as readers fork.
    virtual void use_threads(int) {}

    /// How many layers a caller of read_slab does well to ask for: a multiple of kBrickEdge.
    virtual int layers_at_a_time() const { return kBrickEdge; }
    /// Layers z_first .. z_first + z_count - 1; the spans stay valid until the next call. Callers ascend in z.
    virtual VoxelSlab read_slab(int z_first, int z_count) = 0;

    /// Sentences on losses and assumptions; complete once every layer was read.
    virtual std::vector<std::string> list_notices() const { return {}; }

    /// Sentences on what the volume holds and was no loss; known from the beginning.
    virtual std::vector<std::string> list_facts() const { return {}; }

    /// How its densities follow from the numbers of a file; none if they do not, or no longer. Complete once every
    /// layer was read; meta().kept_values tells before whether they have a plane.
    virtual std::optional<SourceValues> source_values() const { return std::nullopt; }

    /// Figures of the result, one JSON object whose keys go into reports; complete once every layer was read.
    virtual std::string report_json() const { return "{}"; }

protected:
    /// For a stream over another one: all that is known of it before its voxels.
    void copy_description(VoxelStream const& other)
    {
        meta_ = other.meta_;
        materials_ = other.materials_;
        source_metadata_json_ = other.source_metadata_json_;
        scene_hints_json_ = other.scene_hints_json_;
        surface_ = other.surface_;
        surroundings_ = other.surroundings_;
        emitters_ = other.emitters_;
    }

    VolumeMeta meta_;
    std::vector<Material> materials_;
    std::string source_metadata_json_ = "{}";
    std::string scene_hints_json_ = "{}";
    SurfaceMeshView surface_;
    SurroundingShapes surroundings_;
    std::vector<Emitter> emitters_;
};

/// Streams the volume into a .vpk. Progress counts layers ("slices"); a sink that asks to stop gives an Error (system),
/// and what was at `path` before stays. Error (input) if a layer of bricks takes more than `layer_bytes`
/// (check_layer_memory), before anything is read. Reads and packs on up to `threads` threads; the file does not depend
/// on their number.
PackStatistics pack_volume(VoxelStream& stream, std::filesystem::path const& path, Provenance const& provenance,
                           ProgressSink const& progress, std::uint64_t layer_bytes = find_layer_memory(),
                           int threads = 1);

/// Sets dims, pitch and placement of `meta` from a foreign volume. `pitch_mm` replaces the file's own; the centre of
/// the first voxel stays where the file puts it. Adds a notice where 1 mm has to be assumed, or where a print job says
/// another pitch (by over 1 %); Error (usage) if source.missing_pitch forbids to assume one.
void place_source(SourceMeta const& source, std::optional<std::array<double, 3>> const& pitch_mm, VolumeMeta& meta,
                  std::vector<std::string>& notices);

/// Box corner of a volume whose first voxel's centre, axes and pitch are known.
Placement place_by_first_voxel(std::array<double, 3> first_voxel_world_mm, std::array<double, 9> const& rotation,
                               std::array<float, 3> pitch_mm);
/// A box whose middle is the origin.
Placement place_in_middle(std::array<int, 3> dims, std::array<float, 3> pitch_mm,
                          std::array<double, 9> const& rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1});

} // namespace volpt
