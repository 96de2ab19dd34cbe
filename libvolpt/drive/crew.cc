// Puts workers to seats, and sees what became of them.
#include "libvolpt/drive/crew.h"

#include "libvolpt/drive/brick_heat.h"
#include "libvolpt/drive/cpu_worker.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {

Crew::Crew(WorkPlace const& place, RenderOptions const& options, std::uint32_t tile_size, int company)
    : place_(place), options_(options), company_(company), bricks_(make_brick_store([this] {
          return estimate_brick_heat(place_.scene.view(), options_.threads, choose_heat_flights(options_.threads));
      }))
{
    std::uint32_t const most_pixels = count_most_pixels(place.film, tile_size);
    for (GpuOptions const& gpu : options.gpus)
        posts_.push_back({fmt::format("GPU {}", gpu.device), [this, &gpu, most_pixels, company] {
                              return make_gpu_worker(place_, gpu, most_pixels, company, board_, bricks_);
                          }});
    Company const kind = company == 1 ? Company::alone : Company::beside_others;
    if (std::cmp_less(posts_.size(), count_workers(options)))
        posts_.push_back({"the CPU", [this, kind] { return make_cpu_worker(place_, options_, kind); }});
}

int Crew::count_workers(RenderOptions const& options)
{
    bool const with_cpu = options.gpus.empty() || options.cpu == CpuUse::beside_gpus;
    return static_cast<int>(options.gpus.size()) + (with_cpu ? 1 : 0);
}

int Crew::count_able() const
{
    std::scoped_lock const lock(mutex_);
    return static_cast<int>(
        std::count_if(posts_.begin(), posts_.end(), [](Post const& post) { return !post.has_failed; }));
}

void Crew::start(std::function<std::unique_ptr<Seat>()> const& make_seat)
{
    // All seats before the first worker starts: a pool gives less to one who is not alone.
    std::vector<std::pair<Post*, std::unique_ptr<Seat>>> seats;
    for (Post& post : posts_)
        if (!post.has_failed) seats.emplace_back(&post, make_seat());
    seated_ = static_cast<int>(seats.size());
    for (auto& [post, seat] : seats)
        threads_.emplace_back([this, post = post, seat = std::move(seat)]() mutable {
            man(*post, *seat);
            seat.reset();
            std::scoped_lock const lock(mutex_);
            --seated_;
            got_up_.notify_all();
        });
}

bool Crew::wait_for(double seconds)
{
    std::unique_lock lock(mutex_);
    return got_up_.wait_for(lock, std::chrono::duration<double>(seconds), [this] { return seated_ == 0; });
}

void Crew::man(Post& post, Seat& seat)
{
    try {
        std::unique_ptr<Worker> const worker = post.make();
        place_.watch.begin();
        worker->run(seat);
        WorkerReport report = worker->report();
        report.counts.add(post.report.counts); // of a round before
        report.seconds_banks += post.report.seconds_banks;
        post.report = std::move(report);
    } catch (Error const& error) {
        if (error.status() == ExitStatus::system)
            note_failure(post, error);
        else
            give_up();
    } catch (...) {
        give_up();
    }
}

void Crew::note_failure(Post& post, Error const& error)
{
    std::scoped_lock const lock(mutex_);
    post.has_failed = true;
    post.report = {};
    post.report.device = post.name;
    post.report.failure = error.what();
    last_device_failure_ = std::current_exception();
    if (company_ > 1)
        notify(options_, fmt::format("{} has failed, its samples go to the others: {}", post.name, error.what()));
}

void Crew::give_up()
{
    std::scoped_lock const lock(mutex_);
    failure_ = std::current_exception();
    place_.watch.give_up();
}

std::vector<WorkerReport> Crew::report() const
{
    std::vector<WorkerReport> reports;
    for (Post const& post : posts_) reports.push_back(post.report);
    return reports;
}

} // namespace volpt
