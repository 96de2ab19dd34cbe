#include "libvolpt/print/mesh/mesh_print.h"

#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/print/mesh/layer_diffusion.h"
#include "libvolpt/print/mesh/row_crossings.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

/// By as many voxels along a row a search looks beyond the ink, so that a row of the core takes few searches.
constexpr int kCoreStep_voxels = 32;

/// A hierarchy with its triangles, apart from the mesh that it is of.
struct OwnBvh {
    OwnBvh(PlacedMesh const& mesh, int threads)
        : nodes(mesh.bvh.nodes),
          triangles(gather_leaf_triangles(mesh.mesh, mesh.bvh.order, threads)), view{nodes.data(), triangles.data(),
                                                                                     mesh.bvh.bounds, mesh.bvh.root}
    {
    }
    OwnBvh(OwnBvh const&) = delete; // the view points into this object
    OwnBvh& operator=(OwnBvh const&) = delete;

    std::vector<BvhNode> nodes;
    std::vector<LeafTriangle> triangles;
    BvhView view;
};

/// Bytes per voxel of eight layers: a layer's places and colours are held for nine of them, errors for three.
std::uint64_t count_voxel_bytes(std::size_t inks)
{
    return 8 + (3 * inks * sizeof(std::int32_t) + 7) / 8;
}

/// What is behind the ink as seen from outside, for the model of the inks: of a plate, the rest of its thickness.
double find_core_mm(PlacedMesh const& mesh, double ink_depth_mm)
{
    double const thickness_mm = 2 * mesh.report.volume_mm3 / mesh.report.area_mm2;
    return std::clamp(thickness_mm - ink_depth_mm, 0.1, 1e4);
}

class MeshPrint final : public VoxelStream {
public:
    MeshPrint(PlacedMesh const& mesh, std::string const& where, std::unique_ptr<SurfaceColours> colours,
              MaterialTable table, std::string const& table_name, MeshPrintOptions const& options)
        : bvh_(mesh, options.threads), planes_(make_triangle_planes(bvh_.triangles, mesh.box.pitch_mm)),
          colours_(std::move(colours)), options_(options), core_mm_(find_core_mm(mesh, options.ink_depth_mm)),
          inks_(table.materials.size())
    {
        if (inks_ < 2 || inks_ > kInksMost)
            fail_input(fmt::format("{} materials; a print needs 2 to {}", inks_, kInksMost), table_name,
                       "one is the white behind the inks", "give the inks of a printer");
        core_ = choose_core_material(table, options.core_material, options.ink_depth_mm, core_mm_, table_name);
        meta_.dims = mesh.box.dims;
        meta_.pitch_mm = mesh.box.pitch_mm;
        meta_.placement = mesh.box.placement;
        check_layer_memory(meta_.dims, count_voxel_bytes(inks_), options.layer_bytes, where);
        check_layers();
        auto const scale = static_cast<double>(options.scale);
        model_.emplace(table, core_, options.ink_depth_mm * scale, core_mm_ * scale);
        nlohmann::ordered_json metadata{{"core.material", table.materials[core_].name}};
        add_material_metadata(table, metadata);
        add_air(table);
        set_labelled_medium(table, meta_);
        meta_.filter = Filter::nearest;
        meta_.scale = options.scale;
        materials_ = table.materials;
        scene_hints_json_ = options.scene_hints_json;
        source_metadata_json_ = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        start();
    }

