#include "formats/mitsuba/stream.h"

#include "formats/common/voxel_sources.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/place_mesh.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

std::unique_ptr<VolumeSource> open_grid(MitsubaGrid const& grid)
{
    SourceMeta meta;
    meta.path = grid.path.string();
    meta.dims = grid.header.dims;
    meta.channels = grid.header.channels;
    return make_binary_source(std::move(meta), {grid.header.element, ByteOrder::little},
                              make_file_span(FileBytes(grid.path), kVolHeaderBytes));
}

/// A window of a grid, layer by layer; bytes stand for 0 to 1.
class GridWindow {
public:
    GridWindow(MitsubaGrid const& grid, VoxelWindow const& window)
        : source_(open_grid(grid)), header_(grid.header), path_(grid.path.string()), window_(window),
          layer_(static_cast<std::size_t>(header_.channels) * static_cast<std::size_t>(header_.dims[0]) *
                 static_cast<std::size_t>(header_.dims[1]))
    {
    }

    std::size_t channels() const { return static_cast<std::size_t>(header_.channels); }

    /// Channels fastest; zero where the grid has nothing. Error (input) names the first value that is NaN, negative or
    /// above `high`.
    void read(int z_first, int z_count, float high, std::vector<float>& values)
    {
        auto const row = static_cast<std::size_t>(window_.dims[0]) * channels();
        values.assign(row * static_cast<std::size_t>(window_.dims[1]) * static_cast<std::size_t>(z_count), 0.0f);
        int const x_first = std::max(0, window_.low[0]);
        int const x_last = std::min(header_.dims[0], window_.low[0] + window_.dims[0]);
        for (int z = 0; z < z_count; ++z) {
            int const grid_z = window_.low[2] + z_first + z;
            if (grid_z < 0 || grid_z >= header_.dims[2]) continue;
            source_->read_slab(grid_z, 1, layer_);
            check(grid_z, high);
            for (int y = 0; y < window_.dims[1]; ++y) {
                int const grid_y = window_.low[1] + y;
                if (grid_y < 0 || grid_y >= header_.dims[1] || x_last <= x_first) continue;
                auto const from = layer_.begin() +
                                  (static_cast<std::ptrdiff_t>(grid_y) * header_.dims[0] + x_first) * header_.channels;
                auto const to =
                    (static_cast<std::ptrdiff_t>(z) * window_.dims[1] + y) * static_cast<std::ptrdiff_t>(row) +
                    static_cast<std::ptrdiff_t>(x_first - window_.low[0]) * header_.channels;
                std::copy_n(from, (x_last - x_first) * header_.channels, values.begin() + to);
            }
        }
    }

private:
    void check(int z, float high)
    {
        float const step = header_.element == ElementType::u8 ? 1.0f / 255 : 1.0f;
        for (std::size_t i = 0; i < layer_.size(); ++i) {
            layer_[i] = header_.element == ElementType::u8 ? layer_[i] * step : layer_[i] + 0.0f;
            if (layer_[i] >= 0 && layer_[i] <= high) continue;
            std::size_t const voxel = i / channels();
            auto const width = static_cast<std::size_t>(header_.dims[0]);
            fail_input(fmt::format("the value {}", layer_[i]),
                       fmt::format("{}: voxel {},{},{}", path_, voxel % width, voxel / width, z),
                       high <= 1 ? "an albedo lies between 0 and 1" : "densities are finite and not negative",
                       "remove it from the file");
        }
    }

    std::unique_ptr<VolumeSource> source_;
    VolHeader header_;
    std::string path_;
    VoxelWindow window_;
    std::vector<float> layer_;
};

