// Fuzz target of TIFF pictures: whatever becomes of the process that reads, the parent gets an Error of input or a
// whole picture.
#include "formats/tiff/picture.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"
#include "tests/fuzz/sandboxed_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    try {
        check_image(to_floats(
            decode_tiff_picture({reinterpret_cast<std::byte const*>(data), size_bytes}, "fuzz", test::kFuzzLimits)));
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    return 0;
}
