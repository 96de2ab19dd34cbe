// Views of a packed volume: brick tables, voxel words, majorants, in the mapping of a .vpk or in a device copy of it.
#pragma once

#include "libvolpt/core/encoding.hd.h"
#include "libvolpt/core/morton.hd.h"

namespace volpt {

inline constexpr int kMaxBands = 36;
inline constexpr int kMaxMaterials = 256;

/// Which voxel is looked up for a point: one drawn with the trilinear weights, or the one that holds it. Part of the
/// format.
enum class Filter : std::uint32_t { trilinear = 0, nearest = 1 };

/// What is interpolated in place of sigma_s: nothing, as sigma_t and albedo are read in one voxel, so that the albedo
/// of a point is that of its sigma_s over its sigma_t; or the albedo itself, with a filter of its own. Part of the
/// format.
enum class AlbedoFilter : std::uint32_t { of_scattering = 0, trilinear = 1, nearest = 2 };

/// First word of a brick table entry of a constant brick; otherwise the word is the brick's slot in `words`.
inline constexpr std::uint32_t kConstantBrick = 0xffffffffu;

/// One plane of voxels: a table entry per brick (x fastest), voxel records for the bricks that are not constant.
///
///   table:  table_stride words per brick: slot (or kConstantBrick), then the constant's elements as decoded float bits
///           (the first min(channels, table_stride - 1) of them; label planes: the label as an integer)
///   words:  from slot * kBrickVoxels records on, the brick's records in Morton order; a record is `record_elements`
///           elements, channels first, then zeros; 1, 2 or 4 elements up to four channels, else a multiple of 4
///
/// Total size of `words` is at most 2^31 words (8 GiB): indices fit signed 32 bits, which vector gathers need.
struct PlaneView {
    std::uint32_t const* table = nullptr;
    std::uint32_t const* words = nullptr;
    float value_scale = 1.0f;
    Encoding encoding = Encoding::f32;
    std::uint32_t channels = 0;        ///< 0: the plane is absent
    std::uint32_t record_elements = 0; ///< elements from one voxel to the next
    std::uint32_t table_stride = 0; ///< words from one brick's entry to the next: 1 + channels, rounded up to 2, 4 or a
                                    ///< multiple of 4
};

/// Where a quantity comes from. Part of the format.
enum class Source : std::uint32_t {
    constant = 0, ///< one value (per band) for the whole volume
    plane = 1,    ///< a plane of voxels
    material = 2, ///< the material table, indexed by the label plane
};

/// Everything that the renderer reads of a volume, before the scene's scale is applied.
struct VolumeView {
    int dims[3] = {0, 0, 0};
    int brick_counts[3] = {0, 0, 0};
    float pitch_mm[3] = {0, 0, 0};
    std::uint32_t bands = 0;
    std::uint32_t band_number[kMaxBands] = {}; ///< the number that seeds a one-band path (docs/design/determinism.md)
    bool grey_extinction = true;               ///< sigma_t is the same in every band
    Filter filter = Filter::trilinear;
    AlbedoFilter albedo_filter = AlbedoFilter::of_scattering; ///< another one only if extinction and albedo are planes
    Source extinction = Source::constant;
    Source albedo = Source::constant;
    Source anisotropy = Source::constant;
    PlaneView density;                               ///< one channel, sigma_t = scale * density
    PlaneView one_minus_albedo;                      ///< one channel per band
    PlaneView label;                                 ///< one channel, u8
    PlaneView emission;                              ///< one channel per band: radiance; absent mostly
    float constant_extinction[kMaxBands] = {};       ///< times scale is sigma_t, if extinction is constant
    float constant_one_minus_albedo[kMaxBands] = {}; ///< if albedo is constant
    float g = 0.0f;                                  ///< if anisotropy is constant
    std::uint32_t material_count = 0;
    float const* material_extinction = nullptr;       ///< [band * kMaxMaterials + label], times scale is sigma_t
    float const* material_one_minus_albedo = nullptr; ///< [band * kMaxMaterials + label]
    float const* material_g = nullptr;                ///< [label]
    std::uint32_t majorant_bands = 0;                 ///< distinct extinction bands; 1 if grey
    std::uint32_t majorant_index[kMaxBands] = {};     ///< band -> distinct extinction band
    float const* local_majorants = nullptr;           ///< [distinct * brick_count + brick], times scale bounds sigma_t
    float global_majorant[kMaxBands] = {};            ///< by band, times scale bounds sigma_t
    /// [brick], null if the volume has none: radius of a ball that, about any point of the brick, meets only bricks of
    /// the same constant, jitter of lookups included; the faces of the box do not count (compute_clearance_mm).
    float const* clearance_mm = nullptr;
    float scale = 1.0f; ///< the file's own; a scene may override it
};

} // namespace volpt
