// What volcompare does: compares a pair, a suite of pairs, or renderings of more and more samples.
#pragma once

#include "libvolpt/stats/convergence/convergence.h"
#include "libvolpt/stats/verdict/subject.h"
#include "tools/options/tool.h"
#include "tools/volcompare/options.h"

#include <filesystem>
#include <optional>

namespace volpt {

/// The verdict on a pair. The subjects are changed into what is compared, as channels, transfers and resampling of the
/// options say; the metrics that their maps, pages and sheets need are added to `criteria`.
Verdict judge_pair(Subject& test, Subject& reference, CompareOptions const& options, Criteria& criteria, int threads);

/// TEST against REFERENCE, or a film against the CPU's: prints the verdict and writes the reports.
ExitStatus compare_pair(ToolRun const& run, CompareOptions const& options);

/// The error of the renderings over samples and time: against the reference, else that of most samples, once options
/// have chosen layers, channels and transfers. Adds the notices of the files. Error (usage) if --spp and --seconds do
/// not have a number for each, or there are too few renderings.
Convergence judge_convergence(std::vector<Subject> subjects, std::optional<Subject> reference,
                              CompareOptions const& options);

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

/// Adds the metrics that the HTML page shows with maps: difference, FLIP and Delta E.
void add_page_metrics(Criteria& criteria, Image const& image);

/// Every file that the options name as a report.
std::vector<std::filesystem::path> list_reports(CompareOptions const& options);

void write_text(std::filesystem::path const& path, std::string const& text);

} // namespace volpt
