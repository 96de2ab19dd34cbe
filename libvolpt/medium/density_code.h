// How a source's densities are stored: the choice of encoding and step.
#pragma once

#include "libvolpt/medium/measured_volume.h"
#include "libvolpt/volume/element_type.h"

namespace volpt {

struct DensityCode {
    Encoding encoding = Encoding::f32;
    float value_scale = 1;      ///< density = code * value_scale, u8 and u16
    bool needs_maximum = false; ///< value_scale is still to be divided out: largest density / 255 or / 65535
    bool counts_steps = false;  ///< windowed integers: code = value - low, exactly
};

/// Lossless where possible: 8- and 16-bit integers keep their codes; windowed integers count steps from an integer low;
/// wider integers and floats are f32. `wanted` overrides.
DensityCode choose_density_code(ElementType element, std::optional<Window> const& window,
                                std::optional<Encoding> wanted);

} // namespace volpt
