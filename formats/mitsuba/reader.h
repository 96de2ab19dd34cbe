// Reads a Mitsuba scene: its media as voxels or within meshes, shapes without a medium as surroundings, the rest as
// scene hints.
#pragma once

#include "formats/common/file_head.h"
#include "libvolpt/volume/voxel_stream.h"

#include <filesystem>
#include <map>
#include <optional>

namespace volpt {

/// Changes to the scene.
struct MitsubaOptions {
    std::map<std::string, std::string> definitions; ///< -D name=value
    bool approximate_shape = false;                 ///< take the bounding box of a shape that is no box
    std::optional<Encoding> encoding;               ///< f16 or f32
    std::optional<double> scale;
    std::optional<double> g;
    std::optional<Filter> filter;
    int mesh_bricks = 64; ///< where meshes bound the media, along the longest side of the box
    int threads = 1;      ///< for these meshes
};

/// True for files that begin as XML, or end in .xml. Error (input) if there is no such file.
inline bool is_mitsuba_scene(std::filesystem::path const& path)
{
    return path.extension() == ".xml" || is_xml_head(read_file_head(path, 512));
}

/// Scene units are mm. Notices list everything that the packed volume and its hints leave out. Error (input) with file
/// and offset; also in builds without pugixml.
std::unique_ptr<VoxelStream> open_mitsuba_scene(std::filesystem::path const& path, MitsubaOptions const& options);

} // namespace volpt
