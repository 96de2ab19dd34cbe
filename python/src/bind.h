// The parts of the module, one function each.
#pragma once

#include "libvolpt/volume/volume.h"

#include <filesystem>
#include <memory>
#include <nanobind/nanobind.h>

namespace volpt {
class RenderJob;
}

namespace volpt::python {

/// A .vpk that is open.
struct OpenVolume {
    std::filesystem::path path; ///< absolute
    std::shared_ptr<PackedVolume const> packed;
};

/// What a film was rendered of, which its pictures need.
struct RenderedJob {
    std::shared_ptr<RenderJob const> job;
};

/// Threads of conversions: one per core.
int count_cores();

void bind_errors(nanobind::module_& module);
void bind_film(nanobind::module_& module);
void bind_volume(nanobind::module_& module);
void bind_render(nanobind::module_& module);
void bind_compare(nanobind::module_& module);

} // namespace volpt::python
