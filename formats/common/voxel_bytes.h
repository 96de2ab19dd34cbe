// The voxel data of a foreign file as one sequence of bytes: from a file, from many files, or compressed.
#pragma once

#include "libvolpt/sys/file_bytes.h"

#include <memory>
#include <string>
#include <vector>

namespace volpt {

class VoxelBytes {
public:
    virtual ~VoxelBytes() = default;
    /// Fills `bytes` from `offset_bytes` on. Error (input) names file and offset. Ascending order is fastest.
    virtual void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) = 0;
    /// To be called after the last byte was read; Error (input) if a checksum over all bytes does not agree.
    virtual void finish() {}
    /// What a reader should know once the last byte was read.
    virtual std::vector<std::string> list_notices() const { return {}; }
};

/// The bytes of one file from `first_byte` on.
std::unique_ptr<VoxelBytes> make_file_span(FileBytes file, std::uint64_t first_byte);

/// `bytes` from `offset_bytes` on, where a volume of several begins. At the end of the last one the whole is checked.
enum class VolumePlace { last, before_others };
std::unique_ptr<VoxelBytes> make_bytes_from(std::unique_ptr<VoxelBytes> bytes, std::uint64_t offset_bytes,
                                            VolumePlace place);

/// Equal pieces of `piece_bytes`, one per file, each from `first_byte` of its file on (or, if `from_end`, its last
/// bytes). Error (input) names the first file that is missing or too short; files are opened as they are needed.
enum class PieceStart { after_header, from_end };
std::unique_ptr<VoxelBytes> make_pieces(std::vector<std::filesystem::path> paths, std::uint64_t piece_bytes,
                                        std::uint64_t first_byte, PieceStart start);

/// A zlib stream, or the members of a gzip file, of `compressed_bytes` at `first_byte`, holding exactly `size_bytes`;
/// inflated as it is read. As in gzip(1), what follows the last member is left out, with a notice unless it is zeros.
/// Error (input) at once if so few bytes cannot hold `size_bytes` (deflate never exceeds 1032 to 1).
std::unique_ptr<VoxelBytes> make_inflated(FileBytes file, std::uint64_t first_byte, std::uint64_t compressed_bytes,
                                          std::uint64_t size_bytes);

} // namespace volpt
