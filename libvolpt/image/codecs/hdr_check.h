// Structure check of a Radiance picture: header, and every scanline's run lengths, before stb_image decodes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace volpt {

struct HdrSummary {
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    std::vector<std::pair<std::string, std::string>> variables; ///< "EXPOSURE", "1.0", ... without FORMAT
};

bool is_hdr(std::span<std::byte const> file);

/// Walks the file once without allocating pixels. Error (input) names the offset of the first thing wrong: a format
/// other than 32-bit_rle_rgbe, an orientation other than -Y +X, a run past its line's end, a file cut short or too
/// long. stb_image 2.27 loops for ever on a run of length 0, as the end of the file reads to it; this check refuses
/// both.
HdrSummary check_hdr(std::span<std::byte const> file, std::string const& where);

} // namespace volpt
