// Compares the samples that films hold with those expected, by tile and by task of a job array.
#pragma once

#include "libvolpt/film/film.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Exactly these samples of every pixel. With a chunk: task i of a job array renders samples first + i * chunk to first
/// + (i + 1) * chunk - 1, the last task the remaining ones.
struct ExpectedSamples {
    SampleRange samples;
    std::optional<std::uint64_t> chunk;
};

struct SampleDeviation {
    std::string text;             ///< empty: every pixel has exactly the samples
    bool only_lacks = false;      ///< no tile has a sample beyond the expected ones
    SampleRanges missing_tasks;   ///< with a chunk: tasks of which a tile lacks a sample
    SampleRanges resumable_tasks; ///< missing tasks of which a tile has a sample: interrupted ones
};

/// Without a film, all samples are missing.
SampleDeviation find_deviation(std::optional<Film> const& head, ExpectedSamples const& expected);

/// "3,7-9", the form of Slurm's --array.
std::string format_task_array(SampleRanges const& tasks);

} // namespace volpt
