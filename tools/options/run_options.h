// Options of a render that do not change the scene: samples, time, resuming, devices, kernels, tiles.
#pragma once

#include "libvolpt/backend/kernel_choice.h"
#include "libvolpt/backend/render_tile.h"
#include "libvolpt/film/sample_range.h"
#include "tools/options/option_group.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

class SampleOptions final : public OptionGroup {
public:
    std::optional<SampleRange> samples; ///< --spp N is 0:N
    std::optional<std::uint64_t> seed;
    std::optional<std::filesystem::path> resume;
    double time_limit_s = 0;
    double checkpoint_s = 0;          ///< 0: none
    std::optional<double> stop_at_de; ///< in CIEDE2000; samples, if given, are then 0 to a ceiling

    std::string title() const override { return "Samples"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

enum class DeviceChoice { automatic, cpu, cuda };
template <>
inline constexpr auto kWords<DeviceChoice> = list_words<DeviceChoice>({{DeviceChoice::automatic, "auto"},
                                                                       {DeviceChoice::cpu, "cpu"},
                                                                       {DeviceChoice::cuda, "cuda"}});

/// --devices: "all", "0,2", "cpu", "cpu+all", "cpu+0,2".
struct DeviceList {
    bool cpu = false;
    bool all_gpus = false;
    std::vector<int> gpus; ///< each once
};
/// Error (usage) on anything else.
DeviceList parse_device_list(std::string const& text);

class DeviceOptions final : public OptionGroup {
public:
    DeviceOptions() = default;
    /// `kernel_names` are what --kernel may be, for shells to complete.
    explicit DeviceOptions(std::vector<std::string> kernel_names) : kernel_names_(std::move(kernel_names)) {}

    DeviceChoice device = DeviceChoice::automatic;
    std::optional<DeviceList> devices; ///< instead of `device`
    std::string kernel;                ///< empty: the fastest
    KnobValues knobs;                  ///< as given
    VolumeMemory volume_memory = VolumeMemory::automatic;
    CacheLimit cache;
    std::filesystem::path bank_cache; ///< folder; empty: none
    std::uint32_t tile_size = 0;      ///< 0: chosen by the device
    std::optional<TileGrid> tiles;
    int trials = 0; ///< 0: an ordinary render
    bool list_kernels = false;
    bool list_devices = false;

    std::string title() const override { return "Device"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

private:
    std::vector<std::string> kernel_names_;
};

} // namespace volpt
