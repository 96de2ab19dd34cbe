#include "libvolpt/job/bands/picture_bands.h"

#include "libvolpt/image/image.h"
#include "libvolpt/job/scene_request.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/bands/match_bands.h"

#include <algorithm>

namespace volpt {
namespace {

bool is_colour(std::vector<float> const& values)
{
    return values.size() == kRgbBands &&
           std::ranges::adjacent_find(values, std::ranges::not_equal_to()) != values.end();
}

bool is_colour(std::optional<std::vector<float>> const& values)
{
    return values && is_colour(*values);
}

void average(std::vector<float>& values)
{
    if (is_colour(values)) values = {0.2126f * values[0] + 0.7152f * values[1] + 0.0722f * values[2]};
}

void average(std::optional<std::vector<float>>& values)
{
    if (values) average(*values);
}

} // namespace

ImageColour find_colour(Image const& image)
{
    Channel const *const r = image.find("R"), *const g = image.find("G"), *const b = image.find("B");
    if (image.find("Y") != nullptr || r == nullptr || g == nullptr || b == nullptr) return ImageColour::grey;
    return r->values == g->values && r->values == b->values ? ImageColour::grey : ImageColour::coloured;
}

bool has_coloured_light(SceneRequest const& request, SceneHints const& hints, ImageColour image)
{
    bool const has_colour = is_colour(request.ground.albedo) || is_colour(request.ground.other_albedo) ||
                            std::ranges::any_of(request.emitters.emitters, [](Emitter const& it) {
                                return is_colour(it.amount) || it.temperature_k != 0;
                            });
    if (has_colour || request.probe.is_given()) return has_colour;
    if (is_colour(request.light.radiance) || is_colour(request.light.below)) return true;
    if (image == ImageColour::coloured) return true;
    return hints.environment && is_colour(hints.environment->radiance);
}

std::uint32_t choose_bands(VolumeMeta const& volume, SceneRequest const& request, SceneHints const& hints,
                           ImageColour image, std::optional<std::uint32_t> film_bands)
{
    if (!volume.is_grey()) return volume.bands();
    bool const keeps_own = request.bands == PictureBands::of_volume;
    if (!film_bands) return !keeps_own && has_coloured_light(request, hints, image) ? kRgbBands : volume.bands();
    if (*film_bands != kRgbBands) return volume.bands();
    if (keeps_own)
        fail_usage("--bands volume is given, but the film has three bands", "leave it out, or start a new film");
    return kRgbBands;
}

SceneRequest take_luminance(SceneRequest request)
{
    average(request.light.radiance);
    average(request.light.below);
    average(request.ground.albedo);
    average(request.ground.other_albedo);
    for (Emitter& emitter : request.emitters.emitters) {
        average(emitter.amount);
        emitter.temperature_k = 0; // the one amount is a luminance
    }
    return request;
}

void report_widened(NoticeSink const& notice)
{
    notice("light or ground has a colour, so that this grey volume is rendered in three bands, red, green and blue; "
           "--bands volume keeps it grey");
}

} // namespace volpt
