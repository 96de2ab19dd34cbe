// Fuzz target of the transfer table's JSON.
#include "libvolpt/medium/curves/transfer_table.h"
#include "libvolpt/sys/error.h"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    try {
        auto const table = volpt::read_transfer_table("/proc/self/fd/" + std::to_string(file));
        std::array<float, 16> one_minus_albedo{};
        for (float const density : {0.0f, 0.3f, 1.0f, 1e30f})
            table.evaluate(density, std::span(one_minus_albedo).first(table.bands()));
        for (float const value : one_minus_albedo)
            if (!(value >= 0 && value <= 1)) std::abort();
    } catch (volpt::Error const& error) {
        if (error.status() != volpt::ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
