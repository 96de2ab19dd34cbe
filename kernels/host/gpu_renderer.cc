// Queues launches over two streams and copies sums back while the next area is rendered.
#include "kernels/host/device_banks.h"
#include "kernels/host/device_scene.h"
#include "kernels/host/gpu_devices.h"
#include "kernels/host/gpu_memory.h"
#include "kernels/host/kernel_list.h"
#include "libvolpt/sys/error.h"

#include <algorithm>

namespace volpt {
namespace {

/// Runs a lane should get in a launch: enough for its end to be ragged by a small part only.
constexpr std::uint32_t kRunsPerLane = 16;
constexpr std::uint32_t kMostRunSamples = 64;

/// Places an area's sums on the device, and behind them a copy on the host.
struct AreaBuffer {
    RenderTile area;
    std::size_t size = 0;          ///< pixels times bands
    DeviceArray<DeviceCount> sums; ///< then the squares
    MappedArray<std::uint64_t> host;
    DeviceArray<DeviceCounts> counts{1};
    MappedArray<DeviceCounts> host_counts{1};
    DeviceArray<DeviceCount> bank_sums; ///< [bank][part][band]; empty without long steps
    MappedArray<DeviceCount> host_bank_sums;
    std::uint32_t first_bank = 0;
    std::uint32_t bank_count = 0; ///< of which samples were added
    CudaEvent cleared;
    CudaEvent copied;
};

struct LaunchSlot {
    CudaStream stream;
    DeviceArray<std::uint32_t> next{1};
    DeviceArray<std::byte> workspace;
    MappedArray<std::uint32_t> mailbox{1};
    CudaEvent started;
    CudaEvent done;
    bool used = false;
};

} // namespace

class GpuRenderer::Work {
public:
    Work(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
         std::shared_ptr<BrickStore> bricks)
        : device(open_gpu_device(options.device)), kernel(options.kernel), shape(options.shape),
          functions_(find_gpu_kernel(kernel, shape)),
          plan(
              plan_memory(scene, most_pixels, options, functions_, device.free_bytes, find_page_support(device.index))),
          bands_(scene.bands), bands_apart_(carries_all_bands(scene) ? 1 : scene.bands)
    {
        check_memory(plan);
        copy_scene(scene, std::move(bricks));
        if (scene_->view().long_steps.on != 0u) banks_ = std::make_unique<DeviceBanks>(scene_->view());
        most_pixels_ = most_pixels;
        reserve_workspace();
    }

    void choose(GpuOptions const& options)
    {
        functions_ = find_gpu_kernel(options.kernel, options.shape);
        kernel = options.kernel;
        shape = options.shape;
        reserve_workspace();
    }

    void open(int buffer, RenderTile const& area)
    {
        AreaBuffer& target = buffers_[buffer];
        target.area = area;
        std::size_t const pixels = std::size_t{area.x1 - area.x0} * (area.y1 - area.y0);
        target.size = pixels * bands_;
        if (target.sums.size() < 2 * target.size) {
            std::size_t const most = 2 * std::max<std::size_t>(pixels, most_pixels_) * bands_;
            target.sums = DeviceArray<DeviceCount>(most);
            target.host = MappedArray<std::uint64_t>(most);
        }
        check_cuda(cudaMemsetAsync(target.sums.data(), 0, 2 * target.size * sizeof(DeviceCount), copy_stream_),
                   "clearing memory");
        if (banks_) open_banks(target);
        check_cuda(cudaMemsetAsync(target.counts.data(), 0, sizeof(DeviceCounts), copy_stream_), "clearing memory");
        target.cleared.record(copy_stream_);
    }

    void add_samples(int buffer, std::uint32_t first, std::uint32_t count)
    {
        AreaBuffer& target = buffers_[buffer];
        LaunchSlot& slot = slots_[launches_++ % kLaunches];
        slot.done.wait();
        target.cleared.delay(slot.stream);
        check_cuda(cudaMemsetAsync(slot.next.data(), 0, sizeof(std::uint32_t), slot.stream), "clearing memory");
        if (!timing_) {
            first_.record(slot.stream);
            timing_ = true;
        }
        if (banks_) {
            prepare_bank(bank_of_sample(first), slot);
            if (target.bank_count == 0) target.first_bank = bank_of_sample(first);
            target.bank_count = bank_of_sample(first) - target.first_bank + 1;
        }
        slot.started.record(slot.stream);
        functions_.launch(
            {make_batch(target, slot, first, count), shape, slot.workspace.data(), slot.mailbox.data(), slot.stream});
        slot.done.record(slot.stream);
        slot.used = true;
    }

