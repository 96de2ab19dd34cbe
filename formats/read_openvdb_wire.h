// What the process that reads an OpenVDB file and volprep say to each other.
#pragma once

#include "formats/read_openvdb.h"
#include "formats/sandbox.h"

namespace volpt {

enum VdbMessage : std::uint32_t {
    kVdbMeta = 1,    ///< JSON
    kVdbBlocks = 2,  ///< VdbBlock records, each with its numbers after it
    kVdbSlabEnd = 3, ///< all blocks of the request were sent
};

/// volprep asks for layers.
struct VdbRequest {
    std::int32_t z_first;
    std::int32_t z_count;
};

/// Voxels from `first` on, x fastest; followed by the numbers of one voxel if constant, else of all. Later blocks
/// replace earlier ones.
struct VdbBlock {
    std::array<std::int32_t, 3> first;
    std::array<std::int32_t, 3> dims;
    std::int32_t is_constant;
};

/// What the child is to do.
struct VdbTask {
    std::filesystem::path path;
    VdbOptions options;
    std::optional<VdbFrame> frame; ///< read the albedo grid over these voxels; absent: the density grid over its own
};

/// In the child: sends kVdbMeta, then answers requests until the line ends.
void serve_openvdb(VdbTask const& task, SandboxPort& port);
/// In the child: sends kVdbMeta with the list of grids.
void serve_openvdb_list(std::filesystem::path const& path, SandboxPort& port);

} // namespace volpt
