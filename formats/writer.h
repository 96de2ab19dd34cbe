// The registry of volume formats that are written: a file formats/<name>/writer.cc and one line in writers.def each.
#pragma once

#include "libvolpt/sys/progress.h"
#include "libvolpt/sys/text/enum_words.h"
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
template <>
inline constexpr auto kWords<ExportPlane> = list_words<ExportPlane>({{ExportPlane::density, "density"},
                                                                     {ExportPlane::albedo, "albedo"},
                                                                     {ExportPlane::label, "label"}});

/// What was written. Without a window the numbers are those of the source file.
struct ExportedVolume {
    std::array<int, 3> dims{};
    int channels = 1;
    ElementType element = ElementType::f32; ///< u8 or u16 where codes are the numbers, else f32; little-endian
    std::vector<std::string> notices = {};  ///< for the user
};

/// A volume of labels whose voxels are not known yet. Views.
struct PlannedJob {
    VolumeMeta const& meta;
    std::vector<Material> const& materials;
    std::string const& source_metadata_json;
};

/// Defined in <name>/writer.cc as `Writer const <name>_writer`.
struct Writer {
    /// Writes to a temporary name and renames, so that a file appears whole or not at all. Error (usage) if the format
    /// does not hold the plane.
    ExportedVolume (*write)(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                            ProgressSink const& progress);
    /// The errors that `write` gives for labels, if every material occurs. Null: no printer takes the format.
    void (*check_job)(PlannedJob const& job, std::filesystem::path const& path) = nullptr;
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

/// To be called before long work on voxels: the errors that export_volume would give for them, if every material
/// occurs; Error (usage) also if `path` is of a format that no printer takes.
void check_job_export(PlannedJob const& job, std::filesystem::path const& path);

/// ".mha .nrrd .raw slice%04d.png", for help texts: what this build writes.
std::string list_export_extensions();

} // namespace volpt
