// Fuzz target of the mesh reader three_mf.
#include "tests/fuzz/fuzz_mesh.h"
#include "tests/fuzz/sandboxed_reader.h"
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_mesh("three_mf", data, size_bytes);
}
