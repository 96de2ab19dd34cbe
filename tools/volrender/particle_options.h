// The words of what particles leave: --tally, --detector.
#pragma once

#include "libvolpt/job/particles/tally_request.h"
#include "tools/options/option_group.h"

#include <string>
#include <string_view>

namespace volpt {

class TallyOptions final : public OptionGroup {
public:
    TallyRequest request;

    std::string title() const override { return "Tally"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

class DetectorOptions final : public OptionGroup {
public:
    DetectorRequest request;

    std::string title() const override { return "Detectors"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

/// "disc center=0,0,5 radius=1mm", "rings width=0.1mm count=50": `option` names them in errors (usage), which say what
/// is wrong and what there is.
DetectorSpec parse_detector(std::string const& option, std::string_view text);

} // namespace volpt
