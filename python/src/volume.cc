#include "volpt/volume.h"

#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"

#include <nanobind/stl/array.h>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

/// [z][y][x][channel] of a plane, decoded.
nb::ndarray<nb::numpy, float> read_plane(Volume const& volume, std::string const& name)
{
    Plane plane = run_released([&] { return volume.read(name); });
    return make_array(std::move(plane.values), {plane.shape[0], plane.shape[1], plane.shape[2], plane.shape[3]});
}

nb::dlpack::dtype find_dtype(NumberType type)
{
    switch (type) {
    case NumberType::u8:
        return nb::dtype<std::uint8_t>();
    case NumberType::u16:
        return nb::dtype<std::uint16_t>();
    case NumberType::f16:
        return {static_cast<std::uint8_t>(nb::dlpack::dtype_code::Float), 16, 1};
    default: // no volume has another
        return nb::dtype<float>();
    }
}

using ReadOnlyArray = nb::ndarray<nb::numpy, nb::ro>;

/// Views of the mapped file; `owner` keeps it open.
nb::dict show_bricks(nb::handle owner, std::string const& name)
{
    Bricks const shown = nb::inst_ptr<Volume>(owner)->bricks(name);
    nb::dict bricks;
    bricks["table"] =
        ReadOnlyArray(shown.table, 4, shown.table_shape.data(), owner, nullptr, nb::dtype<std::uint32_t>());
    bricks["values"] =
        ReadOnlyArray(shown.values, 3, shown.values_shape.data(), owner, nullptr, find_dtype(shown.type));
    bricks["value_scale"] = shown.value_scale;
    bricks["channels"] = shown.channels;
    return bricks;
}

nb::ndarray<nb::numpy, std::uint8_t> make_voxel_order()
{
    std::vector<std::uint8_t> order;
    for (auto const& voxel : list_voxel_order()) order.insert(order.end(), voxel.begin(), voxel.end());
    std::size_t const voxels = order.size() / 3;
    return make_array(std::move(order), {voxels, 3});
}

using SourceArray = nb::ndarray<nb::ro, nb::c_contig, nb::device::cpu>;

NumberType find_number_type(nb::dlpack::dtype type)
{
    using enum NumberType;
    auto const pick = [&](NumberType of_8, NumberType of_16, NumberType of_32, NumberType of_64) {
        return type.bits == 8 ? of_8 : type.bits == 16 ? of_16 : type.bits == 32 ? of_32 : of_64;
    };
    switch (static_cast<nb::dlpack::dtype_code>(type.code)) {
    case nb::dlpack::dtype_code::Int:
        return pick(i8, i16, i32, i64);
    case nb::dlpack::dtype_code::UInt:
        return pick(u8, u16, u32, u64);
    default:
        return pick(f16, f16, f32, f64);
    }
}

/// [z][y][x] or [z][y][x][channel].
ArrayView view_array(SourceArray const& array)
{
    auto const* const bytes = static_cast<std::byte const*>(array.data());
    return {{bytes, array.nbytes()},
            find_number_type(array.dtype()),
            {array.shape(2), array.shape(1), array.shape(0)},
            array.ndim() == 4 ? array.shape(3) : 1};
}

/// Volume or None, notices, and the Python exception that stopped it or None.
nb::tuple pack_source(std::filesystem::path const& source, std::optional<SourceArray> const& array,
                      std::filesystem::path const& output, OptionWords const& words)
{
    Options const options = list_given(words);
    WorkControl control;
    std::optional<Volume> volume;
    nb::object const raised = run_interruptibly("pack", nb::none(), control, [&] {
        volume = array ? pack(view_array(*array), output, options, control.watch())
                       : pack(source, output, options, control.watch());
    });
    return nb::make_tuple(raised.is_none() ? nb::cast(volume) : nb::none(), control.take_notices(), raised);
}

} // namespace

void bind_volume(nb::module_& module)
{
    nb::call_guard<nb::gil_scoped_release> const released;
    module.def("list_voxel_order", &make_voxel_order);
    nb::class_<Volume>(module, "Volume")
        .def_static("open", &Volume::open, nb::arg("path"), released)
        .def_prop_ro("path", &Volume::path)
        .def_prop_ro("dims", &Volume::dims)
        .def_prop_ro("pitch_mm", &Volume::pitch_mm)
        .def_prop_ro("bands", &Volume::bands)
        .def_prop_ro("scale", &Volume::scale)
        .def_prop_ro("planes", &Volume::planes)
        .def("read_plane", &read_plane, nb::arg("name"))
        .def(
            "show_bricks", [](nb::handle self, std::string const& name) { return show_bricks(self, name); },
            nb::arg("name"))
        .def("describe", &Volume::describe, released);
    module.def("pack", &pack_source, nb::arg("source"), nb::arg("array").none(), nb::arg("output"), nb::arg("options"));
}

} // namespace volpt::python
