// Separates a picture into inks and streams them as labels on a core.
#include "libvolpt/print/print_volume.h"

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/labelled_volume.h"
#include "libvolpt/print/gamut_report.h"
#include "libvolpt/print/halftone.h"
#include "libvolpt/print/target_picture.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/vpk_layout.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <optional>

namespace volpt {
namespace {

/// Of a texel: its colour, parts of each ink, colour difference and labels of eight layers, 48 bytes, by these layers.
constexpr std::uint64_t kVoxelBytes = 6;

/// L*, a*, b* of a row of texels, as measure_de2000 takes them.
class LabRow {
public:
    explicit LabRow(std::size_t width) : lightness_(width), a_(width), b_(width) {}

    void set(std::size_t x, Triple const& lab)
    {
        lightness_[x] = static_cast<float>(lab[0]);
        a_[x] = static_cast<float>(lab[1]);
        b_[x] = static_cast<float>(lab[2]);
    }
    ColourRow row() { return {lightness_.data(), a_.data(), b_.data()}; }

private:
    std::vector<float> lightness_, a_, b_;
};

int count_voxels(char const* option, double length_mm, double pitch_mm)
{
    double const voxels = std::round(length_mm / pitch_mm);
    if (!(voxels >= 1 && voxels <= vpk::kMaxDim))
        fail_usage(fmt::format("{} {} mm is {:.0f} voxels of {} mm; 1 to {} are possible", option, length_mm, voxels,
                               pitch_mm, vpk::kMaxDim),
                   "give another size or --pitch");
    return static_cast<int>(voxels);
}

class PrintVolume final : public VoxelStream {
public:
    PrintVolume(StoredImage const& picture, std::string const& where, MaterialTable table,
                std::string const& table_name, PictureOptions const& options)
        : table_(std::move(table)), halftone_(options.halftone),
          notices_(list_picture_notices(picture.description, where))
    {
        keep_inks(table_, options.core_material);
        if (table_.materials.size() < 2 || table_.materials.size() > kInksMost)
            fail_input(fmt::format("{} materials; a print needs 2 to {}", table_.materials.size(), kInksMost),
                       table_name, "one is the white behind the inks", "give the inks of a printer");
        core_ = choose_core_material(table_, options.core_material, options.ink_depth_mm, options.core_mm, table_name);
        place(options);
        check_layer_memory(meta_.dims, kVoxelBytes, options.layer_bytes, where);
        // Extinction times a scale over a depth is extinction over that many times the depth.
        double const layer_mm = options.pitch_mm[2] * static_cast<double>(options.scale);
        InkModel const model(table_, core_, ink_layers_ * layer_mm, core_layers_ * layer_mm);
        separate(picture, where, model, options);
        set_labelled_medium(table_, meta_);
        meta_.filter = Filter::nearest;
        meta_.scale = options.scale;
        scene_hints_json_ = options.scene_hints_json;
        fill_materials(model);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        auto const layer = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
        labels_.assign(layer * static_cast<std::size_t>(z_count), core_label_);
        for (int i = std::max(0, core_layers_ - z_first); i < z_count; ++i) {
            auto const slice = std::span(labels_).subspan(layer * static_cast<std::size_t>(i), layer);
            if (halftone_ == Halftone::mixture)
                std::ranges::copy(mixtures_.labels, slice.begin());
            else
                halftone_slice(z_first + i - core_layers_, slice);
            counts_.add(slice);
        }
        return {z_first, z_count, {}, {}, labels_};
    }

    std::vector<std::string> list_notices() const override { return notices_; }

