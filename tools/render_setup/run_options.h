// The words of a render that do not change the scene: samples, time, resuming, devices, kernels, tiles.
#pragma once

#include "libvolpt/job/device_request.h"
#include "libvolpt/job/sample_request.h"
#include "tools/options/option_group.h"

#include <string>
#include <vector>

namespace volpt {

class SampleOptions final : public OptionGroup {
public:
    SampleRequest request;

    std::string title() const override { return "Samples"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// "all", "0,2", "cpu", "cpu+all", "cpu+0,2". Error (usage) on anything else.
DeviceList parse_device_list(std::string const& text);

class DeviceOptions final : public OptionGroup {
public:
    DeviceOptions() = default;
    /// `kernel_names` are what --kernel may be, for shells to complete.
    explicit DeviceOptions(std::vector<std::string> kernel_names) : kernel_names_(std::move(kernel_names)) {}

    DeviceRequest request;
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
