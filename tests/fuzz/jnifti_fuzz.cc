// Fuzz target of the reader of JNIfTI volumes.
#include "tests/fuzz/fuzz_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_reader("jnifti", data, size_bytes);
}
