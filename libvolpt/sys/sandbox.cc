#include "libvolpt/sys/sandbox.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/failure_text.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <new>
#include <string>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#if defined(__has_feature) // clang's way to say it
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VOLPT_HAS_SANITIZER_ALLOCATOR 1
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VOLPT_HAS_SANITIZER_ALLOCATOR 1
#endif

namespace volpt {
namespace {

constexpr std::uint32_t kErrorKind = 0;

struct MessageHead {
    std::uint32_t kind;
    std::uint32_t size_bytes;
};

/// False if the other process has closed the connection.
bool read_all(int descriptor, std::span<std::byte> bytes)
{
    while (!bytes.empty()) {
        auto const got = ::read(descriptor, bytes.data(), bytes.size());
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return true;
}

bool write_all(int descriptor, std::span<std::byte const> bytes)
{
    while (!bytes.empty()) {
        // No SIGPIPE in the parent: receive reports a child that is gone.
        auto const put = ::send(descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (put < 0 && errno == EINTR) continue;
        if (put <= 0) return false;
        bytes = bytes.subspan(static_cast<std::size_t>(put));
    }
    return true;
}

void set_soft_limit(decltype(RLIMIT_AS) resource, std::uint64_t soft)
{
    rlimit limit{};
    ::getrlimit(resource, &limit);
    limit.rlim_cur = std::min<rlim_t>(soft, limit.rlim_max);
    ::setrlimit(resource, &limit);
}

void raise_limit(decltype(RLIMIT_AS) resource, std::uint64_t by)
{
    rlimit limit{};
    ::getrlimit(resource, &limit);
    if (limit.rlim_cur != RLIM_INFINITY) set_soft_limit(resource, limit.rlim_cur + by);
}

/// A lock that another thread holds at the moment of a fork stays locked in the child. oneTBB's workers take locks when
/// they start and before they sleep, and so do threads that libraries start when they are loaded (log4cplus, which
/// OpenVDB needs); the sanitizers' allocator, unlike glibc's, does not release its locks in a child. Waits until all
/// others sleep, but not for threads that have longer work.
void wait_for_other_threads_to_sleep()
{
    auto const sleeps = [](std::filesystem::directory_entry const& thread) {
        std::ifstream file(thread.path() / "stat");
        std::string const stat{std::istreambuf_iterator<char>(file), {}};
        auto const name_end = stat.rfind(')');
        return name_end == std::string::npos || stat.substr(name_end + 2, 1) == "S";
    };
    auto const awake = [&] {
        std::filesystem::directory_iterator const threads("/proc/self/task");
        return std::count_if(begin(threads), end(threads), [&](auto const& thread) { return !sleeps(thread); });
    };
    auto const last = std::chrono::steady_clock::now() + std::chrono::seconds(2);
    while (awake() > 1 && std::chrono::steady_clock::now() < last)
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void enter_sandbox(SandboxLimits limits, pid_t parent)
{
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    // On an interrupt the parent ends in order and kills the child.
    std::signal(SIGINT, SIG_IGN);
    std::signal(SIGTERM, SIG_DFL);
    int const nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (int const descriptor : {0, 1, 2}) ::dup2(nowhere, descriptor);
    set_soft_limit(RLIMIT_CPU, limits.cpu_seconds);
    set_soft_limit(RLIMIT_CORE, 0);
    set_soft_limit(RLIMIT_FSIZE, 0);
#ifndef VOLPT_HAS_SANITIZER_ALLOCATOR // it reserves terabytes
    set_soft_limit(RLIMIT_AS, limits.memory_bytes);
#endif
}

void send_error(SandboxPort& port, ErrorText const& text)
{
    std::string const json = format_json_strings(std::array{text.what, text.where, text.why, text.what_to_do});
    port.send(kErrorKind, std::as_bytes(std::span(json)));
}

/// Runs the child: no exception leaves it, no destructor of the parent's objects runs in it.
[[noreturn]] void run_child(SandboxPort port, std::filesystem::path const& path, SandboxLimits limits,
                            std::function<void(SandboxPort&)> const& work)
{
    try {
        work(port);
    } catch (Error const& error) {
        send_error(port, error.text());
    } catch (std::bad_alloc const&) {
        send_error(port, {fmt::format("reading it takes more than {} MiB of memory", limits.memory_bytes >> 20),
                          path.string(), "the limit follows from the file's size and the machine's memory",
                          "the file is damaged, or use a machine with more memory"});
    } catch (std::exception const& error) {
        send_error(port, {"cannot be read: " + describe_failure(error), path.string(), {}, "get a complete copy"});
    }
    ::_exit(0);
}

} // namespace

SandboxLimits find_sandbox_limits(std::filesystem::path const& path)
{
    std::error_code ignored;
    auto const size = std::filesystem::file_size(path, ignored);
    std::uint64_t const size_bytes = ignored ? 0 : size;
    auto const machine_bytes =
        static_cast<std::uint64_t>(::sysconf(_SC_PHYS_PAGES)) * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return {std::min(machine_bytes, (std::uint64_t{1} << 30) + 64 * size_bytes), 60 + size_bytes / 1'000'000};
}

bool SandboxPort::receive(std::span<std::byte> bytes)
{
    return read_all(in_, bytes);
}

void SandboxPort::send(std::uint32_t kind, std::span<std::byte const> bytes)
{
    MessageHead const head{kind, static_cast<std::uint32_t>(bytes.size())};
    if (!write_all(out_, std::as_bytes(std::span(&head, 1))) || !write_all(out_, bytes)) ::_exit(1);
}

void SandboxPort::allow_more_cpu(std::uint64_t seconds)
{
    raise_limit(RLIMIT_CPU, seconds);
}

void SandboxPort::allow_more_memory(std::uint64_t bytes)
{
    raise_limit(RLIMIT_AS, bytes);
}

Sandbox::Sandbox(std::filesystem::path path, SandboxLimits limits, std::function<void(SandboxPort&)> const& work)
    : path_(std::move(path)), limits_(limits)
{
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        fail_system(fmt::format("no socket pair: {}", std::strerror(errno)), path_.string());
    pid_t const parent = ::getpid();
    wait_for_other_threads_to_sleep();
    child_ = ::fork();
    if (child_ == 0) {
        ::close(ends[0]);
        enter_sandbox(limits, parent);
        run_child(SandboxPort(ends[1], ends[1]), path_, limits, work);
    }
    ::close(ends[1]);
    in_ = out_ = ends[0];
    if (child_ < 0) {
        ::close(ends[0]);
        fail_system(fmt::format("no process to read the file in: {}", std::strerror(errno)), path_.string(),
                    "end other programs, or allow more processes (ulimit -u) or memory (ulimit -v)");
    }
}

Sandbox::~Sandbox()
{
    ::close(in_);
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
    }
}

void Sandbox::fail_for_dead_child()
{
    int status = 0;
    ::kill(child_, SIGCONT);
    while (::waitpid(child_, &status, 0) < 0 && errno == EINTR) {
    }
    child_ = -1;
    int const signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    std::string const how = signal == SIGXCPU ? "ran out of its processor time"
                            : signal != 0     ? fmt::format("died of signal {} ({})", signal, ::strsignal(signal))
                                              : std::string("ended early");
    fail_input(fmt::format("the process that read it {}", how), path_.string(),
               "the library that reads this format gave up on the file", "the file is damaged; get a complete copy");
}

void Sandbox::send(std::span<std::byte const> bytes)
{
    // If the child has failed, its message is still to be read: receive reports it.
    write_all(out_, bytes);
}

SandboxMessage const& Sandbox::receive()
{
    MessageHead head{};
    if (child_ < 0) fail_input("the process that read it is gone", path_.string());
    if (!read_all(in_, std::as_writable_bytes(std::span(&head, 1)))) fail_for_dead_child();
    if (head.size_bytes > kMaxMessage_bytes)
        fail_input("the process that read it sent an invalid message", path_.string(), {}, "the file is damaged");
    message_.kind = head.kind;
    message_.bytes.resize(head.size_bytes);
    if (!read_all(in_, message_.bytes)) fail_for_dead_child();
    if (head.kind != kErrorKind) return message_;
    auto const* const text = reinterpret_cast<char const*>(message_.bytes.data());
    auto const parts = parse_json_strings({text, message_.bytes.size()});
    if (!parts || parts->size() != 4) fail_for_dead_child();
    fail_input((*parts)[0], (*parts)[1], (*parts)[2], (*parts)[3]);
}

SharedMemory::SharedMemory() : descriptor_(::memfd_create("volpt", MFD_CLOEXEC | MFD_ALLOW_SEALING))
{
    if (descriptor_ < 0) fail_system(fmt::format("no shared memory: {}", std::strerror(errno)), "memfd_create");
}

SharedMemory::~SharedMemory()
{
    if (!bytes_.empty()) ::munmap(bytes_.data(), bytes_.size());
    ::close(descriptor_);
}

bool SharedMemory::map_bytes(std::uint64_t size_bytes)
{
    void* const place = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor_, 0);
    if (place == MAP_FAILED) return false;
    bytes_ = {static_cast<std::byte*>(place), size_bytes};
    return true;
}

void SharedMemory::create(std::uint64_t size_bytes)
{
    // Pages are allocated when they are written: a huge size claimed by a damaged file costs nothing.
    if (::ftruncate(descriptor_, static_cast<off_t>(size_bytes)) != 0 ||
        ::fcntl(descriptor_, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0 || !map_bytes(size_bytes))
        fail_system(fmt::format("no {} MiB of shared memory: {}", size_bytes >> 20, std::strerror(errno)),
                    "memfd_create", "free some memory");
}

std::uint64_t SharedMemory::size_bytes() const
{
    struct stat status = {};
    return ::fstat(descriptor_, &status) == 0 ? static_cast<std::uint64_t>(status.st_size) : 0;
}

void SharedMemory::map()
{
    std::uint64_t const size = size_bytes();
    if (size == 0 || !map_bytes(size)) throw std::bad_alloc();
}

} // namespace volpt
