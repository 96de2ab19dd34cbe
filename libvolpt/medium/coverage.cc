// Counts labels layer by layer.
#include "libvolpt/medium/coverage.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

namespace volpt {

Coverage measure_coverage(PackedVolume const& volume)
{
    VolumeMeta const& meta = volume.meta();
    if (!needs_labels(meta))
        fail_usage("the volume has no materials to cover it",
                   "pack it from slices with a material table, or look at it with --slice and --histogram");
    std::size_t const materials = volume.materials().size();
    std::vector<std::uint8_t> labels(static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]));
    Coverage coverage{{}, std::vector<double>(materials)};
    for (int z = meta.dims[2] - 1; z >= 0; --z) {
        read_label_layer(volume.view(), z, labels);
        std::vector<std::uint64_t> counts(256);
        for (auto const label : labels) ++counts[label];
        std::vector<double>& shares = coverage.layers.emplace_back();
        for (std::size_t i = 0; i < materials; ++i) {
            shares.push_back(static_cast<double>(counts[i]) / static_cast<double>(labels.size()));
            coverage.total[i] += shares[i] / meta.dims[2];
        }
    }
    return coverage;
}

} // namespace volpt
