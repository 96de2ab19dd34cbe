// Options of volprep for what lies behind the printed layers.
#pragma once

#include "tools/options/option_group.h"

#include <optional>
#include <string>

namespace volpt {

class CoreGroup final : public OptionGroup {
public:
    std::optional<double> core_mm;
    std::optional<std::string> material; ///< absent: the one named W

    std::string title() const override { return "Core of a print"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
