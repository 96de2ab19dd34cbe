// Compares two sides as a request says, and writes reports.
#pragma once

#include "libvolpt/job/compare/compare_request.h"
#include "libvolpt/stats/verdict/subject.h"
#include "libvolpt/sys/progress.h"

#include <filesystem>
#include <string>
#include <vector>

namespace volpt {

struct ReportedPair;

/// What was compared, and the verdict.
struct ComparedPair {
    Subject test, reference; ///< with the channels, transfers and size that the request says
    Verdict verdict;
    Criteria criteria; ///< with the metrics that maps, pages and sheets need
};

/// Error (usage) for a request that the sides cannot fulfil.
ComparedPair compare(Subject test, Subject reference, CompareRequest const& request, ReportRequest const& reports,
                     int threads);

/// The labels of the request, and its views, which are read in this light.
SheetLabels collect_labels(ReportRequest const& reports, Illuminant illuminant, NoticeSink const& notice);

/// All files but the plot; notices for those that have nothing to show.
void write_reports(ReportRequest const& reports, ReportedPair const& pair, SheetLabels const& labels,
                   NoticeSink const& notice);

/// Sheets that compare nothing.
void write_view_sheets(ReportRequest const& reports, SheetLabels const& labels);

/// Every file that the request names.
std::vector<std::filesystem::path> list_reports(ReportRequest const& reports);

/// Adds the metrics that the HTML page shows with maps: difference, FLIP and Delta E.
void add_page_metrics(Criteria& criteria, Image const& image);

void write_text(std::filesystem::path const& path, std::string const& text);

} // namespace volpt
