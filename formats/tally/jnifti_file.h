// Tallies as JNIfTI text: NIfTI's header and data as JSON, whose array is zlib in base64.
//
// Source: JNIfTI and JData specifications of NeuroJSON, draft 1 and 3 (neurojson.org).
#pragma once

#include "libvolpt/scene/light/tally_volume.h"
#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <string>

namespace volpt {

/// Dimensions x, y, z, gate, channel; row-major, the channel fastest: values of each band, then their standard errors.
/// `cells` are the tally's in the world. The same content gives the same bytes.
void write_jnifti_tally(TallyVolume const& tally, VolumeMeta const& cells, std::string const& description,
                        std::filesystem::path const& path);

} // namespace volpt
