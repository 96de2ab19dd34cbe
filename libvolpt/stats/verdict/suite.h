// A suite of comparisons, as suite.json describes it.
#pragma once

#include "libvolpt/stats/verdict/image_layers.h"
#include "libvolpt/stats/verdict/verdict.h"

#include <filesystem>
#include <optional>
#include <vector>

namespace volpt {

struct SuitePair {
    std::string name;
    std::filesystem::path test;
    std::optional<std::filesystem::path> reference; ///< a file; or
    std::optional<std::filesystem::path>
        volume; ///< the volume of the test film, of which the CPU renders the reference
    std::optional<std::filesystem::path> environment;
    std::optional<std::uint64_t> seed; ///< of the rendered reference; none: the film's
    std::optional<std::uint64_t> spp;  ///< of the rendered reference; none: the film's samples
    LayerChoice layers;
    std::vector<std::string> channels;
    Criteria criteria;
};

struct Suite {
    std::filesystem::path cache;
    std::vector<SuitePair> pairs;
};

/// As in docs/formats/volcompare-suite.md; paths are relative to the folder of the suite. Error (input) names pair and
/// key for a key that is missing, unknown or of a wrong type, an unknown metric, and a threshold that cannot be read.
Suite read_suite(std::filesystem::path const& path);

} // namespace volpt
