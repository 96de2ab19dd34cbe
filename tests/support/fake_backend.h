// Devices with a queue that never were: the CPU's kernels behind the interface of a backend, as slow, as short of
// memory and as unreliable as a test wants them.
#pragma once

#include "libvolpt/backend/add_to_tally.h"
#include "libvolpt/core/fixed_point.hd.h"
#include "libvolpt/cpu/cpu_backend.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <concepts>
#include <thread>
#include <utility>

namespace volpt::test {

enum class FailAt { never, construction, launch, collection };

struct FakeDevice {
    FailAt fail_at = FailAt::never;
    int fail_after = 0;                ///< launches or collections that succeed before
    double launch_s = 0;               ///< each launch takes so much longer
    std::uint32_t launch_samples = 2;  ///< at most
    std::size_t free_bytes = SIZE_MAX; ///< of device memory
    std::string model = "fake";
    std::map<std::string, double> paths_per_second = {}; ///< by describe_choice: what time_samples pretends to measure
    FilmHalf half = FilmHalf::joined;                    ///< how it keeps those of films that keep them
};

/// Of the renderers of a backend.
struct RendererCounts {
    std::atomic<int> made{0};
    std::atomic<int> alive{0};
    std::atomic<int> most_alive{0}; ///< so far

    void add()
    {
        int const now = ++alive;
        for (int most = most_alive; most < now && !most_alive.compare_exchange_weak(most, now);) {
        }
    }
};

class FakeRenderer final : public TileRenderer {
public:
    FakeRenderer(Backend const& backend, SceneView const& scene, FakeDevice const& device, int index,
                 MemoryPlan const& plan, std::unique_ptr<TileRenderer> cpu, std::unique_ptr<TileRenderer> cpu_half,
                 RendererCounts& counts)
        : backend_(backend), scene_(&scene), fake_(device), plan_(plan), cpu_(std::move(cpu)),
          cpu_half_(std::move(cpu_half)), counts_(counts)
    {
        device_.index = index;
        device_.name = device.model;
        counts_.add();
    }
    ~FakeRenderer() override { --counts_.alive; }
    FakeRenderer(FakeRenderer const&) = delete;
    FakeRenderer& operator=(FakeRenderer const&) = delete;

    void choose(RendererOptions const& options) override
    {
        find_kernel(backend_.list_kernels(), backend_.name(), options);
        choice_ = describe_choice(backend_.list_kernels(), options);
    }

    void change_view(SceneView const& scene) override
    {
        scene_ = &scene;
        cpu_->change_view(scene);
        cpu_half_->change_view(scene);
    }

    bool can_keep_half_apart() const override { return fake_.half == FilmHalf::apart; }

    void open(int buffer, RenderTile const& area, FilmHalf half) override
    {
        cpu_->open(buffer, area, FilmHalf::joined);
        cpu_half_->open(buffer, area, FilmHalf::joined);
        half_ = half;
        sizes_[buffer] = count_pixels_of(find_reached_pixels(*scene_, area)) * count_sum_planes(*scene_);
    }
    Launch add_samples(int buffer, std::uint32_t first, std::uint32_t count, StopPoll) override
    {
        std::this_thread::sleep_for(std::chrono::duration<double>(fake_.launch_s));
        if (fake_.fail_at == FailAt::launch && launches_++ == fake_.fail_after) {
            cpu_->add_samples(buffer, first, (count + 1) / 2, {});
            fail_system("an illegal address was read", "GPU, rendering");
        }
        for (std::uint64_t next = first, end = next + count; next < end;) {
            std::uint64_t const run_end = half_ == FilmHalf::apart ? std::min(end, find_run_end(next)) : end;
            bool const is_half = half_ == FilmHalf::apart && is_in_half(next);
            (is_half ? cpu_half_ : cpu_)
                ->add_samples(buffer, static_cast<std::uint32_t>(next), static_cast<std::uint32_t>(run_end - next), {});
            next = run_end;
        }
        return Launch::accepted;
    }
    double time_samples(int buffer, std::uint32_t first, std::uint32_t count) override
    {
        std::uint64_t const before = add_up(buffer).totals.counts.paths;
        add_samples(buffer, first, count, {});
        auto const paths = static_cast<double>(add_up(buffer).totals.counts.paths - before);
        auto const rate = fake_.paths_per_second.find(choice_);
        return paths / (rate == fake_.paths_per_second.end() ? 1e6 : rate->second);
    }
    std::uint32_t most_samples(RenderTile const&) const override { return fake_.launch_samples; }
    std::uint32_t least_paths() const override { return 1; }
    std::uint64_t first_paths() const override { return 1000; }

    void close(int buffer) override { cpu_->close(buffer); }
    CollectedSums collect(int buffer) override
    {
        if (fake_.fail_at == FailAt::collection && collections_++ == fake_.fail_after)
            fail_system("the device fell off the bus", "GPU, copying the film out");
        CollectedSums const sums = add_up(buffer);
        tallied_paths_ += sums.totals.counts.paths;
        return sums;
    }
    /// Every path of band 0 counts as one unit that was launched.
    void collect_tally(TallyView const& host) override
    {
        std::vector<std::uint64_t> const sums(count_tally_sums(host, 1));
        std::vector<std::uint64_t> energy_sums(count_energy_sums(1));
        energy_sums[static_cast<std::size_t>(EnergyKind::launched)] = std::exchange(tallied_paths_, 0);
        add_to_tally(host, 1, sums.data(), energy_sums.data());
    }
    std::map<std::uint32_t, std::vector<std::uint64_t>> collect_banks(int buffer) const override
    {
        return cpu_->collect_banks(buffer);
    }

