// The medium of each voxel of an MCX input: drawn by shapes, from a file, or an array in the input itself.
#pragma once

#include "formats/mcx/node.h"
#include "formats/reader.h"

#include <memory>

namespace volpt {

class McxLabels {
public:
    virtual ~McxLabels() = default;

    std::array<int, 3> const& dims() const noexcept { return dims_; }
    /// Labels of layers z_first .. z_first + z_count - 1, x fastest, all of them those of media. Error (input) names
    /// the voxel of the first that has none.
    virtual void read(int z_first, int z_count, std::span<std::uint8_t> labels) = 0;
    /// Sentences on what was read so far: shapes that no voxel is in.
    virtual std::vector<std::string> list_notices() const { return {}; }

protected:
    explicit McxLabels(std::array<int, 3> dims) : dims_(dims) {}

    std::array<int, 3> dims_;
};

struct McxLabelOptions {
    OutsideFiles outside = OutsideFiles::refused;
    std::uint64_t layer_bytes = find_layer_memory();    ///< check_layer_memory
    std::uint64_t most_voxels = std::uint64_t{1} << 31; ///< MCX numbers voxels with as many
};

/// Of the input at `path`, whose media are 0 .. labels - 1. `origin` is that of positions: 0 or 1. Error (input) names
/// the file and the field.
std::unique_ptr<McxLabels> open_mcx_labels(std::filesystem::path const& path, McxNode const& root, int labels,
                                           double origin, McxLabelOptions const& options);

} // namespace volpt
