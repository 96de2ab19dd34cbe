// Queues launches over two streams and copies sums back while the next area is rendered.
#include "kernels/host/device_banks.h"
#include "kernels/host/device_scene.h"
#include "kernels/host/gpu_device.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <numeric>

namespace volpt {
namespace {

/// Runs that a lane should get in a launch: enough that its ragged end is a small part only.
constexpr std::uint32_t kRunsPerLane = 16;

/// Paths of a first launch, for each multiprocessor: a few ms of thin media, 0.1 s of thick resin. The last paths of a
/// launch take some 10 ms alone, so a shorter one would mostly wait for them.
constexpr std::uint64_t kFirstPaths = std::uint64_t{1} << 18;
/// The same where voxels come over the bus, at a fiftieth of the rate.
constexpr std::uint64_t kFirstPathsOverBus = std::uint64_t{1} << 15;

constexpr std::size_t kSumPlanes = 3;

/// Of an open area: those after which workers close it (find_renderer_limit), and a launch.
constexpr std::size_t kMostPasses = (std::size_t{1} << 15) + 1024;

/// An area's sums on the device, and a copy on the host.
struct AreaBuffer {
    RenderTile area;
    std::size_t size = 0; ///< pixels times planes of sums
    FilmHalf half = FilmHalf::joined;
    /// The planes of TileSums, one after the other, of the half after the others'; join_half adds them up.
    DeviceArray<DeviceCount> sums;
    MappedArray<std::uint64_t> host;
    DeviceArray<DeviceCounts> counts{1};
    MappedArray<DeviceCounts> host_counts{1};
    /// [bank][part][band]; with Transport::metropolis [pass][band][word], by order of arrival; else empty.
    DeviceArray<DeviceCount> bank_sums;
    MappedArray<DeviceCount> host_bank_sums;
    std::uint32_t first_bank = 0;
    std::uint32_t bank_count = 0;      ///< whose samples were added
    std::vector<std::uint32_t> passes; ///< in order of arrival
    CudaEvent cleared;
    CudaEvent copied;

    std::size_t count_words() const { return kSumPlanes * size * (half == FilmHalf::apart ? 2 : 1); }
    /// The planes of all samples, and of the half only the sums, which come right behind.
    std::size_t count_copied_words() const { return (kSumPlanes + (half == FilmHalf::apart ? 1 : 0)) * size; }
    std::size_t half_offset() const { return half == FilmHalf::apart ? kSumPlanes * size : 0; }
};

/// How long runs of a launch may be, at most `wanted`, so that none has samples of both sides of a film's half.
std::uint32_t choose_run_samples(std::uint32_t first, std::uint32_t count, std::uint32_t wanted)
{
    std::uint64_t divisor = 0; // of what lies between the first sample and each change of sides
    for (std::uint64_t end = find_run_end(first); end < std::uint64_t{first} + count; end = find_run_end(end))
        divisor = std::gcd(divisor, end - first);
    std::uint32_t samples = wanted;
    while (divisor % samples != 0) --samples;
    return samples;
}

struct LaunchSlot {
    CudaStream stream;
    DeviceArray<std::uint32_t> next{1};
    DeviceArray<std::byte> workspace;
    MappedArray<std::uint32_t> mailbox{1};
    CudaEvent started;
    CudaEvent done;
    bool used = false;
};

class GpuRenderer final : public TileRenderer {
public:
    GpuRenderer(SceneView const& scene, std::uint32_t most_pixels, RendererOptions const& options,
                std::shared_ptr<BrickStore> bricks)
        : functions_(find_kernel_functions(options, scene)), knobs_(options.knobs),
          device_(open_gpu_device(options.device)),
          plan_(plan_gpu_memory(scene, most_pixels, options, functions_, device_)), most_pixels_(most_pixels),
          bands_(scene.bands), planes_(count_sum_planes(scene)), bands_apart_(count_paths_per_sample(scene))
    {
        check_memory(plan_);
        copy_scene(scene, std::move(bricks));
        if (scene_->view().long_steps.kind != Steps::plain) banks_ = std::make_unique<DeviceBanks>(scene_->view());
        reserve_workspace();
    }

    void choose(RendererOptions const& options) override
    {
        functions_ = find_kernel_functions(options, scene_->view());
        knobs_ = options.knobs;
        reserve_workspace();
    }

    void change_view(SceneView const& scene) override
    {
        check_cuda(cudaSetDevice(device_.index), "opening the device"); // a setting of each thread
        wait_for_launches();
        scene_->change_view(scene);
        reserve_workspace();
    }

