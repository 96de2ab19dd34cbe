// Merging: what volmerge does with films in files.
#pragma once

#include "volpt/film.h"
#include "volpt/options.h"

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    struct MergeResult {
        std::optional<Film> film; ///< the sum; none with the option heads-only, and of folders without films
        bool is_whole = true;     ///< false: the samples are not those of the option expect
        std::string deviation;    ///< how they differ; empty if they do not
        std::vector<std::filesystem::path> written; ///< none unless the samples are whole, or with the option partial
        std::string report;                         ///< JSON: what `volmerge --json` prints
    };

    /// Adds films of disjoint samples of one scene, which are read one after the other, and writes the sum to
    /// `outputs`, of which there may be none: .vpf, .exr, .png, .., each whole or not at all. A folder stands for the
    /// .vpf files in it. `options` are those of volmerge (docs/tools/volmerge.md) but for files: {"expect", "0:4096"},
    /// {"chunk", "64"}, {"partial"}, {"heads-only"}, {"exposure", "2"}, .. `progress` is asked before the first film; a
    /// stop is an Error (system), and nothing is written. Error as volmerge's exit status; samples that are not those
    /// expected are none.
    VOLPT_API MergeResult merge(std::span<std::filesystem::path const> films,
                                std::span<std::filesystem::path const> outputs, Options const& options = {},
                                Watch const& watch = {});

} // namespace v0
} // namespace volpt
