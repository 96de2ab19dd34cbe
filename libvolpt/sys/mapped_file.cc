#include "libvolpt/sys/mapped_file.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/lfs_pointer.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

namespace volpt {
namespace {

constexpr std::int64_t kNanosecondsPerSecond = 1'000'000'000;

std::int64_t to_ns(timespec const& time)
{
    return time.tv_sec * kNanosecondsPerSecond + time.tv_nsec;
}

} // namespace

/// An entry of the list that the signal handlers walk. Entries are never freed, as a handler may be at any of them;
/// those of closed files serve again.
struct MappedFile::Mapping {
    std::atomic<bool> is_used{true};
    std::atomic<std::uintptr_t> begin{0}; ///< 0: nothing is mapped
    std::atomic<std::size_t> size_bytes{0};
    std::atomic<bool> has_lost_pages{false};
    std::atomic<int> descriptor{-1};
    std::int64_t modified_ns = 0;
    std::filesystem::path path;
    Mapping* next = nullptr;

    std::span<std::byte const> bytes() const
    {
        auto const* const first_byte = reinterpret_cast<std::byte const*>(begin.load()); // NOLINT: an address
        return {first_byte, size_bytes.load()};
    }

    bool is_unchanged() const noexcept
    {
        struct stat now {};
        return !has_lost_pages.load() && ::fstat(descriptor.load(), &now) == 0 &&
               static_cast<std::size_t>(now.st_size) == size_bytes.load() && to_ns(now.st_mtim) == modified_ns;
    }

    static Mapping* acquire();
    static inline std::atomic<Mapping*> first{nullptr};
};

MappedFile::Mapping* MappedFile::Mapping::acquire()
{
    for (Mapping* mapping = first.load(); mapping != nullptr; mapping = mapping->next) {
        bool expected = false;
        if (mapping->is_used.compare_exchange_strong(expected, true)) return mapping;
    }
    auto* const mapping = new Mapping;
    mapping->next = first.load();
    while (!first.compare_exchange_weak(mapping->next, mapping)) {
    }
    return mapping;
}

void MappedFile::Release::operator()(Mapping* mapping) const noexcept
{
    std::span<std::byte const> const bytes = mapping->bytes();
    mapping->begin.store(0);
    if (!bytes.empty()) ::munmap(const_cast<std::byte*>(bytes.data()), bytes.size());
    if (int const descriptor = mapping->descriptor.exchange(-1); descriptor >= 0) ::close(descriptor);
    mapping->size_bytes.store(0);
    mapping->has_lost_pages.store(false);
    mapping->is_used.store(false);
}

MappedFile::MappedFile(std::filesystem::path path) : mapping_(Mapping::acquire())
{
    Mapping& m = *mapping_;
    m.path = std::move(path);
    // O_NONBLOCK: opening a named pipe without a writer would wait for ever.
    m.descriptor.store(::open(m.path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    struct stat info {};
    if (m.descriptor.load() < 0 || ::fstat(m.descriptor.load(), &info) != 0) {
        fail_input(std::string("cannot open: ") + std::strerror(errno), m.path.string(), {},
                   "check the name and the permissions");
    }
    if (!S_ISREG(info.st_mode)) fail_input("not a regular file", m.path.string(), {}, "name a file");
    m.modified_ns = to_ns(info.st_mtim);
    if (info.st_size == 0) return;
    auto const size_bytes = static_cast<std::size_t>(info.st_size);
    refuse_lfs_pointer(m.descriptor.load(), size_bytes, m.path.string());
    void* const address = ::mmap(nullptr, size_bytes, PROT_READ, MAP_SHARED, m.descriptor.load(), 0);
    if (address == MAP_FAILED) {
        fail_system(std::string("cannot map the file into memory: ") + std::strerror(errno), m.path.string());
    }
    m.size_bytes.store(size_bytes);
    m.begin.store(reinterpret_cast<std::uintptr_t>(address)); // last: the handlers pass over an entry without it
}

MappedFile::~MappedFile() = default;
MappedFile::MappedFile(MappedFile&&) noexcept = default;
MappedFile& MappedFile::operator=(MappedFile&&) noexcept = default;

std::filesystem::path const& MappedFile::path() const noexcept
{
    return mapping_->path;
}

std::span<std::byte const> MappedFile::bytes() const noexcept
{
    return mapping_->bytes();
}

void MappedFile::check_unchanged() const
{
    if (!mapping_->is_unchanged()) refuse_changed();
}

void MappedFile::refuse_changed() const
{
    fail_input("the file changed while it was being read", path().string(),
               "another program wrote to it, or its disk failed",
               "start again when it is complete; write a new file and rename it over one that is in use");
}

std::int64_t MappedFile::status_time_ns() const noexcept
{
    struct stat now {};
    return ::fstat(mapping_->descriptor.load(), &now) == 0 ? to_ns(now.st_ctim) : 0;
}

namespace {

struct sigaction handler_before {};
std::size_t page_bytes = 4096;

} // namespace

char const* find_changed_mapping() noexcept
{
    using Mapping = MappedFile::Mapping;
    for (Mapping* mapping = Mapping::first.load(); mapping != nullptr; mapping = mapping->next)
        if (mapping->begin.load() != 0 && !mapping->is_unchanged()) return mapping->path.c_str();
    return nullptr;
}

void replace_lost_pages()
{
    using Mapping = MappedFile::Mapping;
    struct sigaction action {};
    // Zeros up to the mapping's end: where a page is lost, those behind it mostly are.
    action.sa_sigaction = [](int, siginfo_t* info, void*) {
        int const error = errno;
        auto const fault = reinterpret_cast<std::uintptr_t>(info->si_addr);
        for (Mapping* mapping = Mapping::first.load(); mapping != nullptr; mapping = mapping->next) {
            std::uintptr_t const begin = mapping->begin.load();
            std::size_t const mapped_bytes = (mapping->size_bytes.load() + page_bytes - 1) / page_bytes * page_bytes;
            if (begin == 0 || fault < begin || fault - begin >= mapped_bytes) continue;
            mapping->has_lost_pages.store(true);
            std::uintptr_t const page = fault / page_bytes * page_bytes;
            // By number: a library that stands in for mmap, as sanitizers do, need not be safe in a signal handler.
            long const zeros = ::syscall(SYS_mmap, page, begin + mapped_bytes - page, PROT_READ,
                                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0L);
            errno = error;
            if (zeros != -1) return;
        }
        ::sigaction(SIGBUS, &handler_before, nullptr); // the instruction runs again, and faults again
        if (info->si_code <= 0) ::raise(SIGBUS);       // sent by a process: there is no such instruction
    };
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    page_bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    struct sigaction before {};
    ::sigaction(SIGBUS, &action, &before);
    bool const was_installed = (before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == action.sa_sigaction;
    if (!was_installed) handler_before = before;
}

} // namespace volpt
