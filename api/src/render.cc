#include "volpt/render.h"

#include "api/src/access.h"
#include "api/src/guarded_watch.h"
#include "api/src/option_words.h"
#include "formats/tally/tally_file.h"
#include "kernels/gpu_backend.h"
#include "tools/volrender/held_render.h"

namespace volpt::v0 {
namespace {

Tally show_tally(TallyVolume tally, VolumeMeta const& voxels)
{
    auto const& pitch_mm = find_tally_cells(tally, voxels).pitch_mm;
    auto const [nx, ny, nz] = tally.dims;
    return {name_tally_kind(tally.kind),
            spell_tally_unit(tally),
            {tally.gates, tally.bands, static_cast<std::size_t>(nz), static_cast<std::size_t>(ny),
             static_cast<std::size_t>(nx)},
            std::move(tally.values),
            std::move(tally.standard_errors),
            {pitch_mm[0], pitch_mm[1], pitch_mm[2]},
            tally.gate_ns};
}

RenderResult render_samples_of(std::string_view function, Volume const& volume, volpt::Film const* resumed,
                               Options const& options, Watch const& watch)
{
    return run_guarded(watch, [&](GuardedWatch& guarded) {
        refuse_forked_process();
        std::vector<std::string> const words = spell_words(Task::render, function, options);
        HeldInputs held{Access::of(volume), resumed != nullptr ? std::optional(*resumed) : std::nullopt};
        HeldRender rendered =
            render_held(volume.path(), words, std::move(held), guarded.notice_sink(), guarded.progress_sink());
        RenderResult result{Access::make(std::move(*rendered.film), rendered.job), is_finished(rendered),
                            rendered.failure ? std::optional(translate_error(*rendered.failure)) : std::nullopt,
                            describe_render(rendered)};
        if (rendered.tally) result.tally = show_tally(std::move(*rendered.tally), rendered.job->voxels());
        return result;
    });
}

} // namespace

RenderResult render(Volume const& volume, Options const& options, Watch const& watch)
{
    return render_samples_of("render", volume, nullptr, options, watch);
}

RenderResult resume(Film const& film, Volume const& volume, Options const& options, Watch const& watch)
{
    return render_samples_of("resume", volume, &Access::of(film), options, watch);
}

std::vector<std::string> list_gpus()
{
    return translate_errors([] {
        std::vector<std::string> names;
        for (DeviceInfo const& gpu : volpt::list_gpus()) names.push_back(gpu.name);
        return names;
    });
}

} // namespace volpt::v0
