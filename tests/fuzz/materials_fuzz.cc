// Fuzz target of material tables.
#include "libvolpt/medium/materials.h"
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
        auto const table = volpt::read_material_table("/proc/self/fd/" + std::to_string(file));
        std::size_t const count = table.materials.size();
        if (count == 0 || table.ids.size() != count || table.colours.size() != count) std::abort();
        for (auto const& material : table.materials)
            if (material.sigma_t.size() != table.bands() || material.one_minus_albedo.size() != table.bands())
                std::abort();
        if (!table.wavelengths_nm.empty() && table.wavelengths_nm.size() != table.bands()) std::abort();
    } catch (volpt::Error const& error) {
        if (error.status() != volpt::ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
