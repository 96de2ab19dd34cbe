#include "api/src/access.h"
#include "api/src/caller_spelling.h"

#include <atomic>
#include <unistd.h>

namespace volpt::v0 {

void refuse_forked_process()
{
    static std::atomic<pid_t> user{0};
    pid_t expected = 0;
    pid_t const here = ::getpid();
    if (user.compare_exchange_strong(expected, here) || expected == here) return;
    fail_system("this process was forked from one that had used volpt, whose threads and GPUs are not here", "fork",
                "start processes with " + spell_spawn());
}

} // namespace volpt::v0