    void use_threads(int threads) override { threads_ = threads; }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        if (z_first < next_z_) start();
        auto const layer = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
        labels_.resize(layer * static_cast<std::size_t>(z_count));
        while (next_z_ < z_first + z_count) {
            // As many at a time as are asked for: threads work on rows of all of them. One more is looked ahead.
            int const end = std::min(std::max(z_first + z_count, next_z_ + kBrickEdge) + 1, meta_.dims[2]);
            if (held_end() < std::min(next_z_ + 2, meta_.dims[2])) find_slices(end);
            std::size_t const to = layer * static_cast<std::size_t>(std::max(0, next_z_ - z_first));
            halftone_slice(std::span(labels_).subspan(to, layer));
        }
        return {z_first, z_count, {}, {}, labels_};
    }

    std::string report_json() const override
    {
        auto const ink = static_cast<double>(std::max<std::uint64_t>(1, ink_voxels_));
        SeparationFigures const figures = palette_->measure_separation();
        nlohmann::ordered_json report{{"ink_voxels", ink_voxels_},
                                      {"core_voxels", core_voxels_},
                                      {"ink_mm", options_.ink_depth_mm},
                                      {"core_mm", core_mm_},
                                      {"core_material", materials_[core_].name},
                                      {"colours", palette_->colours()},
                                      {"separated_shares", nlohmann::ordered_json::object()},
                                      {"material_shares", nlohmann::ordered_json::object()}};
        auto const wanted = palette_->find_wanted_shares();
        for (std::size_t i = 0; i < inks_; ++i) {
            report["separated_shares"][materials_[i].name] = wanted[i];
            report["material_shares"][materials_[i].name] = static_cast<double>(counts_[i]) / ink;
        }
        report["separation"] = {{"delta_e_2000_mean", figures.delta_e_2000_mean},
                                {"delta_e_2000_p95", figures.delta_e_2000_p95},
                                {"out_of_gamut_share", figures.gamut.out_of_gamut_share()},
                                {"worst_colours", figures.gamut.list_worst(kWorstColours)},
                                {"intent", options_.intent == Intent::relative ? "relative" : "absolute"}};
        return report.dump();
    }

