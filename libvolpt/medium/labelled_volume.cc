#include "libvolpt/medium/labelled_volume.h"

#include "libvolpt/medium/unknown_colours.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/vpk_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>

namespace volpt {
namespace {

enum class MatchBy { colour, id };

struct LayerLabels {
    LabelHistogram histogram{};
    ColourUses uses;
    std::size_t unknown = 0; ///< colours, not all of which are in `uses`
};

constexpr std::size_t kIndexBytes = std::size_t{128} << 20; ///< of slices that are read at a time

std::size_t count_colours(MaterialTable const& table)
{
    return static_cast<std::size_t>(std::ranges::count_if(table.colours, [](auto const& c) { return c.has_value(); }));
}

class LabelledVolume final : public VoxelStream {
public:
    LabelledVolume(std::unique_ptr<VolumeSource> source, MaterialTable table, std::string const& table_name,
                   LabelledOptions const& options)
        : source_(std::move(source)), table_(std::move(table)), notices_(source_->meta().notices),
          counts_(table_.materials.size()), colours_(table_, options.labels, options.snap), progress_(options.progress)
    {
        notices_.insert(notices_.end(), options.notices.begin(), options.notices.end());
        SourceMeta from = source_->meta();
        choose_match(from, table_name);
        reads_indices_ = match_ == MatchBy::colour && source_->is_indexed();
        materials_ = table_.materials;
        auto metadata = nlohmann::ordered_json::parse(from.metadata_json);
        if (options.core_mm > 0) add_core(from, options, table_name, metadata);
        place_source(from, options.pitch_mm, meta_, notices_);
        meta_.filter = options.filter;
        meta_.scale = options.scale;
        set_labelled_medium(table_, meta_);
        add_material_metadata(table_, metadata);
        source_metadata_json_ = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        scene_hints_json_ = options.scene_hints_json;
    }

    void use_threads(int threads) override
    {
        threads_ = std::max(1, threads);
        source_->use_threads(threads_);
    }

    /// As many slices as threads, if that takes little memory.
    int layers_at_a_time() const override
    {
        if (!reads_indices_) return kBrickEdge;
        std::size_t const bricks_bytes = count_layer_voxels() * std::size_t{kBrickEdge};
        auto const most = static_cast<int>(std::clamp<std::size_t>(kIndexBytes / bricks_bytes, 1, 1024));
        return kBrickEdge * std::min(most, (threads_ + kBrickEdge - 1) / kBrickEdge);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        std::size_t const layer = count_layer_voxels();
        int const core = std::clamp(core_layers_ - z_first, 0, z_count);
        labels_.resize(layer * static_cast<std::size_t>(z_count));
        std::fill_n(labels_.begin(), layer * static_cast<std::size_t>(core), static_cast<std::uint8_t>(core_label_));
        if (core < z_count)
            read_source(z_first + core - core_layers_, z_count - core,
                        std::span(labels_).subspan(layer * static_cast<std::size_t>(core)));
        return {z_first, z_count, {}, {}, labels_};
    }

    std::vector<std::string> list_notices() const override
    {
        auto notices = notices_;
        std::ranges::copy(source_->list_notices(), std::back_inserter(notices));
        if (snapped_ > 0)
            notices.push_back(
                fmt::format("{} pixels of colours that are no material's became the nearest one ({}); the "
                            "largest distance is {}",
                            snapped_, list_counts(snapped_by_label_), largest_snap_));
        if (!resins_.empty()) notices.push_back(fmt::format("colours of Vero resins: {}", list_resins()));
        tell_other_counts(notices);
        return notices;
    }

