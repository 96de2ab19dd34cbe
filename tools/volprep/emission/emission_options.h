// Options of volprep for light that the medium emits.
#pragma once

#include "libvolpt/medium/emission_volume.h"
#include "tools/options/option_group.h"

#include <optional>
#include <string>

namespace volpt {

/// Light that the medium emits; an OpenVDB file's grid of it is in VolumeOptions::vdb.
class EmissionVolumeOptions final : public OptionGroup {
public:
    EmissionOptions emission;
    std::optional<std::string> file; ///< of the same voxels as the input

    std::string title() const override { return "Emission of the medium"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
