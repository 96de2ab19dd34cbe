// Reads and writes image files; the codec is found by content, then by extension, from codecs.def.
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/image.h"
#include "libvolpt/image/stored_image.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// The file of an ICC profile for pictures that have none; absent: sRGB, and an error for CMYK.
using FallbackProfile = std::optional<std::filesystem::path>;

/// What becomes of an embedded colour profile. `ignored` leaves the numbers of the file, C M Y K as channels C, M, Y,
/// K, and the profile in `profile`: for pictures whose numbers are no colours.
enum class ProfileUse { applied, ignored };

/// Colours come out as sRGB or linear, if the profile is to be applied: an embedded profile is applied
/// (icc/convert_profile.h), and one that cannot be is told in `notices`. Error (input) names the file, the offset or
/// the chunk, and what to do. Sizes are checked against the length of the file and `memory` before anything is
/// allocated. Starts no threads that outlive it: volprep reads pictures before sandboxes fork (sys/parallel.h).
Image read_image(std::filesystem::path const& path, FallbackProfile const& fallback = {},
                 ProfileUse use = ProfileUse::applied, PictureMemory const& memory = {});

/// The same of a whole file in memory, such as a texture inside a mesh file; the end of `where` may be an extension.
Image decode_image(std::span<std::byte const> file, std::string const& where, FallbackProfile const& fallback = {},
                   ProfileUse use = ProfileUse::applied, PictureMemory const& memory = {});

/// The same pictures for those who read them row by row: their samples as the file has them, where no conversion of
/// colours makes floats of them. A value takes 1, 2 or 4 bytes, and `memory` bounds these.
StoredImage read_stored_image(std::filesystem::path const& path, FallbackProfile const& fallback = {});
StoredImage decode_stored_image(std::span<std::byte const> file, std::string const& where,
                                FallbackProfile const& fallback = {}, PictureMemory const& memory = {});

/// The notices of a picture that was read, and one if its values were taken as sRGB for want of anything that says so.
std::vector<std::string> list_picture_notices(Image const& image, std::string const& where);

/// Writes to a temporary name, then renames. The extension chooses the codec; Error (usage) lists the known ones. EXR
/// keeps every channel as float and metadata as string attributes; PNG (8 bits) takes channels R, G, B (A) or Y,
/// already in its transfer; JPEG (8 bits, quality 95) the same without A; HDR and PFM take linear R, G, B or Y. On up
/// to `threads` threads (sys/parallel.h says who may use more than one); the bytes do not depend on their number.
void write_image(std::filesystem::path const& path, Image const& image, int threads = 1);

/// The file that write_image would write, of the format with this extension (".png"). Errors likewise.
std::vector<std::byte> encode_image(Image const& image, std::string const& extension, int threads = 1);

/// True if `write_image` knows this extension.
bool is_writable_image(std::filesystem::path const& path);

/// True if files of this extension hold 8-bit sRGB values (.png, .jpg): a picture for them is tone-mapped first.
bool is_display_image(std::filesystem::path const& path);

enum class ImageAccess { read, write };

/// ".exr .png .hdr .pfm .jpg .jpeg", for help texts; what is read includes .bmp, and what was added by add_codec.
std::string list_image_extensions(ImageAccess access);

/// A whole PNG file of grey samples with 16 bits, which write_image does not write: width * height samples, top row
/// first. No transfer is stated: the samples are numbers. Error (usage) if the file would exceed 2^31 bytes.
std::vector<std::byte> encode_grey_png_16(int width, int height, std::span<std::uint16_t const> samples);

/// A whole PNG file of 32 bits per pixel, with the resolution of pixels of `pitch_mm` (pHYs): width * height * 4 bytes
/// R G B A, top row first. No transfer is stated: the colours are names. Error (usage) if the file would exceed 2^31
/// bytes.
std::vector<std::byte> encode_rgba_png(int width, int height, std::span<std::byte const> samples,
                                       std::array<double, 2> pitch_mm);

} // namespace volpt
