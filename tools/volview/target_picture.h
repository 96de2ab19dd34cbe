// The picture of --target-picture, which a probe's film is compared with.
#pragma once

#include "libvolpt/film/film_patch.h"
#include "libvolpt/image/image.h"
#include "tools/options/tool.h"

#include <filesystem>
#include <memory>
#include <mutex>

namespace volpt {

/// All calls from any thread.
class TargetPicture {
public:
    /// Error as read_image's; Error (usage) for a picture without colours.
    TargetPicture(std::filesystem::path const& path, NoticeSink const& notice);

    /// Resampled to this size: R, G, B or Y.
    std::shared_ptr<Image const> resample(std::uint32_t width, std::uint32_t height) const;
    /// L*a*b* of the mean over a rectangle of the picture resampled to this size.
    Triple measure(PixelRectangle const& rectangle, std::uint32_t width, std::uint32_t height,
                   Illuminant illuminant) const;

private:
    Image picture_;
    mutable std::mutex mutex_;
    mutable std::shared_ptr<Image const> resampled_;
};

/// CIEDE2000 of two L*a*b* colours.
double measure_difference(Triple const& lab, Triple const& reference_lab);

} // namespace volpt
