// The extension module volpt._core: what volpt/*.py is made of. It has the functions of the C++ library.
#include "python/src/bind.h"
#include "volpt/caller_words.h"
#include "volpt/error.h"
#include "volpt/program.h"
#include "volpt/version.h"

#include <algorithm>
#include <nanobind/stl/filesystem.h>
#include <nanobind/stl/string.h>

namespace volpt::python {
namespace nb = nanobind;
namespace {

void raise_error(Error const& error)
{
    nb::object const exception =
        nb::module_::import_("volpt._errors").attr("make_error")(static_cast<int>(error.status()), error.what());
    PyErr_SetObject(reinterpret_cast<PyObject*>(Py_TYPE(exception.ptr())), exception.ptr());
}

/// resume is a method of Film.
std::string spell_function(std::string_view name)
{
    return (name == "resume" ? "volpt.Film." : "volpt.") + std::string(name);
}

/// from is a word of Python.
std::string spell_option(std::string_view name)
{
    std::string word(name);
    std::ranges::replace(word, '-', '_');
    return word == "from" ? "from_" : word;
}

} // namespace

Options list_given(OptionWords const& words)
{
    Options options;
    for (auto const& [name, value] : words)
        options.push_back({{name.c_str(), name.size()}, {value.c_str(), value.size()}});
    return options;
}

void bind_errors(nb::module_&)
{
    nb::register_exception_translator([](std::exception_ptr const& thrown, void*) {
        try {
            std::rethrow_exception(thrown);
        } catch (OutOfMemory const& error) {
            PyErr_SetString(PyExc_MemoryError, error.what());
        } catch (Error const& error) {
            raise_error(error);
        }
    });
}

} // namespace volpt::python

NB_MODULE(_core, module)
{
    using namespace volpt;
    set_caller_words({&python::spell_function, &python::spell_option, "multiprocessing.get_context('spawn')"});
    module.def("version", &version);
    module.def("revision", &revision);
    module.def("find_program", &find_program, nanobind::arg("name"));
    python::bind_errors(module);
    python::bind_film(module);
    python::bind_volume(module);
    python::bind_render(module);
    python::bind_compare(module);
    python::bind_info(module);
    python::bind_merge(module);
}
