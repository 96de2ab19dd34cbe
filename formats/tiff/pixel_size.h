// How large the voxels of a TIFF stack are, by whoever says it.
#pragma once

#include "formats/tiff/messages.h"
#include "formats/tiff/ome.h"
#include "formats/tiff/stack_text.h"
#include "libvolpt/volume/source/volume_source.h"

namespace volpt {

// Each sets pitch_mm and pitch_origin of `meta`, or pitch_advice where the file says less than a pitch. `page` is the
// first slice's.

/// XResolution and YResolution with ResolutionUnit, which do not say how far apart slices are.
void set_pitch_of_tags(TiffPage const& page, SourceMeta& meta);
/// spacing and unit, with the tags.
void set_pitch_of_imagej(ImagejText const& text, TiffPage const& page, SourceMeta& meta);
/// PhysicalSizeX, Y and Z; the tags if there is none of them.
void set_pitch_of_ome(OmeImage const& image, TiffPage const& page, SourceMeta& meta);

} // namespace volpt
