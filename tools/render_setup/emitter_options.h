// Options of light that begins at emitters, and of how paths find it.
#pragma once

#include "libvolpt/scene/scene.h"
#include "libvolpt/volume/emitters/emitter.h"
#include "tools/options/option_group.h"

#include <optional>
#include <span>
#include <vector>

namespace volpt {

class EmitterOptions final : public OptionGroup {
public:
    std::string title() const override { return "Emitters"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
    /// Changes only what the user gave. `own` are the emitters of the volume, to which those of --light are added.
    /// Error (usage) if --nee is given for particles, or an option of other integrators is.
    void apply(Scene& scene, std::span<Emitter const> own) const;

    bool names_emitters() const { return !emitters_.empty(); }

private:
    void read_chains(boost::program_options::variables_map const& values);

    std::vector<Emitter> emitters_;
    std::optional<Integrator> integrator_;
    std::optional<EnvironmentNee> nee_;
    std::optional<MisHeuristic> heuristic_;
    std::vector<std::pair<std::uint32_t MetropolisSpec::*, std::uint32_t>> chains_; ///< fields that the user gave
};

} // namespace volpt
