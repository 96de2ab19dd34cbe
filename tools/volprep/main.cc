// volprep: packs measured, synthetic and printed volumes into .vpk files, and exports them again.
#include "formats/input_format.h"
#include "formats/mesh/reader.h"
#include "formats/open_source.h"
#include "formats/slices/job_layers.h"
#include "formats/tiff/picture.h"
#include "formats/writer.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_state.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/stopwatch.h"
#include "libvolpt/sys/text/one_line.h"
#include "tools/options/json_lines.h"
#include "tools/options/output_check.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/volprep/choices/auto_choice.h"
#include "tools/volprep/commands.h"
#include "tools/volprep/lithophane/lithophane_source.h"
#include "tools/volprep/losses.h"
#include "tools/volprep/mesh/mesh_report.h"
#include "tools/volprep/packed_source.h"
#include "tools/volprep/presets/preset_list.h"
#include "tools/volprep/print/printed_job.h"
#include "tools/volprep/report.h"
#include "tools/volprep/sources.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <string_view>

namespace volpt {
namespace {

/// As shells complete them: an input or a command, and what a command takes.
std::vector<ToolArgument> list_arguments()
{
    std::string const inputs = list_input_extensions();
    std::string first = "INPUT";
    for (ToolCommand const& command : list_commands()) first += "|" + command.name;
    return {{first, {.files = inputs}},
            {"INPUT|" + join_words<MadeShape>(),
             {.files = fmt::format("{} {}", inputs, list_image_extensions(ImageAccess::read))}},
            {"OUT", list_export_choices()}};
}

ToolDescription describe_tool()
{
    return {
        .name = "volprep",
        .summary = fmt::format(
            "{} Reads {}, folders and patterns of PNG "
            "slices, Mitsuba scenes (.xml), inputs of MCX (.json), triangle meshes ({}), headerless files (--dims, "
            "--type) and .vpk.",
            summarise_tool("volprep"), list_reader_extensions(), list_mesh_extensions()),
        .usage = {"INPUT -o OUT.vpk [options]", "pack INPUT -o OUT.vpk [options]",
                  "print PICTURE|MESH --materials TABLE -o OUT.vpk [options]",
                  "make SHAPE --size x,y,z -o OUT.vpk [options]",
                  "export IN.vpk OUT.mha|.nrrd|.vti|.raw|.gcvf|.vdb|slice%04d.png [options]", "check MESH",
                  "COMMAND --help", "--list-materials"},
        .notes =
            {"A command is the first word; its --help shows the options that it takes. A file of a command's name is "
             "./print. Without a command, one of --print, --print-mesh, --make, --slab, --export and --check-mesh says "
             "what "
             "is done, and a file alone is packed.",
             "Lengths are in mm unless they have a unit (um, cm, m). Extinction is in 1/mm. Formats and conventions: "
             "docs/tools/volprep.md."},
        .examples =
            {{"volprep head.mha --window -1000,1000 --scale 2 -o head.vpk",
              "map CT values -1000..1000 to density 0..1, with an extinction of 2/mm at 1"},
             {"volprep head.nii.gz --auto -o head.vpk",
              "choose window, extinction or materials by what is in the file"},
             {"volprep head.mha --opacity -1000:0,0:0,300:1 --scale 2 -o bone.vpk",
              "density by a curve: none up to 0, 1 from 300 on, linear in between"},
             {"volprep head.vpk --window -200,800 -o bone.vpk",
              "another window for a packed volume, without head.mha, where it keeps the numbers"},
             {"volprep Bucky.raw --dims 32,32,32 --type u8 --pitch 1mm --scale 0.02 -o bucky.vpk",
              "pack a headerless file"},
             {"volprep slices/ --materials elek2017 --air black --pitch 42.3um,84.7um,27um --core 10mm -o job.vpk",
              "pack a print job, PNG slices whose colours name materials, on a core of 10 mm of white; black is "
              "what surrounds the object"},
             {"volprep job.gcvf --materials elek2017 -o job.vpk",
              "pack a GrabCAD Voxel Print job, whose manifest has voxel size and background"},
             {"volprep export print.vpk job.gcvf --printer j750",
              "write a job for a printer, checked against its limits"},
             {"volprep cube60.json -o cube60.vpk",
              "pack an input of MCX: media, shapes, source and time gates; volrender cube60.vpk --tally fluence -o "
              "dose.jnii then renders it"},
             {"volprep head.mha --crop 0:256,0:256,40:90 --window -1000,1000 -o part.vpk", "pack a part of a volume"},
             {"volprep print picture.png --width 60mm --thickness 3mm --materials elek2017 -o print.vpk",
              "print a picture 60 mm wide and as high as its aspect ratio says, 3 mm thick, inks in the upper half "
              "millimetre"},
             {"volprep print picture.png --size 50mm,50mm --ink-depth 0.5mm --core 9.5mm --materials "
              "elek2017 -o print.vpk",
              "print a picture with both sides and the core given"},
             {"volprep make cube --size 1mm --sigma-t 100 --albedo 1 -o cube.vpk", "make a white homogeneous cube"},
             {"volprep make slab chart.png --dims 400,400,100 --size 17mm,17mm,2.7mm --sigma-t 20 -o print.vpk",
              "make a white slab with an image as the albedo of its top tenth"},
             {"volprep figurine.stl --sigma-t 20 --albedo 0.99 -o figurine.vpk",
              "fill a closed mesh with a homogeneous medium"},
             {"volprep tooth.stl --medium ct.vpk -o tooth.vpk", "cut what a closed mesh encloses out of a volume"},
             {"volprep print figurine.glb --mesh-up +y --size 60mm,, --materials elek2017 --ink-depth 1mm "
              "--texture skin.png -o f.vpk",
              "print a textured mesh, 60 mm wide: inks in a shell of a millimetre, white within"},
             {"volprep print figurine.glb --mesh-up +y --size 60mm,, --materials elek2017 --printer j750 "
              "-o f.vpk --export f.gcvf",
              "the same, and at once the job for the printer"},
             {"volprep print figurine.obj --size ,,40mm --materials elek2017 --clear-coat 0.2mm -o f.vpk",
              "print a mesh under a clear coat"},
             {"volprep slices/ --materials elek2017 --air black --pitch 40um --surface smooth -o figurine.vpk",
              "bound a print job by the smoothed surface of its voxels instead of by a box"},
             {"volprep export head.vpk head_density.mha", "export the densities for other programs"},
             {"volprep check figurine.stl", "tell whether a mesh is the closed surface of a solid"}},
        .commands = list_commands(),
        .arguments = list_arguments(),
        .arguments_max = 1};
}

/// Whether a file is one that `pattern`, "slice%04d.png", stands for.
bool is_of_pattern(std::filesystem::path const& file, std::filesystem::path const& pattern)
{
    std::string const name = file.filename().string(), text = pattern.filename().string();
    std::size_t const begin = text.find('%'), end = text.find('d', begin);
    if (begin == std::string::npos || end == std::string::npos) return false;
    std::string_view const before = std::string_view(text).substr(0, begin),
                           after = std::string_view(text).substr(end + 1);
    if (name.size() <= before.size() + after.size() || !name.starts_with(before) || !name.ends_with(after))
        return false;
    std::string const number = name.substr(before.size(), name.size() - before.size() - after.size());
    bool const is_number = number.find_first_not_of("0123456789") == std::string::npos;
    std::error_code ignored;
    return is_number && std::filesystem::equivalent(std::filesystem::absolute(file).parent_path(),
                                                    std::filesystem::absolute(pattern).parent_path(), ignored);
}

void check_outputs(ToolRun const& run, VolprepOptions const& options)
{
    std::vector<std::filesystem::path> inputs(run.arguments.begin(), run.arguments.end());
    for (auto const& input : {options.volume.transfer, options.volume.materials, options.slab.texture_path,
                              options.lithophane.path, options.picture.path, options.picture.profile_path,
                              options.print_mesh.texture_path, options.mesh.medium_path})
        if (input) inputs.emplace_back(*input);
    VolumeFileOptions const& output = options.output;
    if (output.printer) inputs.emplace_back(*output.printer);
    for (std::filesystem::path const& input : inputs)
        if (output.export_path && is_of_pattern(input, *output.export_path))
            fail_usage(fmt::format("the input {} is one of the files of {}", input.string(), *output.export_path),
                       "name another output");
    std::vector<std::filesystem::path> outputs;
    for (auto const& path : {output.output_path, output.export_path})
        if (path) outputs.emplace_back(*path);
    refuse_overwriting(run, inputs, outputs);
}

/// Error (input) if the printer does not print the volume; Error (usage) if no job is exported.
void check_printer(PackedVolume const& volume, std::string const& path, VolumeFileOptions const& output)
{
    std::string const extension = std::filesystem::path(*output.export_path).extension().string();
    if (extension != ".gcvf" && extension != ".png")
        fail_usage("--printer has no meaning for " + *output.export_path, "a printer takes .gcvf or slice%04d.png");
    JobLayers const layers(volume, JobBackground::black);
    check_printer_limits(*output.printer, volume.meta(), static_cast<int>(layers.materials().size()), path);
}

ExitStatus write_export(ToolRun const& run, VolprepOptions const& options)
{
    if (run.arguments.empty() || !is_packed_volume(run.arguments[0]))
        fail_usage("--export needs a packed volume", "give a .vpk; volprep INPUT -o OUT.vpk makes one");
    PackedVolume const volume = PackedVolume::open(run.arguments[0], VerifyLevel::full);
    if (!volume.surface().is_empty())
        fail_usage(fmt::format("{} is bounded by a triangle mesh, and --export writes its voxels alone, a box",
                               run.arguments[0]),
                   "use the mesh that it was packed from");
    if (options.output.printer) check_printer(volume, run.arguments[0], options.output);
    ProgressLine line("export", run.common.verbosity);
    auto const exported = export_volume(volume, *options.output.export_path, line.sink(), options.output.export_plane);
    for (auto const& notice : exported.notices) run.notice(notice);
    std::string_view const type = element_name(exported.element);
    if (run.common.wants_json())
        fmt::print("{}\n", format_json(nlohmann::ordered_json{{"output", *options.output.export_path},
                                                              {"dims", exported.dims},
                                                              {"channels", exported.channels},
                                                              {"type", type}}));
    else
        fmt::print("{}: {} {} of type {}, little-endian, x fastest\n", to_one_line(*options.output.export_path),
                   fmt::join(exported.dims, "x"),
                   exported.channels == 1 ? std::string("numbers") : fmt::format("times {} numbers", exported.channels),
                   type);
    return ExitStatus::done;
}

template <class Report>
void print_report(ToolRun const& run, Report const& report)
{
    if (writes_json_lines()) return write_json_line({{"answer", parse_json(format_json(report))}});
    fmt::print("{}", run.common.wants_json() ? format_json(report) : format_text(report));
}

ExportedVolume write_job(ToolRun const& run, PrintedJob& job)
{
    ProgressLine line("export", run.common.verbosity);
    auto exported = job.write(line.sink());
    for (auto const& notice : exported.notices) run.notice(notice);
    return exported;
}

ExitStatus list_grids(ToolRun const& run)
{
    if (run.arguments.empty() || !is_openvdb(run.arguments[0]))
        fail_usage("--list-grids needs an OpenVDB file", "give a .vdb; other formats hold one volume");
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (auto const& grid : list_openvdb_grids(run.arguments[0])) {
        if (!run.common.wants_json())
            fmt::print("{}\n",
                       to_one_line(fmt::format("{}: {}, {}, voxel {:g}, {} active voxels", grid.name, grid.type,
                                               grid.grid_class, fmt::join(grid.voxel_size, "x"), grid.active_voxels)));
        list.push_back({{"name", grid.name},
                        {"type", grid.type},
                        {"class", grid.grid_class},
                        {"voxel_size", grid.voxel_size},
                        {"active_voxels", grid.active_voxels}});
    }
    if (run.common.wants_json()) fmt::print("{}\n", format_json(list));
    return ExitStatus::done;
}

ExitStatus check_given_mesh(ToolRun const& run)
{
    if (run.arguments.empty())
        fail_usage("--check-mesh needs a triangle mesh", fmt::format("give one of {}", list_mesh_extensions()));
    return report_mesh(run, run.arguments[0]);
}

ExitStatus list_presets(ToolRun const& run)
{
    if (!run.arguments.empty())
        fail_usage("--list-materials lists what comes with the programs", "leave out " + run.arguments[0]);
    auto const presets = report_presets();
    fmt::print("{}", run.common.wants_json() ? format_json(presets, 2) + "\n" : format_presets(presets));
    return ExitStatus::done;
}

void read_all_layers(ToolRun const& run, VoxelStream& stream, std::string const& path)
{
    ProgressLine line("print", run.common.verbosity);
    ProgressSink const progress = line.sink();
    stream.use_threads(run.common.threads);
    int const layers = stream.meta().dims[2];
    for (int z = 0, count = 0; z < layers; z += count) {
        count = std::min(stream.layers_at_a_time(), layers - z);
        stream.read_slab(z, count);
        if (progress &&
            !progress({static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(layers), "slices"}))
            fail_system("stopped before the print was complete", path, "nothing was written; start again");
    }
}

/// A print as a job alone.
ExitStatus print_job(ToolRun const& run, VolprepOptions const& options)
{
    auto const start = std::chrono::steady_clock::now();
    PrintedJob job(*options.output.export_path, options.output.printer, run.common.threads);
    auto const stream = open_voxel_stream(run, options, &job);
    read_all_layers(run, *stream, *options.output.export_path);
    if (refuses_losses(run)) tell_losses(run, stream->list_notices(), *options.output.export_path);
    JobReport report{write_job(run, job), {}, seconds_since(start), stream->list_notices(), stream->report_json()};
    report.output_path = job.path();
    for (auto const& notice : report.notices) run.notice(notice);
    print_report(run, report);
    return ExitStatus::done;
}

PackStatistics pack_stream(ToolRun const& run, VolprepOptions const& options, VoxelStream& stream)
{
    std::string const source = run.arguments.empty() ? "the volume" : run.arguments[0];
    std::filesystem::path const path = *options.output.output_path;
    Provenance const provenance = describe_run(run, "volprep", options.output.provenance);
    ProgressLine line("pack", run.common.verbosity);
    ProgressSink const shown = line.sink();
    if (refuses_losses(run)) tell_losses(run, stream.list_notices(), source);
    // Notices are complete after the last layer, and the file takes its place after that.
    ProgressSink const progress = [&](Progress const& state) {
        if (refuses_losses(run) && state.done == state.total) tell_losses(run, stream.list_notices(), source);
        return !shown || shown(state);
    };
    return pack_volume(stream, path, provenance, progress, options.output.layer_bytes, run.common.threads);
}

ExitStatus pack(ToolRun const& run, VolprepOptions const& options)
{
    auto const start = std::chrono::steady_clock::now();
    PackReport report;
    report.output_path = *options.output.output_path;
    std::optional<PrintedJob> job;
    if (options.output.export_path && !options.lithophane.path)
        job.emplace(*options.output.export_path, options.output.printer, run.common.threads);
    auto const stream = open_voxel_stream(run, options, job ? &*job : nullptr);
    report.meta = stream->meta();
    report.surface = stream->surface();
    report.surroundings = stream->surroundings();
    report.emitters = stream->emitters();
    report.statistics = pack_stream(run, options, *stream);
    report.elapsed_s = seconds_since(start);
    report.size_bytes = find_file_bytes(report.output_path);
    report.notices = stream->list_notices();
    report.source_values = stream->source_values();
    report.figures_json = stream->report_json();
    if (job) {
        write_job(run, *job);
        report.job_path = job->path();
    }
    if (options.lithophane.path && options.output.export_path) {
        ToolRun silent = run;
        silent.notice = [](std::string_view) {}; // told when the plate was made
        export_lithophane(silent, options);
        report.job_path = *options.output.export_path;
    }
    report.facts = stream->list_facts();
    for (auto const& fact : report.facts) run.notice(fact);
    for (auto const& notice : report.notices) run.notice(notice);
    print_report(run, report);
    return ExitStatus::done;
}

ExitStatus run_volprep(ToolRun const& run, VolprepOptions const& options)
{
    bool const packs = options.output.output_path.has_value();
    bool const prints = options.picture.path || options.print_mesh.is_asked_for;
    bool const prints_job = prints && !packs && options.output.export_path;
    bool const makes_mesh = options.lithophane.path && !packs && options.output.export_path;
    if (makes_mesh) check_options(run.given_options, find_input_kinds(run.arguments, options), run.notice);
    if (!packs && !prints_job && !makes_mesh) check_options(run.given_options, InputKind::not_packed, run.notice);
    if (options.output.list_grids) return list_grids(run);
    if (options.output.check_mesh) return check_given_mesh(run);
    if (options.output.list_materials) return list_presets(run);
    check_outputs(run, options);
    if (prints_job) return print_job(run, options);
    if (makes_mesh) return export_lithophane(run, options);
    return packs ? pack(run, options) : write_export(run, options);
}

/// The same; an error that asks for what --auto chooses says so.
ExitStatus run_advised(ToolRun const& run, VolprepOptions const& options)
{
    try {
        return run_volprep(run, options);
    } catch (Error const& error) {
        ErrorText text = error.text();
        bool const is_of_file =
            !run.arguments.empty() && options.output.output_path && !options.print_mesh.is_asked_for;
        auto const asks_for = [&](char const* option) { return text.what_to_do.find(option) != std::string::npos; };
        if (!is_of_file || !(asks_for("--window LO,HI") || asks_for("--pitch x,y,z"))) throw;
        text.what_to_do += "; --auto chooses it";
        throw Error(error.status(), text);
    }
}

void tell_choice(ToolRun const& run, AutoChoice const& choice, std::vector<std::string> const& told)
{
    if (writes_json_lines()) {
        nlohmann::ordered_json options = nlohmann::ordered_json::array();
        for (auto const& [name, value] : choice.options) options.push_back({{"name", name}, {"value", value}});
        write_json_line(
            {{"auto", {{"command", choice.command}, {"options", std::move(options)}, {"reason", choice.reason}}}});
    } else if (choice.options.empty()) {
        run.notice(fmt::format("--auto chose nothing: {}", choice.reason));
    } else {
        run.notice(fmt::format("--auto: {}; the same by {}", choice.reason, format_command(told)));
    }
}

/// Runs the command line with the chosen options instead of --auto, so that it makes what the told one does.
ExitStatus run_chosen(ToolRun const& run, VolprepOptions const& options, std::string const& command)
{
    AutoChoice const choice = choose_options(run, options);
    std::vector<std::string> given(run.command_line.begin() + (command.empty() ? 1 : 2), run.command_line.end());
    std::erase(given, "--auto");
    std::vector<std::string> chosen;
    for (auto const& [name, value] : choice.options) chosen.push_back("--" + name + (value.empty() ? "" : "=" + value));
    std::vector<std::string> words = given, told = given;
    if (!choice.command.empty()) {
        auto const input = std::ranges::find(words, run.arguments[0]);
        if (input != words.end()) *input = "--" + choice.command + "=" + *input;
        std::erase(words, "--");
        told.insert(told.begin(), choice.command);
    }
    words.insert(words.begin(), chosen.begin(), chosen.end());
    words.insert(words.begin(), "volprep");
    told.insert(std::ranges::find(told, "--"), chosen.begin(), chosen.end()); // after it there are no options
    told.insert(told.begin(), "volprep");
    tell_choice(run, choice, told);
    bool const has_window = std::ranges::find(choice.options, "window", &ChosenOption::name) != choice.options.end();
    NoticeSink const notice = [&](std::string_view text) {
        // Of percentiles, some numbers always are.
        if (!has_window || !text.ends_with("the window were clamped")) run.notice(text);
    };
    VolprepOptions all;
    return run_tool_body(words, all.list_groups(), notice,
                         [&](ToolRun const& again) { return run_volprep(again, all); });
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    add_tiff_pictures();
    if (std::find(argv, argv + argc, std::string_view("--json-lines")) != argv + argc) begin_json_lines();
    VolprepOptions options;
    auto const command = argc > 1 ? describe_command(argv[1]) : std::nullopt;
    return run_tool(argc, argv, command.value_or(describe_tool()), options.list_groups(), [&](ToolRun const& run) {
        watch_interrupts();
        if (!options.output.chooses) return run_advised(run, options);
        return run_chosen(run, options, command ? command->command : std::string());
    });
}
