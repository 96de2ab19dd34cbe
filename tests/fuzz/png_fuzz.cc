// Fuzz target of the PNG decoder.
#include "tests/fuzz/fuzz_codec.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_codec("png", data, size_bytes);
}
