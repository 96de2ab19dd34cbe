// Fuzz target of the TIFF reader: whatever becomes of the process that reads, the parent gets an Error of input or a whole
// stack.
#include "formats/read_tiff.h"
#include "formats/slice_stack.h"
#include "libvolpt/sys/error.h"
#include "tests/fuzz/sandboxed_reader.h"

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    constexpr std::uint64_t kMaxVoxels = std::uint64_t{1} << 22;
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    std::string const path = "/proc/self/fd/" + std::to_string(file);
    try {
        auto pictures = open_tiff_pictures(path, {path}, {}, SandboxLimits{std::uint64_t{1} << 30, 2});
        auto const source = make_slice_stack(std::move(pictures), place_upright(), SliceAlpha::opaque);
        auto const [x, y, z] = source->meta().dims;
        auto const layer = static_cast<std::uint64_t>(source->meta().channels) * static_cast<std::uint64_t>(x) *
                           static_cast<std::uint64_t>(y);
        std::vector<float> values(layer * static_cast<std::uint64_t>(z) <= kMaxVoxels ? layer : 0);
        for (int i = 0; i < z && !values.empty(); ++i) source->read_slab(i, 1, values);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
