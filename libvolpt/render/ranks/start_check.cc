// One letter from each rank, one answer to each.
#include "libvolpt/render/ranks/start_check.h"

#include "libvolpt/render/ranks/messages.h"

#include <fmt/format.h>

namespace volpt {
namespace {

MessageWriter write_hello(Communicator const& ranks, StartFacts const& facts, std::optional<Error> const& trouble)
{
    MessageWriter message(MessageKind::hello);
    message.put_text(ranks.host())
        .put(trouble ? trouble->status() : ExitStatus::done)
        .put_text(trouble ? trouble->what() : "");
    for (auto const& [name, value] : facts) message.put_text(value);
    return message;
}

/// What is wrong with a rank, if anything is.
std::optional<Error> judge(Message const& hello, StartFacts const& facts)
{
    MessageReader message(hello.bytes);
    std::string const rank = fmt::format("rank {} on {}", hello.from, message.get_text());
    auto const status = message.get<ExitStatus>();
    std::string const trouble = message.get_text();
    if (status != ExitStatus::done)
        return Error(status, {fmt::format("{} could not start: {}", rank, trouble), {}, {}, {}});
    for (auto const& [name, value] : facts) {
        std::string const theirs = message.get_text();
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

StartVerdict agree_to_start(Communicator& ranks, StartFacts const& facts, std::optional<Error> const& trouble)
{
    if (ranks.rank() != 0) {
        ranks.send(0, write_hello(ranks, facts, trouble).bytes());
        Message const verdict = wait_for_message(ranks);
        return MessageReader(verdict.bytes).get<StartVerdict>();
    }
    std::optional<Error> failure = trouble;
    for (int rank = 1; rank < ranks.size(); ++rank) {
        Message const hello = wait_for_message(ranks);
        if (!failure) failure = judge(hello, facts);
    }
    MessageWriter verdict(MessageKind::verdict);
    verdict.put(failure ? StartVerdict::leave : StartVerdict::go_on);
    for (int rank = 1; rank < ranks.size(); ++rank) ranks.send(rank, verdict.bytes());
    if (failure) throw *failure;
    return StartVerdict::go_on;
}

} // namespace volpt
