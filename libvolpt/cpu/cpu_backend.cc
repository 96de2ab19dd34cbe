#include "libvolpt/cpu/cpu_backend.h"

#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

CpuKernel find_cpu_kernel(RendererOptions const& options)
{
    auto const kernels = list_cpu_kernels();
    CpuKernel const fastest = choose_fastest_kernel(kernels);
    if (options.kernel.empty()) return fastest;
    find_kernel(cpu_backend().list_kernels(), "CPU", options);
    return *std::find_if(kernels.begin(), kernels.end(),
                         [&](CpuKernel const& kernel) { return kernel.name == options.kernel; });
}

MemoryPlan plan_cpu_memory(SceneView const& scene, std::uint32_t most_pixels)
{
    MemoryPlan plan;
    plan.film_bytes = count_film_bytes(most_pixels, count_sum_planes(scene));
    plan.free_bytes = SIZE_MAX;
    plan.hit_rate = 1;
    return plan;
}

class CpuRenderer final : public TileRenderer {
public:
    CpuRenderer(SceneView const& scene, std::uint32_t most_pixels, RendererOptions const& options,
                std::shared_ptr<OutcomeBanks> banks)
        : scene_(scene), kernel_(find_cpu_kernel(options)), banks_(std::move(banks)),
          plan_(plan_cpu_memory(scene, most_pixels))
    {
        device_.name = "cpu";
        if (!banks_) banks_ = std::make_shared<OutcomeBanks>(scene, 1);
    }

    void choose(RendererOptions const& options) override { kernel_ = find_cpu_kernel(options); }
    void change_view(SceneView const& scene) override { scene_ = scene; }

    void open(int buffer, RenderTile const& area, FilmHalf) override
    {
        Buffer& target = buffers_[buffer];
        target.area = area;
        std::size_t const size = count_pixels_of(find_reached_pixels(scene_, area)) * count_sum_planes(scene_);
        target.sums = TileSums(size);
        target.counts = {};
        target.row_sums.assign(std::size_t{area.y1 - area.y0} * scene_.bands, 0);
        target.bank_sums.clear();
    }

    Launch add_samples(int buffer, std::uint32_t first, std::uint32_t count, StopPoll poll) override
    {
        Buffer& target = buffers_[buffer];
        RenderTile tile = target.area;
        tile.first_sample = first;
        tile.sample_count = count;
        Clock::time_point const start = Clock::now();
        std::uint32_t const bank_number = bank_of_sample(first);
        OutcomeBanks::Bank bank;
        if (scene_.long_steps.kind != Steps::plain) {
            bank = banks_->find(bank_number);
            scene_.long_steps.bank.outcomes = bank->data();
            bank_wait_s_ += seconds_since(start);
        }
        bool const is_done = scene_.transport == Transport::metropolis
                                 ? run_passes(target, tile, poll)
                                 : kernel_.render(scene_, tile, target.sums.view(), target.counts, poll);
        busy_s_ += seconds_since(start);
        if (!is_done) return Launch::stopped;
        if (bank) note_bank(target, bank_number);
        return Launch::accepted;
    }

    double time_samples(int buffer, std::uint32_t first, std::uint32_t count) override
    {
        Clock::time_point const start = Clock::now();
        add_samples(buffer, first, count, {});
        return seconds_since(start);
    }

    std::uint32_t most_samples(RenderTile const&) const override { return UINT32_MAX; }
    std::uint32_t least_paths() const override { return 1; }
    std::uint64_t first_paths() const override { return 8192; }

    void close(int) override {}
    CollectedSums collect(int buffer) override
    {
        Buffer const& source = buffers_[buffer];
        return {source.sums.read(), {source.counts}};
    }
    std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const override
    {
        return buffers_[buffer].bank_sums;
    }

