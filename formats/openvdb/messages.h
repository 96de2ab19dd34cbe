// Messages between volprep and the sandboxed process that reads an OpenVDB file.
#pragma once

#include "formats/common/sandboxed_source.h"
#include "formats/openvdb/reader.h"

namespace volpt {

enum VdbMessage : std::uint32_t {
    kVdbMeta = 1,    ///< JSON
    kVdbSlabEnd = 2, ///< the layers of the request lie in the shared memory
};

/// Copied to the child when it starts.
struct VdbTask {
    std::filesystem::path path;
    VdbOptions options;
    std::optional<VdbFrame> frame; ///< read another grid over these voxels; absent: the density grid over its own
    VdbQuantity quantity = VdbQuantity::density;
};

/// In the child: sends kVdbMeta, then answers requests until the connection ends.
void serve_openvdb(VdbTask const& task, SharedMemory& memory, SandboxPort& port);
/// In the child: sends kVdbMeta with the list of grids.
void serve_openvdb_list(std::filesystem::path const& path, SandboxPort& port);

} // namespace volpt