    double measure_seconds() override { return cpu_->measure_seconds(); }
    double measure_bank_seconds() const override { return cpu_->measure_bank_seconds(); }
    MemoryPlan const& memory() const override { return plan_; }
    KernelFacts inspect() const override { return {}; }
    DeviceInfo const& device() const override { return device_; }

private:
    CollectedSums add_up(int buffer)
    {
        CollectedSums sums = cpu_->collect(buffer);
        CollectedSums const half = cpu_half_->collect(buffer);
        sums.totals.add(half.totals);
        if (half_ == FilmHalf::joined) return sums;
        TileSums& joined = joined_[buffer];
        joined = TileSums(sizes_[buffer]);
        for (std::size_t i = 0; i < sizes_[buffer]; ++i) {
            joined.sums[i] = sums.planes.sums[i] + half.planes.sums[i];
            joined.low_squares[i] = sums.planes.low_squares[i] + half.planes.low_squares[i];
            joined.high_squares[i] = sums.planes.high_squares[i] + half.planes.high_squares[i];
        }
        sums.planes = joined.read();
        sums.half_sums = half.planes.sums;
        return sums;
    }

    Backend const& backend_;
    SceneView const* scene_;
    FakeDevice fake_;
    MemoryPlan plan_;
    std::unique_ptr<TileRenderer> cpu_;
    std::unique_ptr<TileRenderer> cpu_half_; ///< with FilmHalf::apart, for the half's samples
    FilmHalf half_ = FilmHalf::joined;
    TileSums joined_[kBuffers];        ///< of both
    std::size_t sizes_[kBuffers] = {}; ///< of the open areas: pixels times planes
    DeviceInfo device_;
    std::string choice_;
    RendererCounts& counts_;
    int launches_ = 0;
    int collections_ = 0;
    std::uint64_t tallied_paths_ = 0;
};

/// Kernels `plain` and `wide`, the latter with the knobs lanes and refill.
class FakeBackend final : public Backend {
public:
    template <std::same_as<FakeDevice>... Device>
    explicit FakeBackend(Device const&... devices) : devices_{devices...}
    {
    }

    /// Options for every device of it.
    std::vector<RendererOptions> all_devices(std::string const& kernel = "plain") const
    {
        std::vector<RendererOptions> all;
        for (std::size_t i = 0; i < devices_.size(); ++i)
            all.push_back({.kernel = kernel, .device = static_cast<int>(i)});
        return all;
    }

    /// Renderers made so far.
    int count_renderers() const { return counts_.made; }
    /// Those that were there at the same time, at most.
    int count_renderers_at_a_time() const { return counts_.most_alive; }

    std::string_view name() const override { return "fake"; }
    std::vector<DeviceInfo> list_devices(std::string*) const override
    {
        std::vector<DeviceInfo> all(devices_.size());
        for (std::size_t i = 0; i < all.size(); ++i) all[i].index = static_cast<int>(i);
        return all;
    }
    std::span<KernelInfo const> list_kernels() const override
    {
        static std::vector<KernelInfo> const kernels{
            {"plain", "as it comes"},
            {"wide",
             "with knobs",
             {{"lanes", "how many", 2, 1, 4, {1, 2, 4}}, {"refill", "or not", 1, 0, 1, {}, KnobInfo::Kind::on_off}}}};
        return kernels;
    }
    std::vector<RendererOptions> list_tuning_candidates(SceneView const&) const override
    {
        return {{"plain"}, {"wide", {{"lanes", 1}}}, {"wide", {{"lanes", 4}, {"refill", 0}}}};
    }
    std::shared_ptr<SharedState> share(SceneView const& scene, int threads,
                                       std::function<BrickAccessCounts()> estimate) const override
    {
        return cpu_backend().share(scene, threads, std::move(estimate));
    }
    MemoryPlan plan_memory(SceneView const& scene, std::uint32_t most_pixels,
                           RendererOptions const& options) const override
    {
        find_kernel(list_kernels(), name(), options);
        SceneSizes const sizes = count_scene_sizes(scene);
        return plan_voxels(sizes.voxel_bytes,
                           {.table_bytes = sizes.table_bytes,
                            .film_bytes = count_film_bytes(most_pixels, scene.bands),
                            .free_bytes = get(options).free_bytes},
                           options);
    }
    std::unique_ptr<TileRenderer> make_renderer(SceneView const& scene, std::uint32_t most_pixels,
                                                RendererOptions const& options,
                                                std::shared_ptr<SharedState> shared) const override
    {
        MemoryPlan const plan = plan_memory(scene, most_pixels, options);
        check_memory(plan);
        ++counts_.made;
        if (get(options).fail_at == FailAt::construction) fail_system("out of memory", "GPU, allocating memory");
        auto const make_cpu = [&] { return cpu_backend().make_renderer(scene, most_pixels, {}, shared); };
        auto renderer = std::make_unique<FakeRenderer>(*this, scene, get(options), options.device, plan, make_cpu(),
                                                       make_cpu(), counts_);
        renderer->choose(options);
        return renderer;
    }

private:
    FakeDevice const& get(RendererOptions const& options) const
    {
        return devices_.at(static_cast<std::size_t>(options.device));
    }

    std::vector<FakeDevice> devices_;
    mutable RendererCounts counts_;
};

} // namespace volpt::test
