#include "libvolpt/backend/kernel_choice.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

KernelInfo const* find_by_name(std::span<KernelInfo const> kernels, std::string_view name)
{
    auto const found =
        std::find_if(kernels.begin(), kernels.end(), [&](KernelInfo const& kernel) { return kernel.name == name; });
    return found == kernels.end() ? nullptr : &*found;
}

std::string spell_option(std::string name)
{
    std::replace(name.begin(), name.end(), '_', '-');
    return "--" + name;
}

void check_knob(KernelInfo const& kernel, std::string const& name, int value)
{
    auto const knob = std::find_if(kernel.knobs.begin(), kernel.knobs.end(),
                                   [&](KnobInfo const& candidate) { return candidate.name == name; });
    std::string const option = spell_option(name);
    if (knob == kernel.knobs.end())
        fail_usage(fmt::format("kernel {} has no choice of {}", kernel.name, option),
                   fmt::format("leave {} out", option));
    if (value < knob->least || value > knob->most)
        fail_usage(fmt::format("kernel {} takes {} from {} to {}, not {}", kernel.name, option, knob->least, knob->most,
                               value),
                   fmt::format("leave {} out for {}", option, knob->standard));
    if (!knob->values.empty() && std::find(knob->values.begin(), knob->values.end(), value) == knob->values.end())
        fail_usage(fmt::format("{} {} is not compiled into kernel {}", option, value, kernel.name),
                   fmt::format("use one of {}", fmt::join(knob->values, ", ")));
}

} // namespace

std::vector<int> KnobInfo::list_test_values() const
{
    std::vector<int> all{standard, least, most};
    all.insert(all.end(), values.begin(), values.end());
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
    return all;
}

std::string spell_option(KnobInfo const& knob)
{
    return spell_option(std::string(knob.name));
}

KernelInfo const& find_kernel(std::span<KernelInfo const> kernels, std::string_view backend,
                              RendererOptions const& options)
{
    KernelInfo const* const kernel = find_by_name(kernels, options.kernel);
    if (kernel == nullptr) {
        std::vector<std::string_view> names;
        for (KernelInfo const& known : kernels) names.push_back(known.name);
        fail_usage(fmt::format("there is no {} kernel '{}'", backend, options.kernel),
                   fmt::format("use one of auto, {}", fmt::join(names, ", ")));
    }
    for (auto const& [name, value] : options.knobs) check_knob(*kernel, name, value);
    return *kernel;
}

std::string describe_choice(std::span<KernelInfo const> kernels, RendererOptions const& options)
{
    std::string text = options.kernel;
    KernelInfo const* const kernel = find_by_name(kernels, options.kernel);
    if (kernel == nullptr) return text;
    for (KnobInfo const& knob : kernel->knobs) {
        auto const given = options.knobs.find(knob.name);
        if (given == options.knobs.end()) continue;
        std::string const value =
            knob.kind == KnobInfo::Kind::on_off ? (given->second != 0 ? "on" : "off") : std::to_string(given->second);
        text += fmt::format(" {} {}", spell_option(knob), value);
    }
    return text;
}

} // namespace volpt
