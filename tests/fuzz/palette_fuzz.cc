// Fuzz target of palettes, which are material tables with colours.
#include "formats/palette.h"
#include "libvolpt/sys/error.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    try {
        auto const palette = volpt::read_palette("/proc/self/fd/" + std::to_string(file));
        if (palette.materials.empty() || palette.materials.size() != palette.colours.size()) std::abort();
    } catch (volpt::Error const& error) {
        if (error.status() != volpt::ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
