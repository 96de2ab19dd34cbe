// Renders the CPU reference of a film.
#include "libvolpt/render/reference.h"

#include "libvolpt/sys/error.h"

namespace volpt {

Film render_reference(PackedVolume const& volume, Film const& like, LightImage const* light,
                      RenderOptions const& options)
{
    RenderScene const scene(like.scene(), volume, light, like.seed());
    Film film = make_film(scene, like.seed());
    RenderReport const report = render_ranges(scene, film, like.tile_ranges, options);
    if (report.end != RenderEnd::finished)
        fail_system("the reference was not finished", "CPU reference", "let it run to its end");
    return film;
}

} // namespace volpt
