// What volcompare does: compares a pair, a suite of pairs, or renderings of more and more samples.
#pragma once

#include "libvolpt/stats/verdict/subject.h"
#include "tools/options/tool.h"
#include "tools/volcompare/options.h"

#include <filesystem>
#include <optional>

namespace volpt {

/// TEST against REFERENCE, or a film against the CPU's: prints the verdict and writes the reports.
ExitStatus compare_pair(ToolRun const& run, CompareOptions const& options);

/// judge_convergence of files: prints the slopes and writes the plot.
ExitStatus compare_convergence(ToolRun const& run, CompareOptions const& options);

/// Every pair of the suite, whatever the verdict on the others; a pair that cannot be read fails with that as its
/// reason. Missing references are rendered into the cache. With --update, all references are made anew, those that
/// change are kept as NAME.before.EXT, what changed is printed, and no pair is compared with an old one; pairs that
/// would replace one reference by different tests fail.
ExitStatus run_suite(ToolRun const& run, CompareOptions const& options);

/// A film of the scene, seed and samples of `like`, rendered on the CPU. Error (input) if volume or environment are not
/// those of the film.
Film render_cpu_reference(Film const& like, std::filesystem::path const& volume,
                          std::optional<std::filesystem::path> const& environment, ToolRun const& run);

} // namespace volpt
