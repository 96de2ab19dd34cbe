// Fuzz target of the OpenVDB reader: whatever becomes of the process that reads, the parent gets an Error of input or a
// whole volume.
#include "formats/read_openvdb.h"
#include "libvolpt/sys/error.h"

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
asm(".pushsection .data\n.balign 8\nvolpt_counters: .quad __start___sancov_cntrs, __stop___sancov_cntrs\n.popsection\n");
extern char* const counter_ends[2] __asm__("volpt_counters");

namespace {

/// The counters of covered code, shared with the processes that read: libFuzzer would else see nothing of the reading.
/// Only whole pages of them, as what lies on the same page is not theirs.
void share_counters()
{
    auto const page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
    auto const first = (reinterpret_cast<std::uintptr_t>(counter_ends[0]) + page - 1) / page * page;
    auto const last = reinterpret_cast<std::uintptr_t>(counter_ends[1]) / page * page;
    if (last <= first) return;
    auto* const place = reinterpret_cast<void*>(first);
    std::string const kept(static_cast<char const*>(place), last - first);
    if (mmap(place, kept.size(), PROT_READ | PROT_WRITE, MAP_FIXED | MAP_SHARED | MAP_ANONYMOUS, -1, 0) != place) std::abort();
    std::memcpy(place, kept.data(), kept.size());
}

/// A process that reads may die; libFuzzer's handlers in it would take that for a finding and wait for their symbols.
void die_plainly()
{
    for (int const number : {SIGSEGV, SIGBUS, SIGABRT, SIGILL, SIGFPE, SIGALRM, SIGXFSZ}) std::signal(number, SIG_DFL);
    __sanitizer_set_death_callback([] { ::_exit(1); });
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***)
{
    share_counters();
    pthread_atfork(nullptr, nullptr, die_plainly);
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 22;
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    VdbOptions options;
    options.limits = SandboxLimits{std::uint64_t{1} << 30, 2};
    try {
        auto const source = open_openvdb("/proc/self/fd/" + std::to_string(file), options);
        auto const [x, y, z] = source->meta().dims;
        auto const layer = static_cast<std::uint64_t>(source->meta().channels) * static_cast<std::uint64_t>(x) *
                           static_cast<std::uint64_t>(y);
        std::vector<float> values(layer * static_cast<std::uint64_t>(z) <= kMaxVoxels ? layer : 0);
        for (int i = 0; i < z && !values.empty(); ++i) source->read_slab(i, 1, values);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
