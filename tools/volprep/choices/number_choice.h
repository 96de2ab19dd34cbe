#pragma once

#include "libvolpt/volume/source/volume_source.h"
#include "tools/options/tool.h"
#include "tools/volprep/choices/auto_choice.h"

#include <functional>
#include <memory>

namespace volpt {

/// Opens the numbers of a file once more.
using SourceOpener = std::function<std::unique_ptr<VolumeSource>()>;

/// Whether an option is given already: "scale".
using GivenTest = std::function<bool(char const* option)>;

/// Density, extinction and albedo of measured numbers of one channel. Hounsfield numbers (integers from below -700 to
/// above 300) are skin and bone; smoke (`is_smoke`: its numbers are densities) has an extinction by its optical depth;
/// all others have a window from what is above the background to the 99th percentile of that.
AutoChoice choose_for_numbers(SourceOpener const& open, bool is_smoke, GivenTest const& is_given,
                              ProgressSink const& progress);

} // namespace volpt
