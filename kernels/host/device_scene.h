// A copy of a scene's tables where the device can read them.
#pragma once

#include "kernels/host/device_memory.h"
#include "kernels/paging/brick_store.h"
#include "kernels/paging/paged_memory.h"
#include "libvolpt/backend/memory_plan.h"

#include <vector>

namespace volpt {

/// What VolumeMemory::cached needs.
struct VoxelCache {
    BrickStore& store;
    VolumeSplit split; ///< of store.order
    int device = 0;
};

/// Owns copies of everything that a SceneView points to.
class DeviceScene {
public:
    /// With VolumeMemory::zerocopy the voxels lie in pinned host memory that the device reads over the bus; with
    /// `cached` they lie as `cache` says, which is null otherwise. Brick tables, majorants, materials and light are
    /// always on the device.
    DeviceScene(SceneView const& host, VolumeMemory volume_memory, VoxelCache const* cache);

    /// The view of `host`, whose tables are those of the scene that was copied.
    void change_view(SceneView const& host);

    /// Adds what particles have tallied since the last call to the sums that `host` views, once they have ended.
    void take_tally(TallyView const& host);

    /// The scene with device pointers.
    SceneView const& view() const { return view_; }

private:
    template <class T>
    T const* upload(T const* values, std::size_t size);
    void upload_plane(PlaneReader& plane, std::size_t words, std::size_t bricks, VolumeMemory volume_memory);
    void upload_cached_plane(PlaneReader& plane, std::size_t plane_index, VoxelCache const& cache);
    void upload_solid(std::size_t bricks);
    void upload_surroundings();
    void upload_texture_probe();
    void upload_emitters();
    void upload_emission(SceneSizes const& sizes, VolumeMemory volume_memory);

    SceneView view_;
    std::vector<DeviceArray<std::uint32_t>> tables_;
    std::vector<MappedArray<std::uint32_t>> mapped_;
    std::vector<PageRange> ranges_;
    DeviceArray<std::uint64_t> tally_sums_;
    DeviceArray<std::uint64_t> energy_sums_;
};

} // namespace volpt
