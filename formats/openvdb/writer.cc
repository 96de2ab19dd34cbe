// Writes the densities of a packed volume as an OpenVDB grid: leaves where voxels differ, tiles where they do not.
#include "formats/openvdb/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

namespace volpt {
namespace {

openvdb::math::Transform::Ptr make_transform(VolumeMeta const& meta)
{
    openvdb::Mat4d matrix = openvdb::Mat4d::identity();
    for (int j = 0; j < 3; ++j) {
        double origin = meta.placement.origin_world_mm[static_cast<std::size_t>(j)];
        for (int i = 0; i < 3; ++i) {
            double const axis = meta.placement.rotation[static_cast<std::size_t>(3 * j + i)] *
                                static_cast<double>(meta.pitch_mm[static_cast<std::size_t>(i)]);
            matrix[i][j] = axis;
            // A grid's index names the centre of a voxel.
            origin += 0.5 * axis;
        }
        matrix[3][j] = origin;
    }
    return openvdb::math::Transform::createLinearTransform(matrix);
}

/// Eight layers, copied into the leaves over them.
class LeafLayer {
public:
    LeafLayer(openvdb::FloatGrid& grid, std::array<int, 3> dims) : accessor_(grid.getAccessor()), dims_(dims) {}

    void add(int z_first, int z_count, std::span<float const> values)
    {
        for (int y = 0; y < dims_[1]; y += 8)
            for (int x = 0; x < dims_[0]; x += 8)
                add_leaf({{x, y, z_first},
                          {std::min(x + 7, dims_[0] - 1), std::min(y + 7, dims_[1] - 1), z_first + z_count - 1}},
                         values);
    }

private:
    void add_leaf(openvdb::CoordBBox const& box, std::span<float const> values)
    {
        auto const at = [&](int x, int y, int z) {
            auto const layer = static_cast<std::size_t>(z - box.min().z());
            return values[(layer * static_cast<std::size_t>(dims_[1]) + static_cast<std::size_t>(y)) *
                              static_cast<std::size_t>(dims_[0]) +
                          static_cast<std::size_t>(x)];
        };
        float const first = at(box.min().x(), box.min().y(), box.min().z());
        bool is_constant = box.volume() == 512;
        for (auto it = box.begin(); is_constant && it; ++it) is_constant = at((*it).x(), (*it).y(), (*it).z()) == first;
        if (is_constant) return accessor_.addTile(1, box.min(), first, true);
        auto* const leaf = accessor_.touchLeaf(box.min());
        for (auto it = box.begin(); it; ++it) leaf->setValueOn(*it, at((*it).x(), (*it).y(), (*it).z()));
    }

    openvdb::FloatGrid::Accessor accessor_;
    std::array<int, 3> dims_;
};

} // namespace

void write_openvdb(PackedVolume const& volume, std::filesystem::path const& path, ProgressSink const& progress)
{
    openvdb::initialize();
    VolumeMeta const& meta = volume.meta();
    VolumeView const view = volume.view();
    auto grid = openvdb::FloatGrid::create(0.0f);
    grid->setName("density");
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grid->setTransform(make_transform(meta));
    LeafLayer leaves(*grid, meta.dims);
    std::size_t const layer = static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
    std::vector<float> values(8 * layer);
    if (meta.extinction == Source::constant) std::ranges::fill(values, meta.constant_extinction[0]);
    for (int z = 0; z < meta.dims[2]; z += 8) {
        int const count = std::min(8, meta.dims[2] - z);
        for (int i = 0; i < count && meta.extinction == Source::plane; ++i)
            read_plane_layer(view, view.density, z + i,
                             std::span(values).subspan(static_cast<std::size_t>(i) * layer, layer));
        leaves.add(z, count, values);
        Progress const state{static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(meta.dims[2]), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before the file was complete", path.string(), "start again");
    }
    try {
        openvdb::io::File file(path.string());
        file.write({grid});
        file.close();
    } catch (openvdb::Exception const& error) {
        fail_system(error.what(), path.string(), "free some space");
    }
}

} // namespace volpt
