// Voxel data that lie as they are in one file or in many.
#include "formats/common/voxel_bytes.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace volpt {
namespace {

class FileSpan final : public VoxelBytes {
public:
    FileSpan(FileBytes file, std::uint64_t first_byte) : file_(std::move(file)), first_byte_(first_byte) {}

    void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) override
    {
        file_.read_at(first_byte_ + offset_bytes, bytes);
    }

private:
    FileBytes file_;
    std::uint64_t first_byte_;
};

class Pieces final : public VoxelBytes {
public:
    Pieces(std::vector<std::filesystem::path> paths, std::uint64_t piece_bytes, std::uint64_t first_byte,
           PieceStart start)
        : paths_(std::move(paths)), piece_bytes_(piece_bytes), first_byte_(first_byte), start_(start)
    {
    }

    void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) override
    {
        while (!bytes.empty()) {
            std::uint64_t const inside = offset_bytes % piece_bytes_;
            auto const count = static_cast<std::size_t>(std::min<std::uint64_t>(piece_bytes_ - inside, bytes.size()));
            read_piece(static_cast<std::size_t>(offset_bytes / piece_bytes_), inside, bytes.first(count));
            bytes = bytes.subspan(count);
            offset_bytes += count;
        }
    }

private:
    void read_piece(std::size_t index, std::uint64_t inside, std::span<std::byte> bytes)
    {
        if (!file_ || index != open_index_) {
            file_.reset();
            file_.emplace(paths_.at(index));
            open_index_ = index;
            if (file_->size_bytes() < piece_bytes_)
                fail_input(
                    fmt::format("holds {} bytes, one piece of the volume takes {}", file_->size_bytes(), piece_bytes_),
                    file_->path().string(), {}, "get a complete copy");
        }
        std::uint64_t const first = start_ == PieceStart::from_end ? file_->size_bytes() - piece_bytes_ : first_byte_;
        file_->read_at(first + inside, bytes);
    }

    std::vector<std::filesystem::path> paths_;
    std::uint64_t piece_bytes_;
    std::uint64_t first_byte_;
    PieceStart start_;
    std::optional<FileBytes> file_;
    std::size_t open_index_ = 0;
};

} // namespace

std::unique_ptr<VoxelBytes> make_file_span(FileBytes file, std::uint64_t first_byte)
{
    return std::make_unique<FileSpan>(std::move(file), first_byte);
}

std::unique_ptr<VoxelBytes> make_pieces(std::vector<std::filesystem::path> paths, std::uint64_t piece_bytes,
                                        std::uint64_t first_byte, PieceStart start)
{
    return std::make_unique<Pieces>(std::move(paths), piece_bytes, first_byte, start);
}

} // namespace volpt