    bool can_keep_half_apart() const override
    {
        return keeps_half_apart(scene_->view()) && 2 * kSumPlanes * count_most_values() < UINT32_MAX;
    }

    void open(int buffer, RenderTile const& area, FilmHalf half) override
    {
        AreaBuffer& target = buffers_[buffer];
        target.area = area;
        target.half = half;
        std::size_t const pixels = count_pixels_of(find_reached_pixels(scene_->view(), area));
        target.size = pixels * planes_;
        if (target.sums.size() < target.count_words()) {
            std::size_t const most =
                std::max(target.count_words(), kSumPlanes * count_most_values() * (half == FilmHalf::apart ? 2 : 1));
            target.sums = DeviceArray<DeviceCount>(most);
        }
        // Not queued behind the copy of another area, which waits for its last paths.
        check_cuda(cudaMemsetAsync(target.sums.data(), 0, target.count_words() * sizeof(DeviceCount), clear_stream_),
                   "clearing memory");
        if (banks_) open_banks(target, kMostBanks * bank_row());
        if (runs_chains()) open_banks(target, kMostPasses * pass_row());
        check_cuda(cudaMemsetAsync(target.counts.data(), 0, sizeof(DeviceCounts), clear_stream_), "clearing memory");
        target.cleared.record(clear_stream_);
    }

    Launch add_samples(int buffer, std::uint32_t first, std::uint32_t count, StopPoll) override
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
        LaunchParams const params = make_params(target, slot, first, count);
        if (runs_chains()) note_passes(target, first, count);
        slot.started.record(slot.stream);
        functions_.launch({params, knobs_, slot.workspace.data(), slot.mailbox.data(), slot.stream});
        slot.done.record(slot.stream);
        slot.used = true;
        reserve_copy(target);
        return Launch::accepted;
    }

    double time_samples(int buffer, std::uint32_t first, std::uint32_t count) override
    {
        wait_for_launches();
        LaunchSlot const& slot = slots_[launches_ % kLaunches];
        add_samples(buffer, first, count, {});
        slot.done.wait();
        return slot.done.seconds_since(slot.started);
    }

    void close(int buffer) override
    {
        AreaBuffer& target = buffers_[buffer];
        reserve_copy(target);
        for (LaunchSlot const& slot : slots_) slot.done.delay(copy_stream_);
        if (target.half == FilmHalf::apart)
            join_half(target.sums.data(), target.sums.data() + target.half_offset(), kSumPlanes * target.size,
                      copy_stream_);
        check_cuda(cudaMemcpyAsync(target.host.data(), target.sums.data(),
                                   target.count_copied_words() * sizeof(DeviceCount), cudaMemcpyDeviceToHost,
                                   copy_stream_),
                   "copying the film out");
        if (std::size_t const words = target.bank_count * bank_row() + target.passes.size() * pass_row(); words > 0)
            check_cuda(cudaMemcpyAsync(target.host_bank_sums.data(), target.bank_sums.data(),
                                       words * sizeof(DeviceCount), cudaMemcpyDeviceToHost, copy_stream_),
                       "copying the banks' sums out");
        check_cuda(cudaMemcpyAsync(target.host_counts.data(), target.counts.data(), sizeof(DeviceCounts),
                                   cudaMemcpyDeviceToHost, copy_stream_),
                   "copying counters out");
        target.copied.record(copy_stream_);
    }

    CollectedSums collect(int buffer) override
    {
        AreaBuffer& target = buffers_[buffer];
        target.copied.wait();
        DeviceCounts const& counts = *target.host_counts.data();
        std::uint64_t const* const sums = target.host.data();
        return {{sums, sums + target.size, sums + 2 * target.size},
                {{counts.starts, counts.extensions, counts.tentative_collisions, counts.cut_paths,
                  counts.cut_throughput, counts.long_steps, counts.stepped_collisions, counts.lost_paths,
                  counts.strayed_paths, counts.shadow_rays},
                 counts.steps,
                 counts.step_slots,
                 counts.starts,
                 counts.start_slots,
                 counts.shadow_ray_slots},
                target.half == FilmHalf::apart ? sums + target.half_offset() : nullptr};
    }

    std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const override
    {
        AreaBuffer const& target = buffers_[buffer];
        std::map<std::uint32_t, std::vector<std::uint64_t>> sums;
        for (std::uint32_t i = 0; i < target.bank_count; ++i) {
            DeviceCount const* const row = target.host_bank_sums.data() + i * bank_row();
            sums[target.first_bank + i].assign(row, row + bank_row());
        }
        collect_passes(target, sums);
        return sums;
    }

