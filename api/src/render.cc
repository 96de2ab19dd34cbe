#include "volpt/render.h"

#include "api/src/access.h"
#include "api/src/guarded_watch.h"
#include "kernels/gpu_backend.h"
#include "tools/volrender/held_render.h"

namespace volpt::v0 {
namespace {

RenderResult render_samples_of(Volume const& volume, volpt::Film const* resumed, Options const& options,
                               Watch const& watch)
{
    GuardedWatch guarded(watch);
    RenderResult result = translate_errors([&] {
        HeldInputs held{Access::of(volume), resumed != nullptr ? std::optional(*resumed) : std::nullopt};
        HeldRender rendered = render_held(volume.path(), spell_options(options), std::move(held), guarded.notice_sink(),
                                          guarded.progress_sink());
        return RenderResult{Access::make(std::move(*rendered.film), rendered.job), is_finished(rendered),
                            rendered.failure ? rendered.failure->what() : "", describe_render(rendered)};
    });
    guarded.rethrow_failure();
    return result;
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
