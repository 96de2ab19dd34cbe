// Compares the samples that films hold with those expected, by tile and by task of a job array.
#pragma once

#include "libvolpt/film/film.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// What --expect and --chunk ask: task i of an array renders samples first + i * chunk to first + (i + 1) * chunk - 1,
/// the last one those that are left.
struct Expectation {
    SampleRange samples;
    std::optional<std::uint64_t> chunk;
};

struct Deviation {
    std::string text;             ///< empty: every pixel has exactly the samples
    bool only_lacks = false;      ///< no tile has a sample that was not expected
    SampleRanges missing_tasks;   ///< that lack a sample of a tile; with a chunk
    SampleRanges resumable_tasks; ///< those of them of which there are samples: interrupted ones
};

/// Without a film everything is missing.
Deviation find_deviation(std::optional<Film> const& head, Expectation const& expected);

/// "3,7-9", as Slurm's --array has it.
std::string format_array(SampleRanges const& tasks);

} // namespace volpt
