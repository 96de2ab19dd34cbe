// A print that is exported as a printer's job by the command that makes it.
#pragma once

#include "formats/writer.h"
#include "libvolpt/volume/voxel_stream.h"

#include <optional>

namespace volpt {

/// Labels are collected while the print is made, in a packed volume beside the job, and written as a job after that: as
/// they are printed, without what is added for rendering (fill_border). That volume is gone afterwards.
class PrintedJob {
public:
    /// `job_path` as for export_volume. Error (system) if its folder cannot be written to; Error (input) if there is no
    /// such printer.
    PrintedJob(std::filesystem::path job_path, std::optional<std::string> const& printer, int threads);
    ~PrintedJob();
    PrintedJob(PrintedJob const&) = delete;
    PrintedJob& operator=(PrintedJob const&) = delete;

    /// `stream`, whose layers are collected when they are first read; of several streams of the same print, those of
    /// the first. Error (usage, or input at `where`) if it cannot be exported, whatever its voxels, or exceeds the
    /// printer's limits, if every material occurs.
    std::unique_ptr<VoxelStream> collect(std::unique_ptr<VoxelStream> stream, std::string const& where);

    /// After all layers were read. Error (system) if the sink asks to stop.
    ExportedVolume write(ProgressSink const& progress);

    std::filesystem::path const& path() const noexcept { return job_path_; }

private:
    class Collected;

    std::filesystem::path job_path_;
    std::optional<std::string> printer_;
    int threads_;
    std::filesystem::path folder_; ///< of the volume; removed by this object
    std::unique_ptr<VolumePacker> packer_;
};

/// Error (input, at `where`) if the printer does not print such a job.
void check_printer_limits(std::string const& printer, VolumeMeta const& meta, int materials, std::string const& where);

} // namespace volpt
