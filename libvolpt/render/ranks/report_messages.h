// A worker's report as a letter; what only its own process can use of a GPU stays there.
#pragma once

#include "libvolpt/render/ranks/messages.h"
#include "libvolpt/render/render_film.h"

namespace volpt {

/// A short letter (libvolpt/render/ranks/communicator.h), so what a device said is cut.
inline MessageWriter write_report(WorkerReport const& report)
{
    constexpr std::size_t kTextLimit = 400;
    auto const cut = [](std::string const& text) { return std::string_view(text).substr(0, kTextLimit); };
    MessageWriter message(MessageKind::report);
    message.put_text(cut(report.device))
        .put_text(cut(report.kernel))
        .put(report.counts)
        .put(report.seconds_banks)
        .put(report.end_s);
    message.put_text(cut(report.failure));
    return message;
}

inline WorkerReport get_report(MessageReader& message)
{
    WorkerReport report;
    report.device = message.get_text();
    report.kernel = message.get_text();
    report.counts = message.get<PathCounts>();
    report.seconds_banks = message.get<double>();
    report.end_s = message.get<double>();
    report.failure = message.get_text();
    return report;
}

} // namespace volpt
