#include "formats/mitsuba/stream.h"

#include "formats/common/voxel_sources.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// How far a box may reach beyond its grid, in grid sizes: more is a mistake in the scene.
constexpr double kMaxReach = 8;
constexpr double kSlack = 1e-3; ///< voxels; transforms in text are rounded

/// Voxels low .. low + dims - 1 along each axis; outside of the grid they are empty.
struct VoxelWindow {
    std::array<int, 3> low{0, 0, 0};
    std::array<int, 3> dims{0, 0, 0};
};

enum class WindowLimit { grid, box };

/// The whole voxels that cover `box` (the unit cube, to the world), within the grid if `limit` is. `notices` say by how
/// much the box was widened. Error (input) names `where` if box and voxels are not parallel or do not meet.
VoxelWindow find_voxel_window(MitsubaGrid const& grid, Matrix4 const& box, WindowLimit limit, std::string const& where,
                              std::vector<std::string>& notices)
{
    Matrix4 const to_grid = multiply(invert_affine(grid.box_to_world, where), box);
    VoxelWindow window;
    double widened = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        // Exactly one axis of the box runs along this axis of the grid.
        double span = 0;
        double across = 0;
        double low = to_grid[4 * i + 3];
        for (std::size_t j = 0; j < 3; ++j) {
            double const step = to_grid[4 * i + j];
            low += std::min(step, 0.0);
            across = std::max(across, std::min(std::abs(step), span));
            span = std::max(span, std::abs(step));
        }
        double const size = grid.header.dims[i];
        if (across * size > 0.5)
            fail_input("the shape and the grid of its medium are not parallel", where,
                       "the renderer's domain is the box of the voxels", "turn both alike");
        double const first = low * size;
        double const last = (low + span) * size;
        if (limit == WindowLimit::box && !(low > -kMaxReach && low + span < 1 + kMaxReach))
            fail_input("the shape reaches far beyond the grid of its medium", where,
                       "its boundary would need mostly empty voxels", "make the shape smaller");
        double from = std::floor(std::clamp(first, -1e6, 1e6) + kSlack);
        double to = std::ceil(std::clamp(last, -1e6, 1e6) - kSlack);
        if (limit == WindowLimit::grid) {
            from = std::max(from, 0.0);
            to = std::min(to, size);
        }
        if (!(to > from)) fail_input("the shape and the grid of its medium do not meet", where, "nothing is left");
        if (to - from > 65535) fail_input("the shape spans more than 65535 voxels", where, "it is too large");
        if (first > from) widened = std::max(widened, first - from);
        if (last < to) widened = std::max(widened, to - last);
        window.low[i] = static_cast<int>(from);
        window.dims[i] = static_cast<int>(to - from);
    }
    if (window.dims != grid.header.dims)
        notices.push_back(fmt::format("of {}x{}x{} voxels the shape holds {}x{}x{}, from {},{},{} on",
                                      grid.header.dims[0], grid.header.dims[1], grid.header.dims[2], window.dims[0],
                                      window.dims[1], window.dims[2], window.low[0], window.low[1], window.low[2]));
    if (widened > 2 * kSlack)
        notices.push_back(
            fmt::format("the box is up to {:.2f} voxels larger than the shape, as it holds whole voxels", widened));
    return window;
}

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
                  std::string const& where, std::vector<std::string> notices, std::string hints)
        : notices_(std::move(notices))
    {
        scene_hints_json_ = std::move(hints);
        if (medium.extinction.grid) density_.emplace(*medium.extinction.grid, window);
        if (medium.albedo.grid) albedo_.emplace(*medium.albedo.grid, window);
        place(box, window.dims, where);
        fill_medium(medium, options);
        auto [shapes, emitters] = place_mitsuba_surroundings(surroundings, meta_, notices_);
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

private:
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
    std::vector<std::string> notices_;
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

} // namespace

std::unique_ptr<VoxelStream> make_mitsuba_stream(MitsubaMedium medium, std::optional<Matrix4> const& box,
                                                 MitsubaSurroundings const& surroundings,
                                                 MitsubaStreamOptions const& options, std::string const& where,
                                                 std::vector<std::string> notices, std::string scene_hints_json)
{
    check_same_grid(medium, where);
    auto const& grid = medium.extinction.grid ? medium.extinction.grid : medium.albedo.grid;
    VoxelWindow window{{0, 0, 0}, {1, 1, 1}};
    Matrix4 frame = kIdentity;
    if (!grid) {
        if (!box)
            fail_input("the medium has neither a grid nor a shape", where, "its extent is not known", "add a shape");
        frame = *box;
    } else {
        window.dims = grid->header.dims;
        WindowLimit const limit = options.faces == BoxFaces::boundary ? WindowLimit::box : WindowLimit::grid;
        if (box) window = find_voxel_window(*grid, *box, limit, where, notices);
        Matrix4 part = kIdentity;
        for (std::size_t i = 0; i < 3; ++i) {
            part[5 * i] = static_cast<double>(window.dims[i]) / grid->header.dims[i];
            part[4 * i + 3] = static_cast<double>(window.low[i]) / grid->header.dims[i];
        }
        frame = multiply(grid->box_to_world, part);
    }
    return std::make_unique<MitsubaStream>(medium, frame, window, surroundings, options, where, std::move(notices),
                                           std::move(scene_hints_json));
}

} // namespace volpt
