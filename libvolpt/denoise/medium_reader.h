// What a medium's voxels are made of, read one after another on a straight line.
#pragma once

#include "libvolpt/core/lookup.hd.h"

#include <vector>

namespace volpt {

/// Loops over bands take so many at once.
inline constexpr std::uint32_t kBandGroup = 4;
static_assert(kMaxBands % kBandGroup == 0);

/// Of a voxel or of a brick in which nothing varies. Bands that the scene lacks, up to a whole group, are 0.
struct VoxelMedium {
    alignas(4 * kBandGroup) float sigma_t[kMaxBands];
    alignas(4 * kBandGroup) float albedo[kMaxBands];
    float emission;
    bool collides; ///< in some band
    bool is_clear; ///< nothing scatters, absorbs or emits

    void clear_unused(std::uint32_t bands)
    {
        for (std::uint32_t b = bands; b < (bands + kBandGroup - 1) / kBandGroup * kBandGroup; ++b)
            sigma_t[b] = albedo[b] = 0;
    }
};

/// Extinction of a voxel: by its density or its label.
inline void find_sigma_t(SceneView const& scene, std::uint32_t label, float density, VoxelMedium& found)
{
    MediumView const& medium = scene.medium;
    found.collides = false;
    for (std::uint32_t b = 0; b < scene.bands; ++b) {
        switch (medium.extinction) {
        case Extinction::density:
            found.sigma_t[b] = density;
            break;
        case Extinction::label:
            found.sigma_t[b] = medium.material_sigma_t[b * kMaxMaterials + label];
            break;
        default:
            found.sigma_t[b] = medium.band[b].majorant;
        }
        found.collides |= found.sigma_t[b] > 0;
    }
}

/// Materials are put together once, so that their voxels need no more than their label.
class MediumTable {
public:
    explicit MediumTable(SceneView const& scene);

    SceneView const& scene() const { return scene_; }
    /// Null unless a voxel is known by its label.
    VoxelMedium const* materials() const { return materials_.empty() ? nullptr : materials_.data(); }

private:
    SceneView const& scene_;
    std::vector<VoxelMedium> materials_;
};

/// A plane's elements in one brick.
struct BrickPlane {
    PlaneReader const* plane = nullptr;
    std::uint32_t slot = 0;
    std::uint32_t const* constants = nullptr; ///< where a brick has one value: of its channels, as bits

    BrickPlane() = default;
    BrickPlane(PlaneReader const& reader, std::int32_t brick)
    {
        if (reader.table == nullptr) return;
        std::uint32_t const* const entry = reader.table + brick * reader.table_stride;
        plane = &reader;
        slot = entry[0];
        if (slot == kConstantBrick) constants = entry + 1;
    }

    bool varies() const { return plane != nullptr && constants == nullptr; }
    float read(std::uint32_t morton, std::uint32_t channel) const;
    std::uint32_t read_label(std::uint32_t morton) const;
};

/// The voxels of one brick at a time.
class MediumReader {
public:
    explicit MediumReader(MediumTable const& table);

    void enter(std::int32_t brick);
    bool is_constant() const { return is_constant_; }
    /// Until the next one is read, unless it has the same address: then it is the same medium.
    VoxelMedium const& read(std::uint32_t morton)
    {
        if (materials_ == nullptr) return read_planes(morton);
        return materials_[label_.plane != nullptr ? label_.read_label(morton) : 0];
    }
    /// Whether media at one address are the same.
    bool has_materials() const { return materials_ != nullptr; }

private:
    VoxelMedium const& read_planes(std::uint32_t morton);

    SceneView const& scene_;
    VoxelMedium const* materials_;
    BrickPlane density_, one_minus_albedo_, label_, emission_;
    bool is_constant_ = false;
    VoxelMedium found_;
};

// By branches, unlike core's lookups, whose lanes must not have any: here all voxels of a walk take the same ones.
inline float BrickPlane::read(std::uint32_t morton, std::uint32_t channel) const
{
    if (constants != nullptr) return float_from_bits(constants[channel]);
    std::uint32_t const bits = load_element(*plane, slot, morton * plane->record_elements + channel);
    if (plane->float_mask != 0u) return float_from_bits(bits);
    if (plane->half_mask != 0u) return half_to_float(bits);
    return static_cast<float>(static_cast<std::int32_t>(bits)) * plane->value_scale;
}

inline std::uint32_t BrickPlane::read_label(std::uint32_t morton) const
{
    return (constants != nullptr ? constants[0] : load_element(*plane, slot, morton)) & 0xffu;
}

inline MediumReader::MediumReader(MediumTable const& table) : scene_(table.scene()), materials_(table.materials())
{
    found_.clear_unused(scene_.bands);
}

inline void MediumReader::enter(std::int32_t brick)
{
    density_ = BrickPlane(scene_.medium.density, brick);
    one_minus_albedo_ = BrickPlane(scene_.medium.one_minus_albedo, brick);
    label_ = BrickPlane(scene_.medium.label, brick);
    emission_ = BrickPlane(scene_.emission.source, brick);
    is_constant_ = !density_.varies() && !one_minus_albedo_.varies() && !label_.varies() && !emission_.varies();
}

inline VoxelMedium const& MediumReader::read_planes(std::uint32_t morton)
{
    MediumView const& medium = scene_.medium;
    std::uint32_t const label = label_.plane != nullptr ? label_.read_label(morton) : 0;
    float density = 0;
    if (medium.extinction == Extinction::density) {
        density = medium.scale * density_.read(morton, 0);
        if (!(density > 0) && emission_.plane == nullptr) {
            found_.is_clear = true;
            return found_;
        }
    }
    find_sigma_t(scene_, label, density, found_);
    found_.emission = 0;
    if (emission_.plane != nullptr) {
        for (std::uint32_t b = 0; b < scene_.bands; ++b) found_.emission += emission_.read(morton, b);
        found_.emission /= static_cast<float>(scene_.bands);
    }
    found_.is_clear = !found_.collides && !(found_.emission > 0);
    if (found_.is_clear) return found_;
    for (std::uint32_t b = 0; b < scene_.bands; ++b) {
        switch (medium.albedo) {
        case Source::plane:
            found_.albedo[b] = 1.0f - one_minus_albedo_.read(morton, b);
            break;
        case Source::material:
            found_.albedo[b] = 1.0f - medium.material_one_minus_albedo[b * kMaxMaterials + label];
            break;
        default:
            found_.albedo[b] = 1.0f - medium.band[b].constant_one_minus_albedo;
        }
    }
    return found_;
}

} // namespace volpt
