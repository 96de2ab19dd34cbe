// Wall-clock time in seconds.
#pragma once

#include <chrono>

namespace volpt {

/// Since a fixed but unspecified moment.
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
