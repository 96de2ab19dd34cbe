#include "formats/common/voxel_sources.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kPieceElements = std::size_t{1} << 16;

class BinarySource final : public VolumeSource {
public:
    BinarySource(SourceMeta meta, StoredType stored, std::unique_ptr<VoxelBytes> bytes)
        : VolumeSource(std::move(meta)), stored_(stored), bytes_(std::move(bytes)),
          piece_(kPieceElements * element_size_bytes(stored.type))
    {
    }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        std::uint64_t const size = element_size_bytes(stored_.type);
        std::uint64_t const layer = static_cast<std::uint64_t>(meta().channels) *
                                    static_cast<std::uint64_t>(meta().dims[0]) *
                                    static_cast<std::uint64_t>(meta().dims[1]);
        std::uint64_t offset_bytes = static_cast<std::uint64_t>(z_first) * layer * size;
        while (!values.empty()) {
            std::size_t const count = std::min(values.size(), kPieceElements);
            auto const piece = std::span(piece_).first(count * size);
            bytes_->read(offset_bytes, piece);
            decode_elements(stored_, piece, values.first(count));
            values = values.subspan(count);
            offset_bytes += piece.size();
        }
        if (z_first + z_count == meta().dims[2]) bytes_->finish();
    }

    std::vector<std::string> list_notices() const override { return bytes_->list_notices(); }

private:
    StoredType stored_;
    std::unique_ptr<VoxelBytes> bytes_;
    std::vector<std::byte> piece_;
};

constexpr std::size_t kWindowBytes = 65536;
/// No number of any type needs more characters: the text is damaged if a word is longer.
constexpr std::size_t kMaxWord = 512;

bool is_separator(char c)
{
    return c == ' ' || c == '\n' || c == '\r' || c == '\t' || c == ',';
}

class AsciiSource final : public VolumeSource {
public:
    AsciiSource(SourceMeta meta, FileBytes file, std::uint64_t first_byte)
        : VolumeSource(std::move(meta)), file_(std::move(file)), first_byte_(first_byte), next_byte_(first_byte)
    {
    }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        (void)z_count;
        std::uint64_t const layers =
            meta().volume * static_cast<std::uint64_t>(meta().dims[2]) + static_cast<std::uint64_t>(z_first);
        std::uint64_t const first = layers * static_cast<std::uint64_t>(meta().dims[0]) *
                                    static_cast<std::uint64_t>(meta().dims[1]) *
                                    static_cast<std::uint64_t>(meta().channels);
        if (first < numbers_read_) restart();
        while (numbers_read_ < first) next_number();
        for (float& value : values) value = next_number();
    }

private:
    void restart()
    {
        window_.clear();
        at_ = 0;
        next_byte_ = first_byte_;
        numbers_read_ = 0;
    }

    /// Keeps at least one whole word in the window, or all that is left of the file.
    void refill()
    {
        window_.erase(0, at_);
        at_ = 0;
        auto const count =
            static_cast<std::size_t>(std::min<std::uint64_t>(kWindowBytes, file_.size_bytes() - next_byte_));
        std::size_t const kept = window_.size();
        window_.resize(kept + count);
        file_.read_at(next_byte_, std::as_writable_bytes(std::span(window_).subspan(kept)));
        next_byte_ += count;
    }

    float next_number()
    {
        for (;;) {
            while (at_ < window_.size() && is_separator(window_[at_])) ++at_;
            if (window_.size() - at_ >= kMaxWord || next_byte_ == file_.size_bytes()) break;
            refill();
        }
        double number = 0;
        char const* const begin = window_.data() + at_;
        auto const [end, error] = std::from_chars(begin, window_.data() + window_.size(), number);
        auto const length = static_cast<std::size_t>(end - begin);
        bool const ends_word = at_ + length == window_.size() || is_separator(*end);
        if (error != std::errc{} || !ends_word) refuse_word();
        at_ += length;
        ++numbers_read_;
        return static_cast<float>(number);
    }

    [[noreturn]] void refuse_word() const
    {
        std::string const where =
            fmt::format("{} at offset {}", file_.path().string(), next_byte_ - (window_.size() - at_));
        if (at_ == window_.size())
            fail_input(fmt::format("the text ends after {} numbers", numbers_read_), where, "the header asks for more",
                       "get a complete copy");
        fail_input(fmt::format("'{}' is not a number", window_.substr(at_, 20)), where,
                   "the header says that the voxels are decimal text", "correct the header or the text");
    }

    FileBytes file_;
    std::uint64_t first_byte_;
    std::uint64_t next_byte_;
    std::uint64_t numbers_read_ = 0;
    std::string window_;
    std::size_t at_ = 0;
};

} // namespace

std::unique_ptr<VolumeSource> make_binary_source(SourceMeta meta, StoredType stored, std::unique_ptr<VoxelBytes> bytes)
{
    meta.element = stored.type;
    return std::make_unique<BinarySource>(std::move(meta), stored, std::move(bytes));
}

std::unique_ptr<VolumeSource> make_ascii_source(SourceMeta meta, FileBytes file, std::uint64_t first_byte)
{
    std::uint64_t const numbers = (meta.volume + 1) * static_cast<std::uint64_t>(meta.dims[0]) *
                                  static_cast<std::uint64_t>(meta.dims[1]) * static_cast<std::uint64_t>(meta.dims[2]) *
                                  static_cast<std::uint64_t>(meta.channels);
    std::uint64_t const available = file.size_bytes() - std::min(file.size_bytes(), first_byte);
    // The shortest text is one digit per number and one separator between two.
    if (available < 2 * numbers - 1)
        fail_input(fmt::format("{} bytes of text cannot hold {} numbers", available, numbers), file.path().string(),
                   "the header announces that many", "get a complete copy or correct the header");
    return std::make_unique<AsciiSource>(std::move(meta), std::move(file), first_byte);
}

} // namespace volpt
