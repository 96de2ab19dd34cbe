// Makes images displayable.
#include "libvolpt/stats/report/displayed.h"

#include "libvolpt/image/codecs/codecs.h"

#include <algorithm>
#include <cmath>

namespace volpt {

Image make_displayable(Image const& image)
{
    bool const colour = image.find("R") && image.find("G") && image.find("B");
    Image shown = make_image(image.width, image.height, image.transfer, {});
    if (colour)
        for (char const* name : {"R", "G", "B"}) shown.channels.push_back(*image.find(name));
    else
        shown.channels.push_back({"Y", (image.find("Y") ? *image.find("Y") : image.channels.front()).values});
    for (Channel& channel : shown.channels)
        for (float& value : channel.values) value = std::isnan(value) ? 0 : std::clamp(value, 0.0f, 1.0f);
    return shown.transfer == Transfer::linear ? tone_map(shown, 1) : shown;
}

} // namespace volpt
