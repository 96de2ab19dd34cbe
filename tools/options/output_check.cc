#include "tools/options/output_check.h"

namespace volpt {

void refuse_overwriting(ToolRun const& run, std::vector<std::filesystem::path> inputs,
                        std::vector<std::filesystem::path> const& outputs)
{
    if (run.common.config) inputs.emplace_back(*run.common.config);
    refuse_overwriting(inputs, outputs);
}

} // namespace volpt
