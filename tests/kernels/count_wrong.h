// The GPU's own sequences of core/exact_math.hd.h against CUDA's correctly rounded functions; what a test without CUDA
// calls.
#pragma once

#include <cstdint>

namespace volpt::test {

enum class Rounded { sqrt, reciprocal, divide };

/// For `sqrt` and `reciprocal` of every float from 2^-100 to 2^100, for `divide` of 2^31 random pairs.
std::uint64_t count_wrong_on_gpu(Rounded function);

} // namespace volpt::test
