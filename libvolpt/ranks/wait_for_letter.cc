// Looks for letters now and then: MPI's own waiting would keep a core busy.
#include "libvolpt/ranks/ranks.h"

#include <chrono>
#include <thread>

namespace volpt {

Letter wait_for_letter(Ranks& ranks)
{
    for (;;) {
        if (std::optional<Letter> letter = ranks.receive()) return *std::move(letter);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace volpt
