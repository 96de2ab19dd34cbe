// The whole comparison of two subjects: exact equality or a threshold, with the reasons of a negative verdict.
#pragma once

#include "libvolpt/stats/verdict/compare_films.h"
#include "libvolpt/stats/verdict/compare_images.h"
#include "libvolpt/stats/verdict/expectation.h"
#include "libvolpt/stats/verdict/subject.h"
#include "libvolpt/stats/verdict/threshold.h"

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
    std::optional<FilmRelation> films;                ///< if both are films
    std::optional<ExpectationComparison> expectation; ///< if the criteria ask for it
};

/// What to compute and by what to judge.
struct Criteria {
    std::vector<std::string> metrics; ///< names; empty: max, mse and rmse; those a threshold names come on top
    std::optional<Threshold> threshold;
    std::optional<ExpectationSettings> expectation; ///< neither this nor a threshold: exact equality
    MetricSettings settings;
};

/// max, mse and rmse.
std::vector<std::string> list_default_metrics();
/// The metrics of the criteria, each once. Error (usage) for unknown ones.
std::vector<Metric const*> select_metrics(Criteria const& criteria);

/// Two films are equal if their hashes are; a film and an image, or two images, if the channels' bits are. With a
/// threshold or a test of expectations the verdict is positive if both match in size and channels, no NaN or infinity
/// differs, the threshold holds and the expectations are the same. Where de2000 is measured and a side knows its noise,
/// de2000.noise_mean, .noise_p95 and .noise_share stand among the values: expected CIEDE2000 of the noise alone (both
/// sides' as root of the sum of squares), and the mean over the pixels of its ratio to the measured difference, at most
/// 1; maps de2000_noise and de2000_noise_share. Error (input) as compare_expectations has it.
Verdict judge(Subject const& test, Subject const& reference, Criteria const& criteria);

} // namespace volpt
