// The registry of volume formats that are written: a file formats/<name>/writer.cc and one line in writers.def each.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/element_type.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Density has one number per voxel, albedo one per band; labels are the indices of materials.
enum class ExportPlane { density, albedo, label };

/// What was written. Without a window the numbers are those of the source file.
struct ExportedVolume {
    std::array<int, 3> dims{};
    int channels = 1;
    ElementType element = ElementType::f32; ///< u8 or u16 where codes are the numbers, else f32; little-endian
    std::vector<std::string> notices = {};  ///< for the user
};

/// Defined in <name>/writer.cc as `Writer const <name>_writer`.
struct Writer {
    /// Writes to a temporary name and renames, so that a file appears whole or not at all. Error (usage) if the format
    /// does not hold the plane.
    ExportedVolume (*write)(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                            ProgressSink const& progress);
};

/// A line of writers.def.
struct WriterEntry {
    std::string_view name;
    std::string_view ending; ///< ".mha"; "slice%04d.png" where the name is a pattern. Its extension chooses the format
    std::string_view dependency; ///< "none", or the library that the writer needs
    Writer const* writer;        ///< nullptr: not in this build
};

std::span<WriterEntry const> list_writers();

/// Writes densities, albedo or labels for other programs; the extension chooses the format. Error (usage) lists the
/// known ones, and refuses planes that the volume does not have and densities that are not one number per voxel (given
/// by material, or constants that differ by band).
ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress, ExportPlane plane = ExportPlane::density);

/// ".mha .nrrd .raw slice%04d.png", for help texts: what this build writes.
std::string list_export_extensions();

} // namespace volpt
