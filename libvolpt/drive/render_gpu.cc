// Keeps a GPU busy: area after area, samples in launches short enough to stop between, sums copied back meanwhile.
#include "libvolpt/drive/render_gpu.h"

#include "libvolpt/drive/film_parts.h"
#include "libvolpt/drive/gpu_areas.h"
#include "libvolpt/drive/pilot.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <chrono>
#include <deque>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kLaunchDuration_s = 0.1; // two are under way when a stop is asked for
constexpr std::uint64_t kFirstLaunchPaths = 1 << 22; // some milliseconds of the shortest paths
constexpr std::uint64_t kMostLaunchPaths = std::uint64_t{1} << 30;
constexpr double kPilotLaunch_s = 0.05; // its last paths take some 10 ms, whatever the kernel
constexpr double kWorthAPilot_s = 5.0;  // shorter renders end before a choice has paid
constexpr double kVisitDuration_s = 20; // what a device that fails can lose
constexpr char kKernelBeforePilot[] = "regen_pool";
// With a time limit, areas take turns with so many samples at first, and twice as many each time.
constexpr std::uint64_t kFirstTurnSamples = 16;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

std::uint64_t count_pixels(RenderBlock const& block) { return std::uint64_t{block.x1 - block.x0} * (block.y1 - block.y0); }

class GpuRun {
public:
    GpuRun(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo, RenderOptions const& options)
        : film_(film), options_(options), gpu_(fill_in(*options.gpu)),
          tile_size_(options.tile_size != 0 ? options.tile_size : choose_gpu_tile_size(scene.view(), film, gpu_)), groups_(cut_gpu_areas(film, todo, tile_size_)),
          paths_a_sample_(carries_all_bands(scene.view()) ? 1 : film.bands()), group_samples_(count_grouped_samples(film.scene())),
          renderer_(scene.view(), count_most_pixels(film, tile_size_), gpu_)
    {
        for (AreaGroup const& group : groups_)
            for (RenderBlock const& area : group.areas)
                total_paths_ += count_pixels(area) * paths_a_sample_ * count_samples(group.todo);
    }

    RenderReport run()
    {
        start_ = Clock::now();
        try {
            render_all();
            while (!visits_.empty()) collect_visit();
        } catch (Error const& error) {
            if (error.status() != ExitStatus::system) throw;
            RenderReport report = begin_report();
            report.end = RenderEnd::device_failed;
            report.failure = error.what();
            return report;
        }
        return make_report();
    }

private:
    /// An area on the device, with the samples it has been given.
    struct Visit {
        int buffer;
        AreaGroup const* group;
        SampleRange samples;
        bool completes_group;
    };

    static GpuOptions fill_in(GpuOptions options)
    {
        if (options.kernel.empty()) options.kernel = kKernelBeforePilot;
        return options;
    }

    void render_all()
    {
        std::uint64_t turn = options_.time_limit_s > 0 && groups_.size() > 1 ? kFirstTurnSamples : UINT64_MAX;
        for (bool left = true; left && !stopping_; turn = turn > UINT64_MAX / 2 ? UINT64_MAX : 2 * turn) {
            left = false;
            for (AreaGroup& group : groups_) {
                while (!group.todo.empty() && !stopping_) {
                    render_group(group, turn);
                    if (turn != UINT64_MAX) break;
                }
                left = left || !group.todo.empty();
            }
        }
    }

    void render_group(AreaGroup& group, std::uint64_t most)
    {
        SampleRange range = group.todo.front();
        range.count = std::min(range.count, most);
        if (group_samples_ > 0)
            range.count = std::min(range.count, std::uint64_t{GpuRenderer::kMostBanks} * group_samples_ - range.first % group_samples_);
        for (std::size_t i = 0; i < group.areas.size() && !stopping_; ++i) {
            while (visits_.size() >= GpuRenderer::kBuffers) collect_visit();
            int const buffer = static_cast<int>(opened_++ % GpuRenderer::kBuffers);
            renderer_.open(buffer, group.areas[i]);
            std::uint64_t const done = render_samples(buffer, group.areas[i], range, group.areas.size() == 1);
            renderer_.close(buffer);
            if (group.areas.size() == 1) range.count = done;
            visits_.push_back({buffer, &group, range, i + 1 == group.areas.size() && done == range.count});
        }
        SampleRange& front = group.todo.front();
        front.first += range.count;
        front.count -= range.count;
        if (front.count == 0) group.todo.erase(group.todo.begin());
    }

