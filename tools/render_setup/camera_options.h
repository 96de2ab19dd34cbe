// The words of a camera and of a probe.
#pragma once

#include "libvolpt/job/camera_request.h"
#include "tools/options/option_group.h"

namespace volpt {

class CameraOptions final : public OptionGroup {
public:
    CameraRequest request;

    std::string title() const override { return "Camera"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

private:
    void read_lens(std::string const& text);
};

class ProbeOptions final : public OptionGroup {
public:
    ProbeRequest request;

    std::string title() const override { return "Probe"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
