// The bound on the memory that decoding a picture takes, for all formats: compression makes pixels free in a file, not
// in memory.
#pragma once

#include "libvolpt/sys/memory/usable_memory.h"

#include <cstdint>
#include <optional>
#include <string>

namespace volpt {

/// For all pictures that are decoded from now on, in any thread: a number of bytes, or the rule of PictureMemory. What
/// a program does with --picture-memory, given or not: the memory that it bounds is that of the process.
void choose_picture_memory(std::optional<std::uint64_t> bytes);
std::optional<std::uint64_t> chosen_picture_memory();

struct PictureMemory {
    std::optional<std::uint64_t> given_bytes = chosen_picture_memory();
    std::uint64_t usable_bytes = find_usable_memory(); ///< for the rule of those who give nothing

    /// What one picture may take. If nothing is given: 2 GiB, or eight times the length of its file if that is more,
    /// but at most a third of `usable_bytes`, since programs hold two pictures and work on them.
    std::uint64_t most_bytes(std::uint64_t file_bytes) const;
};

/// What decoding takes: the values of a picture, and what the decoder holds beside them.
struct PictureNeed {
    std::uint64_t width;
    std::uint64_t height;
    std::uint64_t channels;
    std::uint64_t further_bytes = 0;
    std::uint64_t value_bytes = sizeof(float);
};

/// Error (input) that names size, file and option if that is more than allowed. To be called before memory is taken.
void check_picture_memory(PictureNeed const& need, std::uint64_t file_bytes, PictureMemory const& memory,
                          std::string const& where);

} // namespace volpt
