#include "kernels/gpu_backend.h"
#include "python/src/bind.h"
#include "python/src/interruptible.h"
#include "python/src/option_names.h"
#include "tools/volrender/held_render.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

/// Film, what it is of, report, notices, the Python exception that ended the render early or None, and status and words
/// of a failure of device or volume or None. Without a film, the exception came before the first sample.
nb::tuple render(OpenVolume const& volume, std::vector<std::string> words, Film const* resumed,
                 nb::object const& progress)
{
    refuse_forked_process();
    HeldInputs held{volume.packed, resumed != nullptr ? std::optional(*resumed) : std::nullopt};
    WorkControl control;
    HeldRender rendered;
    nb::object const raised = run_interruptibly("render", progress, control, [&] {
        rendered =
            render_held(volume.path.string(), words, std::move(held), control.notice_sink(), control.progress_sink());
    });
    nb::object film = nb::none();
    if (rendered.film) film = nb::cast(std::move(*rendered.film));
    nb::object failure = nb::none();
    if (rendered.failure)
        failure = nb::make_tuple(static_cast<int>(rendered.failure->status()), rendered.failure->what());
    return nb::make_tuple(film, RenderedJob{rendered.job}, describe_render(rendered), control.take_notices(), raised,
                          failure);
}

std::vector<std::string> list_gpu_names()
{
    std::vector<std::string> names;
    for (DeviceInfo const& gpu : list_gpus()) names.push_back(gpu.name);
    return names;
}

} // namespace

void bind_render(nb::module_& module)
{
    nb::class_<RenderedJob>(module, "RenderedJob");
    module.def("render", &render, nb::arg("volume"), nb::arg("words"), nb::arg("resumed").none(),
               nb::arg("progress").none());
    module.def("list_render_options", [] {
        VolrenderOptions options;
        return list_option_names(options.list_groups());
    });
    module.def("list_gpu_names", &list_gpu_names);
}

} // namespace volpt::python
