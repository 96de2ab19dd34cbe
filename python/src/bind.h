// The parts of the module, one function each.
#pragma once

#include "libvolpt/volume/volume.h"

#include <memory>
#include <nanobind/nanobind.h>
#include <string>

namespace volpt::python {

/// A .vpk that is open.
struct OpenVolume {
    std::string path;
    std::shared_ptr<PackedVolume const> packed;
};

/// Threads of conversions: one per core.
int count_cores();

void bind_errors(nanobind::module_& module);
void bind_film(nanobind::module_& module);
void bind_volume(nanobind::module_& module);
void bind_render(nanobind::module_& module);
void bind_compare(nanobind::module_& module);

} // namespace volpt::python
