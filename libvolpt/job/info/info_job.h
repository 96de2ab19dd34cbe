// What a packed volume or a film holds, as facts, a plot and a picture of a layer; damage is an error.
#pragma once

#include "libvolpt/sys/container/sectioned_file.h"

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <vector>

namespace volpt {

/// Whether voxels are counted by their values.
enum class Histogram { left_out, counted };

/// Pixels of a drawn layer: squares, or one for each voxel.
enum class PixelAspect { pitch, voxel };

/// A layer of a volume as a picture.
struct SliceRequest {
    int layer = 0; ///< along z
    std::filesystem::path output;
    PixelAspect aspect = PixelAspect::pitch;
};

/// Shares of the materials of a volume.
struct CoverageRequest {
    std::optional<std::filesystem::path> plot; ///< .svg, .png, .jpg
};

struct InfoRequest {
    std::filesystem::path file; ///< a packed volume or a film, whichever its first bytes say
    VerifyLevel verify = VerifyLevel::quick;
    Histogram histogram = Histogram::left_out;
    std::optional<CoverageRequest> coverage;
    std::optional<SliceRequest> slice;
    std::vector<std::filesystem::path> kept; ///< that no picture may replace, besides the file
    int threads = 1;
};

/// What volinfo --json prints: "kind" ("volume" or "film"), "file", "verified", and the keys of report_volume or of
/// report_film with scene, sample ranges of the tiles, half_sums (whether it keeps any), size and provenance, and
/// report_colour under D65 if it shows the colour of a material; "histogram" of count_values and "coverage" of
/// report_coverage, where they are asked for. Writes plot and picture. Error (input) if the file is neither, or
/// damaged; (usage) for a request that is not for its kind, or would replace what it reads.
nlohmann::ordered_json info(InfoRequest const& request);

} // namespace volpt
