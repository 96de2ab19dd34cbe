// A device with a queue as a worker: launches are short enough to stop between them, and sums are copied back while the
// next area is rendered.
#include "libvolpt/film/halves/half_samples.h"
#include "libvolpt/render/workers/kept_renderers.h"
#include "libvolpt/render/workers/launch_sizer.h"
#include "libvolpt/render/workers/worker.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/stopwatch.h"

#include <algorithm>
#include <chrono>
#include <deque>
#include <thread>

namespace volpt {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double kTuningLaunch_s = 0.05;    // the last paths of a launch take some 10 ms, whatever the kernel
constexpr double kShareBeforeTuning = 0.05; // of RenderOptions::least_tuned_s: until then launches grow
constexpr double kOpenTileDuration_s = 20;  // what a device that fails can lose
// Work items: several launches, so that the pool is asked seldom; near the end as short as a launch is worth it.
constexpr double kWorkItemLaunches = 4;
constexpr double kLeastWorkItem_s = 0.01;
constexpr std::chrono::milliseconds kReturnPoll{1};

class DeviceWorker final : public Worker {
public:
    DeviceWorker(WorkerContext const& context, RendererOptions const& options, std::uint32_t most_pixels,
                 DevicePolicy policy, int total_workers, DeviceGroup& group)
        : context_(context), group_(group), options_(fill_in_kernel(*group.backend, context.scene.view(), options)),
          may_tune_(options.kernel.empty()), policy_(policy), total_workers_(total_workers),
          paths_per_sample_(count_paths_per_sample(context.scene.view())),
          bank_samples_(count_bank_samples(context.film.scene())),
          renderer_limit_(find_renderer_limit(context.film.scene())), renderer_(take_or_make(most_pixels)),
          half_(context.film.keeps_half && renderer_->can_keep_half_apart() ? FilmHalf::apart : FilmHalf::joined),
          launch_sizer_(renderer_->first_paths(), policy.launch_s)
    {
        if (kept_rate_ > 0) launch_sizer_.restart(kept_rate_);
    }

    ~DeviceWorker() override
    {
        if (group_.kept != nullptr && has_ended_)
            group_.kept->keep(options_.device, {std::move(renderer_), launch_sizer_.rate()});
    }

    void run(WorkSource& source) override
    {
        source_ = &source;
        try {
            render_items();
            // What slower workers return comes when this one's samples are in the film.
            while (!context_.progress.is_stopping() && source_->may_get_returned()) {
                std::this_thread::sleep_for(kReturnPoll);
                render_items();
            }
            if (has_tally(context_.scene.view()) && !drops_samples())
                renderer_->collect_tally(context_.scene.view().tally);
        } catch (Error const&) {
            context_.progress.add_done(-static_cast<std::int64_t>(undelivered_paths_));
            throw;
        }
        end_s_ = context_.progress.elapsed_s();
        has_ended_ = true;
    }

    WorkerReport report() override
    {
        WorkerReport report;
        report.device = renderer_->device().name;
        report.kernel = describe(options_);
        report.counts = totals_.counts;
        report.seconds_banks = renderer_->measure_bank_seconds();
        report.end_s = end_s_;
        DeviceReport& device = report.gpu.emplace();
        device.seconds_device = renderer_->measure_seconds() - report.seconds_banks;
        device.device = renderer_->device();
        device.options = options_;
        device.facts = renderer_->inspect();
        device.memory = renderer_->memory();
        device.tuning = tuning_;
        auto const share = [](std::uint64_t part, std::uint64_t whole) {
            return whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
        };
        device.extension_efficiency = share(totals_.steps, totals_.step_slots);
        device.regeneration_efficiency = share(totals_.starts, totals_.start_slots);
        device.shadow_ray_efficiency = share(totals_.counts.shadow_rays, totals_.shadow_ray_slots);
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
        bool is_whole = true; ///< has all samples of the work item
        Clock::time_point start = {};
    };

    /// Areas of a group on their way into the film.
    struct Staged {
        std::vector<BlockSums> parts; ///< copies, where there are several
        RunTotals totals;
        std::map<std::uint32_t, std::vector<Wide>> bank_sums;
        bool is_whole = true;
    };