private:
    void check_layers() const
    {
        auto const& p = meta_.pitch_mm;
        double sum = 0;
        for (float const pitch : p) sum += 1 / (static_cast<double>(pitch) * static_cast<double>(pitch));
        double const layers = options_.ink_depth_mm * std::sqrt(sum);
        if (layers >= kMaxInkLayers)
            fail_usage(fmt::format("--ink-depth {} mm is {:.0f} layers of voxels; at most {} are possible",
                                   options_.ink_depth_mm, layers, kMaxInkLayers),
                       "give a smaller depth or larger voxels");
    }

    static void add_air(MaterialTable& table)
    {
        Material air{"air", std::vector<float>(table.bands(), 0.0f), std::vector<float>(table.bands(), 0.0f), 0.0f};
        while (std::ranges::any_of(table.materials, [&](Material const& m) { return m.name == air.name; }))
            air.name += '_';
        table.materials.push_back(std::move(air));
    }

    void start()
    {
        palette_.emplace(*model_, options_.intent);
        diffusion_.emplace(meta_.dims[0], meta_.dims[1], inks_);
        slices_.clear();
        counts_.assign(inks_, 0);
        ink_voxels_ = 0;
        core_voxels_ = 0;
        next_z_ = 0;
    }

    int held_end() const { return next_z_ + static_cast<int>(slices_.size()); }

    /// Slices from the last one that is held to before `z_end`.
    void find_slices(int z_end)
    {
        int const first = held_end();
        auto const width = static_cast<std::size_t>(meta_.dims[0]), height = static_cast<std::size_t>(meta_.dims[1]);
        for (int z = first; z < z_end; ++z) {
            PrintSlice slice;
            if (!spare_.empty()) {
                slice = std::move(spare_.back());
                spare_.pop_back();
            }
            slice.places.assign(width * height, kOutsidePlace);
            slice.colours.resize(width * height);
            slices_.push_back(std::move(slice));
        }
        std::size_t const rows = height * static_cast<std::size_t>(z_end - first);
        parallel_for_joined(threads_, rows, [&](std::size_t row, int) {
            int const z = first + static_cast<int>(row / height);
            fill_row(static_cast<int>(row % height), z, slices_[static_cast<std::size_t>(z - next_z_)]);
        });
    }

    void fill_row(int y, int z, PrintSlice& slice) const
    {
        if (y == 0 || y + 1 == meta_.dims[1]) return;
        std::vector<std::array<int, 2>> runs;
        RowCrossings(bvh_.view).find_runs(y, z, meta_.dims[0], runs);
        std::size_t const row = static_cast<std::size_t>(y) * static_cast<std::size_t>(meta_.dims[0]);
        auto const pitch_mm = static_cast<double>(meta_.pitch_mm[0]);
        double const depth_mm = options_.ink_depth_mm, reach_mm = depth_mm + kCoreStep_voxels * pitch_mm;
        NearestPointSearch search(bvh_.view, planes_, meta_.pitch_mm);
        for (auto const& [first, end] : runs) {
            int const last_x = std::min(end, meta_.dims[0] - 1);
            for (int x = std::max(first, 1); x < last_x;) {
                NearestPoint const point = search.find({x + 0.5, y + 0.5, z + 0.5}, reach_mm);
                double const distance_mm = std::sqrt(point.distance2_mm2);
                std::size_t const voxel = row + static_cast<std::size_t>(x);
                if (point.triangle != kNoTriangle && distance_mm <= depth_mm) {
                    slice.places[voxel] = find_place(point);
                    slice.colours[voxel] = colours_->find(point);
                    ++x;
                    continue;
                }
                // Distances change by no more than the pitch from voxel to voxel.
                int const step = std::max(1, static_cast<int>((distance_mm - depth_mm) / pitch_mm));
                int const core_end = std::min(x + step, last_x);
                std::fill(slice.places.begin() + static_cast<std::ptrdiff_t>(voxel),
                          slice.places.begin() + static_cast<std::ptrdiff_t>(row) + core_end, kCorePlace);
                x = core_end;
            }
        }
    }

    /// Layers are as thick as a digital plane of this direction that has one voxel in each column along one axis
    /// (Reveilles 1991).
    std::uint16_t find_place(NearestPoint const& point) const
    {
        std::array<double, 3> extent{};
        for (std::size_t a = 0; a < 3; ++a)
            extent[a] = std::abs(point.offset_mm[a]) * static_cast<double>(meta_.pitch_mm[a]);
        std::size_t const axis =
            extent[2] >= extent[1] ? (extent[2] >= extent[0] ? 2 : 0) : (extent[1] >= extent[0] ? 1 : 0);
        double const layer = extent[axis] > 0 ? point.distance2_mm2 / extent[axis] : 0;
        return make_ink_place(std::min(static_cast<int>(layer), kMaxInkLayers), static_cast<ColumnAxis>(axis));
    }

    void halftone_slice(std::span<std::uint8_t> labels)
    {
        PrintSlice const& slice = slices_.front();
        diffusion_->halftone_slice(slice, slices_.size() > 1 ? &slices_[1] : nullptr, *palette_,
                                   {static_cast<std::uint8_t>(inks_), static_cast<std::uint8_t>(core_)}, labels);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (is_ink(slice.places[i]))
                ++counts_[labels[i]];
            else
                core_voxels_ += slice.places[i] == kCorePlace ? 1 : 0;
        }
        ink_voxels_ = 0;
        for (std::uint64_t const count : counts_) ink_voxels_ += count;
        spare_.push_back(std::move(slices_.front()));
        slices_.pop_front();
        ++next_z_;
    }

    OwnBvh bvh_;
    std::vector<TrianglePlane> planes_;
    std::unique_ptr<SurfaceColours> colours_;
    MeshPrintOptions options_;
    double core_mm_;
    std::size_t inks_;
    std::size_t core_ = 0;
    std::optional<InkModel> model_;
    std::optional<MixturePalette> palette_;
    std::optional<LayerDiffusion> diffusion_;
    std::deque<PrintSlice> slices_; ///< from next_z_ on
    std::vector<PrintSlice> spare_;
    int next_z_ = 0;
    int threads_ = 1;
    std::vector<std::uint64_t> counts_; ///< voxels of ink
    std::uint64_t ink_voxels_ = 0, core_voxels_ = 0;
    std::vector<std::uint8_t> labels_;
};

} // namespace

Occupancy find_inside(PlacedMesh const& mesh, int threads)
{
    OwnBvh const bvh(mesh, threads);
    auto const& dims = mesh.box.dims;
    Occupancy inside(dims);
    parallel_for_joined(threads, static_cast<std::size_t>(dims[2]), [&](std::size_t slice, int) {
        RowCrossings crossings(bvh.view);
        std::vector<std::array<int, 2>> runs;
        int const z = static_cast<int>(slice);
        for (int y = 1; y + 1 < dims[1]; ++y) {
            crossings.find_runs(y, z, dims[0], runs);
            for (auto const& [first, end] : runs)
                inside.occupy_run(std::max(first, 1), std::min(end, dims[0] - 1), y, z);
        }
    });
    return inside;
}

std::unique_ptr<VoxelStream> make_mesh_print(PlacedMesh const& mesh, std::string const& where,
                                             std::unique_ptr<SurfaceColours> colours, MaterialTable table,
                                             std::string const& table_name, MeshPrintOptions const& options)
{
    return std::make_unique<MeshPrint>(mesh, where, std::move(colours), std::move(table), table_name, options);
}

} // namespace volpt
