#pragma once

#include "libvolpt/job/compare/compare_request.h"
#include "libvolpt/stats/convergence/convergence.h"
#include "libvolpt/stats/verdict/subject.h"

#include <optional>
#include <vector>

namespace volpt {

/// Error (usage) if samples and seconds do not have a number for each of `count` renderings, or there are too few.
void check_counts(std::size_t count, bool has_reference, CompareRequest const& request);

/// The error of the renderings over samples and time: against the reference, else that of most samples, once the
/// request has chosen layers, channels and transfers. Adds the notices of the files. Error as check_counts.
Convergence judge_convergence(std::vector<Subject> subjects, std::optional<Subject> reference,
                              CompareRequest const& request);

} // namespace volpt
