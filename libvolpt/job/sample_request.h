// Which samples a job renders, and when it ends.
#pragma once

#include "libvolpt/film/sample_range.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace volpt {

struct SampleRequest {
    std::optional<SampleRange> samples; ///< of each pixel; else those of the volume's hints, or 64
    std::optional<std::uint64_t> seed;
    std::optional<std::filesystem::path> resume; ///< film to be continued
    double time_limit_s = 0;                     ///< 0: none
    double checkpoint_s = 0;                     ///< 0: none
    std::optional<double> stop_at_de;            ///< in CIEDE2000; samples, if given, are then 0 to a ceiling
};

} // namespace volpt
