// Pairs of a suite for all files of a folder that match a pattern.
#pragma once

#include "libvolpt/stats/verdict/suite.h"

namespace volpt {

/// A pair for each text that the '*' in the name of `pair.test`, or in that of `pair.reference`, can stand for, sorted:
/// a reference without its test is a pair, too, whose test cannot be read. The '*' of reference, volume and name are
/// replaced by the same text. Only files match; copies that --update keeps (NAME.before.EXT) do not. The pair itself
/// where its test has no '*'. Test, reference and volume of `pair` are the suite's own texts; those of the result lie
/// in `folder`, that of the suite, whose '*' mean nothing. Error (input), with `where`, if a path has more than one '*'
/// or one in a folder's name, if only other members have one, or if nothing matches.
std::vector<SuitePair> expand_pattern(SuitePair const& pair, std::filesystem::path const& folder,
                                      std::string const& where);

} // namespace volpt
