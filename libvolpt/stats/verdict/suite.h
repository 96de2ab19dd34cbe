// A suite of comparisons: what a suite.json asks for.
#pragma once

#include "libvolpt/stats/verdict/verdict.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace volpt {

struct SuitePair {
    std::string name;
    std::filesystem::path test;
    std::optional<std::filesystem::path> reference; ///< a file, or
    std::optional<std::filesystem::path> volume;    ///< of the test film: the CPU renders the reference
    std::optional<std::filesystem::path> environment;
    std::optional<std::uint64_t> seed; ///< of the rendered reference; none: the film's
    std::optional<std::uint64_t> spp;  ///< of the rendered reference; none: the film's samples
    std::vector<std::string> channels;
    Criteria criteria;
};

struct Suite {
    std::filesystem::path cache;
    std::vector<SuitePair> pairs;
};

/// As docs/formats/volcompare-suite.md has it; paths are relative to the suite's folder. Error (input) names pair and
/// key: one that is missing, unknown, of a wrong type, or names no metric; a threshold that cannot be read.
Suite read_suite(std::filesystem::path const& path);

} // namespace volpt
