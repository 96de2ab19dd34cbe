// Fuzz target of the JPEG decoder.
#include "tests/fuzz/fuzz_codec.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_codec("jpg", data, size_bytes);
}
