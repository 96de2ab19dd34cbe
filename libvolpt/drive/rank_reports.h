// Workers' reports as parts of letters; what only their own process can use of a GPU stays there.
#pragma once

#include "libvolpt/drive/rank_letters.h"
#include "libvolpt/drive/render_film.h"

namespace volpt {

inline void put_reports(LetterWriter& letter, std::vector<WorkerReport> const& reports)
{
    letter.put(static_cast<std::uint64_t>(reports.size()));
    for (WorkerReport const& report : reports)
        letter.put_text(report.device).put_text(report.kernel).put(report.counts).put(report.seconds_banks).put(report.end_s).put_text(report.failure);
}

inline std::vector<WorkerReport> get_reports(LetterReader& letter)
{
    std::vector<WorkerReport> reports;
    for (auto left = letter.get<std::uint64_t>(); left > 0; --left) {
        WorkerReport& report = reports.emplace_back();
        report.device = letter.get_text();
        report.kernel = letter.get_text();
        report.counts = letter.get<PathCounts>();
        report.seconds_banks = letter.get<double>();
        report.end_s = letter.get<double>();
        report.failure = letter.get_text();
    }
    return reports;
}

} // namespace volpt
