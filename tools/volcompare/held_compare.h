// volcompare for a program that has both sides in memory: the same options, nothing printed.
#pragma once

#include "libvolpt/job/compare/compare.h"
#include "libvolpt/job/compare/compare_convergence.h"
#include "tools/volcompare/options.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Makes a side in the light of the options, as read_subject and make_subject do. Called once.
using SubjectMaker = std::function<Subject(Illuminant illuminant)>;

struct HeldVerdict {
    Verdict verdict;
    Criteria criteria;         ///< with maps kept
    int width = 0, height = 0; ///< of the test, and so of the maps
};

/// Judges by the words of volcompare's command line without the two files; those that write files are not for the
/// caller to give.
HeldVerdict compare_held(SubjectMaker const& make_test, SubjectMaker const& make_reference,
                         std::vector<std::string> words, NoticeSink const& notice);

/// judge_convergence of renderings in memory, by the words of `volcompare --convergence` without the files; those
/// that write files are not for the caller to give.
Convergence converge_held(std::vector<SubjectMaker> const& make_renderings,
                          std::optional<SubjectMaker> const& make_reference, std::vector<std::string> words,
                          NoticeSink const& notice);

} // namespace volpt
