// A foreign volume as readers present it: what it says about itself, and its numbers slab by slab.
#pragma once

#include "formats/element_type.h"

#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace volpt {

/// What is known before any voxel is read. World coordinates are mm.
struct SourceMeta {
    std::string path;
    std::array<int, 3> dims{0, 0, 0};                          ///< 1 .. 65535 each
    std::optional<std::array<double, 3>> pitch_mm;             ///< absent: the file does not say
    std::array<double, 9> rotation{1, 0, 0, 0, 1, 0, 0, 0, 1}; ///< row-major, columns are the voxel axes
    /// Where the centre of voxel (0,0,0) lies; absent: the file does not say.
    std::optional<std::array<double, 3>> first_voxel_world_mm;
    ElementType element = ElementType::u8;
    std::string metadata_json = "{}"; ///< the file's own keys, verbatim, one flat object of strings
    std::vector<std::string> notices; ///< oddities that the user should hear of
};

class VolumeSource {
public:
    virtual ~VolumeSource() = default;

    SourceMeta const& meta() const noexcept { return meta_; }

    /// The numbers of layers z_first .. z_first + z_count - 1, x fastest; `values` holds dims.x * dims.y * z_count.
    /// Ascending order is quick; going back may mean to start over. Error (input) names file and offset if the data end
    /// early or are damaged; a check over the whole of the data is made when the last layer is read.
    virtual void read_slab(int z_first, int z_count, std::span<float> values) = 0;

protected:
    explicit VolumeSource(SourceMeta meta) : meta_(std::move(meta)) {}

private:
    SourceMeta meta_;
};

} // namespace volpt
