// Collects pictures, map, patches and figures of a contact sheet.
#include "libvolpt/stats/report/contact_parts.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/stats/report/displayed.h"
#include "libvolpt/sys/error.h"

#include <algorithm>

namespace volpt {

ContactParts collect_contact_parts(ReportedPair const& pair, std::vector<Patch> const& patches)
{
    auto const map = find_error_map(pair.verdict, "de2000");
    if (!map)
        fail_usage("a contact sheet needs the Delta E 2000 map", "compare two pictures of equal size with colours");
    ContactParts parts{
        make_displayable(pair.reference.image),
        make_displayable(pair.test.image),
        *map,
        paint(map->values, pair.test.image.width, pair.test.image.height, map->scale),
        measure_patches(pair.reference.image, pair.test.image, patches, pair.criteria.settings.illuminant),
        pair.criteria.settings.illuminant,
        {}};
    std::ranges::copy_if(pair.verdict.image.values, std::back_inserter(parts.figures),
                         [](MetricValue const& value) { return value.name.starts_with("de2000"); });
    return parts;
}

PaintColour show_colour(Colour rgb)
{
    Image pixel = make_image(1, 1, Transfer::linear, {"R", "G", "B"});
    for (std::size_t c = 0; c < 3; ++c) pixel.channels[c].values[0] = rgb[c];
    pixel = tone_map(pixel, 1);
    return {pixel.channels[0].values[0], pixel.channels[1].values[0], pixel.channels[2].values[0]};
}

} // namespace volpt