    /// Queues samples of `range` until done or stopped, or, for an area that is a group of its own, until it has lasted long
    /// enough to be worth keeping; how many.
    std::uint64_t render_samples(int buffer, RenderBlock const& area, SampleRange range, bool alone)
    {
        std::uint64_t done = 0;
        Clock::time_point const start = Clock::now();
        // With long steps launches are too short to compare kernels, and the one that is best without them is best.
        if (options_.gpu->kernel.empty() && !piloted_ && alone && group_samples_ == 0) done = run_pilot_on(buffer, area, range);
        while (done < range.count && !stopping_ && !(alone && seconds_since(start) > kVisitDuration_s)) {
            Clock::time_point const before = Clock::now();
            std::uint32_t const count = choose_count(area, launch_paths_, count_to_group_end(range.first + done, range.count - done));
            renderer_.add_samples(buffer, static_cast<std::uint32_t>(range.first + done), count);
            done += count;
            done_paths_ += count_pixels(area) * paths_a_sample_ * count;
            adapt_launch(seconds_since(before));
            watch();
        }
        return done;
    }

    std::uint64_t count_to_group_end(std::uint64_t first, std::uint64_t left) const
    {
        return group_samples_ == 0 ? left : std::min(left, group_samples_ - first % group_samples_);
    }

    std::uint32_t choose_count(RenderBlock const& area, std::uint64_t paths, std::uint64_t left) const
    {
        std::uint64_t const least = std::max<std::uint64_t>(paths, renderer_.least_paths());
        std::uint64_t const wanted = std::max<std::uint64_t>(1, least / (count_pixels(area) * paths_a_sample_));
        return static_cast<std::uint32_t>(std::min({wanted, left, std::uint64_t{renderer_.most_samples(area)}}));
    }

    /// A call waits while two launches are under way, so it takes as long as one launch once the queue is full.
    void adapt_launch(double seconds)
    {
        if (++launches_ <= 2) return;
        double const factor = std::clamp(kLaunchDuration_s / std::max(seconds, 1e-6), 0.5, 8.0);
        launch_paths_ = std::clamp(static_cast<std::uint64_t>(static_cast<double>(launch_paths_) * factor), kFirstLaunchPaths / 16,
                                   kMostLaunchPaths);
    }

    /// Tries kernels on the first samples of `range`; how many it rendered. Leaves the renderer with the best.
    std::uint64_t run_pilot_on(int buffer, RenderBlock const& area, SampleRange range)
    {
        piloted_ = true;
        std::uint64_t done = 0;
        std::uint64_t paths = kFirstLaunchPaths;
        auto const measure = [&](GpuOptions const& candidate) {
            if (done >= range.count || stopping_) return 0.0;
            renderer_.choose(candidate);
            std::uint32_t const count = choose_count(area, paths, range.count - done);
            double const seconds = renderer_.time_samples(buffer, static_cast<std::uint32_t>(range.first + done), count);
            double const ran = static_cast<double>(count_pixels(area) * paths_a_sample_ * count);
            done += count;
            done_paths_ += static_cast<std::uint64_t>(ran);
            watch();
            return ran / std::max(seconds, 1e-9);
        };
        for (int i = 0; i < 3; ++i) // a first launch also loads the kernel
            paths = static_cast<std::uint64_t>(std::clamp(measure(gpu_) * kPilotLaunch_s, 65536.0, 1e9));
        double const seconds_left = static_cast<double>(total_paths_) / (static_cast<double>(paths) / kPilotLaunch_s);
        if (seconds_left < kWorthAPilot_s) return done;
        std::vector<GpuOptions> candidates = list_pilot_candidates();
        for (GpuOptions& candidate : candidates) candidate.volume_memory = gpu_.volume_memory;
        PilotResult const result = run_pilot(candidates, measure);
        for (PilotEntry const& entry : result.entries) pilot_.emplace_back(describe_choice(entry.options), entry.paths_per_second);
        gpu_ = result.best();
        renderer_.choose(gpu_);
        return done;
    }