    std::unique_ptr<TileRenderer> take_or_make(std::uint32_t most_pixels)
    {
        if (group_.kept != nullptr) {
            KeptRenderers::DeviceRenderer kept = group_.kept->take(options_.device);
            if (kept.renderer) {
                kept.renderer->change_view(context_.scene.view());
                kept_rate_ = kept.rate;
                return std::move(kept.renderer);
            }
        }
        return group_.backend->make_renderer(context_.scene.view(), most_pixels, options_, group_.shared);
    }

    /// Until the pool gives no more, and all is in the film.
    void render_items()
    {
        while (!context_.progress.is_stopping() && fetch()) {
            if (item_.group->render_tiles.size() == 1)
                add_to_open_tile();
            else
                render_small_areas();
        }
        if (drops_samples()) return;
        close_tile();
        while (!tiles_in_flight_.empty()) collect_tile();
        note_idle();
    }

    /// Nothing is under way. A render of a few launches has shown no rate yet; the pool asks for it.
    void note_idle()
    {
        double rate = launch_sizer_.rate();
        if (rate == 0 && first_launch_)
            rate = static_cast<double>(totals_.counts.paths) / std::max(seconds_since(*first_launch_), 1e-6);
        if (rate > 0) launch_sizer_.restart(rate);
    }

    /// Takes the next work item if no samples are left; false if the pool gives none.
    bool fetch()
    {
        if (item_.samples.count > 0) return true;
        std::optional<WorkItem> const item =
            source_->take({renderer_->first_paths(), kWorkItemLaunches * policy_.launch_s, kLeastWorkItem_s,
                           launch_sizer_.rate(), launch_sizer_.pending_paths()});
        if (!item) return false;
        item_ = *item;
        return true;
    }

    /// The next launch of an area that is a group of its own. The tile stays open as long as the group is the same.
    void add_to_open_tile()
    {
        if (open_ && !fits_open_tile()) close_tile();
        if (!open_) open_tile(0);
        if (may_tune_ && bank_samples_ == 0) choose_kernel();
        if (item_.samples.count > 0 && item_.group == open_->group) launch(choose_count(launch_sizer_.launch_paths()));
        context_.progress.poll();
    }

    bool drops_samples() const
    {
        return policy_.stopped_samples == StoppedSamples::dropped && group_.kept != nullptr &&
               context_.progress.is_stopping();
    }

    bool fits_open_tile() const
    {
        return item_.group == open_->group && seconds_since(open_->start) < kOpenTileDuration_s &&
               count_samples(open_->samples) < renderer_limit_ && is_of_open_half() &&
               (bank_samples_ == 0 ||
                bank_of_sample(static_cast<std::uint32_t>(item_.samples.first)) - open_->first_bank <
                    TileRenderer::kMostBanks);
    }

    bool is_of_open_half() const
    {
        return !context_.film.keeps_half || half_ == FilmHalf::apart || open_->samples.empty() ||
               is_in_half(item_.samples.first) == is_in_half(open_->samples.front().first);
    }

    /// All areas of a file tile, the same samples of each; they enter the film together or not at all.
    void render_small_areas()
    {
        close_tile();
        WorkItem whole = item_;
        whole.samples.count = count_joined(item_.samples);
        SampleRange const rest{item_.samples.first + whole.samples.count, item_.samples.count - whole.samples.count};
        for (std::size_t area = 0; area < whole.group->render_tiles.size() && !context_.progress.is_stopping();
             ++area) {
            item_ = whole;
            open_tile(area);
            while (item_.samples.count > 0 && !context_.progress.is_stopping()) {
                launch(choose_count(launch_sizer_.launch_paths()));
                context_.progress.poll();
            }
            open_->is_whole = item_.samples.count == 0;
            close_tile();
        }
        item_.samples = rest;
    }

    void open_tile(std::size_t area)
    {
        while (tiles_in_flight_.size() >= TileRenderer::kBuffers) collect_tile();
        open_ = OpenTile{static_cast<int>(opened_++ % TileRenderer::kBuffers), item_.group, area};
        open_->start = Clock::now();
        open_->first_bank = bank_of_sample(static_cast<std::uint32_t>(item_.samples.first));
        renderer_->open(open_->buffer, open_area(), half_);
    }

    void close_tile()
    {
        if (!open_) return;
        renderer_->close(open_->buffer);
        tiles_in_flight_.push_back(*std::exchange(open_, std::nullopt));
    }

    /// Of `range`, how many samples from its first one on one area takes.
    std::uint64_t count_joined(SampleRange const& range) const
    {
        return half_ == FilmHalf::apart ? range.count : count_run(context_.film, range);
    }

