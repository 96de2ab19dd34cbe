// An image format as the registry sees it: one Codec per file codec_<name>.cc, listed in codecs.def.
#pragma once

#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/image/image.h"
#include "libvolpt/image/stored_image.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct Codec {
    std::string_view name;       ///< as in codecs.def
    std::string_view extensions; ///< lower case, with their dots, separated by spaces

    /// True if the file begins as this format does.
    bool (*matches)(std::span<std::byte const> file);
    /// See decode. Formats of floats take any form and give floats.
    StoredImage (*decoder)(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory,
                           SampleForm form);
    /// See encode. Null: the format is read, not written.
    std::vector<std::byte> (*encoder)(Image const& image, int threads);
    /// What encode takes of a picture to look at: srgb for formats of 8 bits.
    Transfer display_transfer = Transfer::linear;

    /// Error (input) starts with `where` and names chunk or offset. Allocates no more than the length of the file
    /// justifies and `memory` allows (check_decoded_size). Colours are as they are stored: profile and inks (channels C
    /// M Y K) are left to read_image.
    Image decode(std::span<std::byte const> file, std::string const& where, PictureMemory const& memory = {}) const
    {
        return to_floats(decoder(file, where, memory, SampleForm::floats));
    }

    /// The whole file, on up to `threads` threads; its bytes do not depend on their number. Error (usage) if the format
    /// cannot carry the image, or is not written at all. `image` has passed check_image.
    std::vector<std::byte> encode(Image const& image, int threads = 1) const;
};

/// In the order of codecs.def, then those that were added.
std::span<Codec const> list_codecs();

/// For programs that read more than this library does: formats/tiff/picture.h has one. Call it before other threads
/// start and before pictures are read. A second one of the same name is left out.
void add_codec(Codec const& codec);

/// Error (usage) unless sizes are positive, names unique and every channel has width * height values.
void check_image(Image const& image);

/// The channels R, G, B (A) or Y (A) in that order. Error (usage) if others are there or some are missing, as `format`
/// cannot hold them.
std::vector<Channel const*> pick_colour_channels(Image const& image, std::string_view format);

/// Error (usage) unless the image is linear, as `format` is by definition.
void require_linear(Image const& image, std::string_view format);

/// The values of these channels pixel by pixel, clamped to 0..1 and rounded to 8 bits, on up to `threads` threads.
/// Error (usage) names the pixel of a NaN.
std::vector<std::byte> quantise_to_bytes(Image const& image, std::span<Channel const* const> channels, int threads);

/// A command line of ImageMagick that makes an sRGB PNG of a picture, whatever it is and however it is coded.
std::string suggest_conversion(std::string const& where);

/// Names of `count` values per pixel, as decoders give them: Y, Y A, R G B or R G B A.
std::vector<std::string> colour_channel_names(int count);

struct SizeBound {
    std::uint64_t floor_bytes;
    std::uint64_t ratio;
};
/// Error (input) if the decoded floats would take more than the larger of `floor_bytes` and `ratio` times the length of
/// the file, for sizes below 1 x 1, and as check_picture_memory does.
void check_decoded_size(PictureNeed const& need, std::size_t file_bytes, SizeBound bound, PictureMemory const& memory,
                        std::string const& where);

} // namespace volpt
