// Installs the signal handlers behind is_interrupted.
#include "tools/options/interrupt.h"

#include <csignal>

namespace volpt {
namespace {

volatile std::sig_atomic_t interrupted = 0;

extern "C" void raise_flag(int)
{
    interrupted = 1;
}

} // namespace

void watch_interrupts()
{
    struct sigaction action = {};
    action.sa_handler = raise_flag;
    sigemptyset(&action.sa_mask);
    // SA_RESETHAND: whoever asks twice means it. SA_RESTART: a write in progress is not cut short.
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_RESTART;
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

bool is_interrupted() noexcept
{
    return interrupted != 0;
}

} // namespace volpt
