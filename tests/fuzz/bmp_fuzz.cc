// Fuzz target of the BMP decoder: an Error of input is fine, anything else thrown is a finding.
#include "libvolpt/image/codecs/bmp_picture.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    try {
        check_image(to_floats(decode_bmp({reinterpret_cast<std::byte const*>(data), size_bytes}, "fuzz")));
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    return 0;
}
