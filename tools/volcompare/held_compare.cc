#include "tools/volcompare/held_compare.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

/// `function` is what the caller used, `program` what has the other options.
void refuse_options(ToolRun const& run, std::span<std::string_view const> taken, std::string_view function,
                    std::string_view program)
{
    for (std::string const& name : run.given_options)
        if (std::ranges::find(taken, name) == taken.end())
            fail_usage(fmt::format("{} has no option {}", function, name),
                       fmt::format("run the program {} for reports in files", program));
}

constexpr std::string_view kOfPairs[] = {"metric",     "threshold",     "statistical",   "channels",
                                         "alpha",      "illuminant",    "test-transfer", "reference-transfer",
                                         "resample",   "correction",    "peak",          "pixels-per-degree",
                                         "threads",    "verbose",       "layer",         "noise-layer",
                                         "background", "picture-memory"};

constexpr std::string_view kOfConvergence[] = {"convergence", "spp",         "seconds",       "channels",
                                               "layer",       "noise-layer", "test-transfer", "reference-transfer",
                                               "illuminant",  "threads",     "verbose",       "picture-memory"};

} // namespace

HeldVerdict compare_held(SubjectMaker const& make_test, SubjectMaker const& make_reference,
                         std::vector<std::string> words, NoticeSink const& notice)
{
    words.insert(words.begin(), "volcompare");
    HeldVerdict judged;
    CompareOptions options;
    run_tool_body(words, {&options}, notice, [&](ToolRun const& run) {
        refuse_options(run, kOfPairs, "volpt.compare", "volcompare");
        judged.criteria = options.criteria;
        judged.criteria.settings.keep_map = KeepMap::yes;
        Subject test = make_test(judged.criteria.settings.illuminant);
        Subject reference = make_reference(judged.criteria.settings.illuminant);
        judged.verdict = judge_pair(test, reference, options, judged.criteria, run.common.threads);
        judged.width = test.image.width;
        judged.height = test.image.height;
        return ExitStatus::done;
    });
    return judged;
}

Convergence converge_held(std::vector<SubjectMaker> const& make_renderings,
                          std::optional<SubjectMaker> const& make_reference, std::vector<std::string> words,
                          NoticeSink const& notice)
{
    words.insert(words.begin(), {"volcompare", "--convergence"});
    Convergence convergence;
    CompareOptions options;
    run_tool_body(words, {&options}, notice, [&](ToolRun const& run) {
        refuse_options(run, kOfConvergence, "volpt.convergence", "volcompare --convergence");
        Illuminant const illuminant = options.criteria.settings.illuminant;
        std::vector<Subject> subjects;
        for (SubjectMaker const& make : make_renderings) subjects.push_back(make(illuminant));
        std::optional<Subject> reference;
        if (make_reference) reference = (*make_reference)(illuminant);
        convergence = judge_convergence(std::move(subjects), std::move(reference), options);
        return ExitStatus::done;
    });
    return convergence;
}

} // namespace volpt
