// Keeps a GPU busy: samples in launches short enough to stop between, sums copied back while the next area is rendered.
#include "libvolpt/render/workers/gpu_worker.h"

#include "libvolpt/render/workers/kernel_tuning.h"
#include "libvolpt/render/workers/launch_sizer.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <deque>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kPilotLaunch_s = 0.05;    // its last paths take some 10 ms, whatever the kernel
constexpr double kWorthAPilot_s = 5.0;     // shorter renders end before a choice has paid
constexpr double kOpenTileDuration_s = 20; // what a device that fails can lose
constexpr char kKernelBeforePilot[] = "regen_pool";
// Batches: several launches, that the pool be asked seldom; near the end as short as launches are worth it.
constexpr double kWorkItemDuration_s = 4 * kLaunchDuration_s;
constexpr double kLeastWorkItem_s = 0.01;

class GpuWorker final : public Worker {
public:
    GpuWorker(WorkerContext const& place, GpuOptions const& options, std::uint32_t most_pixels, int workers,
              TunedKernels& tuned_kernels, std::shared_ptr<BrickStore> bricks)
        : context_(place), gpu_(fill_in_kernel(options)), may_choose_(options.kernel.empty()), workers_(workers),
          tuned_kernels_(tuned_kernels),
          paths_per_sample_(carries_all_bands(place.scene.view()) ? 1 : place.film.bands()),
          bank_samples_(count_bank_samples(place.film.scene())),
          renderer_(place.scene.view(), most_pixels, gpu_, std::move(bricks))
    {
    }

    void run(WorkSource& source) override
    {
        source_ = &source;
        try {
            while (!context_.progress.is_stopping() && fetch()) {
                if (item_.group->render_tiles.size() == 1)
                    add_to_open_tile();
                else
                    render_small_areas();
            }
            close_tile();
            while (!tiles_in_flight_.empty()) collect_tile();
        } catch (Error const&) {
            context_.progress.add_done(-static_cast<std::int64_t>(undelivered_paths_));
            throw;
        }
        end_s_ = context_.progress.elapsed_s();
    }

