#include "volpt/info.h"

#include "python/src/bind.h"
#include "python/src/interruptible.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

/// Report (JSON), notices, and the Python exception that stopped it or None.
nb::tuple tell_file(std::filesystem::path const& path, OptionWords const& words, nb::object const& progress)
{
    Options const options = list_given(words);
    WorkControl control;
    std::string report;
    nb::object const raised =
        run_interruptibly("count", progress, control, [&] { report = info(path, options, control.watch()); });
    return nb::make_tuple(report, control.take_notices(), raised);
}

} // namespace

void bind_info(nb::module_& module)
{
    module.def("info", &tell_file, nb::arg("path"), nb::arg("options"), nb::arg("progress").none());
}

} // namespace volpt::python