class MitsubaStream final : public VoxelStream {
public:
    MitsubaStream(MitsubaMedium const& medium, Matrix4 const& box, VoxelWindow const& window,
                  MitsubaSurroundings const& surroundings, MitsubaStreamOptions const& options,
                  std::string const& where, GridNotes notes, std::string hints)
        : notices_(std::move(notes.losses)), facts_(std::move(notes.facts))
    {
        scene_hints_json_ = std::move(hints);
        if (medium.extinction.grid) density_.emplace(*medium.extinction.grid, window);
        if (medium.albedo.grid) albedo_.emplace(*medium.albedo.grid, window);
        place(box, window.dims, where);
        fill_medium(medium, options);
        std::vector<TriangleMesh> solids;
        if (!window.bounds_voxels.triangles.empty()) {
            bound(window.bounds_voxels, where);
            solids.push_back(bounds_->mesh);
        }
        auto [shapes, emitters] = place_mitsuba_surroundings(surroundings, meta_, notices_, solids);
        surroundings_ = std::move(shapes);
        emitters_ = std::move(emitters);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        VoxelSlab slab;
        slab.z_first = z_first;
        slab.z_count = z_count;
        if (density_) {
            density_->read(z_first, z_count, 1e30f, density_values_);
            slab.density = density_values_;
        }
        if (albedo_) {
            albedo_->read(z_first, z_count, 1.0f, albedo_values_);
            spread_bands();
            slab.one_minus_albedo = one_minus_albedo_;
        }
        return slab;
    }

    std::vector<std::string> list_notices() const override { return notices_; }
    std::vector<std::string> list_facts() const override { return facts_; }

private:
    void bound(TriangleMesh const& mesh_voxels, std::string const& where)
    {
        bounds_ = place_voxel_mesh(get_mesh_box(meta_), mesh_voxels, 1);
        if (!bounds_->report.is_accepted())
            fail_input("the shape of the medium is too thin for the voxels of its grid", where,
                       "its faces would coincide", "give --approximate-shape, or make it thicker");
        surface_ = bounds_->view();
    }

    void place(Matrix4 const& box, std::array<int, 3> dims, std::string const& where)
    {
        auto const frame = find_box_frame(box);
        if (!frame)
            fail_input("the transform shears the volume or takes its extent", where, "voxels have right angles",
                       "correct it");
        meta_.dims = dims;
        meta_.placement.rotation = frame->rotation;
        meta_.placement.origin_world_mm = frame->corner;
        for (std::size_t i = 0; i < 3; ++i) meta_.pitch_mm[i] = static_cast<float>(frame->edges[i] / dims[i]);
        if (std::string const found = find_extent_contradiction(meta_); !found.empty())
            fail_input(found, where, "no camera could see it", "correct the scale");
    }

    void fill_medium(MitsubaMedium const& medium, MitsubaStreamOptions const& options)
    {
        meta_.band_numbers.resize(options.bands);
        meta_.constant_extinction.resize(options.bands);
        meta_.constant_one_minus_albedo.resize(options.bands);
        for (std::size_t band = 0; band < options.bands; ++band) {
            meta_.band_numbers[band] = static_cast<std::uint32_t>(band);
            meta_.constant_extinction[band] = density_ ? 1.0f : get_mitsuba_band(medium.extinction.constant, band);
            meta_.constant_one_minus_albedo[band] = albedo_ ? 0.0f : find_one_minus_albedo(medium, band);
        }
        meta_.scale = static_cast<float>(options.scale.value_or(medium.scale));
        meta_.g = static_cast<float>(options.g.value_or(medium.g));
        meta_.extinction = density_ ? Source::plane : Source::constant;
        meta_.albedo = albedo_ ? Source::plane : Source::constant;
        auto const& grid = density_ ? medium.extinction.grid : medium.albedo.grid;
        meta_.filter = options.filter.value_or(grid ? grid->filter : Filter::trilinear);
        if (density_ && albedo_)
            meta_.albedo_filter =
                choose_albedo_filter(meta_.filter, options.filter.value_or(medium.albedo.grid->filter));
        if (density_) {
            ElementType const element = medium.extinction.grid->header.element;
            meta_.density_encoding = options.encoding.value_or(element == ElementType::u8    ? Encoding::u8
                                                               : element == ElementType::f16 ? Encoding::f16
                                                                                             : Encoding::f32);
            if (meta_.density_encoding == Encoding::u8) meta_.density_value_scale = 1.0f / 255;
        }
        if (albedo_)
            meta_.albedo_encoding = medium.albedo.grid->header.element == ElementType::u8
                                        ? Encoding::u8
                                        : options.encoding.value_or(Encoding::f16);
    }

