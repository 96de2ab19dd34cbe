// The registry of foreign formats: a reader is one file read_<name>.cc and one line in readers.def.
#pragma once

#include "libvolpt/volume/volume_source.h"

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

/// What read_<name>.cc defines, as `Reader const <name>_reader`.
struct Reader {
    /// True if the first bytes of a file (up to 4 KiB) are of this format. Never throws.
    bool (*probe)(std::string_view head);
    /// Error (input) if the file is no good. Nothing is allocated from sizes that it merely claims.
    std::unique_ptr<VolumeSource> (*open)(std::filesystem::path const& path);
};

/// A line of readers.def.
struct ReaderEntry {
    std::string_view name;
    std::string_view extensions; ///< ".mha .mhd"
    std::string_view dependency; ///< "none", or the package without which it is left out
    Reader const* reader;        ///< nullptr: left out of this build
};

std::span<ReaderEntry const> list_readers();

/// Finds the reader by content, then by extension, and opens the file. Error (input) lists the known formats if none
/// fits.
std::unique_ptr<VolumeSource> open_volume_source(std::filesystem::path const& path);

/// ".mha .mhd", for help texts.
std::string list_reader_extensions();

} // namespace volpt
