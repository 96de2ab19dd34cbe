// Packs layers of bricks: encodes rows, passes them to the planes, collects majorants and statistics.
#pragma once

#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/pack/encode_row.h"
#include "libvolpt/volume/pack/label_histogram.h"
#include "libvolpt/volume/pack/majorant_builder.h"
#include "libvolpt/volume/pack/plane_packer.h"

#include <optional>

namespace volpt {

/// Up to eight layers of voxels. Pointers of planes that the volume does not have are not read.
struct BrickLayer {
    std::array<float const*, kBrickEdge> density{};
    std::array<float const*, kBrickEdge> one_minus_albedo{};
    std::array<std::uint8_t const*, kBrickEdge> label{};
    std::array<float const*, kBrickEdge> emission{};
    std::array<float const*, kBrickEdge> source_values{};
    int z_first = 0;
    int z_count = 0; ///< 8, fewer in the last layer
};

class LayerPacker {
public:
    /// Metadata and materials must be consistent and outlive the packer; scratch files are created in `folder`. Rows of
    /// bricks are packed on up to `threads` threads; what is written does not depend on their number.
    LayerPacker(VolumeMeta const& meta, std::vector<Material> const& materials, std::filesystem::path const& folder,
                int threads);

    /// To be called in z order. Error (input) names the first voxel that cannot be stored.
    void pack(BrickLayer const& layer);

    /// After the last layer: local majorants [distinct band * bricks + brick] (empty for constant extinction), global
    /// ones into the record.
    std::vector<float> finish_majorants(StoredMeta& stored);
    /// After finish_majorants.
    PackStatistics finish_statistics(std::vector<float> const& local, StoredMeta const& stored) const;
    /// After the last layer: what compute_clearance_mm reads.
    VolumeView view_tables() const;
    void write_planes(SectionedWriter& writer);

private:
    /// A row of bricks on its way through one thread.
    struct RowWork {
        std::optional<PlaneRow> density;
        std::optional<PlaneRow> albedo;
        std::optional<PlaneRow> label;
        std::optional<PlaneRow> emission;
        std::optional<PlaneRow> values;
        std::vector<SubBoxMaxima> maxima; ///< brick by brick, distinct band by band
        double density_error_max = 0;
        double albedo_error_max = 0;
        std::array<double, std::size_t{kBrickEdge} * kBrickEdge> density_sums{}; ///< by row of voxels
        LabelHistogram label_voxels{};
    };

    RowWork make_row_work() const;
    void pack_row(BrickLayer const& layer, int brick_y, RowWork& row) const;
    /// In order, so that sums round alike for any number of threads.
    void add_row(RowWork const& row);
    void encode_rows(BrickLayer const& layer, int y_first, int rows, RowWork& row) const;
    double encode_float_row(PlanePacker const& plane, ErrorMeasure measure, std::span<float const> values,
                            std::array<int, 3> at, std::byte* codes) const;
    float find_largest_value(PlanePacker const& plane) const;
    [[noreturn]] void refuse_value(PlanePacker const& plane, std::span<float const> values,
                                   std::array<int, 3> at) const;
    void encode_value_row(std::span<float const> values, std::array<int, 3> at, std::byte* codes) const;
    void copy_label_row(std::span<std::uint8_t const> labels, std::array<int, 3> at, std::byte* codes) const;
    void find_maxima(RowWork& row) const;
    void add_label_maxima(std::span<std::uint32_t const> labels, std::vector<SubBoxMaxima>& maxima) const;
    double sum_extinction(std::uint32_t band) const;

    VolumeMeta const& meta_;
    std::vector<Material> const& materials_;
    std::array<int, 3> brick_counts_;
    ExtinctionBands distinct_;
    std::vector<float> material_tables_;
    std::optional<PlanePacker> density_;
    std::optional<PlanePacker> albedo_;
    std::optional<PlanePacker> label_;
    std::optional<PlanePacker> emission_;
    std::optional<PlanePacker> values_; ///< counts in no statistics
    MajorantBuilder majorants_;
    int threads_;
    std::vector<RowWork> rows_; ///< by thread
    PackStatistics statistics_;
    double density_sum_ = 0;
    LabelHistogram label_voxels_{};
};

} // namespace volpt
