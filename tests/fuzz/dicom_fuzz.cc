// Fuzz target of the DICOM reader: whatever becomes of the process that reads, the parent gets an Error of input or a
// whole volume.
#include "formats/dicom/reader.h"
#include "tests/fuzz/fuzz_source.h"
#include "tests/fuzz/sandboxed_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    DicomOptions options;
    options.limits = test::kFuzzLimits;
    return test::fuzz_source(data, size_bytes, test::kFuzzVoxels,
                             [&](std::string const& path) { return open_dicom(path, options); });
}
