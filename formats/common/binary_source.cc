// Decodes binary elements piece by piece, so that a slab needs little beside its floats.
#include "formats/common/binary_source.h"

#include <algorithm>

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

private:
    StoredType stored_;
    std::unique_ptr<VoxelBytes> bytes_;
    std::vector<std::byte> piece_;
};

} // namespace

std::unique_ptr<VolumeSource> make_binary_source(SourceMeta meta, StoredType stored, std::unique_ptr<VoxelBytes> bytes)
{
    meta.element = stored.type;
    return std::make_unique<BinarySource>(std::move(meta), stored, std::move(bytes));
}

} // namespace volpt
