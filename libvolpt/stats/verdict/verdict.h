// The comparison of two subjects by exact equality, a threshold or a test of expectations, with reasons for a negative
// verdict.
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
    /// Not positive, but only because too little of the light could be judged (ExpectationComparison::is_decided).
    bool undecided = false;
    bool equal_bits = false;          ///< films: equal hash_film; images: see ImageComparison
    std::vector<std::string> reasons; ///< of a negative verdict, one per line
    std::vector<std::string> notices;
    ImageComparison image;
    std::optional<FilmRelation> films;                ///< if both are films
    std::optional<ExpectationComparison> expectation; ///< if the criteria ask for it
};

/// "pass", "fail" or "undecided".
std::string_view name_outcome(Verdict const& verdict);

/// What a comparison is for. A sheet shows differences: without a threshold or a test it judges nothing, and the status
/// tells equality.
enum class Purpose { verdict, sheet };

/// What to compute and how to judge it.
struct Criteria {
    std::vector<std::string> metrics; ///< names; empty: max, mse and rmse; those of the threshold are added
    std::optional<Threshold> threshold;
    std::optional<ExpectationSettings> expectation; ///< exact equality without this and a threshold
    MetricSettings settings;
    Purpose purpose = Purpose::verdict;
};

/// "equality", "threshold", "statistics" or "threshold and statistics".
std::string describe_criterion(Criteria const& criteria);
/// As name_outcome; "no threshold" where nothing is judged.
std::string spell_verdict(Verdict const& verdict, Criteria const& criteria);

/// max, mse and rmse.
std::vector<std::string> list_default_metrics();
/// The metrics of the criteria, each once. Error (usage) for unknown ones.
std::vector<Metric const*> select_metrics(Criteria const& criteria);

/// Two films are equal if their hashes are; a film and an image, or two images, if the bits of their channels are. With
/// a threshold or a test of expectations the verdict is positive if both match in size and channels, no NaN or infinity
/// differs, the threshold holds, and the expectations are the same and decided, unless the bits are equal. If de2000 is
/// measured and the noise of a side is known, the values include de2000.noise_mean, .noise_p95 and .noise_share: the
/// expected CIEDE2000 from noise alone (root of the sum of both sides' squares), and the mean over the pixels of its
/// ratio to the measured difference, at most 1; the maps include de2000_noise and de2000_noise_share. Error (input) as
/// for compare_expectations, (usage) for equality or a test of expectations of a denoised picture.
Verdict judge(Subject const& test, Subject const& reference, Criteria const& criteria);

} // namespace volpt
