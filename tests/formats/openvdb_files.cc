// Writes the OpenVDB files of the tests.
#include "tests/formats/openvdb_files.h"

#include <openvdb/openvdb.h>

namespace volpt {
namespace {

template <typename Grid>
openvdb::GridBase::Ptr make_numbers(VdbGridSample const& sample)
{
    using Value = typename Grid::ValueType;
    auto const make_value = [](auto number) {
        if constexpr (openvdb::VecTraits<Value>::IsVec) {
            using Element = typename openvdb::VecTraits<Value>::ElementType;
            return Value(static_cast<Element>(number(0)), static_cast<Element>(number(1)),
                         static_cast<Element>(number(2)));
        } else if constexpr (std::is_same_v<Value, bool>) {
            return number(0) != 0;
        } else {
            return static_cast<Value>(number(0));
        }
    };
    auto const grid = Grid::create(make_value([&](int) { return sample.background; }));
    for (auto const& [low, high, value] : sample.tiles)
        grid->sparseFill({openvdb::Coord(low.data()), openvdb::Coord(high.data())},
                         make_value([&tile = value](int) { return tile; }));
    auto accessor = grid->getAccessor();
    for (int z = 0; z < sample.dims[2]; ++z)
        for (int y = 0; y < sample.dims[1]; ++y)
            for (int x = 0; x < sample.dims[0]; ++x)
                accessor.setValue(openvdb::Coord(sample.low.data()).offsetBy(x, y, z),
                                  make_value([&](int channel) { return sample.value(x, y, z, channel); }));
    return grid;
}

openvdb::math::Transform::Ptr make_transform(VdbGridSample const& sample)
{
    openvdb::Mat4d matrix = openvdb::Mat4d::identity();
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j)
            matrix[i][j] = sample.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
    if (!sample.is_frustum) return openvdb::math::Transform::createLinearTransform(matrix);
    return openvdb::math::Transform::createFrustumTransform({{0, 0, 0}, {9, 9, 9}}, 0.5, 10.0);
}

openvdb::GridBase::Ptr make_grid(VdbGridSample const& sample)
{
    switch (sample.type) {
    case VdbType::half:
    case VdbType::float32:
        return make_numbers<openvdb::FloatGrid>(sample);
    case VdbType::float64:
        return make_numbers<openvdb::DoubleGrid>(sample);
    case VdbType::int32:
        return make_numbers<openvdb::Int32Grid>(sample);
    case VdbType::int64:
        return make_numbers<openvdb::Int64Grid>(sample);
    case VdbType::boolean:
        return make_numbers<openvdb::BoolGrid>(sample);
    case VdbType::vec3s:
        return make_numbers<openvdb::Vec3SGrid>(sample);
    case VdbType::vec3d:
        return make_numbers<openvdb::Vec3DGrid>(sample);
    case VdbType::mask:
        return openvdb::MaskGrid::create();
    }
    return nullptr;
}

} // namespace

void write_vdb(std::filesystem::path const& path, std::vector<VdbGridSample> const& samples)
{
    openvdb::initialize();
    openvdb::GridPtrVec grids;
    for (auto const& sample : samples) {
        auto const grid = make_grid(sample);
        grid->setName(sample.name);
        grid->setTransform(make_transform(sample));
        grid->setSaveFloatAsHalf(sample.type == VdbType::half);
        bool const is_level_set = sample.grid_class == VdbClass::level_set;
        grid->setGridClass(is_level_set ? openvdb::GRID_LEVEL_SET : openvdb::GRID_FOG_VOLUME);
        grids.push_back(grid);
    }
    openvdb::io::File(path.string()).write(grids);
}

} // namespace volpt