    WorkerReport report() override
    {
        WorkerReport report;
        report.device = renderer_.device().name;
        report.kernel = describe_choice(gpu_);
        report.counts = totals_.counts;
        report.seconds_banks = renderer_.measure_bank_seconds();
        report.end_s = end_s_;
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

private:
    /// An area on the device, with the samples it has been given.
    struct OpenTile {
        int buffer = 0;
        TileGroup const* group = nullptr;
        std::size_t area = 0;
        SampleRanges samples = {};
        std::uint64_t paths = 0;
        std::uint32_t first_bank = 0;
        bool is_whole = true; ///< has all samples that its group's batch has
        Clock::time_point start = {};
    };

    /// Areas of a group on their way into the film.
    struct Staged {
        std::vector<TileSums> parts; ///< copies, where there are several
        GpuTotals totals;
        std::map<std::uint32_t, std::vector<Wide>> banks;
        bool is_whole = true;
    };

    /// Sees to it that there is a batch with samples left; false if the pool gives none.
    bool fetch()
    {
        if (item_.samples.count > 0) return true;
        std::optional<WorkItem> const item = source_->take({kFirstLaunchPaths, kWorkItemDuration_s, kLeastWorkItem_s,
                                                            launch_sizer_.rate(), launch_sizer_.pending_paths()});
        if (!item) return false;
        item_ = *item;
        return true;
    }

    /// The next launch of an area that is a group of its own. The visit goes on as long as the group is the same.
    void add_to_open_tile()
    {
        if (open_ && !fits_visit()) close_tile();
        if (!open_) open_visit(0);
        if (may_choose_ && bank_samples_ == 0) choose_kernel();
        if (item_.samples.count > 0 && item_.group == open_->group) launch(choose_count(launch_sizer_.launch_paths()));
        context_.progress.poll();
    }

    bool fits_visit() const
    {
        return item_.group == open_->group && seconds_since(open_->start) < kOpenTileDuration_s &&
               (bank_samples_ == 0 ||
                bank_of_sample(static_cast<std::uint32_t>(item_.samples.first)) - open_->first_bank <
                    GpuRenderer::kMostBanks);
    }

    /// All areas of a file tile, the same samples of each; they enter the film together or not at all.
    void render_small_areas()
    {
        close_tile();
        WorkItem const whole = item_;
        for (std::size_t area = 0; area < whole.group->render_tiles.size() && !context_.progress.is_stopping();
             ++area) {
            item_ = whole;
            open_visit(area);
            while (item_.samples.count > 0 && !context_.progress.is_stopping()) {
                launch(choose_count(launch_sizer_.launch_paths()));
                context_.progress.poll();
            }
            open_->is_whole = item_.samples.count == 0;
            close_tile();
        }
    }

    void open_visit(std::size_t area)
    {
        while (tiles_in_flight_.size() >= GpuRenderer::kBuffers) collect_tile();
        open_ = OpenTile{static_cast<int>(opened_++ % GpuRenderer::kBuffers), item_.group, area};
        open_->start = Clock::now();
        open_->first_bank = bank_of_sample(static_cast<std::uint32_t>(item_.samples.first));
        renderer_.open(open_->buffer, open_area());
    }

    void close_tile()
    {
        if (!open_) return;
        renderer_.close(open_->buffer);
        tiles_in_flight_.push_back(*std::exchange(open_, std::nullopt));
    }

    RenderTile const& open_area() const { return open_->group->render_tiles[open_->area]; }

    void launch(std::uint32_t count)
    {
        renderer_.add_samples(open_->buffer, static_cast<std::uint32_t>(item_.samples.first), count);
        launch_sizer_.note_launch(note_queued(count));
    }

    /// The front of the batch, `count` samples, has been given to the device; the paths they make.
    std::uint64_t note_queued(std::uint32_t count)
    {
        std::uint64_t const paths = count_pixels(open_area()) * paths_per_sample_ * count;
        insert_range(open_->samples, {item_.samples.first, count});
        open_->paths += paths;
        item_.samples.first += count;
        item_.samples.count -= count;
        undelivered_paths_ += paths;
        context_.progress.add_done(static_cast<std::int64_t>(paths));
        return paths;
    }

    /// Samples of the batch that make about so many paths, all of one bank.
    std::uint32_t choose_count(std::uint64_t paths) const
    {
        RenderTile const& area = open_area();
        std::uint64_t left = item_.samples.count;
        if (bank_samples_ != 0) left = std::min(left, bank_samples_ - item_.samples.first % bank_samples_);
        std::uint64_t const least = std::max<std::uint64_t>(paths, renderer_.least_paths());
        std::uint64_t const wanted = std::max<std::uint64_t>(1, least / (count_pixels(area) * paths_per_sample_));
        return static_cast<std::uint32_t>(std::min({wanted, left, std::uint64_t{renderer_.most_samples(area)}}));
    }

    /// Takes what another GPU of the same model has found best, or is the one that finds out.
    void choose_kernel()
    {
        std::string const& model = renderer_.device().name;
        if (!claims_pilot_) claims_pilot_ = tuned_kernels_.claim(model);
        if (*claims_pilot_) {
            run_pilot_here();
            tuned_kernels_.post(model, gpu_);
        } else {
            std::optional<GpuOptions> const best = tuned_kernels_.find(model);
            if (!best) return;
            GpuOptions choice = *best;
            choice.device = gpu_.device;
            gpu_ = choice;
            renderer_.choose(gpu_);
        }
        may_choose_ = false;
    }

    /// Tries kernels on samples of the open area. Leaves the renderer with the best.
    void run_pilot_here()
    {
        std::uint64_t paths = kFirstLaunchPaths;
        auto const measure = [&](GpuOptions const& candidate) {
            if (context_.progress.is_stopping() || !fetch() || item_.group != open_->group) return 0.0;
            renderer_.choose(candidate);
            std::uint32_t const count = choose_count(paths);
            double const seconds =
                renderer_.time_samples(open_->buffer, static_cast<std::uint32_t>(item_.samples.first), count);
            note_queued(count);
            context_.progress.poll();
            return static_cast<double>(count_pixels(open_area()) * paths_per_sample_ * count) / std::max(seconds, 1e-9);
        };
        double rate = 0;
        for (int i = 0; i < 3; ++i) { // a first launch also loads the kernel
            rate = measure(gpu_);
            paths = static_cast<std::uint64_t>(std::clamp(rate * kPilotLaunch_s, 65536.0, 1e9));
        }
        if (rate == 0) return;
        launch_sizer_.restart(rate);
        if (static_cast<double>(context_.progress.total_paths()) / (rate * workers_) < kWorthAPilot_s) return;
        std::vector<GpuOptions> candidates = list_pilot_candidates();
        for (GpuOptions& candidate : candidates) {
            candidate.volume_memory = gpu_.volume_memory;
            candidate.device = gpu_.device;
            candidate.cache = gpu_.cache;
        }
        PilotResult const result = run_pilot(candidates, measure);
        for (PilotEntry const& entry : result.entries)
            pilot_.emplace_back(describe_choice(entry.options), entry.paths_per_second);
        gpu_ = result.best();
        renderer_.choose(gpu_);
        launch_sizer_.restart(result.entries.front().paths_per_second);
    }

    /// Takes the sums of the oldest visit; they enter the film once their group is complete.
    void collect_tile()
    {
        OpenTile const tile = std::move(tiles_in_flight_.front());
        tiles_in_flight_.pop_front();
        TileGroup const& group = *tile.group;
        GpuSums const sums = renderer_.collect(tile.buffer);
        undelivered_paths_ -= tile.paths;
        if (tile.area == 0) staged_ = {};
        staged_.totals.add(sums.totals);
        staged_.is_whole = staged_.is_whole && tile.is_whole;
        stage_banks(renderer_.collect_banks(tile.buffer));
        RenderedTiles delivery{group.file_tiles, tile.samples, {}, staged_.totals.counts};
        if (group.render_tiles.size() == 1) {
            delivery.parts.push_back({group.render_tiles[0], sums.sums, sums.squares});
        } else {
            TileSums& part = staged_.parts.emplace_back(group.render_tiles[tile.area], context_.film.bands());
            std::copy_n(sums.sums, part.sums.size(), part.sums.begin());
            std::copy_n(sums.squares, part.squares.size(), part.squares.begin());
            if (staged_.parts.size() < group.render_tiles.size() || !staged_.is_whole) return;
            for (TileSums const& staged : staged_.parts) delivery.parts.push_back(staged.read());
        }
        delivery.bank_sums = std::move(staged_.banks);
        context_.sink.add(delivery);
        totals_.add(staged_.totals);
        staged_ = {};
    }

    void stage_banks(std::map<std::uint32_t, std::vector<std::uint64_t>> const& banks)
    {
        for (auto const& [bank, parts] : banks) {
            std::vector<Wide>& sums = staged_.banks[bank];
            sums.resize(context_.film.bands());
            for (std::size_t i = 0; i < parts.size(); ++i) sums[i % sums.size()] += parts[i];
        }
    }

    WorkerContext context_;
    GpuOptions gpu_;
    bool may_choose_; ///< a kernel
    int workers_;
    TunedKernels& tuned_kernels_;
    std::uint32_t paths_per_sample_;
    std::uint32_t bank_samples_;
    GpuRenderer renderer_;
    WorkSource* source_ = nullptr;
    WorkItem item_; ///< what is left of it
    std::optional<OpenTile> open_;
    std::deque<OpenTile> tiles_in_flight_; ///< closed, not collected
    Staged staged_;
    GpuTotals totals_;
    std::vector<std::pair<std::string, double>> pilot_;
    std::optional<bool> claims_pilot_;
    std::uint64_t opened_ = 0;
    std::uint64_t undelivered_paths_ = 0;
    LaunchSizer launch_sizer_;
    double end_s_ = 0;
};

} // namespace

GpuOptions fill_in_kernel(GpuOptions options)
{
    if (options.kernel.empty()) options.kernel = kKernelBeforePilot;
    return options;
}

std::unique_ptr<Worker> make_gpu_worker(WorkerContext const& place, GpuOptions const& options,
                                        std::uint32_t most_pixels, int workers, TunedKernels& tuned_kernels,
                                        std::shared_ptr<BrickStore> bricks)
{
    return std::make_unique<GpuWorker>(place, options, most_pixels, workers, tuned_kernels, std::move(bricks));
}

} // namespace volpt
