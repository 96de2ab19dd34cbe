// A stack of pictures as a volume: one slice a layer, its top row first.
#pragma once

#include "formats/slices/pictures.h"
#include "libvolpt/volume/volume_source.h"

namespace volpt {

/// `kept` makes R G B A slices a volume of four channels, for palettes; otherwise a pixel that is not opaque is
/// refused.
enum class SliceAlpha { kept, opaque };

/// Sizes and colour types of all slices are read and compared at once (Error (input) names the slice that differs),
/// pixels slice by slice. Numbers are the samples, u16 where slices of 8 and 16 bits are mixed; one channel if all
/// slices are grey, else R G B (A). `known` has the placement, and what an archive's manifest says.
std::unique_ptr<VolumeSource> make_slice_stack(std::unique_ptr<SlicePictures> pictures, SourceMeta known,
                                               SliceAlpha alpha);

/// A folder or a pattern of PNG, BMP or one-page TIFF slices, or nullptr if the name is neither.
std::unique_ptr<VolumeSource> open_slice_stack(std::string const& name, SliceAlpha alpha);

/// Columns along +x, rows along -y, slices along +z; the middle of the box is the origin.
SourceMeta place_upright();

} // namespace volpt
