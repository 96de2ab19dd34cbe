#pragma once

#include "libvolpt/job/emitter_request.h"
#include "tools/options/option_group.h"

namespace volpt {

/// The words of light that begins at emitters, and of how paths find it.
class EmitterOptions final : public OptionGroup {
public:
    EmitterRequest request;

    std::string title() const override { return "Emitters"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;

private:
    void read_chains(boost::program_options::variables_map const& values);
};

} // namespace volpt