    std::string report_json() const override
    {
        nlohmann::ordered_json report{{"core_layers", core_layers_},
                                      {"core_mm", core_layers_ * static_cast<double>(meta_.pitch_mm[2])},
                                      {"ink_layers", ink_layers_},
                                      {"ink_mm", ink_layers_ * static_cast<double>(meta_.pitch_mm[2])},
                                      {"core_material", table_.materials[core_].name},
                                      {"separated_shares", nlohmann::ordered_json::object()}};
        for (std::size_t ink = 0; ink < wanted_.size(); ++ink)
            report["separated_shares"][table_.materials[ink].name] = wanted_[ink];
        if (halftone_ == Halftone::diffusion) report["material_shares"] = counts_.report_shares(materials_);
        if (diffusion_) {
            report["unpaid_voxels"] = nlohmann::ordered_json::object();
            auto const unpaid = diffusion_->find_unpaid_voxels();
            for (std::size_t ink = 0; ink < unpaid.size(); ++ink)
                report["unpaid_voxels"][table_.materials[ink].name] = unpaid[ink];
        }
        if (halftone_ == Halftone::mixture) report["mixtures"] = materials_.size();
        report["separation"] = separation_;
        return report.dump();
    }

private:
    void place(PictureOptions const& options)
    {
        ink_layers_ =
            std::max(1, static_cast<int>(std::lround(std::min(options.ink_depth_mm / options.pitch_mm[2], 1e6))));
        core_layers_ = count_core_layers(options.core_mm, static_cast<float>(options.pitch_mm[2]), ink_layers_);
        meta_.dims = {count_voxels("--size", options.size_mm[0], options.pitch_mm[0]),
                      count_voxels("--size", options.size_mm[1], options.pitch_mm[1]), core_layers_ + ink_layers_};
        for (std::size_t i = 0; i < 3; ++i) meta_.pitch_mm[i] = static_cast<float>(options.pitch_mm[i]);
        meta_.placement = place_in_middle(meta_.dims, meta_.pitch_mm, {1, 0, 0, 0, -1, 0, 0, 0, 1});
    }

    void separate(StoredImage const& picture, std::string const& where, InkModel const& model,
                  PictureOptions const& options)
    {
        double const stretch =
            (options.size_mm[0] / options.size_mm[1]) / (static_cast<double>(picture.width()) / picture.height());
        if (std::abs(std::log(stretch)) > 0.02)
            notices_.push_back(fmt::format(
                "{} of {} x {} pixels is stretched to {:g} x {:g} mm: pixels become {:.3g} times as wide as high",
                where, picture.width(), picture.height(), options.size_mm[0], options.size_mm[1], stretch));
        auto const texels = sample_target(picture, meta_.dims[0], meta_.dims[1], where);
        std::size_t const inks = model.inks();
        InkSeparation separation(model, options.intent);
        parts_.resize(texels.size() * inks);
        wanted_.assign(inks, 0);
        std::vector<double> mixture(inks);
        for (std::size_t i = 0; i < texels.size(); ++i) {
            auto const parts = std::span(parts_).subspan(i * inks, inks);
            separation.separate({texels[i][0], texels[i][1], texels[i][2]}, mixture);
            round_mixture(mixture, parts);
            for (std::size_t ink = 0; ink < inks; ++ink)
                wanted_[ink] += static_cast<double>(parts[ink]) / (static_cast<double>(texels.size()) * kVoxelParts);
        }
        if (halftone_ == Halftone::mixture) mixtures_ = reduce_mixtures(model, parts_, kMaxMaterials);
        measure_separation(texels, model, separation, options.intent);
    }

