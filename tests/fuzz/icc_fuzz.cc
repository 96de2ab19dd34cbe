// Fuzz target of colour profiles: applied to a picture of grey, R G B or C M Y K (by the first byte), any bytes give
// colours, a note or an Error of input.
#include "libvolpt/image/icc/convert_profile.h"
#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    if (size_bytes == 0) return 0;
    std::vector<std::string> const models[] = {{"Y"}, {"R", "G", "B"}, {"C", "M", "Y", "K"}};
    Image image = make_image(3, 1, Transfer::srgb, models[data[0] % 3]);
    for (Channel& channel : image.channels) channel.values = {0, 0.4f, 1};
    auto const* const bytes = reinterpret_cast<std::byte const*>(data);
    image.profile = {"fuzz", {bytes + 1, bytes + size_bytes}};
    try {
        apply_profile(image, "fuzz");
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    for (Channel const& channel : image.channels)
        for (float const value : channel.values)
            if (!(value - value == 0)) std::abort();
    return 0;
}
