// What a file that volprep reads holds: its header, its numbers, and the window that fits them.
#pragma once

#include "formats/open_source.h"
#include "libvolpt/job/info/info_job.h"
#include "libvolpt/job/job_sinks.h"
#include "libvolpt/volume/source/value_statistics.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace volpt {

/// How much of a source is read.
enum class SourceDepth { header, values };

struct SourceInfoRequest {
    std::string input; ///< a file, a folder of slices or a pattern of their names
    SourceFileOptions file;
    SourceDepth depth = SourceDepth::values;
    Histogram histogram = Histogram::left_out;
    int threads = 1;
};

struct SourceInfo {
    /// What volinfo --json prints: describe_source; of the numbers "values", "suggested_window" and "suggested_option"
    /// where there is one, and "histogram" if it is asked for; "job" of a print job (report_print_job); "notices".
    nlohmann::ordered_json report;
    std::vector<ChannelStatistics> channels; ///< empty if no number was read
};

/// Notices are told, too. `sinks.progress` is asked first before numbers are read, with nothing known; a stop is an
/// Error (system). Error (usage) for options of other formats, (input) for what holds no volume of numbers or is
/// damaged.
SourceInfo info(SourceInfoRequest const& request, JobSinks const& sinks = {});

} // namespace volpt
