#include "formats/mcx/reader.h"

#include "formats/common/file_head.h"
#include "formats/mcx/input.h"
#include "formats/mcx/source.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/json_text.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <numeric>

namespace volpt {
namespace {

/// Voxels of each medium, in all and on the faces of the volume.
struct LabelUse {
    std::array<std::uint64_t, kMaxMaterials> voxels{}, on_faces{};

    /// The label that occurs most.
    static std::size_t find_most(std::array<std::uint64_t, kMaxMaterials> const& counts)
    {
        return static_cast<std::size_t>(std::ranges::max_element(counts) - counts.begin());
    }
};

LabelUse count_labels_in(McxLabels& labels)
{
    auto const [nx, ny, nz] = labels.dims();
    LabelUse use;
    std::vector<std::uint8_t> layer(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
    for (int z = 0; z < nz; ++z) {
        labels.read(z, 1, layer);
        bool const is_end = z == 0 || z == nz - 1;
        std::size_t at = 0;
        for (int y = 0; y < ny; ++y)
            for (int x = 0; x < nx; ++x, ++at) {
                ++use.voxels[layer[at]];
                if (is_end || x == 0 || x == nx - 1 || y == 0 || y == ny - 1) ++use.on_faces[layer[at]];
            }
    }
    return use;
}

/// The index of refraction of most of the counted voxels, and whether all have it.
struct CommonIndex {
    double index = 1;
    bool is_of_all = true;
};

CommonIndex find_common_index(McxInput const& input, std::array<std::uint64_t, kMaxMaterials> const& counts)
{
    CommonIndex common{input.media[LabelUse::find_most(counts)].index, true};
    for (std::size_t i = 0; i < input.media.size(); ++i)
        if (counts[i] > 0 && input.media[i].index != common.index) common.is_of_all = false;
    return common;
}

class McxStream final : public VoxelStream {
public:
    McxStream(std::filesystem::path const& path, McxLabelOptions const& options)
    {
        nlohmann::json const json = read_json_file_of_cjson(path, "give MCX's JSON, as mcx -f reads it");
        McxNode const root(json, path.string());
        McxInput input = read_mcx_input(root);
        labels_ = open_mcx_labels(path, root, static_cast<int>(input.media.size()), input.origin, options);
        LabelUse const use = count_labels_in(*labels_);
        notices_ = std::move(input.notices);
        auto const drawn = labels_->list_notices();
        notices_.insert(notices_.end(), drawn.begin(), drawn.end());
        set_medium(input, use, root.where());
        SceneHints hints = make_hints(input, use, path);
        McxPlace const place{labels_->dims(), input.unit_mm, input.origin,
                             hints.boundary && hints.boundary->kind != BoundaryKind::none &&
                                 input.entry == McxEntry::straight};
        if (root.has("Optode") && root.child("Optode").has("Source"))
            emitters_.push_back(read_mcx_source(root.child("Optode").child("Source"), place, notices_));
        else
            notices_.push_back("there is no Optode.Source: give --light to volrender");
        hints.detectors = place_detectors(input, labels_->dims());
        if (auto const away = input.detectors.size() - hints.detectors.size(); away > 0)
            notices_.push_back(fmt::format(
                "{} of {} detectors do not reach the faces of the volume and are left out: light leaves there alone",
                away, input.detectors.size()));
        tell_unread(root, notices_);
        scene_hints_json_ = format_scene_hints(hints);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        if (!needs_labels(meta_)) return {z_first, z_count, {}, {}, {}};
        slab_.resize(static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]) *
                     static_cast<std::size_t>(z_count));
        labels_->read(z_first, z_count, slab_);
        return {z_first, z_count, {}, {}, slab_};
    }

    std::vector<std::string> list_notices() const override { return notices_; }

private:
    void set_medium(McxInput const& input, LabelUse const& use, std::string const& where)
    {
        meta_.dims = labels_->dims();
        meta_.pitch_mm.fill(static_cast<float>(input.unit_mm));
        meta_.filter = Filter::nearest;
        for (std::size_t i = 0; i < input.media.size(); ++i) materials_.push_back(make_material(input.media[i], i));
        auto const used = static_cast<std::size_t>(std::ranges::count_if(use.voxels, [](auto n) { return n > 0; }));
        if (use.voxels[0] > 0 && used == 1)
            fail_input("all voxels are of medium 0", where, "that is the outside, where MCX has no light",
                       "give the voxels a medium of Domain.Media");
        if (use.voxels[0] > 0) notices_.push_back("voxels of medium 0 are air: light crosses them, MCX ends it there");
        if (used == 1) return set_one_medium(materials_[LabelUse::find_most(use.voxels)]);
        meta_.extinction = meta_.albedo = meta_.anisotropy = Source::material;
    }

