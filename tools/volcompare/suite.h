// Runs a suite of comparisons and keeps its rendered references.
#pragma once

#include "libvolpt/sys/error.h"
#include "tools/options/tool.h"
#include "tools/volcompare/options.h"

namespace volpt {

/// Every pair is run whatever the others say. A pair that cannot be read fails with that as its reason. With --update,
/// references are made anew, what changed is told, and no pair is judged against an old one.
ExitStatus run_suite(ToolRun const& run, CompareOptions const& options);

} // namespace volpt
