// volcompare for a program that has both sides in memory: the same options, nothing printed.
#pragma once

#include "tools/volcompare/commands.h"

#include <string>
#include <vector>

namespace volpt {

struct HeldVerdict {
    Verdict verdict;
    Criteria criteria; ///< with maps kept
};

/// Judges by the words of volcompare's command line without the two files; the subjects are changed as by judge_pair.
/// Error (usage) for options that only the program itself has: those that write files.
HeldVerdict compare_held(Subject& test, Subject& reference, std::vector<std::string> words, NoticeSink const& notice);

} // namespace volpt
