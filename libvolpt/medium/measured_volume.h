// A foreign volume as density and albedo: window, colour table and the choice of encodings.
#pragma once

#include "libvolpt/medium/colour_table.h"
#include "libvolpt/volume/volume_source.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

/// density = (value - low) / (high - low), clamped to 0..1.
struct Window {
    double low = 0;
    double high = 1;
};

struct MeasuredOptions {
    std::optional<std::array<double, 3>> pitch_mm; ///< instead of the file's own
    std::optional<Window> window;                  ///< absent: the file's numbers are the density
    std::optional<ColourTable> transfer;
    std::optional<Encoding> encoding; ///< absent: lossless where the source allows
    std::vector<double> albedo{0.9};  ///< by band, where no colour table gives one
    float scale = 1;
    float g = 0;
    Filter filter = Filter::trilinear;
};

/// Without a window, the source's range is read beforehand if the wanted encoding needs it (u8 or u16 of numbers that
/// are not that already). Error (input) names voxel and value of the first number that is negative, infinite or NaN.
std::unique_ptr<VoxelStream> make_measured_volume(std::unique_ptr<VolumeSource> source, MeasuredOptions options);

} // namespace volpt
