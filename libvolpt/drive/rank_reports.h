// A worker's report as a letter; what only its own process can use of a GPU stays there.
#pragma once

#include "libvolpt/drive/rank_letters.h"
#include "libvolpt/drive/render_film.h"

namespace volpt {

/// A short letter (libvolpt/ranks/ranks.h), so what a device said is cut.
inline LetterWriter write_report(WorkerReport const& report)
{
    constexpr std::size_t kTextLimit = 400;
    auto const cut = [](std::string const& text) { return std::string_view(text).substr(0, kTextLimit); };
    LetterWriter letter(LetterKind::report);
    letter.put_text(cut(report.device))
        .put_text(cut(report.kernel))
        .put(report.counts)
        .put(report.seconds_banks)
        .put(report.end_s);
    letter.put_text(cut(report.failure));
    return letter;
}

inline WorkerReport get_report(LetterReader& letter)
{
    WorkerReport report;
    report.device = letter.get_text();
    report.kernel = letter.get_text();
    report.counts = letter.get<PathCounts>();
    report.seconds_banks = letter.get<double>();
    report.end_s = letter.get<double>();
    report.failure = letter.get_text();
    return report;
}

} // namespace volpt
