// Looks for letters now and then: MPI's own waiting would keep a core busy.
#include "libvolpt/render/ranks/communicator.h"

#include <chrono>
#include <thread>

namespace volpt {

Message wait_for_message(Communicator& ranks)
{
    for (;;) {
        if (std::optional<Message> message = ranks.receive()) return *std::move(message);
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

} // namespace volpt
