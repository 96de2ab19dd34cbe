#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/morton_order.h"
#include "libvolpt/volume/named_planes.h"
#include "libvolpt/volume/volume_report.h"
#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"

#include <algorithm>
#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using FloatArray = nb::ndarray<nb::numpy, float>;

/// [z][y][x][channel] of a plane, decoded.
FloatArray read_plane(OpenVolume const& volume, std::string const& name)
{
    DensePlane dense;
    {
        nb::gil_scoped_release const released;
        dense = read_dense_plane(*volume.packed, name, count_cores());
    }
    return make_array(std::move(dense.values), {dense.shape[0], dense.shape[1], dense.shape[2], dense.shape[3]});
}

/// Slots of a plane's voxel words: one more than the largest in the table.
std::size_t count_slots(VolumeView const& view, PlaneView const& plane)
{
    std::size_t slots = 0;
    std::size_t const bricks = static_cast<std::size_t>(view.brick_counts[0]) *
                               static_cast<std::size_t>(view.brick_counts[1]) *
                               static_cast<std::size_t>(view.brick_counts[2]);
    for (std::size_t brick = 0; brick < bricks; ++brick)
        if (std::uint32_t const slot = plane.table[brick * plane.table_stride]; slot != kConstantBrick)
            slots = std::max<std::size_t>(slots, std::size_t{slot} + 1);
    return slots;
}

nb::dlpack::dtype find_dtype(Encoding encoding)
{
    switch (encoding) {
    case Encoding::u8:
        return nb::dtype<std::uint8_t>();
    case Encoding::u16:
        return nb::dtype<std::uint16_t>();
    case Encoding::f16:
        return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
    case Encoding::f32:
        return nb::dtype<float>();
    }
    fail_usage("unknown encoding");
}

using ReadOnlyArray = nb::ndarray<nb::numpy, nb::ro>;

/// Views of the mapped file; `owner` keeps it open.
nb::dict show_bricks(nb::handle owner, std::string const& name)
{
    auto const& volume = *nb::inst_ptr<OpenVolume>(owner);
    VolumeView const view = volume.packed->view();
    PlaneView const plane = find_plane(view, name);
    auto const count = [&](int axis) { return static_cast<std::size_t>(view.brick_counts[axis]); };
    std::size_t const table_shape[] = {count(2), count(1), count(0), plane.table_stride};
    std::size_t const value_shape[] = {count_slots(view, plane), std::size_t{kBrickVoxels}, plane.record_elements};
    nb::dict bricks;
    bricks["table"] = ReadOnlyArray(plane.table, 4, table_shape, owner, nullptr, nb::dtype<std::uint32_t>());
    bricks["values"] = ReadOnlyArray(plane.words, 3, value_shape, owner, nullptr, find_dtype(plane.encoding));
    bricks["value_scale"] = plane.value_scale;
    bricks["channels"] = plane.channels;
    return bricks;
}

/// By Morton index: x, y, z in the brick.
nb::ndarray<nb::numpy, std::uint8_t> list_voxel_order()
{
    std::vector<std::uint8_t> order(std::size_t{kBrickVoxels} * 3);
    for (std::uint32_t z = 0; z < kBrickEdge; ++z)
        for (std::uint32_t y = 0; y < kBrickEdge; ++y)
            for (std::uint32_t x = 0; x < kBrickEdge; ++x) {
                std::uint8_t* const voxel = order.data() + std::size_t{morton_in_brick(x, y, z)} * 3;
                voxel[0] = static_cast<std::uint8_t>(x);
                voxel[1] = static_cast<std::uint8_t>(y);
                voxel[2] = static_cast<std::uint8_t>(z);
            }
    return make_array(std::move(order), {std::size_t{kBrickVoxels}, 3});
}

} // namespace

void bind_volume(nb::module_& module)
{
    module.def("list_voxel_order", &list_voxel_order);
    nb::class_<OpenVolume>(module, "Volume")
        .def_static(
            "open",
            [](std::filesystem::path const& path) {
                refuse_forked_process();
                return OpenVolume{
                    std::filesystem::absolute(path),
                    std::make_shared<PackedVolume const>(PackedVolume::open(path, VerifyLevel::full, count_cores()))};
            },
            nb::arg("path"), nb::call_guard<nb::gil_scoped_release>())
        .def_ro("path", &OpenVolume::path)
        .def_prop_ro("dims", [](OpenVolume const& volume) { return volume.packed->meta().dims; })
        .def_prop_ro("pitch_mm", [](OpenVolume const& volume) { return volume.packed->meta().pitch_mm; })
        .def_prop_ro("bands", [](OpenVolume const& volume) { return volume.packed->meta().bands(); })
        .def_prop_ro("scale", [](OpenVolume const& volume) { return volume.packed->meta().scale; })
        .def_prop_ro("planes", [](OpenVolume const& volume) { return list_planes(volume.packed->view()); })
        .def("read_plane", &read_plane, nb::arg("name"))
        .def(
            "show_bricks", [](nb::handle self, std::string const& name) { return show_bricks(self, name); },
            nb::arg("name"))
        .def(
            "describe",
            [](OpenVolume const& volume) {
                nlohmann::ordered_json const report = report_volume(*volume.packed);
                volume.packed->check_unchanged();
                return format_json(report);
            },
            nb::call_guard<nb::gil_scoped_release>());
}

} // namespace volpt::python
