// A child process with limits on memory and time, for libraries that are not hardened against hostile files.
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

/// What a file of this size may cost a library that reads it: 1 GiB and 64 times its bytes, no more than the machine
/// has; a minute, and a second more for every MB.
SandboxLimits find_sandbox_limits(std::filesystem::path const& path);

/// A message between the two processes. Kinds are the user's, from 1 on.
struct SandboxMessage {
    std::uint32_t kind = 0;
    std::vector<std::byte> bytes;
};
inline constexpr std::size_t kMaxMessageBytes = std::size_t{16} << 20;

/// The child's end of the line.
class SandboxPort {
public:
    SandboxPort(int in, int out) : in_(in), out_(out) {}
    /// False when the other side is gone.
    bool receive(std::span<std::byte> bytes);
    /// Ends the process if the other side is gone.
    void send(std::uint32_t kind, std::span<std::byte const> bytes);
    /// Time for work whose length was found out meanwhile.
    void allow_more_cpu(std::uint64_t seconds);
    /// Memory for what the parent asks for, beside the file's own.
    void allow_more_memory(std::uint64_t bytes);

private:
    int in_;
    int out_;
};

/// The parent's end. The child cannot write files; nothing it prints is seen.
class Sandbox {
public:
    /// Runs `work` in a child process; an exception in it reaches the parent as an Error (input) that names `path`.
    Sandbox(std::filesystem::path path, SandboxLimits limits, std::function<void(SandboxPort&)> const& work);
    ~Sandbox(); ///< kills the child
    Sandbox(Sandbox const&) = delete;
    Sandbox& operator=(Sandbox const&) = delete;

    void send(std::span<std::byte const> bytes);
    /// The next message; the reference holds until the next call. Error (input) says why the child failed or died.
    SandboxMessage const& receive();

private:
    [[noreturn]] void fail_by_death();

    std::filesystem::path path_;
    SandboxLimits limits_;
    SandboxMessage message_;
    int in_ = -1;
    int out_ = -1;
    pid_t child_ = -1;
};

} // namespace volpt
