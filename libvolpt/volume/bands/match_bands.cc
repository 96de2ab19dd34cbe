#include "libvolpt/volume/bands/match_bands.h"

namespace volpt {

std::shared_ptr<PackedVolume const> match_bands(std::shared_ptr<PackedVolume const> volume, std::uint32_t bands,
                                                int threads)
{
    if (!volume->meta().is_grey() || bands != kRgbBands) return volume;
    return std::make_shared<PackedVolume const>(volume->widen_to_rgb(threads));
}

} // namespace volpt
