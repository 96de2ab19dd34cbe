// Reads a Mitsuba scene: its medium as voxels, the rest as scene hints.
#pragma once

#include "libvolpt/volume/voxel_stream.h"

#include <filesystem>
#include <map>
#include <optional>

namespace volpt {

/// What is to differ from the scene.
struct MitsubaOptions {
    std::map<std::string, std::string> definitions; ///< -D name=value
    bool approximate_shape = false;                 ///< the bounding box may stand for the shape that bounds the medium
    std::optional<Encoding> encoding;               ///< f16 or f32
    std::optional<double> scale;
    std::optional<double> g;
    std::optional<Filter> filter;
};

/// True for files that begin as XML, or end in .xml. Error (input) if there is no such file.
bool is_mitsuba_scene(std::filesystem::path const& path);

/// Scene units are mm. Notices list all that the packed volume and its hints leave out. Error (input) with file and
/// offset; also in builds without pugixml.
std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const& options);

} // namespace volpt
