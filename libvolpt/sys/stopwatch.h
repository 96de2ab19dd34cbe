// Wall-clock seconds, for what is timed here and replaced by simulated time in tests.
#pragma once

#include <chrono>

namespace volpt {

/// Since some moment that stays the same.
inline double read_steady_clock_s()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Since `start`.
inline double seconds_since(std::chrono::steady_clock::time_point start)
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

} // namespace volpt
