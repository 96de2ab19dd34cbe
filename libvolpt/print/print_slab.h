// Slabs with a texture printed into one side: the prints of Forti 2018 and of any two-material print.
//
// F. Forti, Efficient GPU Path Tracing in Solid Volumetric Media, 2018.
#pragma once

#include "libvolpt/image/stored_image.h"
#include "libvolpt/sys/text/enum_words.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

/// What a texture's numbers v mean: `linear`: v / 255 is the albedo; `srgb`: its IEC 61966-2-1 decoding is.
enum class TextureTransfer { linear, srgb };
template <>
inline constexpr auto kWords<TextureTransfer> = list_words<TextureTransfer>({{TextureTransfer::linear, "linear"},
                                                                             {TextureTransfer::srgb, "srgb"}});

struct PrintOptions {
    std::array<int, 3> dims{1, 1, 1};
    std::array<float, 3> pitch_mm{1, 1, 1};
    double ink_share = 0.1; ///< part of the depth that is printed, 0..1, rounded to whole layers, at least one if > 0
    std::uint32_t side_axis = 4;             ///< 0..5: +x -x +y -y +z -z, the side that is printed
    double sigma_t = 1;                      ///< 1/mm, everywhere
    std::vector<double> base_albedo{0.9997}; ///< one value or R,G,B
    TextureTransfer transfer = TextureTransfer::linear;
    std::optional<Encoding> albedo_encoding; ///< absent: u8 if every albedo is a multiple of 1/255, else f16
    float g = 0;
    Filter filter = Filter::trilinear;
};

/// Centred on the origin, three bands, constant density. Seen from outside, looking at the printed side with +y up (for
/// +y: -z up, for -y: +z up), the texture stands upright and unmirrored; on +z its columns run along +x and its top row
/// lies at the largest y. A voxel takes the texel at its centre, or, where texels are smaller than voxels, their mean
/// over its area, along each axis by itself. Alpha blends the texture over the base albedo. The bands of a grey texture
/// are equal.
std::unique_ptr<VoxelStream> make_print_slab(StoredImage const& texture, PrintOptions options);

} // namespace volpt
