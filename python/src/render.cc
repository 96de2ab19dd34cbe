#include "volpt/render.h"

#include "python/src/arrays.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

/// Arrays [gate][band][z][y][x].
nb::dict list_tally(Tally& tally)
{
    auto const [gates, bands, nz, ny, nx] = tally.shape;
    nb::dict parts;
    parts["kind"] = tally.kind;
    parts["unit"] = tally.unit;
    parts["values"] = make_array(std::move(tally.values), {gates, bands, nz, ny, nx});
    parts["standard_error"] = make_array(std::move(tally.standard_errors), {gates, bands, nz, ny, nx});
    parts["cell_size_mm"] = nb::make_tuple(tally.cell_size_mm[0], tally.cell_size_mm[1], tally.cell_size_mm[2]);
    parts["gate_ns"] = tally.gate_ns;
    return parts;
}

/// Film, report, notices, the Python exception that ended the render early or None, status and words of a failure of
/// device or volume or None, and the tally or None. Without a film, the exception came before the first sample.
nb::tuple render_film(Volume const& volume, OptionWords const& words, std::optional<Film> const& resumed,
                      nb::object const& progress)
{
    Options const options = list_given(words);
    WorkControl control;
    std::optional<RenderResult> rendered;
    nb::object const raised = run_interruptibly("render", progress, control, [&] {
        rendered =
            resumed ? resume(*resumed, volume, options, control.watch()) : render(volume, options, control.watch());
    });
    nb::object film = nb::none(), failure = nb::none();
    if (rendered) film = nb::cast(rendered->film);
    if (rendered && rendered->failure)
        failure = nb::make_tuple(static_cast<int>(rendered->failure->status()), rendered->failure->what());
    nb::object tally = nb::none();
    if (rendered && rendered->tally) tally = list_tally(*rendered->tally);
    return nb::make_tuple(film, rendered ? rendered->report : "{}", control.take_notices(), raised, failure, tally);
}

} // namespace

void bind_render(nb::module_& module)
{
    module.def("render", &render_film, nb::arg("volume"), nb::arg("options"), nb::arg("resumed").none(),
               nb::arg("progress").none());
    module.def("list_gpus", &list_gpus);
}

} // namespace volpt::python
