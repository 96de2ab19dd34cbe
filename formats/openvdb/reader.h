// OpenVDB files: the choices of the user, the list of grids, and the sources of density and albedo.
//
// The library runs in a sandboxed process, which answers requests for layers (messages.h).
#pragma once

#include "formats/common/file_head.h"
#include "libvolpt/sys/sandbox.h"
#include "libvolpt/volume/source/volume_source.h"

#include <filesystem>
#include <memory>
#include <optional>

namespace volpt {

/// For numbers that are no density or albedo (NaN, infinite, negative, albedo above 1).
enum class BadNumbers { refused, clamped };

/// What a grid is read as.
enum class VdbQuantity { density, albedo, emission };

/// Index box and index-to-world map of a grid.
struct VdbFrame {
    std::array<int, 3> index_min{};
    std::array<int, 3> dims{};
    /// world = rows[3] + i * rows[0] + j * rows[1] + k * rows[2] at index i, j, k
    std::array<std::array<double, 3>, 4> rows{};
};

struct VdbOptions {
    std::string
        density_grid; ///< "density", or "density[1]" where names repeat; empty: "density", else the first scalar one
    std::string albedo_grid;        ///< a Vec3 grid; empty: none
    std::string emission_grid;      ///< a scalar or Vec3 grid; empty: none
    std::optional<double> interior; ///< density deep inside a level set, default 1
    BadNumbers bad_numbers = BadNumbers::refused;
    std::optional<SandboxLimits> limits; ///< of the process that reads; absent: find_sandbox_limits
};

/// Error (input) if the file cannot be read.
inline bool is_openvdb_file(std::filesystem::path const& path)
{
    return is_openvdb_head(read_file_head(path, 8));
}

/// The density grid over its active box. A file without scalar grids gives its first Vec3 grid as three channels.
/// Level sets become density by the ramp of OpenVDB's sdfToFogVolume: 0 at the surface and outside, `interior` from
/// the depth of the narrow band on. Error (input) for point grids, empty grids, sheared or frustum transforms.
std::unique_ptr<VolumeSource> open_openvdb(std::filesystem::path const& path, VdbOptions const& options = {});

/// options.albedo_grid over the voxels of `density`, which open_openvdb gave; resampled with a notice if its transform
/// differs. Three channels.
std::unique_ptr<VolumeSource> open_openvdb_albedo(std::filesystem::path const& path, VdbOptions const& options,
                                                  VolumeSource const& density);

/// The same of options.emission_grid: one channel or three, numbers of any size.
std::unique_ptr<VolumeSource> open_openvdb_emission(std::filesystem::path const& path, VdbOptions const& options,
                                                    VolumeSource const& density);

struct VdbGridEntry {
    std::string name; ///< as --density-grid takes it
    std::string type; ///< "float", "vec3s", ...
    std::string grid_class;
    std::string active_voxels; ///< as the file says; "unknown" if it does not
    std::array<double, 3> voxel_size{};
};
std::vector<VdbGridEntry> list_openvdb_grids(std::filesystem::path const& path);

} // namespace volpt
