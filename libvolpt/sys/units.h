// Units of length that several layers convert.
#pragma once

namespace volpt {

inline constexpr double kMmPerInch = 25.4;

} // namespace volpt
