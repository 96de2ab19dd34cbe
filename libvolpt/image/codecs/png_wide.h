// Grey PNG files of 16 bits a sample, which stb_image_write does not write.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace volpt {

/// The whole file; width * height samples, top row first. No transfer is stated: the samples are numbers. Error (usage)
/// if the picture is larger than PNG chunks can hold (2^31 bytes).
std::vector<std::byte> encode_grey_png_16(int width, int height, std::span<std::uint16_t const> samples);

} // namespace volpt
