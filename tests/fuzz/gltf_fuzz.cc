// Fuzz target of the mesh reader gltf.
#include "tests/fuzz/fuzz_mesh.h"
#include "tests/fuzz/sandboxed_reader.h"
extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    return volpt::test::fuzz_mesh("gltf", data, size_bytes);
}