    void set_one_medium(Material const& material)
    {
        meta_.constant_extinction = material.sigma_t;
        meta_.constant_one_minus_albedo = material.one_minus_albedo;
        meta_.g = material.g;
        materials_.clear();
    }

    /// Medium 0 is air whatever its coefficients: MCX does not use them. Scattering with g = 1 leads straight on.
    static Material make_material(McxMedium const& medium, std::size_t label)
    {
        double const mus = medium.g < 1 && label > 0 ? medium.mus_per_mm : 0;
        double const mua = label > 0 ? medium.mua_per_mm : 0;
        Material material;
        material.name = fmt::format("medium {}", label);
        material.sigma_t = {static_cast<float>(mua + mus)};
        material.one_minus_albedo = {mua + mus > 0 ? static_cast<float>(mua / (mua + mus)) : 0.0f};
        material.g = mus > 0 ? static_cast<float>(std::min(medium.g, 0.9999)) : 0.0f;
        return material;
    }

    /// The film serves nobody: one pixel, as many particles as MCX has photons.
    SceneHints make_hints(McxInput const& input, LabelUse const& use, std::filesystem::path const& path)
    {
        CommonIndex const inside = find_common_index(input, use.voxels), faces = find_common_index(input, use.on_faces);
        SceneHints hints;
        hints.source = path.string();
        hints.integrator = Integrator::light;
        hints.resolution = {1, 1};
        hints.samples = input.photons;
        hints.boundary.emplace();
        double const outside = input.media[0].index;
        if (input.indices == McxIndices::mismatched && faces.index != outside) {
            hints.boundary->kind = BoundaryKind::smooth;
            hints.boundary->int_ior = faces.index;
            hints.boundary->ext_ior = outside;
        }
        if (input.gates) hints.gates = GatesHint{input.gates->count, input.gates->width_ns, inside.index};
        if (inside.is_of_all) return hints;
        if (input.indices == McxIndices::mismatched) {
            for (McxMedium const& medium : input.media) hints.material_ior.push_back(static_cast<float>(medium.index));
            hints.boundary->kind = BoundaryKind::smooth; // its inner index is that of each voxel
            hints.boundary->ext_ior = outside;
        } else if (input.gates) {
            notices_.push_back(
                fmt::format("media have different n: time counts with {:g}, that of most voxels", inside.index));
        }
        return hints;
    }

    /// Those that light can leave through: a face of the volume is nearer to their centre than their radius.
    static std::vector<DetectorSpec> place_detectors(McxInput const& input, std::array<int, 3> const& dims)
    {
        std::vector<DetectorSpec> detectors;
        for (McxDetector const& from : input.detectors) {
            double outside_squared = 0, depth = 1e300;
            for (std::size_t axis = 0; axis < 3; ++axis) {
                double const at = from.position[axis], gap = std::min(at, dims[axis] - at);
                outside_squared += gap < 0 ? gap * gap : 0;
                depth = std::min(depth, gap);
            }
            double const distance = outside_squared > 0 ? std::sqrt(outside_squared) : depth;
            if (!(distance < from.radius)) continue;
            DetectorSpec& disc = detectors.emplace_back();
            disc.radius_mm = from.radius * input.unit_mm;
            disc.center_world = {from.position[0] * input.unit_mm, from.position[1] * input.unit_mm,
                                 from.position[2] * input.unit_mm};
        }
        return detectors;
    }

    std::unique_ptr<McxLabels> labels_;
    std::vector<std::string> notices_;
    std::vector<std::uint8_t> slab_;
};

} // namespace

bool is_mcx_input(std::filesystem::path const& path)
{
    if (path.extension() == ".json") return true;
    std::string const head = read_file_head(path, 4096);
    auto const first = head.find_first_not_of(" \t\r\n");
    return first != std::string::npos && head[first] == '{' &&
           (head.find("\"Domain\"") != std::string::npos || head.find("\"Session\"") != std::string::npos);
}

std::unique_ptr<VoxelStream> open_mcx_input(std::filesystem::path const& path, McxLabelOptions const& options)
{
    return std::make_unique<McxStream>(path, options);
}

} // namespace volpt