    void collect_tally(TallyView const& host) override
    {
        check_cuda(cudaSetDevice(device_.index), "opening the device"); // a setting of each thread
        wait_for_launches();
        scene_->take_tally(host);
    }

    double measure_seconds() override
    {
        wait_for_launches();
        double seconds = 0;
        if (timing_)
            for (LaunchSlot const& slot : slots_)
                if (slot.used) seconds = std::max(seconds, slot.done.seconds_since(first_));
        return seconds;
    }

    double measure_bank_seconds() const override { return banks_ ? banks_->measure_seconds() : 0; }

    std::uint32_t most_samples(RenderTile const& area) const override
    {
        if (scene_->view().transport == Transport::metropolis) return count_most_passes(scene_->view());
        std::uint64_t const paths = std::uint64_t{area.x1 - area.x0} * (area.y1 - area.y0) * bands_apart_;
        return static_cast<std::uint32_t>(std::max<std::uint64_t>(1, ((std::uint64_t{1} << 31) - 1) / paths));
    }

    std::uint32_t least_paths() const override { return functions_.count_least_paths(knobs_); }
    std::uint64_t first_paths() const override
    {
        bool const uses_bus = plan_.volume_memory == VolumeMemory::cached;
        std::uint64_t const paths =
            (uses_bus ? kFirstPathsOverBus : kFirstPaths) * static_cast<std::uint64_t>(device_.multiprocessors);
        return std::max<std::uint64_t>(1, paths / count_evaluations_per_path());
    }

    MemoryPlan const& memory() const override { return plan_; }
    KernelFacts inspect() const override { return functions_.inspect(scene_->view(), knobs_); }
    DeviceInfo const& device() const override { return device_; }

private:
    /// Splits the voxels of a cache and updates the plan before any memory is allocated.
    void copy_scene(SceneView const& scene, std::shared_ptr<BrickStore> bricks)
    {
        if (plan_.volume_memory != VolumeMemory::cached) {
            scene_ = std::make_unique<DeviceScene>(scene, plan_.volume_memory, nullptr);
            return;
        }
        if (!bricks) bricks = std::make_shared<BrickStore>(std::function<BrickAccessCounts()>());
        VoxelCache const cache{*bricks, split_volume(bricks->order(scene.medium), plan_.voxel_bytes), device_.index};
        plan_.volume_bytes = plan_.volume_bytes - plan_.voxel_bytes + cache.split.device_bytes;
        plan_.voxel_bytes = cache.split.device_bytes;
        plan_.host_bytes = cache.split.host_bytes;
        plan_.hit_rate = cache.split.hit_rate;
        scene_ = std::make_unique<DeviceScene>(scene, plan_.volume_memory, &cache);
    }

    /// Waits for launches that read other banks before it makes this one in the same memory.
    void prepare_bank(std::uint32_t number, LaunchSlot& slot)
    {
        if (!banks_->holds(number)) {
            for (LaunchSlot const& other : slots_) other.done.delay(slot.stream);
            banks_->make(number, slot.stream);
        }
        banks_->delay(slot.stream);
    }

    /// Paths that stand for one of a sample's in the sizes of launches: those of the chains of a pass, by pixel.
    std::uint64_t count_evaluations_per_path() const
    {
        SceneView const& scene = scene_->view();
        if (scene.transport != Transport::metropolis) return 1;
        MetropolisView const& chains = scene.metropolis;
        std::uint64_t const pixels = std::uint64_t{scene.width} * scene.height;
        return 1 + std::uint64_t{chains.chains} * (chains.mutations + chains.bootstrap) / pixels;
    }

    bool runs_chains() const { return scene_->view().transport == Transport::metropolis; }
    std::size_t pass_row() const { return std::size_t{kPassWords} * bands_; }

    /// As parts: the lower halves, and the upper ones in pieces that fit a word.
    void collect_passes(AreaBuffer const& target, std::map<std::uint32_t, std::vector<std::uint64_t>>& sums) const
    {
        constexpr DeviceCount kPiece = DeviceCount{1} << 31;
        for (std::size_t i = 0; i < target.passes.size(); ++i) {
            DeviceCount const* const row = target.host_bank_sums.data() + i * pass_row();
            std::vector<std::uint64_t>& parts = sums[target.passes[i]];
            std::vector<DeviceCount> high;
            for (std::uint32_t band = 0; band < bands_; ++band) {
                parts.push_back(row[kPassWords * band]);
                high.push_back(row[kPassWords * band + 1]);
            }
            while (std::ranges::any_of(high, [](DeviceCount left) { return left > 0; }))
                for (DeviceCount& left : high) {
                    DeviceCount const piece = std::min(left, kPiece);
                    parts.push_back(piece << 32);
                    left -= piece;
                }
        }
    }