    double time_samples(int buffer, std::uint32_t first, std::uint32_t count)
    {
        wait_for_launches();
        LaunchSlot const& slot = slots_[launches_ % kLaunches];
        add_samples(buffer, first, count);
        slot.done.wait();
        return slot.done.seconds_since(slot.started);
    }

    void close(int buffer)
    {
        AreaBuffer& target = buffers_[buffer];
        for (LaunchSlot const& slot : slots_) slot.done.delay(copy_stream_);
        check_cuda(cudaMemcpyAsync(target.host.data(), target.sums.data(), 2 * target.size * sizeof(DeviceCount),
                                   cudaMemcpyDeviceToHost, copy_stream_),
                   "copying the film out");
        if (target.bank_count > 0)
            check_cuda(cudaMemcpyAsync(target.host_bank_sums.data(), target.bank_sums.data(),
                                       target.bank_count * bank_row() * sizeof(DeviceCount), cudaMemcpyDeviceToHost,
                                       copy_stream_),
                       "copying the banks' sums out");
        check_cuda(cudaMemcpyAsync(target.host_counts.data(), target.counts.data(), sizeof(DeviceCounts),
                                   cudaMemcpyDeviceToHost, copy_stream_),
                   "copying counters out");
        target.copied.record(copy_stream_);
    }

    GpuSums collect(int buffer)
    {
        AreaBuffer& target = buffers_[buffer];
        target.copied.wait();
        DeviceCounts const& counts = *target.host_counts.data();
        return {target.host.data(),
                target.host.data() + target.size,
                {{counts.starts, counts.extensions, counts.tentative_collisions, counts.cut_paths,
                  counts.cut_throughput, counts.long_steps, counts.stepped_collisions},
                 counts.steps,
                 counts.step_slots,
                 counts.starts,
                 counts.start_slots}};
    }

    std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const
    {
        AreaBuffer const& target = buffers_[buffer];
        std::map<std::uint32_t, std::vector<std::uint64_t>> sums;
        for (std::uint32_t i = 0; i < target.bank_count; ++i) {
            DeviceCount const* const row = target.host_bank_sums.data() + i * bank_row();
            sums[target.first_bank + i].assign(row, row + bank_row());
        }
        return sums;
    }

    double measure_seconds()
    {
        wait_for_launches();
        double seconds = 0;
        if (timing_)
            for (LaunchSlot const& slot : slots_)
                if (slot.used) seconds = std::max(seconds, slot.done.seconds_since(first_));
        return seconds;
    }

    double measure_bank_seconds() const { return banks_ ? banks_->measure_seconds() : 0; }

    std::uint32_t most_samples(RenderTile const& area) const
    {
        std::uint64_t const paths = std::uint64_t{area.x1 - area.x0} * (area.y1 - area.y0) * bands_apart_;
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ((std::uint64_t{1} << 31) - 1) / paths));
    }

    std::uint32_t least_paths() const { return functions_.count_least_paths(shape); }

    GpuKernelFacts inspect() const { return functions_.inspect(scene_->view(), shape); }

    GpuDevice device;
    std::string kernel;
    GpuShape shape;

private:
    KernelFunctions functions_;

public:
    GpuMemoryPlan plan;

