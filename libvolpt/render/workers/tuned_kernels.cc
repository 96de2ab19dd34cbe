// Keeps what was found.
#include "libvolpt/render/workers/tuned_kernels.h"

namespace volpt {

bool TunedKernels::claim(std::string const& model)
{
    std::scoped_lock const lock(mutex_);
    return models_.try_emplace(model).second;
}

void TunedKernels::post(std::string const& model, GpuOptions const& best)
{
    std::scoped_lock const lock(mutex_);
    models_[model] = best;
}

std::optional<GpuOptions> TunedKernels::find(std::string const& model) const
{
    std::scoped_lock const lock(mutex_);
    return models_.at(model);
}

} // namespace volpt
