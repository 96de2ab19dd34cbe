// A copy of a scene's tables on the device.
#pragma once

#include "kernels/device_memory.h"
#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// Owns device copies of everything that a SceneView points to.
class DeviceScene {
public:
    explicit DeviceScene(SceneView const& host);

    /// The scene with pointers into device memory.
    SceneView const& view() const { return view_; }

private:
    std::uint32_t const* upload(std::uint32_t const* words, std::size_t size);
    float const* upload(float const* values, std::size_t size);
    void upload_plane(PlaneReader& plane, std::size_t bricks);

    SceneView view_;
    std::vector<DeviceArray<std::uint32_t>> words_;
    std::vector<DeviceArray<float>> values_;
};

} // namespace volpt
