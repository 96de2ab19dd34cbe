// Writes densities as one FloatGrid "density": all voxels of the box are active, constant leaves are tiles.
#include "formats/common/exported_plane.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <openvdb/io/File.h>
#include <openvdb/openvdb.h>

namespace volpt {
namespace {

constexpr int kLeafEdge = 8;

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

/// Copies kLeafEdge layers into the leaves that hold them.
class LeafLayer {
public:
    LeafLayer(openvdb::FloatTree& tree, std::array<int, 3> dims) : tree_(tree), dims_(dims) {}

    void add(int z_first, int z_count, std::span<float const> values)
    {
        for (int y = 0; y < dims_[1]; y += kLeafEdge)
            for (int x = 0; x < dims_[0]; x += kLeafEdge)
                add_leaf({{x, y, z_first},
                          {std::min(x + kLeafEdge - 1, dims_[0] - 1), std::min(y + kLeafEdge - 1, dims_[1] - 1),
                           z_first + z_count - 1}},
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
        bool is_constant = box.volume() == kLeafEdge * kLeafEdge * kLeafEdge;
        for (auto it = box.begin(); is_constant && it; ++it) is_constant = at((*it).x(), (*it).y(), (*it).z()) == first;
        if (is_constant) return tree_.addTile(1, box.min(), first, true);
        auto* const leaf = tree_.touchLeaf(box.min());
        for (auto it = box.begin(); it; ++it) leaf->setValueOn(*it, at((*it).x(), (*it).y(), (*it).z()));
    }

    openvdb::FloatTree& tree_;
    std::array<int, 3> dims_;
};

openvdb::FloatGrid::Ptr make_grid(PackedVolume const& volume, std::filesystem::path const& path,
                                  ProgressSink const& progress)
{
    VolumeMeta const& meta = volume.meta();
    auto grid = openvdb::FloatGrid::create(0.0f);
    grid->setName("density");
    grid->setGridClass(openvdb::GRID_FOG_VOLUME);
    grid->setTransform(make_transform(meta));
    LeafLayer leaves(grid->tree(), meta.dims);
    ExportedPlane density(volume, ExportPlane::density, ElementType::f32);
    std::vector<float> values;
    for (int z = 0; z < meta.dims[2]; z += kLeafEdge) {
        int const count = std::min(kLeafEdge, meta.dims[2] - z);
        values.clear();
        for (int i = 0; i < count; ++i) {
            auto const& layer = density.read(z + i);
            values.insert(values.end(), layer.begin(), layer.end());
        }
        leaves.add(z, count, values);
        report_layer(progress, z + count - 1, meta.dims[2], path);
    }
    return grid;
}

ExportedVolume write_openvdb(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                             ProgressSink const& progress)
{
    if (plane != ExportPlane::density) fail_usage(".vdb is written for densities only", "use .mha or .nrrd");
    ExportedVolume exported = describe_export(volume.meta(), plane);
    exported.element = ElementType::f32;
    openvdb::initialize();
    AtomicFile file(path);
    auto const grid = make_grid(volume, path, progress);
    try {
        openvdb::io::File archive(file.temporary_path().string());
        archive.write({grid});
        archive.close();
    } catch (openvdb::Exception const& error) {
        fail_system(error.what(), path.string(), "free some space");
    }
    file.commit();
    return exported;
}

} // namespace

extern Writer const openvdb_writer;
Writer const openvdb_writer{write_openvdb};

} // namespace volpt