    /// The open tile takes what count_joined allows.
    void open_half_of_item()
    {
        if (is_of_open_half()) return;
        close_tile();
        open_tile(0);
    }

    RenderTile const& open_area() const { return open_->group->render_tiles[open_->area]; }

    void launch(std::uint32_t count)
    {
        if (!first_launch_) first_launch_ = Clock::now();
        renderer_->add_samples(open_->buffer, static_cast<std::uint32_t>(item_.samples.first), count, {});
        launch_sizer_.note_launch(note_queued(count));
    }

    /// Notes that the first `count` samples of the work item have been given to the device; returns their paths.
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

    /// Samples of the work item that make about so many paths, all of one bank.
    std::uint32_t choose_count(std::uint64_t paths) const
    {
        RenderTile const& area = open_area();
        std::uint64_t left = count_joined(item_.samples);
        if (bank_samples_ != 0) left = std::min(left, bank_samples_ - item_.samples.first % bank_samples_);
        std::uint64_t const least = std::max<std::uint64_t>(paths, renderer_->least_paths());
        std::uint64_t const wanted = std::max<std::uint64_t>(1, least / (count_pixels(area) * paths_per_sample_));
        // A short rest would mostly wait for its last paths in a launch of its own.
        std::uint64_t const count = left < 2 * wanted ? left : wanted;
        return static_cast<std::uint32_t>(std::min<std::uint64_t>(count, renderer_->most_samples(area)));
    }

    /// Takes what another device of the same model has found best, or is the one that finds out.
    void choose_kernel()
    {
        std::string const& model = renderer_->device().name;
        if (!claims_tuning_) claims_tuning_ = group_.tuned_kernels.claim(model);
        if (*claims_tuning_) {
            // Without a rate it is not known whether tuning pays: one of two GPUs once tuned for .7 s in a render of 1
            // s.
            if (context_.progress.elapsed_s() < kShareBeforeTuning * policy_.least_tuned_s) return;
            if (policy_.least_tuned_s > 0 && launch_sizer_.rate() == 0) return;
            if (is_worth_tuning()) tune();
            group_.tuned_kernels.post(model, options_);
        } else {
            std::optional<RendererOptions> const best = group_.tuned_kernels.find(model);
            if (!best) return;
            use(*best);
        }
        may_tune_ = false;
    }

    /// The kernel and knobs of `choice` from the next launch on.
    void use(RendererOptions const& choice)
    {
        options_.kernel = choice.kernel;
        options_.knobs = choice.knobs;
        renderer_->choose(options_);
    }

    /// Paths per second of about `paths` paths with the options in use; 0 if the open area has no samples left.
    double measure_rate(std::uint64_t paths)
    {
        if (context_.progress.is_stopping() || !fetch() || item_.group != open_->group) return 0;
        open_half_of_item();
        std::uint64_t const run = count_joined(item_.samples);
        if (run < item_.samples.count && run * count_pixels(open_area()) * paths_per_sample_ < paths) {
            launch(choose_count(paths)); // a launch that the half cuts short would say little of the kernel
            open_half_of_item();
        }
        std::uint32_t const count = choose_count(paths);
        double const seconds =
            renderer_->time_samples(open_->buffer, static_cast<std::uint32_t>(item_.samples.first), count);
        std::uint64_t const done = note_queued(count);
        context_.progress.poll();
        return static_cast<double>(done) / std::max(seconds, 1e-9);
    }

    /// Whether enough paths are left: launches of up to now say how fast the device is.
    bool is_worth_tuning() const
    {
        auto const left =
            static_cast<double>(context_.progress.total_paths()) - static_cast<double>(context_.progress.done_paths());
        return left >= launch_sizer_.rate() * total_workers_ * policy_.least_tuned_s;
    }

