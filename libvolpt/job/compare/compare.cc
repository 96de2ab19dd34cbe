#include "libvolpt/job/compare/compare.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/stats/report/error_map.h"
#include "libvolpt/stats/report/html_report.h"
#include "libvolpt/stats/report/verdict_report.h"
#include "libvolpt/sys/atomic_file.h"

#include <algorithm>
#include <fmt/format.h>
#include <span>

namespace volpt {
namespace {

constexpr std::size_t kSheetPatches = 8;

std::string name_map_metric(std::string const& map)
{
    if (map == "difference") return "bias";
    return map.starts_with("de2000") ? "de2000" : map;
}

/// Adds the metrics whose maps, pages and sheets are wanted.
void add_map_metrics(Criteria& criteria, ReportRequest const& reports, Subject const& test)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    for (MapOutput const& map : reports.maps)
        if (map.name != "z" && map.name != "blocks") criteria.metrics.push_back(name_map_metric(map.name));
    if (reports.html) add_page_metrics(criteria, test.image);
    if (!reports.sheets.empty()) criteria.metrics.push_back("de2000");
    if (!reports.maps.empty() || !reports.sheets.empty()) criteria.settings.keep_map = KeepMap::yes;
}

void write_sheets(ReportRequest const& reports, ReportedPair const& pair, SheetLabels const& labels,
                  NoticeSink const& notice)
{
    if (reports.sheets.empty()) return;
    if (!pair.verdict.image.matched()) {
        notice("no sheet is written, because nothing was compared");
        return;
    }
    std::vector<Patch> const patches =
        reports.patches.empty() ? choose_patches(pair.reference.image, kSheetPatches) : reports.patches;
    for (std::filesystem::path const& path : reports.sheets) {
        if (is_display_image(path))
            write_image(path, draw_contact_sheet(pair, patches, labels));
        else
            write_text(path, format_contact_sheet(pair, patches, labels));
    }
}

SheetView read_view(ViewFile const& file, ReportRequest const& reports, Illuminant illuminant, NoticeSink const& notice)
{
    Subject subject = read_subject(file.path, illuminant);
    for (std::string const& sentence : subject.notices) notice(file.path.string() + ": " + sentence);
    SheetView view{file.caption, std::move(subject.image), reports.view_width_mm};
    if (subject.film && subject.film->scene().camera.kind == CameraKind::orthographic)
        view.width_mm = subject.film->scene().camera.ortho_width_mm;
    return view;
}

} // namespace

ComparedPair compare(Subject test, Subject reference, CompareRequest const& request, ReportRequest const& reports,
                     int threads)
{
    Criteria criteria = request.criteria;
    choose_layers(test, reference, request.layers);
    prepare_subject(test, request.transfers.test, request.channels);
    prepare_subject(reference, request.transfers.reference, request.channels);
    if (request.resample == Resample::area) resample_subject(reference, test.image.width, test.image.height);
    leave_out_uncovered(test, reference);
    add_map_metrics(criteria, reports, test);
    criteria.settings.threads = threads;
    if (criteria.expectation) criteria.expectation->threads = threads;
    Verdict verdict = judge(test, reference, criteria);
    return {std::move(test), std::move(reference), std::move(verdict), std::move(criteria)};
}

SheetLabels collect_labels(ReportRequest const& reports, Illuminant illuminant, NoticeSink const& notice)
{
    SheetLabels labels = reports.labels;
    for (ViewFile const& file : reports.views) labels.views.push_back(read_view(file, reports, illuminant, notice));
    return labels;
}

void write_reports(ReportRequest const& reports, ReportedPair const& pair, SheetLabels const& labels,
                   NoticeSink const& notice)
{
    for (MapOutput const& output : reports.maps) {
        if (auto const map = find_error_map(pair.verdict, output.name))
            write_error_map(output.path, *map, pair.test.image.width, pair.test.image.height);
        else
            notice(fmt::format("no map '{}' is written, because the metric has none or nothing was compared",
                               output.name));
    }
    write_sheets(reports, pair, labels, notice);
    if (reports.junit) {
        NamedVerdict const named{pair.name, pair.verdict, pair.criteria};
        write_text(*reports.junit, format_junit("volcompare", {&named, 1}));
    }
    if (reports.html) write_text(*reports.html, format_html("volcompare: " + pair.name, {&pair, 1}));
}

void write_view_sheets(ReportRequest const& reports, SheetLabels const& labels)
{
    for (std::filesystem::path const& path : reports.sheets) {
        if (is_display_image(path))
            write_image(path, draw_view_sheet(labels));
        else
            write_text(path, format_view_sheet(path.stem().string(), labels));
    }
}

std::vector<std::filesystem::path> list_reports(ReportRequest const& reports)
{
    std::vector<std::filesystem::path> outputs = reports.sheets;
    for (MapOutput const& map : reports.maps) outputs.push_back(map.path);
    for (auto const& output : {reports.junit, reports.html, reports.plot})
        if (output) outputs.push_back(*output);
    return outputs;
}

void add_page_metrics(Criteria& criteria, Image const& image)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    criteria.metrics.emplace_back("bias");
    if (has_colours(image)) criteria.metrics.insert(criteria.metrics.end(), {"flip", "de2000"});
    criteria.settings.keep_map = KeepMap::yes;
}

void write_text(std::filesystem::path const& path, std::string const& text)
{
    write_file_atomically(path, std::as_bytes(std::span(text)));
}

} // namespace volpt
