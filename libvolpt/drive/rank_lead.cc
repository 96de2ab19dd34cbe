// Letters from and to the other ranks, and the reduction of their films.
#include "libvolpt/drive/rank_lead.h"

#include "libvolpt/drive/rank_reports.h"
#include "libvolpt/drive/rank_sums.h"

#include <chrono>
#include <fmt/format.h>
#include <thread>

namespace volpt {

RankLead::RankLead(Ranks& ranks, RenderOptions const& options)
    : ranks_(ranks), options_(options), hosts_(static_cast<std::size_t>(ranks.size()))
{
    write_to_all(LetterWriter(LetterKind::prepare));
    for (int answers = 1; answers < ranks_.size();) {
        Letter const letter = wait_for_letter(ranks_);
        LetterReader reader(letter.bytes);
        if (reader.kind() != LetterKind::ready) continue;
        forces_.least_tile_size = std::min(forces_.least_tile_size, reader.get<std::uint32_t>());
        forces_.workers += reader.get<int>();
        hosts_[static_cast<std::size_t>(letter.from)] = reader.get_text();
        ++answers;
    }
    able_ = forces_.workers;
}

void RankLead::begin(std::uint32_t tile_size, int company, std::uint64_t total_paths)
{
    write_to_all(LetterWriter(LetterKind::begin).put(tile_size).put(company).put(total_paths));
}

void RankLead::start_round(std::vector<SampleRanges> const& todo)
{
    over_ = 0;
    able_ = 0;
    reports_.clear();
    LetterWriter letter(LetterKind::round);
    put_ranges(letter, todo);
    write_to_all(letter);
}

void RankLead::serve(WorkPool& pool, RenderWatch& watch)
{
    while (std::optional<Letter> const letter = ranks_.receive()) read(*letter, pool, watch);
    watch.poll();
    if (!watch.is_stopping() || has_halted_) return;
    has_halted_ = true;
    pool.close();
    write_to_all(LetterWriter(LetterKind::halt));
}

void RankLead::read(Letter const& letter, WorkPool& pool, RenderWatch& watch)
{
    LetterReader reader(letter.bytes);
    switch (reader.kind()) {
    case LetterKind::ask:
        answer(letter.from, reader, pool, watch);
        break;
    case LetterKind::get_up: {
        auto const seat = reader.get<std::uint32_t>();
        watch.add_done(reader.get<std::int64_t>());
        seats_.erase({letter.from, seat});
        break;
    }
    case LetterKind::notice:
        notify(options_, name_rank(letter.from) + ": " + reader.get_text());
        break;
    case LetterKind::stop:
        watch.stop();
        break;
    case LetterKind::broken: {
        auto const status = reader.get<ExitStatus>();
        failure_.emplace(status, ErrorText{reader.get_text(), name_rank(letter.from), {}, {}});
        watch.give_up();
        break;
    }
    case LetterKind::report:
        reports_[letter.from].push_back(get_report(reader));
        reports_[letter.from].back().place = name_rank(letter.from);
        break;
    case LetterKind::over:
        ++over_;
        able_ += reader.get<int>();
        break;
    case LetterKind::delta:
        deltas_.push_back(letter.bytes);
        break;
    default:
        break;
    }
}

void RankLead::answer(int rank, LetterReader& letter, WorkPool& pool, RenderWatch& watch)
{
    auto const number = letter.get<std::uint32_t>();
    auto const wish = letter.get<Wish>();
    watch.add_done(letter.get<std::int64_t>());
    watch.begin();
    std::unique_ptr<Seat>& seat = seats_[{rank, number}];
    if (!seat) seat = pool.sit_down();
    std::optional<Batch> const batch = seat->take(wish);
    LetterWriter reply(LetterKind::answer);
    reply.put(number).put(static_cast<std::uint8_t>(batch ? 1 : 0));
    if (batch) reply.put(batch->name).put(batch->samples).put(batch->paths);
    ranks_.send(rank, reply.bytes());
}

void RankLead::collect(FilmSink& sink, WorkPool& pool, RenderWatch& watch)
{
    write_to_all(LetterWriter(LetterKind::collect));
    add_planes(sink, ranks_);
    while (std::cmp_less(deltas_.size(), ranks_.size() - 1)) {
        serve(pool, watch);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    for (std::string const& bytes : std::exchange(deltas_, {})) {
        LetterReader letter(bytes);
        add_totals(sink, letter);
    }
}

void RankLead::end_round(FilmSink& sink, WorkPool& pool, RenderWatch& watch)
{
    double const start_s = watch.elapsed_s();
    collect(sink, pool, watch);
    seconds_gather_ += watch.elapsed_s() - start_s;
    seats_.clear();
    write_to_all(LetterWriter(LetterKind::rest));
}

void RankLead::check() const
{
    if (failure_) throw *failure_;
}

void RankLead::abandon(std::string const& why)
{
    seats_.clear();
    notify(options_, "the job is ended, since rank 0 has failed in the midst of it: " + why);
    ranks_.end_job(static_cast<int>(ExitStatus::system));
}

std::vector<WorkerReport> RankLead::reports() const
{
    std::vector<WorkerReport> all;
    for (auto const& [rank, reports] : reports_) all.insert(all.end(), reports.begin(), reports.end());
    return all;
}

void RankLead::write_to_all(LetterWriter const& letter)
{
    for (int rank = 1; rank < ranks_.size(); ++rank) ranks_.send(rank, letter.bytes());
}

std::string RankLead::name_rank(int rank) const
{
    return fmt::format("rank {} on {}", rank, hosts_[static_cast<std::size_t>(rank)]);
}

RankDismissal::~RankDismissal()
{
    for (int rank = 1; ranks_ != nullptr && rank < ranks_->size(); ++rank)
        ranks_->send(rank, LetterWriter(LetterKind::finish).bytes());
}

} // namespace volpt