    /// Tries kernels on samples of the open area, and takes the best. The first launches, of the standard, may show
    /// that the render will end too soon for that: the rate up to now is of short launches.
    void tune()
    {
        std::vector<RendererOptions> const candidates = group_.backend->list_tuning_candidates(context_.scene.view());
        use(candidates.front());
        TuningLaunch const tuning_launch = find_tuning_launch(std::max(renderer_->first_paths(), count_tuning_paths()),
                                                              [&](std::uint64_t paths) { return measure_rate(paths); });
        note_rate(tuning_launch.paths_per_second);
        if (tuning_launch.paths_per_second == 0 || !is_worth_tuning()) return;
        std::vector<TuningEntry> const entries = tune_kernel(candidates, [&](RendererOptions const& candidate) {
            use(candidate);
            return measure_rate(tuning_launch.paths);
        });
        for (TuningEntry const& entry : entries)
            if (entry.paths_per_second > 0) tuning_.emplace_back(describe(entry.options), entry.paths_per_second);
        use(entries.front().options);
        note_rate(entries.front().paths_per_second);
    }

    std::uint64_t count_tuning_paths() const
    {
        return static_cast<std::uint64_t>(launch_sizer_.rate() * kTuningLaunch_s);
    }

    /// Of launches that were timed, while nothing else was under way.
    void note_rate(double rate)
    {
        if (double const highest = std::max(launch_sizer_.rate(), rate); highest > 0) launch_sizer_.restart(highest);
    }

    std::string describe(RendererOptions const& options) const
    {
        return describe_choice(group_.backend->list_kernels(), options);
    }

    /// Takes the sums of the oldest closed tile; they enter the film once their group is complete.
    void collect_tile()
    {
        OpenTile const tile = std::move(tiles_in_flight_.front());
        tiles_in_flight_.pop_front();
        TileGroup const& group = *tile.group;
        CollectedSums const sums = renderer_->collect(tile.buffer);
        undelivered_paths_ -= tile.paths;
        if (tile.area == 0) staged_ = {};
        staged_.totals.add(sums.totals);
        staged_.is_whole = staged_.is_whole && tile.is_whole;
        add_banks(staged_.bank_sums, renderer_->collect_banks(tile.buffer), context_.film.bands());
        RenderedTiles delivery{group.file_tiles, tile.samples, {}, staged_.totals.counts};
        RenderTile const reached = find_reached_pixels(context_.scene.view(), group.render_tiles[tile.area]);
        ConstBlockSums const block{reached, sums.planes, sums.half_sums};
        if (group.render_tiles.size() == 1) {
            delivery.parts.push_back(block);
        } else {
            staged_.parts.push_back(copy_sums(block, context_.film.planes()));
            if (staged_.parts.size() < group.render_tiles.size() || !staged_.is_whole) return;
            for (BlockSums const& staged : staged_.parts) delivery.parts.push_back(staged.read());
        }
        delivery.bank_sums = std::move(staged_.bank_sums);
        delivery.threads =
            std::max(1, static_cast<int>(std::thread::hardware_concurrency()) / std::max(1, total_workers_));
        context_.sink.add(delivery);
        totals_.add(staged_.totals);
        staged_ = {};
    }

    WorkerContext context_;
    DeviceGroup& group_;
    RendererOptions options_;
    bool may_tune_; ///< no kernel was named, and none has been chosen yet
    DevicePolicy policy_;
    int total_workers_;
    std::uint32_t paths_per_sample_;
    std::uint32_t bank_samples_;
    std::uint64_t renderer_limit_;
    double kept_rate_ = 0; ///< of a renderer that was kept
    std::unique_ptr<TileRenderer> renderer_;
    FilmHalf half_; ///< of all areas
    LaunchSizer launch_sizer_;
    WorkSource* source_ = nullptr;
    WorkItem item_; ///< what is left of it
    std::optional<Clock::time_point> first_launch_;
    std::optional<OpenTile> open_;
    std::deque<OpenTile> tiles_in_flight_; ///< closed, not collected
    Staged staged_;
    RunTotals totals_;
    std::vector<std::pair<std::string, double>> tuning_;
    std::optional<bool> claims_tuning_;
    std::uint64_t opened_ = 0;
    std::uint64_t undelivered_paths_ = 0;
    bool has_ended_ = false; ///< all that the renderer was given is in the film
    double end_s_ = 0;
};

} // namespace

std::unique_ptr<Worker> make_device_worker(WorkerContext const& context, RendererOptions const& options,
                                           std::uint32_t most_pixels, DevicePolicy policy, int total_workers,
                                           DeviceGroup& group)
{
    if (group.backend == nullptr)
        fail_system("this render has no backend for GPUs", "GPU", "--device cpu gives the same picture");
    return std::make_unique<DeviceWorker>(context, options, most_pixels, policy, total_workers, group);
}

} // namespace volpt