    double measure_seconds() override { return busy_s_; }
    double measure_bank_seconds() const override { return bank_wait_s_; }
    MemoryPlan const& memory() const override { return plan_; }
    KernelFacts inspect() const override { return {}; }
    DeviceInfo const& device() const override { return device_; }

private:
    struct Buffer {
        RenderTile area;
        TileSums sums;
        PathCounts counts;
        std::vector<std::uint64_t> row_sums; ///< of all banks so far, [row][band]
        std::map<std::uint32_t, std::vector<std::uint64_t>> bank_sums;
    };

    /// One by one, for the total of each.
    bool run_passes(Buffer& target, RenderTile tile, StopPoll poll)
    {
        std::uint32_t const end = tile.first_sample + tile.sample_count;
        tile.sample_count = 1;
        for (; tile.first_sample < end; ++tile.first_sample) {
            // Short passes end before the kernel polls.
            if (poll.should_stop != nullptr && poll.should_stop(poll.context)) return false;
            if (!kernel_.render(scene_, tile, target.sums.view(), target.counts, poll)) return false;
            note_bank(target, tile.first_sample);
        }
        return true;
    }

    /// Gives the bank, or the pass, what the rows have gained since the last call.
    void note_bank(Buffer& target, std::uint32_t bank)
    {
        std::size_t const width = target.area.x1 - target.area.x0, rows = target.area.y1 - target.area.y0;
        std::vector<std::uint64_t>& gained = target.bank_sums[bank];
        gained.resize(target.row_sums.size());
        for (std::size_t band = 0; band < scene_.bands; ++band)
            for (std::size_t row = 0; row < rows; ++row) {
                std::uint64_t const* const first = target.sums.sums.data() + (band * rows + row) * width;
                std::uint64_t sum = 0;
                for (std::size_t x = 0; x < width; ++x) sum += first[x];
                std::uint64_t& before = target.row_sums[row * scene_.bands + band];
                gained[row * scene_.bands + band] += sum - before;
                before = sum;
            }
    }

    SceneView scene_; ///< with the bank in use
    CpuKernel kernel_;
    std::shared_ptr<OutcomeBanks> banks_;
    MemoryPlan plan_;
    DeviceInfo device_;
    Buffer buffers_[kBuffers];
    double busy_s_ = 0;
    double bank_wait_s_ = 0;
};

class CpuBackend final : public Backend {
public:
    CpuBackend()
    {
        for (CpuKernel const& kernel : list_cpu_kernels()) kernels_.push_back({kernel.name, kernel.description});
    }

    std::string_view name() const override { return "CPU"; }
    std::vector<DeviceInfo> list_devices(std::string*) const override
    {
        DeviceInfo device;
        device.name = "cpu";
        return {device};
    }
    std::span<KernelInfo const> list_kernels() const override { return kernels_; }
    std::vector<RendererOptions> list_tuning_candidates(SceneView const&) const override
    {
        return {{.kernel = std::string(choose_fastest_kernel(list_cpu_kernels()).name)}};
    }

    std::shared_ptr<SharedState> share(SceneView const& scene, int threads,
                                       std::function<BrickAccessCounts()>) const override
    {
        return std::make_shared<OutcomeBanks>(scene, threads);
    }

    MemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels,
                           RendererOptions const& options) const override
    {
        find_cpu_kernel(options);
        return plan_cpu_memory(scene, most_pixels);
    }

    std::unique_ptr<TileRenderer> make_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options,
                                                std::shared_ptr<SharedState> shared) const override
    {
        return std::make_unique<CpuRenderer>(scene, most_pixels, options,
                                             std::dynamic_pointer_cast<OutcomeBanks>(std::move(shared)));
    }

private:
    std::vector<KernelInfo> kernels_;
};

} // namespace

CpuKernel choose_fastest_kernel(std::vector<CpuKernel> const& kernels)
{
    if (kernels.empty())
        fail_system("it has none of the instruction sets that this volpt was built for", "processor",
                    "build volpt on this machine, or with -DVOLPT_CPU_LEVELS=\"scalar;x86-64-v3;x86-64-v4\" for all");
    return kernels.front();
}

Backend const& cpu_backend()
{
    static CpuBackend const backend;
    return backend;
}

} // namespace volpt
