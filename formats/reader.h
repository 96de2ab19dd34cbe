// The registry of volume formats that are read: a folder formats/<name> and one line in readers.def each.
#pragma once

#include "libvolpt/volume/source/layer_memory.h"
#include "libvolpt/volume/source/volume_source.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

/// Whether a header may name files outside its own folder.
enum class OutsideFiles { refused, allowed };

/// What to do if a file holds several volumes or channels, and the user chose none.
enum class MissingChoice { refused, first };

/// Which of a file's volumes and channels is read.
struct PartChoice {
    std::optional<std::uint64_t> volume; ///< from 0
    std::string channel;                 ///< name, or number from 0; empty: none chosen
    MissingChoice missing = MissingChoice::refused;
};

struct ReadOptions {
    OutsideFiles outside = OutsideFiles::refused;
    std::uint64_t layer_bytes = find_layer_memory(); ///< memory for a layer of bricks (check_layer_memory)
    SliceAlpha alpha = SliceAlpha::opaque;           ///< of pictures in an archive
    PartChoice part = {};
};

/// Defined in <name>/reader.cc as `Reader const <name>_reader`.
struct Reader {
    /// True if the first bytes of a file (up to 4 KiB) are of this format. Never throws.
    bool (*probe)(std::string_view head);
    /// Error (input) if the file is damaged or holds something that is not supported. Memory is never allocated by
    /// sizes that the file merely claims.
    std::unique_ptr<VolumeSource> (*open)(std::filesystem::path const& path, ReadOptions const& options);
};

/// A line of readers.def.
struct ReaderEntry {
    std::string_view name;
    std::string_view extensions; ///< ".mha .mhd"
    std::string_view dependency; ///< "none", or the library that the reader needs
    Reader const* reader;        ///< nullptr: not in this build
};

std::span<ReaderEntry const> list_readers();

/// By content, then by extension: an entry whose reader is in this build. Error (input) lists the known formats if none
/// fits.
ReaderEntry const& find_reader(std::filesystem::path const& path);

/// Finds the reader by content, then by extension, and opens the file. Error (input) lists the known formats if none
/// fits, names the file if its layers are too large for options.layer_bytes, and what there is if it has no such volume
/// or channel as options.part chooses.
std::unique_ptr<VolumeSource> open_volume_source(std::filesystem::path const& path, ReadOptions const& options = {});

/// ".mha .mhd ...", for help texts: what this build reads.
std::string list_reader_extensions();

} // namespace volpt
