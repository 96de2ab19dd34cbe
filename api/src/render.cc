#include "volpt/render.h"

#include "api/src/access.h"
#include "kernels/gpu_backend.h"
#include "tools/volrender/held_render.h"

namespace volpt::v0 {
namespace {

RenderResult render_samples_of(Volume const& volume, volpt::Film const* resumed, Options const& options,
                               Watch const& watch)
{
    return translate_errors([&] {
        HeldInputs held{Access::of(volume), resumed != nullptr ? std::optional(*resumed) : std::nullopt};
        volpt::ProgressSink progress;
        if (watch.progress)
            progress = [&](volpt::Progress const& done) { return watch.progress({done.done, done.total, done.unit}); };
        HeldRender rendered = render_held(
            volume.path(), spell_options(options), std::move(held),
            watch.notice ? watch.notice : [](std::string_view) {}, progress);
        bool const is_finished = rendered.report.end == RenderEnd::finished;
        return RenderResult{Access::make(std::move(*rendered.film)), is_finished, describe_render(rendered.report)};
    });
}

} // namespace

RenderResult render(Volume const& volume, Options const& options, Watch const& watch)
{
    return render_samples_of(volume, nullptr, options, watch);
}

RenderResult resume(Film const& film, Volume const& volume, Options const& options, Watch const& watch)
{
    return render_samples_of(volume, &Access::of(film), options, watch);
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
