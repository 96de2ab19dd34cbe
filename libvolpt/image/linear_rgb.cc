#include "libvolpt/image/linear_rgb.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/colour/vector_math.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace volpt {
namespace {

VOLPT_VECTOR_CLONES void load_plane(Channel const& channel, std::size_t first, std::size_t count, Transfer transfer,
                                    float* to)
{
    float const* const from = channel.values.data() + first;
    // x - x is NaN for NaN and infinity, else 0.
    for (std::size_t i = 0; i < count; ++i) to[i] = from[i] + (from[i] - from[i]);
    if (transfer == Transfer::linear) return;
    for (std::size_t i = 0; i < count; ++i) to[i] = fast::decode_srgb(to[i]);
}

} // namespace

bool has_colours(Image const& image)
{
    return image.find("Y") || (image.find("R") && image.find("G") && image.find("B"));
}

void require_colours(Image const& image, std::string_view metric)
{
    if (!has_colours(image))
        fail_usage(fmt::format("{} is defined for colours, but the images have neither R, G, B nor Y", metric),
                   "name three channels as R,G,B with --channels, or choose another metric");
}

void load_linear_rgb(Image const& image, int y, int x_first, int x_end, ColourRow to)
{
    std::size_t const first =
        static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x_first);
    auto const count = static_cast<std::size_t>(x_end - x_first);
    bool const grey = image.find("R") == nullptr;
    load_plane(*image.find(grey ? "Y" : "R"), first, count, image.transfer, to.first);
    if (grey) {
        std::copy_n(to.first, count, to.second);
        std::copy_n(to.first, count, to.third);
        return;
    }
    load_plane(*image.find("G"), first, count, image.transfer, to.second);
    load_plane(*image.find("B"), first, count, image.transfer, to.third);
}

} // namespace volpt
