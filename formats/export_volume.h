// Writes densities, albedo or labels of a packed volume for other programs: .mha (MetaImage), .nrrd, .raw, .vdb, PNG
// slices.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/element_type.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>

namespace volpt {

/// Albedo has one number a band; labels are the indices of materials.
enum class ExportPlane { density, albedo, label };

/// What was written: without a window the numbers are those of the source file.
struct ExportedVolume {
    std::array<int, 3> dims{};
    int channels = 1;
    ElementType element = ElementType::f32; ///< u8 or u16 where codes are the numbers, else f32; little-endian
};

/// The format goes by the extension; Error (usage) lists the known ones, and refuses densities that are not one a voxel
/// (by material, or constant by band) and planes that the volume has not. Written to a temporary name and renamed. NRRD
/// is written in LPS.
///
/// "out/slice%04d.png" has no choice of plane: it writes one PNG a layer: densities that are u8 or u16 codes, with as
/// many bits, or instead the materials' colours or the 8-bit albedo; Error (usage) for volumes that such a stack does
/// not hold without loss.
ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress, ExportPlane plane = ExportPlane::density);

/// ".mha .nrrd .raw slice%04d.png", for help texts.
std::string list_export_extensions();

} // namespace volpt
