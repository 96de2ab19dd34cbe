#pragma once

#include "libvolpt/film/film_output.h"

#include <filesystem>
#include <functional>
#include <vector>

namespace volpt {

/// Files that a job writes.
struct OutputRequest {
    std::vector<std::filesystem::path> files; ///< films, pictures, tallies and tables of detectors, by their extensions
    FilmOutputOptions how;                    ///< threads and display film are the job's to choose
    std::vector<std::filesystem::path> kept;  ///< that no output may replace, besides what the job reads
    /// What every film says about its making, asked for whenever one is written; null: nothing.
    std::function<Provenance()> make_provenance = nullptr;
};

} // namespace volpt