private:
    /// Splits the voxels of a cache, and tells the plan, before any memory is taken.
    void copy_scene(SceneView const& scene, std::shared_ptr<BrickStore> bricks)
    {
        if (plan.volume_memory != VolumeMemory::cached) {
            scene_ = std::make_unique<DeviceScene>(scene, plan.volume_memory, nullptr);
            return;
        }
        if (!bricks) bricks = make_brick_store({});
        VoxelCache const cache{*bricks, split_volume(bricks->order(scene.medium), plan.voxel_bytes), device.index};
        plan.volume_bytes = plan.volume_bytes - plan.voxel_bytes + cache.split.device_bytes;
        plan.voxel_bytes = cache.split.device_bytes;
        plan.host_bytes = cache.split.host_bytes;
        plan.hit_rate = cache.split.hit_rate;
        scene_ = std::make_unique<DeviceScene>(scene, plan.volume_memory, &cache);
    }

    /// Launches that read other banks end before this one is made: they share its memory.
    void prepare_bank(std::uint32_t number, LaunchSlot& slot)
    {
        if (!banks_->holds(number)) {
            for (LaunchSlot const& other : slots_) other.done.delay(slot.stream);
            banks_->make(number, slot.stream);
        }
        banks_->delay(slot.stream);
    }

    std::size_t bank_row() const { return std::size_t{kBankParts} * bands_; }

    void open_banks(AreaBuffer& target)
    {
        if (target.bank_sums.size() == 0) {
            target.bank_sums = DeviceArray<DeviceCount>(kMostBanks * bank_row());
            target.host_bank_sums = MappedArray<DeviceCount>(kMostBanks * bank_row());
        }
        target.bank_count = 0;
        check_cuda(cudaMemsetAsync(target.bank_sums.data(), 0, target.bank_sums.size_bytes(), copy_stream_),
                   "clearing memory");
    }

    void wait_for_launches()
    {
        for (LaunchSlot const& slot : slots_) slot.done.wait();
    }

    void reserve_workspace()
    {
        std::size_t const size = functions_.count_workspace_bytes(scene_->view(), shape);
        for (LaunchSlot& slot : slots_)
            if (slot.workspace.size() < size) slot.workspace = DeviceArray<std::byte>(size);
    }

    LaunchParams make_batch(AreaBuffer const& target, LaunchSlot const& slot, std::uint32_t first,
                            std::uint32_t count) const
    {
        LaunchParams params{};
        params.scene = scene_->view();
        if (banks_) {
            params.scene.long_steps.bank.outcomes = banks_->find(bank_of_sample(first));
            params.bank_sums = target.bank_sums.data() + (bank_of_sample(first) - target.first_bank) * bank_row();
        }
        params.block = target.area;
        params.block.first_sample = first;
        params.block.sample_count = count;
        params.width = target.area.x1 - target.area.x0;
        params.pixels = params.width * (target.area.y1 - target.area.y0);
        params.bands_apart = bands_apart_;
        std::uint32_t const places = params.pixels * bands_apart_;
        params.paths = places * count;
        auto const lanes = static_cast<std::uint32_t>(device.multiprocessors) * 1024u;
        params.run_samples = std::clamp(params.paths / (lanes * kRunsPerLane), 1u, std::min(count, kMostRunSamples));
        params.runs = places * ((count - 1) / params.run_samples + 1);
        params.sums = target.sums.data();
        params.squares = target.sums.data() + target.size;
        params.counts = target.counts.data();
        params.next = slot.next.data();
        return params;
    }

    std::uint32_t bands_;
    std::uint32_t bands_apart_;
    std::uint32_t most_pixels_ = 0;
    std::unique_ptr<DeviceScene> scene_;
    std::unique_ptr<DeviceBanks> banks_; ///< null without long steps
    AreaBuffer buffers_[kBuffers];
    LaunchSlot slots_[kLaunches];
    CudaStream copy_stream_;
    CudaEvent first_;
    std::uint32_t launches_ = 0;
    bool timing_ = false; ///< first_ has been recorded
};

GpuRenderer::GpuRenderer(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options,
                         std::shared_ptr<BrickStore> bricks)
    : work_(std::make_unique<Work>(scene, most_pixels, options, std::move(bricks)))
{
}
GpuRenderer::~GpuRenderer() = default;
void GpuRenderer::choose(GpuOptions const& options)
{
    work_->choose(options);
}
void GpuRenderer::open(int buffer, RenderTile const& area)
{
    work_->open(buffer, area);
}
void GpuRenderer::add_samples(int buffer, std::uint32_t first, std::uint32_t count)
{
    work_->add_samples(buffer, first, count);
}
double GpuRenderer::time_samples(int buffer, std::uint32_t first, std::uint32_t count)
{
    return work_->time_samples(buffer, first, count);
}
std::uint32_t GpuRenderer::most_samples(RenderTile const& area) const
{
    return work_->most_samples(area);
}
std::uint32_t GpuRenderer::least_paths() const
{
    return work_->least_paths();
}
void GpuRenderer::close(int buffer)
{
    work_->close(buffer);
}
GpuSums GpuRenderer::collect(int buffer)
{
    return work_->collect(buffer);
}
std::map<std::uint32_t, std::vector<std::uint64_t>> GpuRenderer::collect_banks(int buffer) const
{
    return work_->collect_banks(buffer);
}
double GpuRenderer::measure_seconds()
{
    return work_->measure_seconds();
}
double GpuRenderer::measure_bank_seconds() const
{
    return work_->measure_bank_seconds();
}
GpuMemoryPlan const& GpuRenderer::memory() const
{
    return work_->plan;
}
GpuKernelFacts GpuRenderer::inspect() const
{
    return work_->inspect();
}
GpuDevice const& GpuRenderer::device() const
{
    return work_->device;
}

GpuMemoryPlan plan_gpu_memory(SceneView const& scene, std::uint32_t most_pixels, GpuOptions const& options)
{
    GpuDevice const device = open_gpu_device(options.device);
    return plan_memory(scene, most_pixels, options, find_gpu_kernel(options.kernel, options.shape), device.free_bytes,
                       find_page_support(device.index));
}

} // namespace volpt
