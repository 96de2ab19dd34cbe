// ScratchFile: an unnamed temporary file, written sequentially and read at any offset. It disappears with the process.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <sys/uio.h>
#include <vector>

namespace volpt {

class ScratchFile {
public:
    /// Created in `folder`: that of the output, whose disk needs space for the same bytes anyway. Error (system).
    explicit ScratchFile(std::filesystem::path folder);
    ~ScratchFile();
    ScratchFile(ScratchFile const&) = delete;
    ScratchFile& operator=(ScratchFile const&) = delete;

    void append(std::span<std::byte const> bytes);
    /// To be called after the last `append` and before the first `read_at`.
    void flush();
    /// Fills `bytes` from `offset_bytes` on. From any thread.
    void read_at(std::uint64_t offset_bytes, std::span<std::byte> bytes) const;
    /// Fills `places` one after the other from `offset_bytes` on, and changes them. From any thread.
    void read_at(std::uint64_t offset_bytes, std::span<iovec> places) const;
    std::uint64_t size_bytes() const noexcept { return written_bytes_ + buffer_.size(); }

private:
    void write(std::span<std::byte const> bytes);

    std::filesystem::path folder_;
    int descriptor_ = -1;
    std::uint64_t written_bytes_ = 0;
    std::vector<std::byte> buffer_;
};

} // namespace volpt
