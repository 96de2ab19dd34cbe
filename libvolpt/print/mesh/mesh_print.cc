#include "libvolpt/print/mesh/mesh_print.h"

#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/print/mesh/mesh_slices.h"
#include "libvolpt/print/mesh/row_crossings.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

/// Bytes per voxel of eight layers: a layer's places and colours are held for 17 of them, errors for three.
std::uint64_t count_voxel_bytes(std::size_t inks)
{
    return 15 + (3 * inks * sizeof(std::int32_t) + 7) / 8;
}

/// What is behind the ink as seen from outside, for the model of the inks: of a plate, the rest of its thickness.
double find_core_mm(PlacedMesh const& mesh, MeshPrintOptions const& options)
{
    double const thickness_mm = 2 * mesh.report.volume_mm3 / mesh.report.area_mm2;
    return std::clamp(thickness_mm - 2 * options.clear_coat_mm - options.ink_depth_mm, 0.1, 1e4);
}

class MeshPrint final : public VoxelStream {
public:
    MeshPrint(PlacedMesh const& mesh, std::string const& where, std::unique_ptr<SurfaceColours> colours,
              MaterialTable table, std::string const& table_name, MeshPrintOptions const& options)
        : shells_(mesh, options.inside, std::move(colours), {options.clear_coat_mm, options.ink_depth_mm},
                  options.threads),
          options_(options), core_mm_(find_core_mm(mesh, options))
    {
        std::optional<TakenMaterial> coat;
        if (options.clear_coat_mm > 0) coat = take_clear(table);
        keep_inks(table, options.core_material);
        inks_ = table.materials.size();
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
        labels_beside_.core = static_cast<std::uint8_t>(core_);
        if (coat) labels_beside_.coat = add_coat(table, std::move(*coat), table_name, metadata);
        add_material_metadata(table, metadata);
        labels_beside_.outside = static_cast<std::uint8_t>(table.materials.size());
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
        labels_.resize(count_layer() * static_cast<std::size_t>(z_count));
        while (next_z_ < z_first + z_count) {
            int const count = std::min(z_first + z_count - next_z_, kBrickEdge);
            auto const held =
                static_cast<std::size_t>(std::min(count + 1, meta_.dims[2] - next_z_)); // one is looked ahead
            if (held_ < held) find_slices(held - held_, {});
            auto const ahead = static_cast<std::size_t>(std::min(count, meta_.dims[2] - held_end()));
            // The choice of inks is serial: other threads begin with the next slices meanwhile.
            find_slices(ahead, [&] { halftone_slices(static_cast<std::size_t>(count), z_first); });
            std::rotate(slices_.begin(), slices_.begin() + count, slices_.end());
            held_ -= static_cast<std::size_t>(count);
            next_z_ += count;
        }
        return {z_first, z_count, {}, {}, labels_};
    }

