// Fuzz target of the mesh reader ply.
#include "tests/fuzz/fuzz_mesh.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_mesh("ply", data, size_bytes);
}
