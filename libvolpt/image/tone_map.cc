// Linear radiance to display values: exposure, clamp, the sRGB transfer function of IEC 61966-2-1:1999.
#include "libvolpt/image/codecs/codecs.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

/// Values that are no number become 0.
float encode_clamped(double linear)
{
    if (!(linear > 0)) return 0.0f;
    if (linear >= 1) return 1.0f;
    return static_cast<float>(encode_srgb(linear));
}

} // namespace

Image tone_map(Image const& linear, float exposure)
{
    if (linear.transfer != Transfer::linear) fail_usage("tone mapping starts from linear values; these are sRGB-coded");
    Image mapped = make_image(linear.width, linear.height, Transfer::srgb, {});
    mapped.metadata = linear.metadata;
    bool const colour = linear.find("R") && linear.find("G") && linear.find("B");
    if (!colour && !linear.find("Y")) fail_usage("tone mapping needs the channels R, G, B or Y", "write .exr instead");
    for (char const* name : {"R", "G", "B", "Y"}) {
        if ((name[0] == 'Y') == colour) continue;
        Channel& to = mapped.add_channel(name);
        Channel const& from = *linear.find(name);
        for (std::size_t i = 0; i < to.values.size(); ++i)
            to.values[i] = encode_clamped(static_cast<double>(from.values[i]) * static_cast<double>(exposure));
    }
    return mapped;
}

} // namespace volpt
