// Packs what volprep reads. Readers run in that program, which alone links OpenVDB, GDCM and assimp.
#pragma once

#include "libvolpt/job/job_sinks.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// A word of volprep's table of options.
struct PackOption {
    std::string name;                                ///< long, without dashes
    std::optional<std::string> value = std::nullopt; ///< none: of a switch
};

/// An open file of this process that is an input.
struct OpenInput {
    int descriptor;   ///< above 2
    std::string path; ///< of the file in the child, "/proc/self/fd/N"; the request's input
    std::string name; ///< what messages call it
};

/// What volprep --auto chose.
struct PackChoice {
    std::string command;             ///< "print" where the input is printed; empty: it is packed
    std::vector<PackOption> options; ///< besides those of the request
    std::string reason;              ///< half a sentence
};

struct PackRequest {
    std::filesystem::path program;             ///< volprep: find_program_beside, find_program_in
    std::vector<std::filesystem::path> inputs; ///< one, or none where options make the volume
    std::filesystem::path output;              ///< a .vpk; what is there stays until the new one is complete
    std::vector<PackOption> options;           ///< the last of a name counts, unless it may be repeated
    std::optional<std::uint64_t> layer_bytes;  ///< as --layer-memory
    std::optional<int> threads;                ///< none: one for each core
    std::optional<OpenInput> open_input;
    std::function<void(PackChoice const&)> take_choice = nullptr; ///< of the option auto, before it packs; may be null
};

struct PackResult {
    std::string report_json; ///< what `volprep --json` prints
};

/// Packs the request's input. Notes go to `sinks.notice`; `sinks.progress` is asked ten times a second, with nothing
/// known until the program tells it; a stop is an Error (system), and leaves no file. Error of volprep's exit status
/// with its words; (system) if it cannot be started.
PackResult pack(PackRequest const& request, JobSinks const& sinks = {});

/// What `volprep --list-options --json` prints. Error as pack.
std::string list_pack_options(std::filesystem::path const& program);

} // namespace volpt
