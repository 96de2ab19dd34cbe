// Options that every tool has: how much is said, how many threads work, whether the answer is JSON.
#pragma once

#include "tools/options/option_group.h"

namespace volpt {

/// What goes to stderr: `quiet` errors alone, `normal` notices and progress too, `verbose` every step.
enum class Verbosity { quiet, normal, verbose };

/// What the answer on stdout looks like.
enum class AnswerForm { text, json };

class CommonOptions final : public OptionGroup {
public:
    Verbosity verbosity = Verbosity::normal;
    int threads = 1;       ///< after `read`: --threads, or every core this process may use
    int threads_given = 0; ///< --threads; 0: not given
    AnswerForm answer = AnswerForm::text;

    bool wants_json() const { return answer == AnswerForm::json; }

    std::string title() const override { return "General"; }
    void declare(boost::program_options::options_description& options) override;
    void read(boost::program_options::variables_map const& values) override;
};

} // namespace volpt
