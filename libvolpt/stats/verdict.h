// The whole comparison of two subjects: exact equality or a threshold, with the reasons of a negative verdict.
#pragma once

#include "libvolpt/stats/compare_images.h"
#include "libvolpt/stats/subject.h"
#include "libvolpt/stats/threshold.h"

#include <nlohmann/json_fwd.hpp>

#include <optional>
#include <string>
#include <vector>

namespace volpt {

struct Verdict {
    bool positive = false;
    bool equal_bits = false;          ///< films: equal hash_film; images: see ImageComparison
    std::vector<std::string> reasons; ///< of a negative verdict, one a line
    std::vector<std::string> notices;
    ImageComparison image;
};

/// What to compute and by what to judge.
struct Criteria {
    std::vector<std::string> metrics;   ///< names; empty: max, mse and rmse; those a threshold names come on top
    std::optional<Threshold> threshold; ///< none: exact equality
    MetricSettings settings;
};

/// The metrics of the criteria, each once. Error (usage) for unknown ones.
std::vector<Metric const*> select_metrics(Criteria const& criteria);

/// Two films are equal if their hashes are; a film and an image, or two images, if the channels' bits are. With a
/// threshold the verdict is positive if both match in size and channels, no NaN or infinity differs, and the threshold
/// holds.
Verdict judge(Subject const& test, Subject const& reference, Criteria const& criteria);

/// Keys: verdict ("pass" or "fail"), equal_bits, metrics {name: value, null where no finite pair is}, threshold (null
/// if none), reasons, notices, largest_difference {x, y, channel, test, reference} or null, non_finite {test,
/// reference, differing}.
nlohmann::ordered_json report_verdict(Verdict const& verdict, Criteria const& criteria);

/// The same as a short table, with line ends.
std::string format_verdict(Verdict const& verdict);

} // namespace volpt
