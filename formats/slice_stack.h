// A stack of PNG slices as a volume: one slice a layer, its top row first.
#pragma once

#include "formats/slice_files.h"
#include "formats/volume_source.h"

namespace volpt {

/// `kept` makes R G B A slices a volume of four channels, for palettes; otherwise a pixel that is not opaque is refused.
enum class SliceAlpha { kept, opaque };

/// Sizes and colour types of all slices are read and compared at once (Error (input) names the slice that differs),
/// pixels slice by slice. Numbers are the samples, u8, or u16 if any slice has 16 bits; one channel if all slices are
/// grey, else R G B (A). `known` has the placement, and what an archive's manifest says.
std::unique_ptr<VolumeSource> make_slice_stack(std::unique_ptr<SliceFiles> files, SourceMeta known, SliceAlpha alpha);

/// A folder or a pattern of slices, or nullptr if the name is neither.
std::unique_ptr<VolumeSource> open_slice_stack(std::string const& name, SliceAlpha alpha);

/// Columns along +x, rows along -y, slices along +z; the middle of the box is the origin.
SourceMeta place_upright();

} // namespace volpt
