// Fuzz target of the reader of Mitsuba scenes: an Error of input or a whole volume is fine, anything else is a finding.
#include "formats/mitsuba/reader.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    try {
        MitsubaOptions options;
        options.approximate_shape = true;
        auto const stream = open_mitsuba_scene("/proc/self/fd/" + std::to_string(file), options);
        parse_scene_hints(stream->scene_hints_json(), "what volprep wrote");
        stream->read_slab(0, 1);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
