// volrender: path-traces a packed volume into a film and pictures.
#include "tools/options/tool.h"
#include "tools/volrender/device.h"
#include "tools/volrender/job.h"
#include "tools/volrender/ranks.h"
#include "tools/volrender/report.h"
#include "tools/volrender/run.h"

#include <fmt/format.h>

namespace volpt {
namespace {

Provenance make_render_provenance(ToolRun const& run, RenderReport const& report)
{
    Provenance provenance = make_provenance("volrender", run.command_line);
    provenance.set("volume", run.arguments[0]);
    provenance.set("device", report.device);
    provenance.set("kernel", report.kernel);
    provenance.set("threads", std::to_string(run.common.threads));
    provenance.set("seconds_render", fmt::format("{:.6f}", report.seconds_render));
    return provenance;
}

/// Renders the same samples again and again, a warm-up first; the last trial's film is written.
ExitStatus run_trials(ToolRun const& run, RenderGroups const& groups, RenderJob const& job)
{
    std::vector<RenderReport> trials;
    for (int i = -1; i < groups.device.trials; ++i) {
        Film film = *job.film;
        RenderReport const report = run_render(run, groups, job.default_samples, job.scene(), film, job.options).report;
        if (report.end != RenderEnd::finished)
            fail_system("interrupted", "--trials", "let all trials run to their end");
        if (i >= 0) trials.push_back(report);
        if (i + 1 < groups.device.trials) continue;
        film.provenance = make_render_provenance(run, report);
        write_film_outputs(film, job.outputs, groups.output.how);
        print_trials(trials, film, run.common.answer);
    }
    return ExitStatus::done;
}

/// Every film among the outputs is written now and then.
void keep_checkpoints(ToolRun const& run, RenderGroups const& groups, RenderJob& job)
{
    if (groups.samples.checkpoint_s > 0) job.options.checkpoint_s = groups.samples.checkpoint_s;
    job.options.write_checkpoint = [&run, films = list_films(job.outputs)](Film& film) {
        film.provenance = make_provenance("volrender", run.command_line);
        film.provenance.set("volume", run.arguments[0]);
        for (std::filesystem::path const& path : films) write_film(path, film);
    };
}

std::string tell_how_to_go_on(std::vector<std::filesystem::path> const& outputs)
{
    for (std::filesystem::path const& output : outputs)
        if (output.extension() == ".vpf") return fmt::format("--resume {} --spp N goes on with it", output.string());
    return "no .vpf was among the outputs, so nothing can be resumed";
}

/// What a full disk or a vanished folder would cost: the film goes where temporary files go. Error (system) in any
/// case.
[[noreturn]] void rescue_film(Film const& film, Error const& error)
{
    std::filesystem::path const path =
        std::filesystem::temp_directory_path() / fmt::format("volrender-{}.vpf", to_hex(hash_film(film)));
    try {
        write_film(path, film);
    } catch (Error const&) {
        throw error;
    }
    fail_system(fmt::format("{}; the film was written to {} instead", error.what(), path.string()), "volrender",
                "move it to where there is room");
}

void write_outputs(Film const& film, RenderJob const& job, RenderGroups const& groups)
{
    try {
        write_film_outputs(film, job.outputs, groups.output.how);
    } catch (Error const& error) {
        if (error.status() == ExitStatus::system && !list_films(job.outputs).empty()) rescue_film(film, error);
        throw;
    }
}

ExitStatus render_job(ToolRun const& run, RenderGroups const& groups, RenderJob& job)
{
    if (groups.device.trials > 0) return run_trials(run, groups, job);
    keep_checkpoints(run, groups, job);
    Film& film = *job.film;
    RenderOutcome const outcome = run_render(run, groups, job.default_samples, job.scene(), film, job.options);
    RenderReport const& report = outcome.report;
    if (run.common.verbosity == Verbosity::verbose)
        for (WorkerReport const& worker : report.workers)
            for (std::string const& line : describe_worker(worker)) run.notice(line);
    film.provenance = make_render_provenance(run, report);
    write_outputs(film, job, groups);
    report_cut_paths(film, run.notice);
    report_lost_light(film.scene(), run.notice);
    print_answer(film, outcome, groups, run.common.answer);
    report_ceiling(outcome, groups, run.notice);
    if (report.end == RenderEnd::time_limit)
        run.notice("the time limit ended the render; " + tell_how_to_go_on(job.outputs));
    if (report.end == RenderEnd::device_failed)
        fail_system(report.failure + "; the samples copied back by then are written", "volrender",
                    tell_how_to_go_on(job.outputs));
    if (report.end == RenderEnd::stopped)
        fail_system("interrupted; the samples done so far are written", "volrender", tell_how_to_go_on(job.outputs));
    return ExitStatus::done;
}

ExitStatus render(ToolRun const& run, RenderGroups const& groups)
{
    if (groups.device.list_kernels) return list_kernels(run.common.answer);
    if (groups.device.list_devices) return list_devices(run.common.answer);
    std::unique_ptr<Communicator> const ranks = join_mpi_job();
    if (!ranks) {
        RenderJob job(run, groups, nullptr);
        return render_job(run, groups, job);
    }
    return render_on_ranks(run, groups, *ranks, [&](RenderJob& job) { return render_job(run, groups, job); });
}

ToolDescription describe_tool()
{
    return {
        .name = "volrender",
        .summary = "Path-traces a packed volume into a film and pictures, the same to the last bit on any machine.",
        .usage = {"VOLUME.vpk -o F.vpf [-o F.exr] [-o F.png] [options]", "VOLUME.vpk --resume F.vpf --spp N",
                  "--list-kernels", "--list-devices"},
        .notes =
            {"Without camera options the whole volume is framed. A render that is interrupted leaves a valid film."},
        .examples =
            {{"volrender head.vpk -o head.vpf -o head.png --spp 256", "renders the framed volume in white light"},
             {"volrender print.vpk -o print.png --origin 0,0,300 --target 0,0,0 --fov 20 --boundary smooth --int-ior "
              "1.5",
              "looks down on a print through its smooth surface"},
             {"volrender print.vpk --probe top --sides periodic -o print.vpf -o print.exr --spp 256",
              "predicts the reflectance of a print, texel by texel"},
             {"volrender head.vpk -o head.vpf --stop-at-de 0.5",
              "as many samples as it takes until noise is hardly seen"},
             {"volrender head.vpk --device cuda --kernel stream_sk --spp 256 --trials 5",
              "measures one kernel on a GPU"},
             {"volrender head.vpk -o head.vpf --devices cpu+all --spp 4096", "on all GPUs and the CPU together"},
             {"mpirun -n 16 volrender head.vpk -o head.vpf --devices all --spp 65536 --checkpoint 600",
              "on the GPUs of a cluster (docs/cluster.md)"},
             {"volrender head.vpk --resume head.vpf --spp 4096", "goes on with a film"},
             {"volrender head.vpk -o part2.vpf --samples 512:512", "the second half of 1024 samples, for volmerge"}},
        .arguments_min = 0,
        .arguments_max = 1,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    volpt::RenderGroups groups;
    return volpt::run_tool(argc, argv, volpt::describe_tool(),
                           {&groups.output, &groups.samples, &groups.camera, &groups.probe, &groups.light,
                            &groups.boundary, &groups.medium, &groups.hints, &groups.device},
                           [&](volpt::ToolRun const& run) { return volpt::render(run, groups); });
}
