// volrender: path-traces a packed volume into a film and images, alone or as one process of an MPI job.
#include "libvolpt/render/ranks/communicator.h"
#include "libvolpt/render/ranks/mpi_job.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/text/failure_text.h"
#include "tools/options/own_file.h"
#include "tools/options/progress_line.h"
#include "tools/options/suite/suite_tools.h"
#include "tools/options/tool.h"
#include "tools/render_setup/volume_input.h"
#include "tools/volrender/options.h"
#include "tools/volrender/report.h"
#include "tools/volrender/run.h"

#include <fmt/format.h>
#include <nlohmann/json_fwd.hpp>
#include <sched.h>

namespace volpt {
namespace {

// The most work that is lost where the launcher kills all ranks when one dies.
constexpr double kDefaultCheckpoint_s = 300;

StartFacts list_facts(RenderJob const* job)
{
    if (job == nullptr) return {};
    return {{"version", fmt::format("{} {}", suite_version(), suite_revision())},
            {"scene or volume (scene hash)", to_hex(job->film->scene_hash())},
            {"seed", std::to_string(job->seed())}};
}

/// Many launchers bind a process to one core by default, so that its threads share that core.
void warn_of_binding(RenderJob const& job, ToolRun const& run)
{
    cpu_set_t cores;
    if (sched_getaffinity(0, sizeof(cores), &cores) != 0 || CPU_COUNT(&cores) >= job.render.threads) return;
    run.notice(fmt::format(
        "{} threads share the {} cores to which the launcher bound rank 0; mpirun --bind-to none lifts this",
        job.render.threads, CPU_COUNT(&cores)));
}

/// Makes the job on every rank. If all are the same, rank 0 runs it, prints and writes, and the others render for it.
/// Error on rank 0 for whatever went wrong on any rank.
ExitStatus render_on_ranks(ToolRun const& run, VolrenderOptions const& options, Communicator& ranks)
{
    std::unique_ptr<RenderJob> job;
    std::optional<Error> error_here;
    try {
        if (options.turntable.views)
            fail_usage("--turntable renders on one process", "render each view by an MPI job: --from AZ,EL");
        if (!run.arguments.empty() && !is_own_file(run.arguments[0]))
            fail_usage(fmt::format("{} is no .vpk, which the processes of an MPI job share", run.arguments[0]),
                       fmt::format("make one first: {}", format_volprep(run.arguments[0], {})));
        job = std::make_unique<RenderJob>(make_request(run, options), JobSinks{run.notice, run.detail}, &ranks);
    } catch (Error const& error) {
        error_here = error;
    } catch (std::exception const& error) {
        error_here.emplace(ExitStatus::system, ErrorText{describe_failure(error), "volrender", {}, {}});
    }
    // Status 0: on any other one, a launcher kills rank 0 before it has printed the error.
    if (agree_to_start(ranks, list_facts(job.get()), error_here) == StartVerdict::leave) return ExitStatus::done;
    watch_interrupts();
    if (ranks.rank() != 0) {
        job->render.progress = [](Progress const&) { return !is_interrupted(); };
        follow_renders(job->scene(), job->seed(), job->render, ranks);
        return ExitStatus::done;
    }
    auto const print = [&](nlohmann::ordered_json const& answer) { print_answer(answer, job->outputs, run.common); };
    RemoteRanksGuard const guard(&ranks);
    warn_of_binding(*job, run);
    job->render.ranks = &ranks;
    if (options.samples.request.checkpoint_s == 0 && options.device.trials == 0 && !list_films(job->outputs).empty())
        job->render.checkpoint_s = kDefaultCheckpoint_s;
    if (options.device.trials > 0)
        run_trials(run, *job, options.device.trials);
    else
        run_and_report(run, *job, print);
    return ExitStatus::done;
}

ExitStatus render(ToolRun const& run, VolrenderOptions const& options)
{
    if (options.device.list_kernels) return list_kernels(run.common.answer);
    if (options.scene.preset.lists) return list_scenes(run.common.answer);
    if (options.device.list_devices) return list_devices(run.common.answer);
    if (auto const ranks = join_mpi_job()) {
        replace_lost_pages(); // MPI libraries take the signal for reports of their own
        return render_on_ranks(run, options, *ranks);
    }
    if (options.turntable.views) return render_turntable(run, options);
    RenderRequest request = make_request(run, options);
    refuse_outputs_among(request.volume_path, request.output.files);
    VolumeInput const input(run);
    request.volume = input.open(run.common.threads);
    RenderJob job(std::move(request), {.notice = run.notice, .detail = run.detail});
    if (options.device.trials > 0) {
        run_trials(run, job, options.device.trials);
        return ExitStatus::done;
    }
    run_and_report(run, job,
                   [&](nlohmann::ordered_json const& answer) { print_answer(answer, job.outputs, run.common); });
    return ExitStatus::done;
}

ToolDescription describe_tool()
{
    return {
        .name = "volrender",
        .summary = summarise_tool("volrender"),
        .usage = {"VOLUME.vpk|FILE -o F.vpf [-o F.exr] [-o F.png] [options]", "VOLUME.vpk --resume F.vpf --spp N",
                  "--list-kernels", "--list-devices", "--list-scenes"},
        .notes = {"Without camera options the whole volume is in view. An interrupted render leaves a valid film.",
                  "Any other FILE that volprep reads (a scan, OpenVDB, a mesh, a scene, a print job) is packed for the "
                  "run, and a note says the volprep line that makes the .vpk."},
        .examples =
            {{"volrender head.vpk -o head.vpf -o head.png --spp 256", "render the whole volume in white light"},
             {"volrender head.nii.gz -o head.png", "render a file of another program"},
             {"volrender print.vpk -o print.png --origin 0,0,300 --target 0,0,0 --fov 20 --boundary smooth --int-ior "
              "1.5",
              "look down on a print through its smooth surface"},
             {"volrender figurine.vpk --scene studio --denoise on -o figurine.png",
              "a product picture, lit by soft boxes"},
             {"volrender figurine.vpk --aov all -o figurine.exr",
              "a picture for compositing, with depth, normals, albedo and materials"},
             {"volrender head.vpk --from 0,15 --turntable 24 -o 'head%02d.png'", "render 24 views around an object"},
             {"volrender figurine.vpk --from -y --ground diffuse:0.5 --support-alpha 0.4 -o front.png",
              "look at an object from the front; faces that lay under support are rough"},
             {"volrender figurine.vpk --ground diffuse:0.5 --light 'sphere center=0,-40,60 radius=5mm power=100' -o "
              "lamp.png",
              "light an object by a lamp"},
             {"volrender skin.vpk --integrator light --light 'beam origin=0,0,5 direction=0,0,-1 radius=1mm power=1' "
              "--resolution 1x1 --spp 10000000 --tally absorbed -o dose.nii.gz",
              "measure where the light of a beam is absorbed"},
             {"volrender print.vpk --probe top --sides periodic -o print.vpf -o print.exr --spp 256",
              "predict the reflectance of a print, texel by texel"},
             {"volrender head.vpk -o head.vpf --stop-at-de 0.5", "render until the noise is hardly visible"},
             {"volrender head.vpk --device cuda --kernel stream_sk --spp 256 --trials 5",
              "measure one kernel on a GPU"},
             {"volrender head.vpk -o head.vpf --devices cpu+all --spp 4096", "render on all GPUs and the CPU together"},
             {"mpirun -n 16 volrender head.vpk -o head.vpf --devices all --spp 65536 --checkpoint 600",
              "render on the GPUs of a cluster (docs/cluster.md)"},
             {"volrender head.vpk --resume head.vpf --spp 4096", "continue a film"},
             {"volrender head.vpk -o part2.vpf --samples 512:512",
              "render the second half of 1024 samples, for volmerge"}},
        .status_1 = "--integrator mlt found no path between light and film, and nothing was written",
        .arguments = {{"VOLUME.vpk|FILE", {.files = list_input_choices()}}},
        .arguments_min = 0,
        .arguments_max = 1,
        .advise_unknown = advise_on_option,
    };
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    using namespace volpt;
    VolrenderOptions options;
    return run_tool(argc, argv, describe_tool(), options.list_groups(),
                    [&](ToolRun const& run) { return render(run, options); });
}
