// VolumePacker: writes a .vpk from slabs of voxels, in the memory of a few slabs.
#pragma once

#include "libvolpt/volume/volume.h"

#include <span>

namespace volpt {

/// `z_count` layers of voxels, x fastest, then y, then z. Planes that the volume does not have are empty.
struct VoxelSlab {
    int z_first = 0;
    int z_count = 0;
    std::span<float const> density = {};          ///< dims.x * dims.y * z_count, finite and >= 0
    std::span<float const> one_minus_albedo = {}; ///< the same times bands, bands fastest, 0..1
    std::span<std::uint8_t const> label = {};     ///< indices into the material table
    /// dims.x * dims.y * z_count * bands, bands fastest, finite and >= 0: the radiance, W/(mm2 sr) unless the scene has
    /// other units, of the source whose light the medium absorbs and emits. A path of length s in a medium of index n
    /// gains n^2 sigma_t (1 - albedo) s of it.
    std::span<float const> emission = {};
    /// dims.x * dims.y * z_count: the numbers that the densities were made from, each one of VolumeMeta::kept_values.
    std::span<float const> source_values = {};
};

/// Streams a volume into a file. Slabs come in z order without gaps, of any thickness; the packer regroups them into
/// brick layers.
class VolumePacker {
public:
    /// Error (usage) if `meta` contradicts itself (see VolumeMeta); Error (system) if the file cannot be written. Works
    /// on up to `threads` threads (parallel_for_joined); the file does not depend on their number.
    /// The sections of `surface`, if it is not empty, are written here; it is one that PackedVolume::open accepts.
    /// Likewise `surroundings` and `emitters`; Error (input) if find_shape_problem or find_emitters_problem finds
    /// something.
    VolumePacker(std::filesystem::path path, VolumeMeta meta, std::vector<Material> materials = {}, int threads = 1,
                 SurfaceMeshView const& surface = {}, SurroundingShapes const& surroundings = {},
                 std::span<Emitter const> emitters = {});
    ~VolumePacker(); ///< without `finish`, `path` is as it was before
    VolumePacker(VolumePacker const&) = delete;
    VolumePacker& operator=(VolumePacker const&) = delete;

    /// Error (input) names the voxel of the first value that cannot be stored (NaN, infinite, negative, label unknown).
    void add_slab(VoxelSlab const& slab);

    void set_scene_hints(std::string json);
    void set_source_metadata(std::string json);
    /// To be called if the volume keeps numbers. Error (usage) if `values` contradict themselves or the volume.
    void set_source_values(SourceValues const& values);

    /// Writes majorants, tables and provenance, renames to `path`.
    PackStatistics finish(Provenance const& provenance);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

} // namespace volpt
