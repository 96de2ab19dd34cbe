// The kernels of a backend, the knobs of each, and a choice among them.
//
// A knob changes a kernel's speed and never its bits. Kernels and knobs are data: the options of the tools, their help,
// the checks, the automatic tuning and the tests of equal bits all come from these lists.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/sys/text/enum_words.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

struct KnobInfo {
    enum class Kind { count, on_off };

    std::string_view name; ///< "exit_votes"; the option is --exit-votes
    std::string_view help;
    int standard = 0; ///< what the kernel takes if nothing is given
    int least = 0;
    int most = 0;
    std::vector<int> values = {}; ///< the only ones that are compiled; empty: all from least to most
    Kind kind = Kind::count;      ///< on_off: 0 or 1, given as off or on

    /// The standard value and both bounds, each once: what tests run.
    std::vector<int> list_test_values() const;
};

struct KernelInfo {
    std::string_view name;
    std::string_view description;
    std::vector<KnobInfo> knobs = {};
};

/// Knobs by name; those that are not there have their standard values.
using KnobValues = std::map<std::string, int, std::less<>>;

/// Where voxels lie. `cached`: the bricks that are looked up most often on the device, the others behind them in pinned
/// host memory.
enum class VolumeMemory { automatic, device, cached, zerocopy };
template <>
inline constexpr auto kWords<VolumeMemory> = list_words<VolumeMemory>({{VolumeMemory::automatic, "auto"},
                                                                       {VolumeMemory::device, "device"},
                                                                       {VolumeMemory::cached, "cached"},
                                                                       {VolumeMemory::zerocopy, "zerocopy"}});

/// The most device memory that voxels may take: the smaller of the two.
struct CacheLimit {
    std::size_t bytes = SIZE_MAX;
    double share = 1; ///< of all voxels; 1 sets no limit
};

/// How to render on one device.
struct RendererOptions {
    std::string kernel; ///< empty: the backend's choice
    KnobValues knobs = {};
    VolumeMemory volume_memory = VolumeMemory::automatic;
    int device = 0; ///< index in Backend::list_devices
    CacheLimit cache = {};
};

/// "--exit-votes"
std::string spell_option(KnobInfo const& knob);

/// The kernel that `options` names. Error (usage) if `kernels` has no such kernel, if the kernel has no such knob, or
/// not that value of it; `backend` is its name in the message.
KernelInfo const& find_kernel(std::span<KernelInfo const> kernels, std::string_view backend,
                              RendererOptions const& options);

/// "regen_vote --min-blocks 8 --start-votes 8": the kernel and the knobs that were given, as options.
std::string describe_choice(std::span<KernelInfo const> kernels, RendererOptions const& options);

} // namespace volpt
