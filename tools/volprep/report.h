// The answer of volprep on stdout.
#pragma once

#include "formats/writer.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

struct PackReport {
    std::filesystem::path output_path;
    VolumeMeta meta;
    SurfaceMeshView surface; ///< empty if there is none
    SurroundingShapes surroundings;
    std::vector<Emitter> emitters;
    std::optional<SourceValues> source_values;
    PackStatistics statistics;
    std::uint64_t size_bytes = 0;
    double elapsed_s = 0;
    std::vector<std::string> notices;
    std::vector<std::string> facts = {};                ///< of VoxelStream
    std::string figures_json = "{}";                    ///< of what was made, see VoxelStream::report_json
    std::optional<std::filesystem::path> job_path = {}; ///< that was exported, too
};

/// Of a print that was exported as a job alone.
struct JobReport {
    ExportedVolume exported;
    std::filesystem::path output_path;
    double elapsed_s = 0;
    std::vector<std::string> notices;
    std::string figures_json = "{}";
};

/// A few lines of text.
std::string format_text(PackReport const& report);
/// One JSON object; keys as in `volinfo --json` where they mean the same.
std::string format_json(PackReport const& report);

std::string format_text(JobReport const& report);
std::string format_json(JobReport const& report);

} // namespace volpt
