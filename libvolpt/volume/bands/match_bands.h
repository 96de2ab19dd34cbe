#pragma once

#include "libvolpt/volume/volume.h"

#include <cstdint>
#include <memory>

namespace volpt {

inline constexpr std::uint32_t kRgbBands = 3;

/// The volume that a scene of so many bands is rendered of: `volume`, or, if it is grey and they are kRgbBands,
/// widen_to_rgb of it.
std::shared_ptr<PackedVolume const> match_bands(std::shared_ptr<PackedVolume const> volume, std::uint32_t bands,
                                                int threads);

} // namespace volpt
