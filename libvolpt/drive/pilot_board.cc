// Keeps what was found.
#include "libvolpt/drive/pilot_board.h"

namespace volpt {

bool PilotBoard::claim(std::string const& model)
{
    std::scoped_lock const lock(mutex_);
    return models_.try_emplace(model).second;
}

void PilotBoard::post(std::string const& model, GpuOptions const& best)
{
    std::scoped_lock const lock(mutex_);
    models_[model] = best;
}

std::optional<GpuOptions> PilotBoard::find(std::string const& model) const
{
    std::scoped_lock const lock(mutex_);
    return models_.at(model);
}

} // namespace volpt
