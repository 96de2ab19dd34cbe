// The words of volmerge, and what they ask for.
#pragma once

#include "libvolpt/job/merge/merge_job.h"
#include "tools/options/output_options.h"
#include "tools/options/tool.h"

#include <optional>
#include <string>
#include <vector>

namespace volpt {

class MergeOptions final : public OptionGroup {
public:
    std::optional<std::string> list;
    std::optional<ExpectedSamples> expected;
    WhenIncomplete when_incomplete = WhenIncomplete::write_nothing;
    MergeReading reading = MergeReading::everything;

    std::string title() const override { return "Merging"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

struct VolmergeOptions {
    FilmFileOptions output;
    MergeOptions merging;

    /// All of them, in the order of --help.
    std::vector<OptionGroup*> list_groups() { return {&output, &merging}; }
};

/// What the words of `run` ask for. Error (input) if the list of films cannot be read; (usage) if there is neither
/// argument nor list.
MergeRequest make_request(ToolRun const& run, VolmergeOptions const& options);

} // namespace volpt
