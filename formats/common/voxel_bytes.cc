#include "formats/common/voxel_bytes.h"

#include "formats/common/inflate.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <optional>
#include <zlib.h>

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

class BytesFrom final : public VoxelBytes {
public:
    BytesFrom(std::unique_ptr<VoxelBytes> bytes, std::uint64_t offset_bytes, VolumePlace place)
        : bytes_(std::move(bytes)), offset_bytes_(offset_bytes), place_(place)
    {
    }
    void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) override
    {
        bytes_->read(offset_bytes_ + offset_bytes, bytes);
    }
    void finish() override
    {
        if (place_ == VolumePlace::last) bytes_->finish();
    }
    std::vector<std::string> list_notices() const override { return bytes_->list_notices(); }

private:
    std::unique_ptr<VoxelBytes> bytes_;
    std::uint64_t offset_bytes_;
    VolumePlace place_;
};

/// Deflate's longest match is 258 bytes for at least two bits; zlib's authors give 1032 to 1 as the limit.
constexpr std::uint64_t kMaxDeflateRatio = 1032;
constexpr int kZlibOrGzip = 15 + 32;

class Inflated final : public VoxelBytes {
public:
    Inflated(FileBytes file, std::uint64_t first_byte, std::uint64_t compressed_bytes)
        : file_(std::move(file)), first_byte_(first_byte), compressed_bytes_(compressed_bytes)
    {
        if (inflateInit2(&stream_, kZlibOrGzip) != Z_OK) throw std::bad_alloc();
    }
    ~Inflated() override { inflateEnd(&stream_); }
    Inflated(Inflated const&) = delete;
    Inflated& operator=(Inflated const&) = delete;

    void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) override
    {
        if (offset_bytes < produced_bytes_) restart();
        while (produced_bytes_ < offset_bytes) {
            std::array<std::byte, 16384> skipped;
            auto const count = std::min<std::uint64_t>(skipped.size(), offset_bytes - produced_bytes_);
            produce(std::span(skipped).first(static_cast<std::size_t>(count)));
        }
        produce(bytes);
    }

    void finish() override
    {
        std::array<std::byte, 1> surplus;
        if (produce_some(surplus) != 0)
            fail("the compressed data go on after the last voxel", "the header does not fit the data");
        unused_bytes_ = has_unused_bytes() ? stream_.avail_in + compressed_bytes_ - consumed_bytes_ : 0;
    }

    std::vector<std::string> list_notices() const override
    {
        if (unused_bytes_ == 0) return {};
        return {
            fmt::format("{}: {} bytes after the compressed data are ignored", file_.path().string(), unused_bytes_)};
    }

