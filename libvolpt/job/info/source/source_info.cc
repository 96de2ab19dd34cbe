#include "libvolpt/job/info/source/source_info.h"

#include "formats/input_format.h"
#include "libvolpt/job/info/source/source_report.h"
#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <string_view>

namespace volpt {
namespace {

/// Error (input) for what volprep makes volumes of, but which holds no numbers to tell of.
void refuse_other_inputs(std::string const& input)
{
    InputFormat const format = find_input_format(input);
    if (format == InputFormat::mitsuba_scene || format == InputFormat::mcx_input)
        fail_input("this is a scene, not a volume of numbers", input, {},
                   fmt::format("pack it: volprep {} -o scene.vpk; volinfo scene.vpk", input));
    if (format == InputFormat::triangle_mesh)
        fail_input("this is a triangle mesh, not a volume of numbers", input, {},
                   fmt::format("volprep {} --check-mesh tells of it", input));
}

void refuse_if(bool is_given, std::string_view option, std::string const& what, std::string const& advice)
{
    if (is_given) fail_usage(fmt::format("--{} has no meaning for {}", option, what), advice);
}

/// As volprep does. Error (usage) for options of other formats.
void check_options(SourceInfoRequest const& request, std::string_view format, NoticeSink const& notice)
{
    auto const& [dims, type, read, vdb, dicom] = request.file;
    std::string const& input = request.input;
    bool const of_openvdb = format == "openvdb", of_slices = format == "slices", of_dicom = format == "dicom";
    bool const has_kind = of_slices || of_openvdb || of_dicom;
    std::string const kind = of_slices ? "slices" : of_dicom ? "a DICOM series" : "an OpenVDB file";
    std::string const of_headerless = "it describes a headerless file: leave it out";
    refuse_if(has_kind && dims, "dims", kind, of_headerless);
    refuse_if(has_kind && type, "type", kind, of_headerless);
    refuse_if(!of_dicom && !dicom.series.empty(), "series", input + ", which is no DICOM series", "leave it out");
    refuse_if(!of_openvdb && !vdb.density_grid.empty(), "density-grid", input + ", which is no OpenVDB file",
              "leave it out");
    refuse_if(of_openvdb && !read.part.channel.empty(), "channel", kind, "give --density-grid NAME");
    refuse_if(of_openvdb && read.part.volume, "volume", kind, "give --density-grid NAME");
    if (has_kind && read.outside == OutsideFiles::allowed) notice("--allow-outside has no effect on " + kind);
}

/// One object for one channel, else a list.
template <typename Report>
nlohmann::ordered_json report_channels(std::vector<ChannelStatistics> const& channels, Report report)
{
    if (channels.size() == 1) return report(channels.front());
    auto list = nlohmann::ordered_json::array();
    for (ChannelStatistics const& channel : channels) list.push_back(report(channel));
    return list;
}

std::vector<ChannelStatistics> count_numbers(VolumeSource& source, int threads, ProgressSink const& progress)
{
    if (progress && !progress({}))
        fail_system("stopped before all numbers were counted", source.meta().path, "start again");
    source.use_threads(threads);
    return measure_values(source, progress);
}

} // namespace

SourceInfo info(SourceInfoRequest const& request, JobSinks const& sinks)
{
    bool const is_counted = request.histogram == Histogram::counted;
    if (is_counted && request.depth == SourceDepth::header)
        fail_usage("--header reads no numbers that --histogram could count", "leave one of the two out");
    if (!request.file.dims) refuse_other_inputs(request.input);
    std::string_view const format = find_source_format(request.input, request.file);
    check_options(request, format, sinks.notice);
    auto const source = open_source_file(request.input, request.file);
    SourceInfo told{describe_source(source->meta(), format), {}};
    std::vector<std::string> notices = source->meta().notices;
    if (source->meta().job) {
        source->use_threads(request.threads);
        told.report["job"] = report_print_job(source->meta(), request.depth == SourceDepth::values
                                                                  ? count_pixels(*source, sinks.progress)
                                                                  : PixelCounts{});
    }
    if (request.depth == SourceDepth::values) {
        told.channels = count_numbers(*source, request.threads, sinks.progress);
        notices = list_source_notices(*source, told.channels);
        told.report["values"] = report_channels(told.channels, report_values);
        if (auto const window = suggest_window(source->meta(), told.channels)) {
            told.report["suggested_window"] = *window;
            told.report["suggested_option"] = spell_options(*window, told.channels);
        }
        if (is_counted)
            told.report["histogram"] = report_channels(
                told.channels, [](ChannelStatistics const& channel) { return report_histogram(channel.histogram); });
    }
    told.report["notices"] = notices;
    for (std::string const& notice : notices) sinks.notice(notice);
    return told;
}

} // namespace volpt