    std::string report_json() const override
    {
        auto const ink = static_cast<double>(std::max<std::uint64_t>(1, ink_voxels_));
        SeparationFigures const figures = palette_->measure_separation();
        nlohmann::ordered_json report{{"ink_voxels", ink_voxels_},
                                      {"core_voxels", core_voxels_},
                                      {"coat_voxels", coat_voxels_},
                                      {"coat_mm", options_.clear_coat_mm},
                                      {"ink_mm", options_.ink_depth_mm},
                                      {"core_mm", core_mm_},
                                      {"core_material", materials_[core_].name},
                                      {"colours", palette_->colours()},
                                      {"separated_shares", nlohmann::ordered_json::object()},
                                      {"material_shares", nlohmann::ordered_json::object()}};
        if (options_.inside) {
            report["inside_by"] = "winding number";
            report["doubtful_voxels"] = options_.doubtful_voxels;
        }
        auto const wanted = palette_->find_wanted_shares();
        for (std::size_t i = 0; i < inks_; ++i) {
            report["separated_shares"][materials_[i].name] = wanted[i];
            report["material_shares"][materials_[i].name] = static_cast<double>(counts_[i]) / ink;
        }
        auto const unpaid = diffusion_->find_unpaid_voxels();
        for (std::size_t i = 0; i < inks_; ++i) report["unpaid_voxels"][materials_[i].name] = unpaid[i];
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

    static std::uint8_t add_coat(MaterialTable& table, TakenMaterial coat, std::string const& where,
                                 nlohmann::ordered_json& metadata)
    {
        std::size_t const label = add_material(table, std::move(coat.material), coat.colour, where);
        metadata["coat.material"] = table.materials[label].name;
        return static_cast<std::uint8_t>(label);
    }

    static void add_air(MaterialTable& table)
    {
        Material air = make_air_material(table.bands());
        while (std::ranges::any_of(table.materials, [&](Material const& m) { return m.name == air.name; }))
            air.name += '_';
        table.materials.push_back(std::move(air));
    }

    void start()
    {
        palette_.emplace(*model_, options_.intent);
        diffusion_.emplace(meta_.dims[0], meta_.dims[1], inks_);
        held_ = 0;
        counts_.assign(inks_, 0);
        ink_voxels_ = 0;
        core_voxels_ = 0;
        coat_voxels_ = 0;
        next_z_ = 0;
    }

    int held_end() const { return next_z_ + static_cast<int>(held_); }

    std::size_t count_layer() const
    {
        return static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
    }

    /// Adds slices to those that are held. One of the threads begins with `meanwhile`, which reads what is held before.
    void find_slices(std::size_t count, std::function<void()> const& meanwhile)
    {
        while (slices_.size() < held_ + count)
            slices_.push_back({std::vector<std::uint16_t>(count_layer()), std::vector<std::uint32_t>(count_layer())});
        std::span const found = std::span(slices_).subspan(held_, count);
        std::size_t const others = meanwhile ? 1 : 0;
        parallel_for_joined(threads_, shells_.count_pieces(count) + others, [&](std::size_t piece, int) {
            if (piece < others)
                meanwhile();
            else
                shells_.fill_piece(found, held_end(), piece - others);
        });
        held_ += count;
    }

    /// The first of those that are held. Labels before z_first are lost.
    void halftone_slices(std::size_t count, int z_first)
    {
        for (std::size_t i = 0; i < count; ++i) {
            int const z = next_z_ + static_cast<int>(i);
            PrintSlice const& slice = slices_[i];
            std::size_t const to = count_layer() * static_cast<std::size_t>(std::max(0, z - z_first));
            std::span const labels = std::span(labels_).subspan(to, count_layer());
            diffusion_->halftone_slice(slice, z + 1 < meta_.dims[2] ? &slices_[i + 1] : nullptr, *palette_,
                                       labels_beside_, labels);
            for (std::size_t voxel = 0; voxel < labels.size(); ++voxel) {
                std::uint16_t const place = slice.places[voxel];
                if (is_ink(place)) ++counts_[labels[voxel]];
                core_voxels_ += place == kCorePlace ? 1 : 0;
                coat_voxels_ += place == kCoatPlace ? 1 : 0;
            }
        }
        ink_voxels_ = 0;
        for (std::uint64_t const voxels : counts_) ink_voxels_ += voxels;
    }

    MeshSlices shells_;
    MeshPrintOptions options_;
    double core_mm_;
    std::size_t inks_ = 0;
    std::size_t core_ = 0;
    PrintLabels labels_beside_{};
    std::optional<InkModel> model_;
    std::optional<MixturePalette> palette_;
    std::optional<LayerDiffusion> diffusion_;
    std::vector<PrintSlice> slices_; ///< the first held_ of them from next_z_ on; others are spare
    std::size_t held_ = 0;
    int next_z_ = 0;
    int threads_ = 1;
    std::vector<std::uint64_t> counts_; ///< voxels of ink
    std::uint64_t ink_voxels_ = 0, core_voxels_ = 0, coat_voxels_ = 0;
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
