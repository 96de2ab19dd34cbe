#include "tools/volcompare/held_compare.h"

#include <algorithm>

namespace volpt {
namespace {

void refuse_options_of_program(ToolRun const& run)
{
    static constexpr std::string_view kTaken[] = {"metric",   "threshold",  "statistical",   "channels",
                                                  "alpha",    "illuminant", "test-transfer", "reference-transfer",
                                                  "resample", "correction", "peak",          "pixels-per-degree",
                                                  "threads",  "verbose",    "layer",         "noise-layer"};
    for (std::string const& name : run.given_options)
        if (std::ranges::find(kTaken, name) == std::end(kTaken))
            fail_usage("volpt.compare has no option " + name, "run the program volcompare for reports in files");
}

} // namespace

HeldVerdict compare_held(SubjectMaker const& make_test, SubjectMaker const& make_reference,
                         std::vector<std::string> words, NoticeSink const& notice)
{
    words.insert(words.begin(), "volcompare");
    HeldVerdict judged;
    CompareOptions options;
    run_tool_body(words, {&options}, notice, [&](ToolRun const& run) {
        refuse_options_of_program(run);
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

} // namespace volpt