    /// Compares what the model predicts for the printed mixtures with what the picture asks for, row by row.
    void measure_separation(std::vector<std::array<float, 3>> const& texels, InkModel const& model,
                            InkSeparation const& separation, Intent intent)
    {
        std::vector<float> differences(texels.size());
        auto const width = static_cast<std::size_t>(meta_.dims[0]);
        std::size_t const inks = model.inks();
        std::vector<double> mixture(inks);
        LabRow aim(width), predicted(width);
        std::vector<Triple> printed(width);
        GamutReport gamut;
        for (std::size_t first = 0; first < texels.size(); first += width) {
            for (std::size_t x = 0; x < width; ++x) {
                auto const& texel = texels[first + x];
                for (std::size_t ink = 0; ink < inks; ++ink)
                    mixture[ink] = halftone_ == Halftone::mixture
                                       ? mixtures_.mixtures[mixtures_.labels[first + x]][ink]
                                       : static_cast<double>(parts_[(first + x) * inks + ink]) / kVoxelParts;
                aim.set(x, separation.find_aim({texel[0], texel[1], texel[2]}));
                Triple const xyz = model.predict_xyz(mixture);
                predicted.set(x, to_lab(xyz));
                printed[x] = separation.find_printed(xyz);
            }
            measure_de2000(predicted.row(), aim.row(), width, differences.data() + first);
            for (std::size_t x = 0; x < width; ++x) {
                auto const& texel = texels[first + x];
                gamut.add({texel[0], texel[1], texel[2]}, printed[x], static_cast<double>(differences[first + x]));
            }
        }
        double sum = 0;
        for (float const difference : differences) sum += static_cast<double>(difference);
        auto const count = static_cast<double>(differences.size());
        auto const p95 = differences.begin() + static_cast<std::ptrdiff_t>(0.95 * (count - 1));
        std::nth_element(differences.begin(), p95, differences.end());
        separation_ = {{"delta_e_2000_mean", sum / count},
                       {"delta_e_2000_p95", static_cast<double>(*p95)},
                       {"out_of_gamut_share", gamut.out_of_gamut_share()},
                       {"worst_colours", gamut.list_worst(kWorstColours)},
                       {"intent", intent == Intent::relative ? "relative" : "absolute"}};
    }

    void fill_materials(InkModel const& model)
    {
        nlohmann::ordered_json metadata{{"core.layers", fmt::format("{}", core_layers_)},
                                        {"core.material", table_.materials[core_].name}};
        add_material_metadata(table_, metadata);
        if (halftone_ == Halftone::diffusion) {
            materials_ = table_.materials;
            core_label_ = static_cast<std::uint8_t>(core_);
        } else {
            materials_.push_back(table_.materials[core_]);
            core_label_ = 0;
            for (std::size_t ink = 0; ink < table_.materials.size(); ++ink) {
                std::string const& name = table_.materials[ink].name;
                metadata["inks"].push_back(name);
                std::vector<double> alone(table_.materials.size());
                alone[ink] = 1;
                if (!metadata.contains("colour." + name))
                    metadata["colour." + name] =
                        format_colour(code_colour(kRelativeXyzToRgb * model.predict_xyz(alone)));
            }
            for (std::size_t i = 1; i < mixtures_.mixtures.size(); ++i) {
                materials_.push_back(
                    mix_materials(table_.materials, mixtures_.mixtures[i], fmt::format("mixture{}", i)));
                metadata["colour." + materials_.back().name] =
                    format_colour(code_colour(kRelativeXyzToRgb * model.predict_xyz(mixtures_.mixtures[i])));
                metadata["inks." + materials_.back().name] = mixtures_.mixtures[i];
            }
            parts_ = {};
        }
        source_metadata_json_ = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        counts_ = LabelCounts(materials_.size());
    }

    /// Slices are made in order; going back means starting over.
    void halftone_slice(int slice, std::span<std::uint8_t> labels)
    {
        if (!diffusion_ || slice < next_slice_) {
            diffusion_.emplace(meta_.dims[0], meta_.dims[1], table_.materials.size(), parts_);
            next_slice_ = 0;
        }
        for (; next_slice_ <= slice; ++next_slice_) diffusion_->halftone_slice(labels);
    }

    MaterialTable table_;
    Halftone halftone_;
    std::size_t core_ = 0;
    std::uint8_t core_label_ = 0;
    int core_layers_ = 0;
    int ink_layers_ = 0;
    std::vector<std::uint16_t> parts_;  ///< of every texel, inks fastest
    std::vector<double> wanted_;        ///< each ink's share
    nlohmann::ordered_json separation_; ///< the model's colour differences
    MixtureTable mixtures_;
    std::optional<InkDiffusion> diffusion_;
    int next_slice_ = 0;
    LabelCounts counts_{0};
    std::vector<std::string> notices_;
    std::vector<std::uint8_t> labels_;
};

} // namespace

std::unique_ptr<VoxelStream> make_print_volume(StoredImage const& picture, std::string const& where,
                                               MaterialTable table, std::string const& table_name,
                                               PictureOptions const& options)
{
    return std::make_unique<PrintVolume>(picture, where, std::move(table), table_name, options);
}

} // namespace volpt
