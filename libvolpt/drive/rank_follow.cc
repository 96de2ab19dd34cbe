// Reads rank 0's letters, and lets the crew of this process work for them.
#include "libvolpt/drive/rank_follow.h"

#include "libvolpt/drive/crew.h"
#include "libvolpt/drive/rank_desk.h"
#include "libvolpt/drive/rank_reports.h"
#include "libvolpt/drive/rank_sums.h"
#include "libvolpt/drive/tile_size.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace volpt {
namespace {

constexpr double kLook_s = 5e-4; // between looks for letters while workers run
constexpr std::size_t kNoticeLimit = 1500; // what a short letter holds

class Follower {
public:
    Follower(RenderScene const& scene, std::uint64_t seed, RenderOptions const& options, Ranks& ranks)
        : scene_(scene), seed_(seed), options_(options), tell_(options.notice), ranks_(ranks),
          film_(make_film(scene, seed))
    {
        options_.notice = [this](std::string_view text) {
            post(LetterWriter(LetterKind::notice).put_text(text.substr(0, kNoticeLimit)));
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
            tell_(fmt::format("the job is ended, since rank {} on {} has failed in the midst of it: {}", ranks_.rank(),
                              ranks_.host(), error.what()));
        ranks_.end_job(static_cast<int>(ExitStatus::system));
    }

    void follow()
    {
        for (;;) {
            Letter const letter = wait_for_letter(ranks_);
            LetterReader reader(letter.bytes);
            switch (reader.kind()) {
            case LetterKind::prepare:
                prepare();
                break;
            case LetterKind::begin:
                begin(reader);
                break;
            case LetterKind::round:
                run_round(get_ranges(reader));
                break;
            case LetterKind::finish:
                return;
            default:
                break; // a halt that came when all was done
            }
        }
    }

    void prepare()
    {
        crew_.reset();
        film_ = make_film(scene_, seed_);
        std::uint32_t const tile_size = choose_tile_size(scene_, film_, options_);
        ranks_.send(0, LetterWriter(LetterKind::ready)
                           .put(tile_size)
                           .put(Crew::count_workers(options_))
                           .put_text(ranks_.host())
                           .bytes());
    }

    void begin(LetterReader& letter)
    {
        tile_size_ = letter.get<std::uint32_t>();
        auto const company = letter.get<int>();
        sink_.emplace(film_);
        watch_.emplace(options_, letter.get<std::uint64_t>());
        crew_.emplace(WorkPlace{scene_, film_, *sink_, *watch_}, options_, tile_size_, company);
    }

    void run_round(std::vector<SampleRanges> const& todo)
    {
        RankDesk desk(cut_areas(film_, todo, tile_size_), *watch_);
        try {
            work_off(desk);
        } catch (std::exception const& error) { // while workers wait at the desk
            abandon(error);
        }
    }

    void work_off(RankDesk& desk)
    {
        set_desk(&desk);
        crew_->start([&] { return desk.sit_down(); });
        bool has_told_stop = false, has_told_over = false, is_over = false;
        while (!is_over) {
            while (std::optional<std::string> const letter = desk.take_letter(kLook_s)) ranks_.send(0, *letter);
            while (!is_over) { // a letter after the last of the round is of the next
                std::optional<Letter> const letter = ranks_.receive();
                if (!letter) break;
                is_over = read(*letter, desk);
            }
            watch_->poll();
            if (watch_->end() == RenderEnd::stopped && !std::exchange(has_told_stop, true))
                ranks_.send(0, LetterWriter(LetterKind::stop).bytes());
            if (!has_told_over && crew_->wait_for(0)) {
                has_told_over = true;
                crew_->join();
                while (std::optional<std::string> const letter = desk.take_letter(0)) ranks_.send(0, *letter);
                tell_over();
            }
        }
        set_desk(nullptr);
    }

    /// Whether the round is over.
    bool read(Letter const& letter, RankDesk& desk)
    {
        LetterReader reader(letter.bytes);
        switch (reader.kind()) {
        case LetterKind::answer:
            desk.deliver(reader);
            break;
        case LetterKind::halt:
            watch_->give_up();
            break;
        case LetterKind::collect:
            give_film(*sink_, ranks_);
            break;
        case LetterKind::rest:
            return true;
        default:
            break;
        }
        return false;
    }

    void tell_over()
    {
        if (crew_->failure()) tell_broken();
        LetterWriter letter(LetterKind::over);
        std::vector<WorkerReport> const reports = crew_->report();
        for (std::size_t i = 0; i < options_.gpus.size(); ++i) // what a pilot chose stays chosen
            if (reports[i].gpu && !reports[i].gpu->pilot.empty()) options_.gpus[i] = reports[i].gpu->options;
        for (WorkerReport const& report : reports) ranks_.send(0, write_report(report).bytes());
        letter.put(crew_->count_able());
        ranks_.send(0, letter.bytes());
    }

    void tell_broken()
    {
        LetterWriter letter(LetterKind::broken);
        try {
            std::rethrow_exception(crew_->failure());
        } catch (Error const& error) {
            letter.put(error.status()).put_text(std::string_view(error.what()).substr(0, kNoticeLimit));
        } catch (std::exception const& error) {
            letter.put(ExitStatus::system).put_text(std::string_view(error.what()).substr(0, kNoticeLimit));
        }
        ranks_.send(0, letter.bytes());
    }

    void set_desk(RankDesk* desk)
    {
        std::scoped_lock const lock(mutex_);
        desk_ = desk;
    }

    /// From any thread, in a round.
    void post(LetterWriter const& letter)
    {
        std::scoped_lock const lock(mutex_);
        if (desk_ != nullptr) desk_->post(letter);
    }

    RenderScene const& scene_;
    std::uint64_t seed_;
    RenderOptions options_;
    NoticeSink tell_; ///< on this rank's own stderr
    Ranks& ranks_;
    Film film_;
    std::uint32_t tile_size_ = 0;
    std::mutex mutex_;
    RankDesk* desk_ = nullptr; ///< of the round
    std::optional<FilmSink> sink_;
    std::optional<RenderWatch> watch_;
    std::optional<Crew> crew_; ///< ends before what it uses
};

} // namespace

void follow_renders(RenderScene const& scene, std::uint64_t seed, RenderOptions options, Ranks& ranks)
{
    Follower(scene, seed, options, ranks).run();
}

} // namespace volpt
