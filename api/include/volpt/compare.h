// Verdicts: what volcompare says.
#pragma once

#include "volpt/film.h"
#include "volpt/options.h"

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    struct Verdict {
        bool is_pass = false;
        bool has_equal_bits = false;
        std::vector<std::string> reasons; ///< of a negative verdict
        std::string text;                 ///< a short table
        std::string report;               ///< JSON (docs/formats/volcompare-json.md)
    };

    /// `options` are those of volcompare (docs/tools/volcompare.md) but for files to write: {"statistical"},
    /// {"metric", "flip"}, {"threshold", "rmse<0.02"}; without threshold and statistical the verdict is equality of
    /// every bit. Error as volcompare's exit status; a negative verdict is none.
    VOLPT_API Verdict compare(Film const& test, Film const& reference, Options const& options = {});

    /// The same for files: films or pictures, but for .tif, which the program alone reads.
    VOLPT_API Verdict compare(std::filesystem::path const& test, std::filesystem::path const& reference,
                              Options const& options = {});

} // namespace v0
} // namespace volpt
