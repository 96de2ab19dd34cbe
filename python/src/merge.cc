#include "volpt/merge.h"

#include "python/src/bind.h"
#include "python/src/interruptible.h"

#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

using Paths = std::vector<std::filesystem::path>;

/// Film or None, report (JSON), whether the samples are those expected, files written, notices, and the Python
/// exception that stopped it or None.
nb::tuple merge_files(Paths const& films, Paths const& outputs, OptionWords const& words, nb::object const& progress)
{
    Options const options = list_given(words);
    WorkControl control;
    MergeResult merged;
    nb::object const raised = run_interruptibly("merge", progress, control,
                                                [&] { merged = merge(films, outputs, options, control.watch()); });
    return nb::make_tuple(merged.film, merged.report, merged.is_whole, merged.written, control.take_notices(), raised);
}

} // namespace

void bind_merge(nb::module_& module)
{
    module.def("merge", &merge_files, nb::arg("films"), nb::arg("outputs"), nb::arg("options"),
               nb::arg("progress").none());
}

} // namespace volpt::python
