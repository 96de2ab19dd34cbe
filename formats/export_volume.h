// Writes the densities of a packed volume for other programs: .mha (MetaImage) or .raw (headerless).
#pragma once

#include "formats/element_type.h"
#include "libvolpt/sys/progress.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>

namespace volpt {

/// What was written: without a window the numbers are those of the source file.
struct ExportedVolume {
    std::array<int, 3> dims{};
    ElementType element = ElementType::f32; ///< u8 or u16 where codes are the densities, else f32; little-endian
};

/// The format goes by the extension; Error (usage) lists the known ones, and refuses volumes that have no one density
/// (by material, or constant by band). Written to a temporary name and renamed.
ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress);

/// ".mha .raw", for help texts.
std::string list_export_extensions();

} // namespace volpt
