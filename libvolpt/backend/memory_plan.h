// Device memory that a render takes, added up before any of it is allocated.
#pragma once

#include "libvolpt/backend/kernel_choice.h"
#include "libvolpt/core/scene_view.hd.h"

#include <optional>

namespace volpt {

/// Elements of the tables that a SceneView points to. Where the pointer is null the count is 0.
struct SceneSizes {
    std::size_t bricks = 0;
    std::size_t plane_words[3] = {}; ///< of density, one_minus_albedo, label
    std::size_t emission_words = 0;  ///< of the emission; they are never paged
    std::size_t local_majorants = 0;
    std::size_t brick_means = 0; ///< StrategiesView::brick_sigma_t
    std::size_t light_texels = 0;
    std::size_t material_values = 0; ///< of each table of materials by band
    std::size_t step_bricks = 0;     ///< entries of the bricks' table for long steps
    std::size_t voxel_bytes = 0;     ///< of the planes' words
    std::size_t table_bytes = 0;     ///< of everything else
};

SceneSizes count_scene_sizes(SceneView const& scene);

/// Memory that a renderer will take.
struct MemoryPlan {
    std::size_t volume_bytes = 0;    ///< voxels, tables, majorants, light
    std::size_t voxel_bytes = 0;     ///< the voxels of them
    std::size_t host_bytes = 0;      ///< voxels in pinned host memory
    std::optional<double> hit_rate;  ///< lookups of voxels expected to be served by device memory; none: not known
    std::size_t film_bytes = 0;      ///< sums of the tiles in flight
    std::size_t workspace_bytes = 0; ///< paths that live in memory
    std::size_t free_bytes = 0;      ///< on the device, now
    VolumeMemory volume_memory = VolumeMemory::device; ///< never automatic
};

/// Tiles whose sums a renderer holds at once.
inline constexpr int kTileBuffers = 2;

/// Where the samples of an area that are in a film's half (is_in_half) are added up.
enum class FilmHalf {
    joined, ///< with all others
    apart,
};

/// Sums and squares of the tiles that a renderer holds.
std::size_t count_film_bytes(std::uint32_t most_pixels, std::uint32_t planes, FilmHalf half = FilmHalf::joined);

/// Whether the driver can map host memory behind device memory, which a cache of voxels needs.
enum class PageSupport { no, yes };

/// What a device has and a renderer needs beside the voxels.
struct MemoryNeeds {
    std::size_t table_bytes = 0;
    std::size_t film_bytes = 0;
    std::size_t workspace_bytes = 0;
    std::size_t free_bytes = 0;
    PageSupport pages = PageSupport::no;
};

/// Where `voxel_bytes` of voxels go. For voxels in a cache the plan holds what they may take: how they are split comes
/// later. Error (system) if a cache is asked for without page support.
MemoryPlan plan_voxels(std::size_t voxel_bytes, MemoryNeeds const& needs, RendererOptions const& options);

/// Error (system) with the figures and the options that help unless the plan fits.
void check_memory(MemoryPlan const& plan);

} // namespace volpt