private:
    void restart()
    {
        inflateReset(&stream_);
        stream_.avail_in = 0;
        consumed_bytes_ = 0;
        produced_bytes_ = 0;
        ended_ = false;
    }

    void produce(std::span<std::byte> bytes)
    {
        while (!bytes.empty()) {
            std::size_t const got = produce_some(bytes);
            if (got == 0)
                fail("the compressed data end before the last voxel", "the file is cut short or the header is wrong");
            bytes = bytes.subspan(got);
        }
    }

    /// Inflates into the front of `bytes`; 0 only at the end of the stream, whose checksum zlib has then compared.
    std::size_t produce_some(std::span<std::byte> bytes)
    {
        bytes = bytes.first(std::min<std::size_t>(bytes.size(), std::size_t{1} << 30));
        stream_.next_out = reinterpret_cast<Bytef*>(bytes.data());
        stream_.avail_out = static_cast<uInt>(bytes.size());
        while (!ended_ && stream_.avail_out == bytes.size()) {
            if (stream_.avail_in == 0) refill();
            int const result = inflate(&stream_, Z_NO_FLUSH);
            if (result == Z_STREAM_END)
                ended_ = !begin_next_member();
            else if (result == Z_MEM_ERROR)
                throw std::bad_alloc();
            else if (result != Z_OK && result != Z_BUF_ERROR)
                fail(fmt::format("the compressed data are damaged: {}",
                                 stream_.msg != nullptr ? stream_.msg : "no zlib stream"),
                     "zlib cannot go on past this place");
        }
        std::size_t const got = bytes.size() - stream_.avail_out;
        produced_bytes_ += got;
        return got;
    }

    /// The file ends, or the next bytes are no member, where this is false.
    bool begin_next_member()
    {
        if (!is_gzip_) return false;
        if (stream_.avail_in < 2) read_more();
        if (!is_gzip_head(unread())) return false;
        inflateReset(&stream_);
        return true;
    }

    /// Whether a byte other than 0 follows the data; reads up to it.
    bool has_unused_bytes()
    {
        while (std::ranges::all_of(unread(), [](std::byte byte) { return byte == std::byte{0}; })) {
            stream_.avail_in = 0;
            if (consumed_bytes_ == compressed_bytes_) return false;
            read_more();
        }
        return true;
    }

    std::span<std::byte const> unread() const { return std::as_bytes(std::span(stream_.next_in, stream_.avail_in)); }

    void refill()
    {
        if (consumed_bytes_ == compressed_bytes_)
            fail("the compressed data end in the middle of the stream", "the file is cut short");
        bool const is_first = consumed_bytes_ == 0;
        read_more();
        if (is_first) is_gzip_ = is_gzip_head(unread());
    }

    /// Keeps what is unread.
    void read_more()
    {
        std::size_t const kept = unread().size();
        std::ranges::copy(unread(), input_.begin());
        auto const count = static_cast<std::size_t>(
            std::min<std::uint64_t>(compressed_bytes_ - consumed_bytes_, input_.size() - kept));
        file_.read_at(first_byte_ + consumed_bytes_, std::span(input_).subspan(kept, count));
        consumed_bytes_ += count;
        stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
        stream_.avail_in = static_cast<uInt>(kept + count);
    }

    [[noreturn]] void fail(std::string what, std::string why) const
    {
        fail_input(
            std::move(what),
            fmt::format("{} at offset {}", file_.path().string(), first_byte_ + consumed_bytes_ - stream_.avail_in),
            std::move(why), "get a complete copy");
    }

    FileBytes file_;
    std::uint64_t first_byte_;
    std::uint64_t compressed_bytes_;
    std::uint64_t consumed_bytes_ = 0;
    std::uint64_t produced_bytes_ = 0;
    std::uint64_t unused_bytes_ = 0;
    bool is_gzip_ = false;
    bool ended_ = false;
    z_stream stream_{};
    std::array<std::byte, 65536> input_;
};

} // namespace

std::unique_ptr<VoxelBytes> make_file_span(FileBytes file, std::uint64_t first_byte)
{
    return std::make_unique<FileSpan>(std::move(file), first_byte);
}

std::unique_ptr<VoxelBytes> make_bytes_from(std::unique_ptr<VoxelBytes> bytes, std::uint64_t offset_bytes,
                                            VolumePlace place)
{
    if (offset_bytes == 0 && place == VolumePlace::last) return bytes;
    return std::make_unique<BytesFrom>(std::move(bytes), offset_bytes, place);
}

std::unique_ptr<VoxelBytes> make_pieces(std::vector<std::filesystem::path> paths, std::uint64_t piece_bytes,
                                        std::uint64_t first_byte, PieceStart start)
{
    return std::make_unique<Pieces>(std::move(paths), piece_bytes, first_byte, start);
}

std::unique_ptr<VoxelBytes> make_inflated(FileBytes file, std::uint64_t first_byte, std::uint64_t compressed_bytes,
                                          std::uint64_t size_bytes)
{
    if (size_bytes / kMaxDeflateRatio > compressed_bytes)
        fail_input(fmt::format("{} compressed bytes cannot hold the {} that the header asks for", compressed_bytes,
                               size_bytes),
                   file.path().string(), "deflate never exceeds 1032 to 1",
                   "get a complete copy or correct the header");
    return std::make_unique<Inflated>(std::move(file), first_byte, compressed_bytes);
}

} // namespace volpt
