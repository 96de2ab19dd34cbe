#include "libvolpt/volume/mesh/fill_border.h"

#include <algorithm>
#include <bit>
#include <deque>

namespace volpt {
namespace {

struct Offset {
    int x, y, z;
    int distance2() const { return x * x + y * y + z * z; }
};

/// Nearest first, then by z, y, x.
std::vector<Offset> list_neighbours()
{
    std::vector<Offset> offsets;
    for (int z = -1; z <= 1; ++z)
        for (int y = -1; y <= 1; ++y)
            for (int x = -1; x <= 1; ++x)
                if (x != 0 || y != 0 || z != 0) offsets.push_back({x, y, z});
    std::ranges::stable_sort(offsets, {}, &Offset::distance2);
    return offsets;
}

struct VoxelLayer {
    std::vector<float> density;
    std::vector<float> one_minus_albedo;
    std::vector<std::uint8_t> label;
    std::vector<float> emission;
};

class FilledBorder final : public VoxelStream {
public:
    FilledBorder(std::unique_ptr<VoxelStream> volume, Occupancy occupied)
        : volume_(std::move(volume)), occupied_(std::move(occupied)), neighbours_(list_neighbours())
    {
        meta_ = volume_->meta();
        meta_.kept_values.reset(); // densities of the border no longer follow from their own numbers
        materials_ = volume_->materials();
        source_metadata_json_ = volume_->source_metadata_json();
        scene_hints_json_ = volume_->scene_hints_json();
        surroundings_ = volume_->surroundings();
        layer_voxels_ = static_cast<std::size_t>(meta_.dims[0]) * static_cast<std::size_t>(meta_.dims[1]);
    }

    void use_threads(int threads) override { volume_->use_threads(threads); }
    int layers_at_a_time() const override { return volume_->layers_at_a_time(); }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        read_until(std::min(z_first + z_count + 1, meta_.dims[2]));
        while (first_held_ < z_first - 1) {
            held_.pop_front();
            ++first_held_;
        }
        density_.clear();
        one_minus_albedo_.clear();
        label_.clear();
        emission_.clear();
        for (int z = z_first; z < z_first + z_count; ++z) {
            VoxelLayer const& layer = get_layer(z);
            density_.insert(density_.end(), layer.density.begin(), layer.density.end());
            one_minus_albedo_.insert(one_minus_albedo_.end(), layer.one_minus_albedo.begin(),
                                     layer.one_minus_albedo.end());
            label_.insert(label_.end(), layer.label.begin(), layer.label.end());
            emission_.insert(emission_.end(), layer.emission.begin(), layer.emission.end());
            fill_layer(z, static_cast<std::size_t>(z - z_first));
        }
        return {z_first, z_count, density_, one_minus_albedo_, label_, emission_};
    }

    std::vector<std::string> list_notices() const override { return volume_->list_notices(); }
    std::vector<std::string> list_facts() const override { return volume_->list_facts(); }
    std::string report_json() const override { return volume_->report_json(); }

private:
    VoxelLayer const& get_layer(int z) const { return held_[static_cast<std::size_t>(z - first_held_)]; }

    void read_until(int z_end)
    {
        for (int next = first_held_ + static_cast<int>(held_.size()); next < z_end;) {
            VoxelSlab const slab =
                volume_->read_slab(next, std::min(volume_->layers_at_a_time(), meta_.dims[2] - next));
            auto const layers = static_cast<std::size_t>(slab.z_count);
            for (std::size_t i = 0; i < layers; ++i) {
                auto const part = [&](auto values) {
                    auto const own = values.subspan(i * (values.size() / layers), values.size() / layers);
                    return std::vector(own.begin(), own.end());
                };
                held_.push_back(
                    {part(slab.density), part(slab.one_minus_albedo), part(slab.label), part(slab.emission)});
            }
            next += slab.z_count;
        }
    }

    /// Of a row, bit by bit: whether a voxel or one next to it along x is occupied.
    std::uint64_t spread_word(int word, int y, int z) const
    {
        std::uint64_t const own = occupied_.get_word(word, y, z);
        return own | own << 1 | own >> 1 | occupied_.get_word(word - 1, y, z) >> 63 |
               occupied_.get_word(word + 1, y, z) << 63;
    }

    void fill_layer(int z, std::size_t layer)
    {
        for (int y = 0; y < meta_.dims[1]; ++y)
            for (int word = 0; word < occupied_.words_per_row(); ++word) {
                std::uint64_t near = 0;
                for (int dz = -1; dz <= 1; ++dz)
                    for (int dy = -1; dy <= 1; ++dy) near |= spread_word(word, y + dy, z + dz);
                for (near &= ~occupied_.get_word(word, y, z); near != 0; near &= near - 1) {
                    int const x = 64 * word + std::countr_zero(near);
                    if (x < meta_.dims[0]) fill_voxel(x, y, z, layer);
                }
            }
    }

    void fill_voxel(int x, int y, int z, std::size_t layer)
    {
        auto const found = std::ranges::find_if(neighbours_, [&](Offset const& offset) {
            return occupied_.is_occupied(x + offset.x, y + offset.y, z + offset.z);
        });
        auto const place = [&](int column, int row) {
            return static_cast<std::size_t>(row) * static_cast<std::size_t>(meta_.dims[0]) +
                   static_cast<std::size_t>(column);
        };
        VoxelLayer const& from = get_layer(z + found->z);
        std::size_t const source = place(x + found->x, y + found->y);
        std::size_t const target = layer * layer_voxels_ + place(x, y);
        if (!density_.empty()) density_[target] = from.density[source];
        if (!label_.empty()) label_[target] = from.label[source];
        auto const copy_bands = [&](std::vector<float> const& plane, std::vector<float>& filled) {
            std::size_t const bands = plane.size() / layer_voxels_;
            std::copy_n(plane.begin() + static_cast<std::ptrdiff_t>(source * bands), bands,
                        filled.begin() + static_cast<std::ptrdiff_t>(target * bands));
        };
        copy_bands(from.one_minus_albedo, one_minus_albedo_);
        copy_bands(from.emission, emission_);
    }

    std::unique_ptr<VoxelStream> volume_;
    Occupancy occupied_;
    std::vector<Offset> neighbours_;
    std::size_t layer_voxels_ = 0;
    std::deque<VoxelLayer> held_; ///< as the volume has them, from first_held_ on
    int first_held_ = 0;
    std::vector<float> density_;
    std::vector<float> one_minus_albedo_;
    std::vector<std::uint8_t> label_;
    std::vector<float> emission_;
};

} // namespace

std::unique_ptr<VoxelStream> fill_border(std::unique_ptr<VoxelStream> volume, Occupancy occupied)
{
    return std::make_unique<FilledBorder>(std::move(volume), std::move(occupied));
}

} // namespace volpt
