// Reads rank 0's letters, and lets the crew of this process work for them.
#include "libvolpt/render/ranks/remote_rank.h"

#include "libvolpt/render/ranks/gather_films.h"
#include "libvolpt/render/ranks/remote_work_source.h"
#include "libvolpt/render/ranks/report_messages.h"
#include "libvolpt/render/tile_size.h"
#include "libvolpt/render/workers/local_workers.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace volpt {
namespace {

constexpr double kPoll_s = 5e-4;           // between looks for letters while workers run
constexpr std::size_t kNoticeLimit = 1500; // what a short letter holds

class RemoteRank {
public:
    RemoteRank(RenderScene const& scene, std::uint64_t seed, RenderOptions const& options, Communicator& ranks)
        : scene_(scene), seed_(seed), options_(options), tell_(options.notice), communicator_(ranks),
          film_(make_film(scene, seed))
    {
        options_.notice = [this](std::string_view text) {
            post(MessageWriter(MessageKind::notice).put_text(text.substr(0, kNoticeLimit)));
        };
        options_.checkpoint_s = 0;
        options_.time_limit_s = 0;
    }

    void run()
    {
        try {
            follow();
        } catch (std::exception const& error) {
            abandon(error);
        }
    }

private:
    /// Rank 0 would wait for ever.
    void abandon(std::exception const& error)
    {
        if (tell_)
            tell_(fmt::format("the job is ended, since rank {} on {} has failed in the midst of it: {}",
                              communicator_.rank(), communicator_.host(), error.what()));
        communicator_.end_job(static_cast<int>(ExitStatus::system));
    }

    void follow()
    {
        for (;;) {
            Message const message = wait_for_message(communicator_);
            MessageReader reader(message.bytes);
            switch (reader.kind()) {
            case MessageKind::prepare:
                prepare();
                break;
            case MessageKind::begin:
                begin(reader);
                break;
            case MessageKind::round:
                run_round(get_ranges(reader));
                break;
            case MessageKind::finish:
                return;
            default:
                break; // a halt that came when all was done
            }
        }
    }

    void prepare()
    {
        local_workers_.reset();
        film_ = make_film(scene_, seed_);
        std::uint32_t const tile_size = choose_tile_size(scene_, film_, options_);
        communicator_.send(0, MessageWriter(MessageKind::ready)
                                  .put(tile_size)
                                  .put(LocalWorkers::count_workers(options_))
                                  .put_text(communicator_.host())
                                  .bytes());
    }

    void begin(MessageReader& message)
    {
        tile_size_ = message.get<std::uint32_t>();
        auto const total_workers = message.get<int>();
        sink_.emplace(film_);
        progress_.emplace(options_, message.get<std::uint64_t>());
        local_workers_.emplace(WorkerContext{scene_, film_, *sink_, *progress_}, options_, tile_size_, total_workers);
    }

    void run_round(std::vector<SampleRanges> const& todo)
    {
        RemoteWorkSources desk(cut_areas(film_, todo, tile_size_), *progress_);
        try {
            work_off(desk);
        } catch (std::exception const& error) { // while workers wait at the desk
            abandon(error);
        }
    }

    void work_off(RemoteWorkSources& desk)
    {
        set_desk(&desk);
        local_workers_->start([&] { return desk.connect(); });
        bool has_told_stop = false, has_told_over = false, is_over = false;
        while (!is_over) {
            while (std::optional<std::string> const message = desk.take_letter(kPoll_s))
                communicator_.send(0, *message);
            while (!is_over) { // a letter after the last of the round is of the next
                std::optional<Message> const message = communicator_.receive();
                if (!message) break;
                is_over = read(*message, desk);
            }
            progress_->poll();
            if (progress_->end() == RenderEnd::stopped && !std::exchange(has_told_stop, true))
                communicator_.send(0, MessageWriter(MessageKind::stop).bytes());
            if (!has_told_over && local_workers_->wait_for(0)) {
                has_told_over = true;
                local_workers_->join();
                while (std::optional<std::string> const message = desk.take_letter(0)) communicator_.send(0, *message);
                tell_over();
            }
        }
        set_desk(nullptr);
    }

    /// Whether the round is over.
    bool read(Message const& message, RemoteWorkSources& desk)
    {
        MessageReader reader(message.bytes);
        switch (reader.kind()) {
        case MessageKind::answer:
            desk.deliver(reader);
            break;
        case MessageKind::halt:
            progress_->give_up();
            break;
        case MessageKind::collect:
            give_film(*sink_, communicator_);
            break;
        case MessageKind::rest:
            return true;
        default:
            break;
        }
        return false;
    }

    void tell_over()
    {
        if (local_workers_->failure()) tell_broken();
        MessageWriter message(MessageKind::over);
        std::vector<WorkerReport> const reports = local_workers_->report();
        for (std::size_t i = 0; i < options_.gpus.size(); ++i) // what the tuning chose stays chosen
            if (reports[i].gpu && !reports[i].gpu->tuning.empty()) options_.gpus[i] = reports[i].gpu->options;
        for (WorkerReport const& report : reports) communicator_.send(0, write_report(report).bytes());
        message.put(local_workers_->count_able());
        communicator_.send(0, message.bytes());
    }

    void tell_broken()
    {
        MessageWriter message(MessageKind::broken);
        try {
            std::rethrow_exception(local_workers_->failure());
        } catch (Error const& error) {
            message.put(error.status()).put_text(std::string_view(error.what()).substr(0, kNoticeLimit));
        } catch (std::exception const& error) {
            message.put(ExitStatus::system).put_text(std::string_view(error.what()).substr(0, kNoticeLimit));
        }
        communicator_.send(0, message.bytes());
    }

    void set_desk(RemoteWorkSources* desk)
    {
        std::scoped_lock const lock(mutex_);
        desk_ = desk;
    }

    /// From any thread, in a round.
    void post(MessageWriter const& message)
    {
        std::scoped_lock const lock(mutex_);
        if (desk_ != nullptr) desk_->post(message);
    }

    RenderScene const& scene_;
    std::uint64_t seed_;
    RenderOptions options_;
    NoticeSink tell_; ///< on this rank's own stderr
    Communicator& communicator_;
    Film film_;
    std::uint32_t tile_size_ = 0;
    std::mutex mutex_;
    RemoteWorkSources* desk_ = nullptr; ///< of the round
    std::optional<FilmSink> sink_;
    std::optional<RenderProgress> progress_;
    std::optional<LocalWorkers> local_workers_; ///< ends before what it uses
};

} // namespace

void follow_renders(RenderScene const& scene, std::uint64_t seed, RenderOptions options, Communicator& ranks)
{
    RemoteRank(scene, seed, options, ranks).run();
}

} // namespace volpt
