// Opens what the film was made of and renders with progress.
#include "tools/volcompare/reference.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/render/render_film.h"
#include "libvolpt/scene/light_image.h"
#include "tools/options/interrupt.h"
#include "tools/options/progress_line.h"

namespace volpt {

Film render_cpu_reference(Film const& like, std::filesystem::path const& volume_path,
                          std::optional<std::filesystem::path> const& environment, ToolRun const& run)
{
    PackedVolume const volume = PackedVolume::open(volume_path, VerifyLevel::full);
    std::optional<LightImage> light;
    if (environment)
        light = make_light_image(read_image(*environment), volume.meta().band_numbers, environment->string());
    watch_interrupts();
    ProgressLine progress("reference", run.common.verbosity);
    RenderOptions render;
    render.threads = run.common.threads;
    render.progress = progress.sink();
    return render_reference(volume, like, light ? &*light : nullptr, render);
}

} // namespace volpt
