// What the layers of a labelled volume are made of, with the names and colours to show it by.
#pragma once

#include "libvolpt/image/drawing/drawing.h"
#include "libvolpt/medium/coverage.h"

#include <string>
#include <vector>

namespace volpt {

/// Coverage by material; of mixtures, by the inks that they are fractions of.
struct Shares {
    std::vector<std::string> names;
    std::vector<PaintColour> colours;
    Coverage coverage;
};

/// Mixtures are materials for which source metadata "inks.NAME" lists a fraction of each of "inks" (docs/printing.md).
/// Error (usage) unless the volume has labels.
Shares measure_shares(PackedVolume const& volume);

} // namespace volpt
