// What stays open from one render of a scene to the next.
#pragma once

#include "libvolpt/cpu/outcomes/outcome_banks.h"

#include <map>
#include <memory>
#include <mutex>

namespace volpt {

/// The renderers of GPUs, with the scene's tables on them, and the CPU's banks of outcomes. Belongs to one RenderScene,
/// which outlives it; RenderScene::change_view may be called between renders. All calls from any thread.
class KeptRenderers {
public:
    struct DeviceRenderer {
        std::unique_ptr<TileRenderer> renderer;
        double rate = 0; ///< paths per second, 0: not known
    };

    /// The renderer that the render before left on this device; null if there is none.
    DeviceRenderer take(int device)
    {
        std::scoped_lock const lock(mutex_);
        auto const kept = devices_.find(device);
        return kept == devices_.end() ? DeviceRenderer() : std::move(devices_.extract(kept).mapped());
    }
    void keep(int device, DeviceRenderer renderer)
    {
        std::scoped_lock const lock(mutex_);
        devices_.insert_or_assign(device, std::move(renderer));
    }

    /// Made at the first call, with its arguments.
    std::shared_ptr<OutcomeBanks> find_banks(SceneView const& scene, int threads, BankCache const& cache)
    {
        std::scoped_lock const lock(mutex_);
        if (!banks_) banks_ = std::make_shared<OutcomeBanks>(scene, threads, cache);
        return banks_;
    }

private:
    std::mutex mutex_;
    std::map<int, DeviceRenderer> devices_;
    std::shared_ptr<OutcomeBanks> banks_;
};

} // namespace volpt
