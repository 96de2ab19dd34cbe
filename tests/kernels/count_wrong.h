// The GPU's own sequences of core/exact_math.hd.h against CUDA's correctly rounded functions; what a test without CUDA
// calls.
#pragma once

#include <cstdint>

namespace volpt::test {

enum class Rounded { sqrt, reciprocal, divide };

/// Of 2^31 arguments: for `sqrt` and `reciprocal` every float from 2^-100 to 2^100, for `divide` random pairs.
std::uint64_t count_wrong_on_gpu(Rounded function);

} // namespace volpt::test
