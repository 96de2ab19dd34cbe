// Fuzz target of the TIFF reader: whatever becomes of the process that reads, the parent gets an Error of input or a
// whole stack.
#include "formats/slices/stack.h"
#include "formats/tiff/reader.h"
#include "tests/fuzz/fuzz_source.h"
#include "tests/fuzz/sandboxed_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    return test::fuzz_source(data, size_bytes, test::kFuzzVoxels, [](std::string const& path) {
        return make_slice_stack(open_tiff_pictures(path, {path}, {}, test::kFuzzLimits), place_upright(),
                                SliceAlpha::opaque);
    });
}