    void note_passes(AreaBuffer& target, std::uint32_t first, std::uint32_t count) const
    {
        if (target.passes.size() + count > kMostPasses)
            fail_system(fmt::format("{} passes do not fit a buffer", target.passes.size() + count), "GPU",
                        "an error of this program");
        for (std::uint32_t pass = 0; pass < count; ++pass) target.passes.push_back(first + pass);
    }

    std::size_t bank_row() const { return std::size_t{kBankParts} * bands_; }

    void open_banks(AreaBuffer& target, std::size_t words)
    {
        if (target.bank_sums.size() == 0) {
            target.bank_sums = DeviceArray<DeviceCount>(words);
            target.host_bank_sums = MappedArray<DeviceCount>(words);
        }
        target.bank_count = 0;
        target.passes.clear();
        check_cuda(cudaMemsetAsync(target.bank_sums.data(), 0, target.bank_sums.size_bytes(), clear_stream_),
                   "clearing memory");
    }

    /// Once a launch is under way: to pin 100 MB takes the host some 30 ms, in which the device works.
    void reserve_copy(AreaBuffer& target) const
    {
        if (target.host.size() >= target.count_copied_words()) return;
        std::size_t const most = (kSumPlanes + (target.half == FilmHalf::apart ? 1 : 0)) * count_most_values();
        target.host = MappedArray<std::uint64_t>(std::max(target.count_copied_words(), most));
    }

    std::size_t count_most_values() const { return std::size_t{most_pixels_} * planes_; }

    void wait_for_launches()
    {
        for (LaunchSlot const& slot : slots_) slot.done.wait();
    }

    void reserve_workspace()
    {
        std::size_t const size = functions_.count_workspace_bytes(scene_->view(), knobs_);
        for (LaunchSlot& slot : slots_)
            if (slot.workspace.size() < size) slot.workspace = DeviceArray<std::byte>(size);
    }

    LaunchParams make_params(AreaBuffer const& target, LaunchSlot const& slot, std::uint32_t first,
                             std::uint32_t count) const
    {
        LaunchParams params{};
        params.scene = scene_->view();
        if (banks_) {
            params.scene.long_steps.bank.outcomes = banks_->find(bank_of_sample(first));
            params.bank_sums = target.bank_sums.data() + (bank_of_sample(first) - target.first_bank) * bank_row();
        }
        if (runs_chains()) params.bank_sums = target.bank_sums.data() + target.passes.size() * pass_row();
        params.tile = target.area;
        params.tile.first_sample = first;
        params.tile.sample_count = count;
        params.width = target.area.x1 - target.area.x0;
        params.pixels = params.width * (target.area.y1 - target.area.y0);
        params.bands_apart = bands_apart_;
        std::uint32_t const places = params.pixels * bands_apart_;
        params.paths = places * count;
        auto const lanes = static_cast<std::uint32_t>(device_.multiprocessors) * 1024u;
        params.run_samples = std::clamp(params.paths / (lanes * kRunsPerLane), 1u, std::min(count, kMostRunSamples));
        if (target.half == FilmHalf::apart) params.run_samples = choose_run_samples(first, count, params.run_samples);
        params.runs = places * ((count - 1) / params.run_samples + 1);
        DeviceCount* const sums = target.sums.data();
        params.planes = {sums, sums + target.size, sums + 2 * target.size};
        params.half_offset = static_cast<std::uint32_t>(target.half_offset());
        params.counts = target.counts.data();
        params.next = slot.next.data();
        return params;
    }

    KernelFunctions functions_;
    KnobValues knobs_;
    DeviceInfo device_;
    MemoryPlan plan_;
    std::uint32_t most_pixels_;
    std::uint32_t bands_;
    std::uint32_t planes_;      ///< of sums
    std::uint32_t bands_apart_; ///< paths per sample of a pixel
    std::unique_ptr<DeviceScene> scene_;
    std::unique_ptr<DeviceBanks> banks_; ///< null without long steps
    AreaBuffer buffers_[kBuffers];
    LaunchSlot slots_[kLaunches];
    CudaStream copy_stream_;
    CudaStream clear_stream_;
    CudaEvent first_;
    std::uint32_t launches_ = 0;
    bool timing_ = false; ///< first_ has been recorded
};

} // namespace

std::unique_ptr<TileRenderer> make_gpu_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options, std::shared_ptr<BrickStore> bricks)
{
    return std::make_unique<GpuRenderer>(scene, most_pixels, options, std::move(bricks));
}

} // namespace volpt
