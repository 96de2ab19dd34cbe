// Fuzz target of the reader of MCX's inputs: an Error of input or a whole volume is fine, anything else is a finding.
#include "formats/mcx/reader.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/emitters/check_emitter.h"
#include "tests/fuzz/pack_and_verify.h"

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
        auto const stream = open_mcx_input("/proc/self/fd/" + std::to_string(file), {.most_voxels = 1 << 16});
        parse_scene_hints(stream->scene_hints_json(), "what volprep wrote");
        auto const& labels = stream->read_slab(0, 1).label;
        bool const are_known =
            std::ranges::all_of(labels, [&](std::uint8_t label) { return label < stream->materials().size(); });
        bool const can_shine = std::ranges::all_of(
            stream->emitters(), [](Emitter const& emitter) { return find_emitter_problem(emitter).empty(); });
        if (!are_known || !can_shine) std::abort();
        test::pack_and_verify(*stream);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
