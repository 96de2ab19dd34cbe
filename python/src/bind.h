// The parts of the module, one function each.
#pragma once

#include "volpt/options.h"

#include <nanobind/nanobind.h>
#include <utility>
#include <vector>

namespace volpt::python {

/// Names and values of options, as Python gives them: names of files are no text there.
using OptionWords = std::vector<std::pair<nanobind::bytes, nanobind::bytes>>;

Options list_given(OptionWords const& words);

void bind_errors(nanobind::module_& module);
void bind_film(nanobind::module_& module);
void bind_volume(nanobind::module_& module);
void bind_render(nanobind::module_& module);
void bind_compare(nanobind::module_& module);
void bind_info(nanobind::module_& module);
void bind_merge(nanobind::module_& module);

} // namespace volpt::python
