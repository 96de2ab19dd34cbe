// Facts of files: what volinfo tells.
#pragma once

#include "volpt/options.h"

#include <filesystem>
#include <string>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// What `volinfo --json` prints of a .vpk, of a .vpf, or of a file, folder or pattern of slices that volprep reads
    /// (docs/tools/volinfo.md): {"kind": "volume"}, "film" or "source", and its facts. `options` are those of volinfo
    /// but for files to write: {"verify", "full"}, {"histogram"}, {"coverage", "none"}; of sources {"header"},
    /// {"dims", "32,32,32"}, {"type", "u8"}, .. Of sources all numbers are read, by the program volinfo (find_program),
    /// whose readers run in sandboxed processes; `progress` is asked ten times a second meanwhile, and a stop is an
    /// Error (system). Error as volinfo's exit status: (input) for a damaged file.
    VOLPT_API std::string info(std::filesystem::path const& file, Options const& options = {}, Watch const& watch = {});

} // namespace v0
} // namespace volpt
