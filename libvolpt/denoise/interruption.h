// How work on a picture ends early that nobody wants any more.
#pragma once

#include <exception>
#include <functional>

namespace volpt {

/// Asked every few milliseconds, from any thread that works; false: the work ends by an Interruption. Null: it goes on.
using GoesOn = std::function<bool()>;

class Interruption : public std::exception {
public:
    char const* what() const noexcept override { return "the work was interrupted"; }
};

inline void check_interruption(GoesOn const& goes_on)
{
    if (goes_on && !goes_on()) throw Interruption();
}

} // namespace volpt
