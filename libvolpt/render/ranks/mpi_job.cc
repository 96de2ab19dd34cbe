#include "libvolpt/render/ranks/mpi_job.h"

#include "libvolpt/render/ranks/messages.h"

#include <fmt/format.h>

namespace volpt {
namespace {

void send_start_report(Communicator& communicator, StartFacts const& facts, std::optional<Error> const& trouble)
{
    std::vector<std::string> values;
    for (auto const& [name, value] : facts) values.push_back(value);
    messages::StartReport const report{communicator.host(), trouble ? trouble->status() : ExitStatus::done};
    send(communicator, 0, report, {trouble ? trouble->what() : "", values});
}

/// Why a rank cannot start; nothing if it can.
std::optional<Error> find_trouble(Received<messages::StartReport> const& report, StartFacts const& facts)
{
    std::string const rank = fmt::format("rank {} on {}", report.rank, report.body.host.str());
    auto const& [trouble, values] = report.tail;
    if (report.body.status != ExitStatus::done)
        return Error(report.body.status, {fmt::format("{} could not start: {}", rank, trouble), {}, {}, {}});
    for (std::size_t i = 0; i < facts.size(); ++i) {
        auto const& [name, value] = facts[i];
        std::string const theirs = i < values.size() ? values[i] : "";
        if (theirs != value)
            return Error(ExitStatus::input,
                         {fmt::format("{} has another {} than rank 0 ({} and {})", rank, name, theirs, value),
                          {},
                          "the ranks' samples would not belong to the same picture",
                          "give all ranks the same program and files"});
    }
    return std::nullopt;
}

} // namespace

StartVerdict agree_to_start(Communicator& communicator, StartFacts const& facts, std::optional<Error> const& trouble)
{
    if (communicator.rank() != 0) {
        send_start_report(communicator, facts, trouble);
        bool const can_start = unpack<messages::StartReply>(communicator.receive()).body.can_start;
        return can_start ? StartVerdict::go_on : StartVerdict::leave;
    }
    std::optional<Error> failure = trouble;
    for (int rank = 1; rank < communicator.size(); ++rank) {
        auto const report = unpack<messages::StartReport>(communicator.receive());
        if (!failure) failure = find_trouble(report, facts);
    }
    send_to_all(communicator, messages::StartReply{!failure});
    if (failure) throw *failure;
    return StartVerdict::go_on;
}

RemoteRanksGuard::~RemoteRanksGuard()
{
    if (communicator_ != nullptr) send_to_all(*communicator_, messages::EndJob{});
}

} // namespace volpt
