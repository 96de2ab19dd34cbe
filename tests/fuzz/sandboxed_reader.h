// What fuzz targets of readers need whose work is done in a child process: coverage of the child, and deaths without
// noise.
#pragma once

#include "libvolpt/sys/sandbox.h"

#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <pthread.h>
#include <sanitizer/common_interface_defs.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

// In assembly: a declaration of these names would keep the compiler from registering the counters with libFuzzer.
asm(".pushsection .data\n.balign 8\nvolpt_counters: .quad __start___sancov_cntrs, "
    "__stop___sancov_cntrs\n.popsection\n");
extern char* const counter_ends[2] __asm__("volpt_counters");

namespace volpt::test {

/// A process for every input is slow, so it may take little: 1 GiB, 2 s, 4 M voxels.
inline constexpr SandboxLimits kFuzzLimits{std::uint64_t{1} << 30, 2};
inline constexpr std::uint64_t kFuzzVoxels = std::uint64_t{1} << 22;

/// The counters of covered code, shared with the processes that read: libFuzzer would else see nothing of the reading.
/// Only whole pages of them, as what lies on the same page is not theirs.
inline void share_counters()
{
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const first = (reinterpret_cast<std::uintptr_t>(counter_ends[0]) + page - 1) / page * page;
    auto const last = reinterpret_cast<std::uintptr_t>(counter_ends[1]) / page * page;
    if (last <= first) return;
    auto* const place = reinterpret_cast<void*>(first);
    std::string const kept(static_cast<char const*>(place), last - first);
    if (mmap(place, kept.size(), PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0) != place)
        std::abort();
    std::memcpy(place, kept.data(), kept.size());
}

/// A process that reads may die; libFuzzer's handlers in it would take that for a finding and wait for their symbols.
inline void die_plainly()
{
    for (int const number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM, SIGXFSZ}) std::signal(number, SIG_DFL);
    __sanitizer_set_death_callback([] { ::_exit(1); });
}

} // namespace volpt::test

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    volpt::test::share_counters();
    pthread_atfork(nullptr, nullptr, volpt::test::die_plainly);
    return 0;
}
