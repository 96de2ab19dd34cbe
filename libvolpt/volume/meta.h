// Properties that follow from a volume's metadata (contradictions, brick counts, plane shapes, distinct extinction
// bands), and the metadata as stored.
#pragma once

#include "libvolpt/volume/volume.h"
#include "libvolpt/volume/vpk_layout.h"

#include <string>
#include <vector>

namespace volpt {

/// A sentence about the first field that is invalid or contradicts another; empty if all are valid.
std::string find_contradiction(VolumeMeta const& meta, std::vector<Material> const& materials);

/// The same for pitch, size and origin alone.
std::string find_extent_contradiction(VolumeMeta const& meta);

bool needs_labels(VolumeMeta const& meta);

/// How an albedo plane is interpolated by itself: with the nearest voxel for both, it is read where the extinction is.
AlbedoFilter choose_albedo_filter(Filter extinction, Filter albedo);

/// True if it has no extinction in any band: light passes it unscattered, without refraction.
bool is_air(Material const& material);

std::array<int, 3> count_bricks_by_axis(VolumeMeta const& meta);
std::uint64_t count_bricks(VolumeMeta const& meta);
double find_longest_side_mm(VolumeMeta const& meta);

/// The layout of a plane in memory (core's PlaneView, without pointers).
struct PlaneShape {
    Encoding encoding = Encoding::f32;
    float value_scale = 1.0f;
    std::uint32_t channels = 0; ///< 0: the plane is absent
    std::uint32_t record_elements = 0;
    std::uint32_t table_stride = 0;

    std::uint64_t brick_bytes() const
    {
        return (std::uint64_t{kBrickVoxels} * record_elements) << element_log2_bytes(encoding);
    }
};
PlaneShape density_shape(VolumeMeta const& meta);
PlaneShape albedo_shape(VolumeMeta const& meta);
PlaneShape label_shape(VolumeMeta const& meta);
PlaneShape emission_shape(VolumeMeta const& meta);
PlaneShape values_shape(VolumeMeta const& meta);

/// Bands of equal extinction share one majorant.
struct ExtinctionBands {
    std::vector<std::uint32_t> representative; ///< of each distinct band, the first band that has it
    std::vector<std::uint32_t> index;          ///< band -> distinct band
};
ExtinctionBands find_distinct_bands(VolumeMeta const& meta, std::vector<Material> const& materials);

/// The material tables as core reads them: extinction [band][256], 1 - albedo [band][256], g [256]; zero beyond the
/// last.
std::vector<float> build_material_tables(std::uint32_t bands, std::vector<Material> const& materials);

/// The metadata as it is stored.
struct StoredMeta {
    vpk::MetaRecord record;
    vpk::BandColumns<kMaxBands> by_band; ///< all bands; zero beyond the last
};

/// Fields that the sources do not use are stored as zero, so that equal volumes have equal bytes. The packer fills in
/// the global majorants.
StoredMeta to_record(VolumeMeta const& meta, std::vector<Material> const& materials);
/// Writes `meta`, and `more_bands` and `wavelengths` where they are needed.
void write_meta(SectionedWriter& writer, StoredMeta stored, VolumeMeta const& meta);
/// Reads them; Error (input) if a section has the wrong size or the band count is out of range.
StoredMeta read_stored_meta(SectionedFile const& file);
/// The inverse of to_record; checks nothing (find_contradiction does).
VolumeMeta from_record(StoredMeta const& stored);

} // namespace volpt
