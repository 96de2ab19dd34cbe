// The extension module volpt._core: what volpt/*.py is made of. Its functions take the words of a command line.
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/text/failure_text.h"
#include "python/src/bind.h"

#include <algorithm>
#include <nanobind/stl/string.h>
#include <system_error>
#include <thread>

namespace volpt::python {
namespace nb = nanobind;

int count_cores()
{
    return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace {

void raise_error(ExitStatus status, char const* text)
{
    nb::object const exception =
        nb::module_::import_("volpt._errors").attr("make_error")(static_cast<int>(status), text);
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

} // namespace

void bind_errors(nb::module_&)
{
    nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (Error const& error) {
            raise_error(error.status(), error.what());
        } catch (std::system_error const& error) {
            raise_error(ExitStatus::system, describe_failure(error).c_str());
        }
    });
}

} // namespace volpt::python

NB_MODULE(_core, module)
{
    using namespace volpt;
    replace_lost_pages();
    module.def("version", [] { return std::string(suite_version()); });
    module.def("revision", [] { return std::string(suite_revision()); });
    python::bind_errors(module);
    python::bind_film(module);
    python::bind_volume(module);
    python::bind_render(module);
    python::bind_compare(module);
}
