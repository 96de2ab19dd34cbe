// Sandbox: a child process with limits on memory and time, for libraries that are not safe on hostile files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <sys/types.h>
#include <vector>

namespace volpt {

struct SandboxLimits {
    std::uint64_t memory_bytes = 0; ///< address space; not set in builds with sanitizers, which reserve terabytes
    std::uint64_t cpu_seconds = 0;
};

/// Limits for reading a file of this size: memory of 1 GiB plus 64 times its bytes, at most that of the machine; 60 s
/// plus 1 s per MB.
SandboxLimits find_sandbox_limits(std::filesystem::path const& path);

/// A message between the two processes. Kinds are chosen by the user of the class, from 1 on.
struct SandboxMessage {
    std::uint32_t kind = 0;
    std::vector<std::byte> bytes;
};
inline constexpr std::size_t kMaxMessage_bytes = std::size_t{16} << 20;

/// The child's end of the connection.
class SandboxPort {
public:
    SandboxPort(int in, int out) : in_(in), out_(out) {}
    /// False if the parent is gone.
    bool receive(std::span<std::byte> bytes);
    /// Ends the process if the parent is gone.
    void send(std::uint32_t kind, std::span<std::byte const> bytes);
    /// Raises the limit by the time for work that is known only now.
    void allow_more_cpu(std::uint64_t seconds);
    /// Raises the limit by memory that the parent asks for, besides that for the file.
    void allow_more_memory(std::uint64_t bytes);

private:
    int in_;
    int out_;
};

/// The parent's end. The child cannot write files; its output is discarded.
class Sandbox {
public:
    /// Runs `work` in a child process; its exceptions reach the parent as an Error (input) that names `path`.
    Sandbox(std::filesystem::path path, SandboxLimits limits, std::function<void(SandboxPort&)> const& work);
    ~Sandbox(); ///< kills the child
    Sandbox(Sandbox const&) = delete;
    Sandbox& operator=(Sandbox const&) = delete;

    void send(std::span<std::byte const> bytes);
    /// The next message, valid until the next call. Error (input) with the reason if the child failed or died.
    SandboxMessage const& receive();

private:
    [[noreturn]] void fail_for_dead_child();

    std::filesystem::path path_;
    SandboxLimits limits_;
    SandboxMessage message_;
    int in_ = -1;
    int out_ = -1;
    pid_t child_ = -1;
};

/// Memory that a sandboxed process and its parent share: voxels cross without a copy through the socket. Made before
/// the child, which inherits it; the parent sizes it, each side maps it.
class SharedMemory {
public:
    SharedMemory(); ///< Error (system)
    ~SharedMemory();
    SharedMemory(SharedMemory const&) = delete;
    SharedMemory& operator=(SharedMemory const&) = delete;

    /// In the parent, once: sizes, maps and seals it, so that the child cannot remove pages that the parent reads.
    /// Error (system) if memory does not suffice.
    void create(std::uint64_t size_bytes);
    /// The size that `create` gave it; 0 before.
    std::uint64_t size_bytes() const;
    /// In the child, after `create`. std::bad_alloc if the child's memory limit does not allow it.
    void map();
    std::span<std::byte> bytes() const noexcept { return bytes_; }

private:
    bool map_bytes(std::uint64_t size_bytes);

    int descriptor_ = -1;
    std::span<std::byte> bytes_;
};

} // namespace volpt
