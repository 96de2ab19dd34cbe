// ConfigFile.xml, the manifest of a GrabCAD Voxel Print job (.gcvf): what its slices are.
//
// The format is published by its users alone; docs/formats/jobs.md names them.
#pragma once

#include "libvolpt/volume/source/volume_source.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace volpt {

inline constexpr char kJobManifestName[] = "ConfigFile.xml";
inline constexpr std::size_t kMaxJobManifestBytes = std::size_t{1} << 20;
inline constexpr double kNanometresPerMm = 1e6;

struct JobManifest {
    std::array<double, 3> pitch_mm{};
    std::array<int, 3> dims{}; ///< columns, rows, slices
    std::uint64_t first_number = 0;
    std::string prefix; ///< of the slices' names, before their numbers
    PrintJob job;
    std::string metadata_json = "{}"; ///< its values, for SourceMeta
};

/// Error (input) names `where` and the element: no XML, a value that is missing or absurd, a colour that stands for two
/// materials, a prefix that leaves the folder; also if the build has no pugixml.
JobManifest read_job_manifest(std::span<std::byte const> text, std::string const& where);

/// Error (input) unless there are as many slices as the manifest says, from its first number on. Names in order.
void check_job_slices(JobManifest const& manifest, std::vector<std::string> const& names, std::string const& where);

/// Error (input) unless the slices have the manifest's width and height.
void check_job_size(JobManifest const& manifest, SourceMeta const& stack, std::string const& where);

} // namespace volpt
