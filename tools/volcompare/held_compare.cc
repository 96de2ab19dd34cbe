#include "tools/volcompare/held_compare.h"

namespace volpt {
HeldVerdict compare_held(SubjectMaker const& make_test, SubjectMaker const& make_reference,
                         std::vector<std::string> words, NoticeSink const& notice)
{
    words.insert(words.begin(), "volcompare");
    HeldVerdict judged;
    CompareOptions options;
    run_tool_body(words, {&options}, notice, [&](ToolRun const& run) {
        options.request.criteria.settings.keep_map = KeepMap::yes;
        Illuminant const illuminant = options.request.criteria.settings.illuminant;
        Subject test = make_test(illuminant);
        ComparedPair pair =
            compare(std::move(test), make_reference(illuminant), options.request, {}, run.common.threads);
        judged = {std::move(pair.verdict), std::move(pair.criteria), pair.test.image.width, pair.test.image.height};
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
    run_tool_body(words, {&options}, notice, [&](ToolRun const&) {
        Illuminant const illuminant = options.request.criteria.settings.illuminant;
        std::vector<Subject> subjects;
        for (SubjectMaker const& make : make_renderings) subjects.push_back(make(illuminant));
        std::optional<Subject> reference;
        if (make_reference) reference = (*make_reference)(illuminant);
        convergence = judge_convergence(std::move(subjects), std::move(reference), options.request);
        return ExitStatus::done;
    });
    return convergence;
}

} // namespace volpt
