// One letter from each rank, one answer to each.
#include "libvolpt/drive/rank_start.h"

#include "libvolpt/drive/rank_letters.h"

#include <fmt/format.h>

namespace volpt {
namespace {

LetterWriter write_hello(Ranks const& ranks, StartFacts const& facts, std::optional<Error> const& trouble)
{
    LetterWriter letter(LetterKind::hello);
    letter.put_text(ranks.host())
        .put(trouble ? trouble->status() : ExitStatus::done)
        .put_text(trouble ? trouble->what() : "");
    for (auto const& [name, value] : facts) letter.put_text(value);
    return letter;
}

/// What is wrong with a rank, if anything is.
std::optional<Error> judge(Letter const& hello, StartFacts const& facts)
{
    LetterReader letter(hello.bytes);
    std::string const rank = fmt::format("rank {} on {}", hello.from, letter.get_text());
    auto const status = letter.get<ExitStatus>();
    std::string const trouble = letter.get_text();
    if (status != ExitStatus::done)
        return Error(status, {fmt::format("{} could not start: {}", rank, trouble), {}, {}, {}});
    for (auto const& [name, value] : facts) {
        std::string const theirs = letter.get_text();
        if (theirs != value)
            return Error(ExitStatus::input,
                         {fmt::format("{} has another {} than rank 0 ({} and {})", rank, name, theirs, value),
                          {},
                          "the ranks' samples would not be of one picture",
                          "give all ranks the same program and files"});
    }
    return std::nullopt;
}

} // namespace

StartVerdict agree_to_start(Ranks& ranks, StartFacts const& facts, std::optional<Error> const& trouble)
{
    if (ranks.rank() != 0) {
        ranks.send(0, write_hello(ranks, facts, trouble).bytes());
        Letter const verdict = wait_for_letter(ranks);
        return LetterReader(verdict.bytes).get<StartVerdict>();
    }
    std::optional<Error> failure = trouble;
    for (int rank = 1; rank < ranks.size(); ++rank) {
        Letter const hello = wait_for_letter(ranks);
        if (!failure) failure = judge(hello, facts);
    }
    LetterWriter verdict(LetterKind::verdict);
    verdict.put(failure ? StartVerdict::leave : StartVerdict::go_on);
    for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, verdict.bytes());
    if (failure) throw *failure;
    return StartVerdict::go_on;
}

} // namespace volpt