    std::string report_json() const override
    {
        nlohmann::ordered_json report{{"material_shares", counts_.report_shares(materials_)}};
        if (auto air = counts_.report_air(materials_); !air.is_null()) report["air"] = std::move(air);
        if (core_layers_ > 0) {
            report["core_layers"] = core_layers_;
            report["core_mm"] = core_layers_ * static_cast<double>(meta_.pitch_mm[2]);
        }
        return report.dump();
    }

private:
    void choose_match(SourceMeta const& from, std::string const& table_name)
    {
        bool const any_colour =
            std::ranges::any_of(table_.colours, [](auto const& colour) { return colour.has_value(); });
        match_ = from.kind == SourceKind::pictures && (any_colour || from.channels > 1) ? MatchBy::colour : MatchBy::id;
        if (match_ == MatchBy::id && from.channels > 1)
            fail_input(fmt::format("has {} numbers per voxel", from.channels), from.path,
                       "a label is one number, the id of a material",
                       "give a label volume, or pictures in the materials' colours");
        if (match_ == MatchBy::id) return;
        // What is air has colours by a manifest, by --label or by transparency too.
        bool const is_table_alone = colours_.list().size() == count_colours(table_);
        for (std::size_t i = 0; i < table_.colours.size(); ++i)
            if (!table_.colours[i] && !is_air(table_.materials[i]) && !from.job && is_table_alone)
                fail_input("has no colour", fmt::format("{}: material '{}'", table_name, table_.materials[i].name),
                           "slices are matched to materials by it", R"(add "colour": "#rrggbb")");
        if (from.element != ElementType::u8)
            fail_input(fmt::format("the numbers are {}", element_name(from.element)), from.path,
                       "the colours of materials have 8 bits per channel", "save the slices with 8 bits");
    }

    void add_core(SourceMeta& from, LabelledOptions const& options, std::string const& table_name,
                  nlohmann::ordered_json& metadata)
    {
        if (from.kind != SourceKind::pictures)
            fail_usage("--core has no meaning for a volume of a given depth",
                       "give it with a stack of slices or --print");
        core_label_ = find_core_material(table_, options.core_material, table_name);
        auto const pitch = options.pitch_mm ? options.pitch_mm : from.pitch_mm;
        if (!pitch) return; // place_source reports it
        core_layers_ = count_core_layers(options.core_mm, static_cast<float>((*pitch)[2]), from.dims[2]);
        from.dims[2] += core_layers_;
        for (std::size_t i = 0; from.first_voxel_world_mm && i < 3; ++i)
            (*from.first_voxel_world_mm)[i] -= from.rotation[3 * i + 2] * core_layers_ * (*pitch)[2];
        metadata["core.layers"] = fmt::format("{}", core_layers_);
        metadata["core.material"] = materials_[core_label_].name;
    }

    std::size_t count_layer_voxels() const
    {
        return static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
    }

    void read_source(int z_first, int z_count, std::span<std::uint8_t> labels)
    {
        match_source(z_first, z_count, labels);
        if (std::ranges::any_of(uses_, [](auto const& use) { return is_unknown(use.second); }))
            read_on_and_refuse(z_first + z_count);
    }

    void match_source(int z_first, int z_count, std::span<std::uint8_t> labels)
    {
        auto const channels = static_cast<std::size_t>(source_->meta().channels);
        std::size_t const layer = count_layer_voxels();
        auto const for_each_layer = [&](auto const& find_labels) {
            parallel_for_ordered(
                threads_, static_cast<std::size_t>(z_count),
                [&](std::size_t i, int) { find_labels(i, labels.subspan(i * layer, layer)); },
                [&](std::size_t i, int) { add_layer(layers_[i]); });
        };
        layers_.assign(static_cast<std::size_t>(z_count), {});
        if (reads_indices_) {
            palettes_.resize(static_cast<std::size_t>(z_count));
            source_->read_indexed(z_first, z_count, labels, palettes_);
            for_each_layer([&](std::size_t i, std::span<std::uint8_t> part) {
                replace_indices(z_first + static_cast<int>(i), palettes_[i], part, layers_[i]);
            });
            return;
        }
        values_.resize(labels.size() * channels);
        source_->read_slab(z_first, z_count, values_);
        for_each_layer([&](std::size_t i, std::span<std::uint8_t> part) {
            auto const values = std::span<float const>(values_).subspan(i * layer * channels, layer * channels);
            if (match_ == MatchBy::id)
                match_ids(z_first + static_cast<int>(i), values, part);
            else
                match_colours(z_first + static_cast<int>(i), values, part, layers_[i]);
            count_labels(part, layers_[i].histogram);
        });
    }

    static bool is_unknown(ColourUse const& use) { return use.match.kind == ColourLabels::Kind::unknown; }

    /// Layers come in ascending order.
    void add_layer(LayerLabels& layer)
    {
        counts_.add(layer.histogram);
        for (auto const& [colour, use] : layer.uses) {
            if (is_unknown(use)) {
                auto const [known, is_new] = uses_.emplace(colour, use);
                if (!is_new) known->second.pixels += use.pixels;
                continue;
            }
            if (use.match.kind == ColourLabels::Kind::resin) {
                resins_[colour].match = use.match;
                resins_[colour].pixels += use.pixels;
                continue;
            }
            snapped_ += use.pixels;
            snapped_by_label_[use.match.label] += use.pixels;
            largest_snap_ = std::max(largest_snap_, use.match.distance);
        }
    }

    // Neighbours are mostly alike.
    void match_ids(int z, std::span<float const> values, std::span<std::uint8_t> labels) const
    {
        std::size_t label = 0;
        for (std::size_t i = 0; i < labels.size(); ++i) {
            if (values[i] != static_cast<float>(table_.ids[label])) label = find_id(values[i], z, i);
            labels[i] = static_cast<std::uint8_t>(label);
        }
    }

    /// The label of a colour; one that is not known exactly is added to the layer's. Of unknown ones, more than are
    /// told are not: a photograph has as many as pixels.
    std::uint8_t use_colour(std::uint32_t colour, int z, std::size_t index, std::uint64_t pixels,
                            LayerLabels& layer) const
    {
        if (auto const used = layer.uses.find(colour); used != layer.uses.end()) {
            used->second.pixels += pixels;
            return used->second.match.label;
        }
        auto const match = colours_.find(colour);
        if (match.kind == ColourLabels::Kind::exact) return match.label;
        if (match.kind == ColourLabels::Kind::unknown && ++layer.unknown > kMostUnknownColours + 1) return match.label;
        layer.uses.emplace(colour, ColourUse{match, pixels, z, index});
        return match.label;
    }

    void match_colours(int z, std::span<float const> values, std::span<std::uint8_t> labels, LayerLabels& layer) const
    {
        std::size_t const channels = values.size() / labels.size();
        std::uint32_t last = 0;
        std::uint8_t label = 0;
        ColourUse* use = nullptr; // of the last colour, if it is not known exactly
        for (std::size_t i = 0; i < labels.size(); ++i) {
            std::uint32_t const colour = pack_colour(values.data() + i * channels, channels);
            if (i == 0 || colour != last) {
                label = use_colour(colour, z, i, 1, layer);
                auto const used = layer.uses.find(colour);
                use = used == layer.uses.end() ? nullptr : &used->second;
                last = colour;
            } else if (use != nullptr) {
                ++use->pixels;
            }
            labels[i] = label;
        }
    }

    /// Indices of a layer become labels.
    void replace_indices(int z, Palette const& palette, std::span<std::uint8_t> indices, LayerLabels& layer) const
    {
        LabelHistogram used{};
        count_labels(indices, used);
        std::array<std::uint8_t, kMaxMaterials> labels{};
        for (std::size_t index = 0; index < palette.size(); ++index) {
            if (used[index] == 0) continue;
            bool const is_exact = colours_.find(palette[index]).kind == ColourLabels::Kind::exact;
            auto const first = is_exact ? indices.begin() : std::ranges::find(indices, index);
            labels[index] =
                use_colour(palette[index], z, static_cast<std::size_t>(first - indices.begin()), used[index], layer);
            layer.histogram[labels[index]] += used[index];
        }
        for (std::uint8_t& index : indices) index = labels[index];
    }

    /// Reads on, to tell of all of them at once.
    [[noreturn]] void read_on_and_refuse(int z_next)
    {
        int const layers = source_->meta().dims[2];
        bool is_complete = true;
        std::vector<std::uint8_t> labels;
        for (int z = z_next; z < layers && is_complete; z += kBrickEdge) {
            int const count = std::min(kBrickEdge, layers - z);
            labels.resize(count_layer_voxels() * static_cast<std::size_t>(count));
            try {
                match_source(z, count, labels);
            } catch (Error const&) {
                is_complete = false; // a slice behind is damaged: the colours are told first
            }
            Progress const state{static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(layers), "slices"};
            bool const is_stopped = progress_ && !progress_(state);
            is_complete = is_complete && !is_stopped && uses_.size() <= kMostUnknownColours;
        }
        refuse_unknown_colours(uses_, is_complete ? CountedSlices::all : CountedSlices::some, colours_, table_,
                               *source_);
    }

    std::string list_resins() const
    {
        std::string list;
        for (auto const& [colour, use] : resins_)
            list += fmt::format("{}{} is {} ({} pixels)", list.empty() ? "" : ", ", format_colour(colour),
                                materials_[use.match.label].name, use.pixels);
        return list;
    }

    std::string list_counts(LabelHistogram const& counts) const
    {
        std::string list;
        for (std::size_t i = 0; i < materials_.size(); ++i)
            if (counts[i] > 0) list += fmt::format("{}{} {}", list.empty() ? "" : ", ", materials_[i].name, counts[i]);
        return list;
    }

    /// Of a job that is read whole, where its manifest counts other voxels than its slices have.
    void tell_other_counts(std::vector<std::string>& notices) const
    {
        auto const& job = source_->meta().job;
        if (!job) return;
        LabelHistogram announced{};
        std::array<bool, kMaxMaterials> is_announced{};
        for (PrintJob::Material const& material : job->materials) {
            auto const match = colours_.find(material.colour);
            bool const is_known = match.kind == ColourLabels::Kind::exact || match.kind == ColourLabels::Kind::resin;
            if (!material.voxels || !is_known) continue;
            announced[match.label] += *material.voxels;
            is_announced[match.label] = true;
        }
        for (std::size_t i = 0; i < materials_.size(); ++i)
            if (is_announced[i] && announced[i] != counts_.count(i))
                notices.push_back(fmt::format("the job's manifest counts {} voxels of {}, its slices have {}",
                                              announced[i], materials_[i].name, counts_.count(i)));
    }

    static std::uint32_t pack_colour(float const* values, std::size_t channels)
    {
        std::uint32_t colour = 0;
        for (std::size_t channel = 0; channel < 3; ++channel)
            colour = colour << 8 | static_cast<std::uint32_t>(values[channels == 1 ? 0 : channel]);
        return colour << 8 | (channels == 4 ? static_cast<std::uint32_t>(values[3]) : 0xffu);
    }

    std::size_t find_id(float value, int z_first, std::size_t index) const
    {
        for (std::size_t i = 0; i < table_.ids.size(); ++i)
            if (value == static_cast<float>(table_.ids[i])) return i;
        std::string known;
        for (std::size_t i = 0; i < std::min<std::size_t>(table_.ids.size(), 8); ++i)
            known += fmt::format("{}{} {}", i == 0 ? "" : ", ", table_.ids[i], materials_[i].name);
        fail_input(fmt::format("the number {} is the id of no material", value),
                   describe_voxel_at(*source_, z_first, index), "the table has the ids " + known,
                   std::isnan(value)
                       ? "give --nan ID, the number that NaN stands for"
                       : R"(add "id" to a material of the table; without one it is the place in the list)");
    }

    std::unique_ptr<VolumeSource> source_;
    MaterialTable table_;
    MatchBy match_ = MatchBy::colour;
    std::vector<std::string> notices_;
    LabelCounts counts_;
    ColourLabels colours_;
    ProgressSink progress_;
    ColourUses uses_;                           ///< colours of no material
    std::map<std::uint32_t, ColourUse> resins_; ///< of Vero resins
    std::uint64_t snapped_ = 0;
    LabelHistogram snapped_by_label_{};
    int largest_snap_ = 0;
    int core_layers_ = 0;
    std::size_t core_label_ = 0;
    bool reads_indices_ = false;
    int threads_ = 1;
    std::vector<float> values_;
    std::vector<Palette> palettes_;   ///< by layer of the slab
    std::vector<LayerLabels> layers_; ///< of the slab
    std::vector<std::uint8_t> labels_;
};

} // namespace

void set_labelled_medium(MaterialTable const& table, VolumeMeta& meta)
{
    std::size_t const bands = table.bands();
    meta.extinction = meta.albedo = meta.anisotropy = Source::material;
    meta.band_numbers.resize(bands);
    std::iota(meta.band_numbers.begin(), meta.band_numbers.end(), 0u);
    meta.wavelengths_nm = table.wavelengths_nm;
    meta.constant_extinction.assign(bands, 1.0f);
    meta.constant_one_minus_albedo.assign(bands, 0.0f);
}

void add_material_metadata(MaterialTable const& table, nlohmann::ordered_json& metadata)
{
    for (std::size_t i = 0; i < table.materials.size(); ++i)
        if (table.colours[i]) metadata["colour." + table.materials[i].name] = format_colour(*table.colours[i]);
    for (Material const& material : table.materials)
        if (auto const found = table.densities_g_per_cm3.find(material.name); found != table.densities_g_per_cm3.end())
            metadata["density_g_per_cm3." + material.name] = found->second;
    if (!table.support.empty()) metadata["materials.support"] = format_json_strings(table.support);
    if (!table.source.empty()) metadata["materials.source"] = table.source;
}

void LabelCounts::add(std::span<std::uint8_t const> labels)
{
    LabelHistogram histogram{};
    count_labels(labels, histogram);
    add(histogram);
}

void LabelCounts::add(LabelHistogram const& histogram)
{
    for (std::size_t i = 0; i < counts_.size(); ++i) counts_[i] += histogram[i];
}

nlohmann::ordered_json LabelCounts::report_shares(std::vector<Material> const& materials) const
{
    auto const total = std::max<std::uint64_t>(1, std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
    nlohmann::ordered_json shares = nlohmann::ordered_json::object();
    for (std::size_t i = 0; i < counts_.size(); ++i)
        shares[materials[i].name] = static_cast<double>(counts_[i]) / static_cast<double>(total);
    return shares;
}

nlohmann::ordered_json LabelCounts::report_air(std::vector<Material> const& materials) const
{
    nlohmann::ordered_json names = nlohmann::ordered_json::array();
    std::uint64_t voxels = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) {
        if (!is_air(materials[i])) continue;
        names.push_back(materials[i].name);
        voxels += counts_[i];
    }
    if (names.empty()) return nullptr;
    auto const total = std::max<std::uint64_t>(1, std::accumulate(counts_.begin(), counts_.end(), std::uint64_t{0}));
    return {
        {"materials", names}, {"voxels", voxels}, {"share", static_cast<double>(voxels) / static_cast<double>(total)}};
}

std::unique_ptr<VoxelStream> make_labelled_volume(std::unique_ptr<VolumeSource> source, MaterialTable table,
                                                  std::string const& table_name, LabelledOptions const& options)
{
    return std::make_unique<LabelledVolume>(std::move(source), std::move(table), table_name, options);
}

std::size_t find_core_material(MaterialTable const& table, std::string const& name, std::string const& table_name)
{
    if (!name.empty()) return find_material(table, name, table_name);
    for (std::size_t i = 0; i < table.materials.size(); ++i)
        if (table.materials[i].name == "W") return i;
    fail_usage(fmt::format("{} has no material named W for the core", table_name), "name one with --core-material");
}

int count_core_layers(double core_mm, float pitch_mm, int other_layers)
{
    double const layers = std::max(1.0, std::round(core_mm / static_cast<double>(pitch_mm)));
    if (!(layers + other_layers <= vpk::kMaxDim))
        fail_usage(fmt::format("a core of {} mm has {:.0f} layers of {:g} mm; a volume has {} at most", core_mm, layers,
                               pitch_mm, vpk::kMaxDim),
                   "give a thinner core or thicker layers");
    return static_cast<int>(layers);
}

} // namespace volpt
