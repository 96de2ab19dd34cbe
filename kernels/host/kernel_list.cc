// The kernels of kernels.def.
#include "kernels/host/kernel_list.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

void check_choice(std::string_view kernel, std::string_view option, int value, std::span<int const> values)
{
    if (value == 0 || std::find(values.begin(), values.end(), value) != values.end()) return;
    if (values.empty())
        fail_usage(fmt::format("kernel {} has no choice of {}", kernel, option), fmt::format("leave {} out", option));
    fail_usage(fmt::format("{} {} is not compiled into kernel {}", option, value, kernel),
               fmt::format("use one of {}", fmt::join(values, ", ")));
}

} // namespace

std::vector<GpuKernel> list_gpu_kernels()
{
    return {
#define VOLPT_KERNEL(name, description) {#name, description},
#include "kernels/kernels.def"
#undef VOLPT_KERNEL
    };
}

KernelFunctions find_gpu_kernel(std::string_view wanted, GpuShape const& shape)
{
    KernelFunctions found{};
#define VOLPT_KERNEL(name, description)                                                                                \
    if (wanted == #name) found = describe_##name();
#include "kernels/kernels.def"
#undef VOLPT_KERNEL
    if (found.launch == nullptr) {
        std::vector<std::string_view> names;
        for (GpuKernel const& kernel : list_gpu_kernels()) names.push_back(kernel.name);
        fail_usage(fmt::format("there is no GPU kernel '{}'", wanted),
                   fmt::format("use one of auto, {}", fmt::join(names, ", ")));
    }
    check_choice(wanted, "--min-blocks", shape.min_blocks, found.min_blocks);
    check_choice(wanted, "--paths-per-lane", shape.paths_per_lane, found.paths_per_lane);
    if (shape.refill == Refill::off && wanted != "stream_mk")
        fail_usage(fmt::format("kernel {} always refills", wanted), "use --refill off with stream_mk alone");
    return found;
}

} // namespace volpt
