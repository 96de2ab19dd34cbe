// The launch shapes of a kernel that tests of equal bits run.
#pragma once

#include "kernels/gpu_backend.h"

#include <string>
#include <vector>

namespace volpt::test {

/// The kernel with its standard knobs, and with each knob at every bound and compiled value.
inline std::vector<RendererOptions> list_shapes(std::string const& name)
{
    std::vector<RendererOptions> all{{.kernel = name}};
    for (KernelInfo const& kernel : list_gpu_kernels())
        for (KnobInfo const& knob : kernel.knobs)
            for (int const value : knob.list_test_values())
                if (kernel.name == name) all.push_back({name, {{std::string(knob.name), value}}});
    return all;
}

} // namespace volpt::test