    /// Takes the sums of the oldest visit; they enter the film once their group is complete.
    void collect_visit()
    {
        Visit const visit = visits_.front();
        visits_.pop_front();
        std::size_t const index = staged_.size();
        PartSums& part = staged_.emplace_back(visit.group->areas[visit.group->areas.size() == 1 ? 0 : index], film_.bands());
        staged_totals_.add(renderer_.collect(visit.buffer, part.view()));
        if (group_samples_ > 0) stage_banks(renderer_.collect_banks(visit.buffer));
        if (!visit.completes_group) return;
        for (PartSums const& staged : staged_) add_part(film_, staged);
        for (auto const& [bank, sums] : staged_banks_) {
            std::vector<Wide>& total = film_.long_steps.bank_sums[bank];
            total.resize(film_.bands());
            for (std::size_t band = 0; band < sums.size(); ++band) total[band] += sums[band];
        }
        staged_banks_.clear();
        for (std::size_t const tile : visit.group->tiles) insert_range(film_.tile_ranges[tile], visit.samples);
        add_counts(film_, staged_totals_.counts);
        totals_.add(staged_totals_);
        staged_.clear();
        staged_totals_ = {};
    }

    void stage_banks(std::map<std::uint32_t, std::vector<std::uint64_t>> const& banks)
    {
        for (auto const& [bank, parts] : banks) {
            std::vector<Wide>& sums = staged_banks_[bank];
            sums.resize(film_.bands());
            for (std::size_t i = 0; i < parts.size(); ++i) sums[i % film_.bands()] += parts[i];
        }
    }

    void watch()
    {
        bool const complete = done_paths_ == total_paths_;
        if (options_.time_limit_s > 0 && seconds_since(start_) >= options_.time_limit_s && !complete) stop(RenderEnd::time_limit);
        if (options_.progress && !options_.progress({done_paths_, total_paths_, "paths"}) && !complete) stop(RenderEnd::stopped);
    }

    void stop(RenderEnd end)
    {
        if (!stopping_) end_ = end;
        stopping_ = true;
    }

    RenderReport begin_report() const
    {
        RenderReport report;
        report.end = end_;
        report.counts = totals_.counts;
        report.device = renderer_.device().name;
        report.kernel = describe_choice(gpu_);
        report.seconds_render = seconds_since(start_);
        return report;
    }

    RenderReport make_report()
    {
        RenderReport report = begin_report();
        report.seconds_banks = renderer_.measure_bank_seconds();
        report.seconds_render -= report.seconds_banks;
        GpuReport& gpu = report.gpu.emplace();
        gpu.seconds_device = renderer_.measure_seconds() - report.seconds_banks;
        gpu.device = renderer_.device();
        gpu.options = gpu_;
        gpu.facts = renderer_.inspect();
        gpu.memory = renderer_.memory();
        gpu.pilot = pilot_;
        auto const share = [](std::uint64_t part, std::uint64_t whole) {
            return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
        };
        gpu.extension_efficiency = share(totals_.steps, totals_.step_slots);
        gpu.regeneration_efficiency = share(totals_.starts, totals_.start_slots);
        return report;
    }

    Film& film_;
    RenderOptions const& options_;
    GpuOptions gpu_;
    std::uint32_t tile_size_;
    std::vector<AreaGroup> groups_;
    std::uint32_t paths_a_sample_;
    std::uint32_t group_samples_; ///< of one bank of outcomes; 0: no matter
    GpuRenderer renderer_;
    Clock::time_point start_;
    std::deque<Visit> visits_; ///< closed, not collected
    std::vector<PartSums> staged_;
    GpuTotals staged_totals_;
    std::map<std::uint32_t, std::vector<Wide>> staged_banks_;
    GpuTotals totals_;
    std::vector<std::pair<std::string, double>> pilot_;
    bool piloted_ = false;
    std::uint64_t opened_ = 0;
    std::uint64_t launches_ = 0;
    std::uint64_t launch_paths_ = kFirstLaunchPaths;
    std::uint64_t total_paths_ = 0;
    std::uint64_t done_paths_ = 0;
    bool stopping_ = false;
    RenderEnd end_ = RenderEnd::finished;
};

} // namespace

RenderReport render_ranges_on_gpu(RenderScene const& scene, Film& film, std::vector<SampleRanges> const& todo,
                                  RenderOptions const& options)
{
    return GpuRun(scene, film, todo, options).run();
}

} // namespace volpt