    /// 1 - albedo for every band; a grid of one channel serves all.
    void spread_bands()
    {
        std::size_t const channels = albedo_->channels();
        std::size_t const bands = meta_.bands();
        std::size_t const voxels = albedo_values_.size() / channels;
        one_minus_albedo_.resize(voxels * bands);
        for (std::size_t i = 0; i < voxels; ++i)
            for (std::size_t band = 0; band < bands; ++band)
                one_minus_albedo_[i * bands + band] = 1 - albedo_values_[i * channels + (channels == 1 ? 0 : band)];
    }

    std::optional<GridWindow> density_;
    std::optional<GridWindow> albedo_;
    std::optional<PlacedMesh> bounds_; ///< of a shape that ends between voxels
    std::vector<std::string> notices_;
    std::vector<std::string> facts_;
    std::vector<float> density_values_;
    std::vector<float> albedo_values_;
    std::vector<float> one_minus_albedo_;
};

void check_same_grid(MitsubaMedium const& medium, std::string const& where)
{
    if (!medium.extinction.grid || !medium.albedo.grid) return;
    MitsubaGrid const& density = *medium.extinction.grid;
    MitsubaGrid const& albedo = *medium.albedo.grid;
    bool same = density.header.dims == albedo.header.dims;
    double size = 0;
    for (double const element : density.box_to_world) size = std::max(size, std::abs(element));
    for (std::size_t i = 0; i < 16; ++i)
        same = same && std::abs(density.box_to_world[i] - albedo.box_to_world[i]) <= 1e-5 * size;
    if (!same)
        fail_input(
            fmt::format("{} and {} differ in dimensions or transform", density.path.string(), albedo.path.string()),
            where, "a packed volume has one grid", "resample one onto the other");
}

GridReach find_reach(MitsubaMedium const& medium, MitsubaStreamOptions const& options)
{
    GridReach reach;
    reach.limit = options.faces == BoxFaces::boundary ? WindowLimit::box : WindowLimit::grid;
    reach.grid_end = options.grid_end;
    reach.fit = options.fit;
    reach.filter = Filter::nearest;
    for (auto const& grid : {medium.extinction.grid, medium.albedo.grid})
        if (grid && options.filter.value_or(grid->filter) == Filter::trilinear) reach.filter = Filter::trilinear;
    return reach;
}

} // namespace

std::unique_ptr<VoxelStream> make_mitsuba_stream(MitsubaMedium medium, std::optional<Matrix4> const& box,
                                                 MitsubaSurroundings const& surroundings,
                                                 MitsubaStreamOptions const& options, std::string const& where,
                                                 std::vector<std::string> notices, std::string scene_hints_json)
{
    check_same_grid(medium, where);
    auto const& grid = medium.extinction.grid ? medium.extinction.grid : medium.albedo.grid;
    GridNotes notes{std::move(notices), {}};
    VoxelWindow window{{0, 0, 0}, {1, 1, 1}, {}};
    Matrix4 frame = kIdentity;
    if (!grid) {
        if (!box)
            fail_input("the medium has neither a grid nor a shape", where, "its extent is not known", "add a shape");
        frame = *box;
    } else {
        window.dims = grid->header.dims;
        if (box) window = find_voxel_window(*grid, *box, find_reach(medium, options), where, notes);
        Matrix4 part = kIdentity;
        for (std::size_t i = 0; i < 3; ++i) {
            part[5 * i] = static_cast<double>(window.dims[i]) / grid->header.dims[i];
            part[4 * i + 3] = static_cast<double>(window.low[i]) / grid->header.dims[i];
        }
        frame = multiply(grid->box_to_world, part);
    }
    return std::make_unique<MitsubaStream>(medium, frame, window, surroundings, options, where, std::move(notes),
                                           std::move(scene_hints_json));
}

} // namespace volpt
