// Fuzz target of the reader of Mitsuba scenes: an Error of input or a whole volume is fine, anything else is a finding.
#include "formats/mitsuba/reader.h"
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

namespace {

/// Lists of the same lengths, indices in range.
bool is_consistent(volpt::SurroundingShapes const& shapes)
{
    auto const& mesh = shapes.mesh_mm;
    std::size_t const triangles = mesh.triangles.size();
    bool is_right = shapes.bsdf_of_triangle.size() == triangles && shapes.texels.size() == shapes.bsdfs.size() &&
                    shapes.bsdf_of_sphere.size() == shapes.spheres.size();
    is_right = is_right && (mesh.normals.empty() || mesh.normals.size() == triangles) &&
               (mesh.texture_coordinates.empty() || mesh.texture_coordinates.size() == triangles);
    for (auto const& triangle : mesh.triangles)
        for (std::uint32_t const vertex : triangle) is_right = is_right && vertex < mesh.positions_mm.size();
    for (auto const* list : {&shapes.bsdf_of_triangle, &shapes.bsdf_of_sphere})
        for (std::uint32_t const bsdf : *list) is_right = is_right && bsdf < shapes.bsdfs.size();
    return is_right;
}

bool have_their_triangles(std::vector<volpt::Emitter> const& emitters, volpt::SurroundingShapes const& shapes)
{
    return std::ranges::all_of(emitters, [&](volpt::Emitter const& emitter) {
        return volpt::find_emitter_problem(emitter).empty() &&
               std::size_t{emitter.first_triangle} + emitter.triangle_count <= shapes.mesh_mm.triangles.size();
    });
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(std::uint8_t const* data, std::size_t size_bytes)
{
    using namespace volpt;
    int const file = memfd_create("fuzz", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
    try {
        MitsubaOptions options;
        options.approximate_shape = true;
        options.mesh_bricks = 4; // of several solids
        auto const stream = open_mitsuba_scene("/proc/self/fd/" + std::to_string(file), options);
        parse_scene_hints(stream->scene_hints_json(), "what volprep wrote");
        stream->read_slab(0, 1);
        if (!is_consistent(stream->surroundings())) std::abort();
        if (!have_their_triangles(stream->emitters(), stream->surroundings())) std::abort();
        auto const [x, y, z] = stream->meta().dims;
        constexpr std::uint64_t kMostPacked = 1 << 16;
        if (static_cast<std::uint64_t>(x) * static_cast<std::uint64_t>(y) * static_cast<std::uint64_t>(z) <=
            kMostPacked)
            test::pack_and_verify(*stream);
    } catch (Error const& error) {
        if (error.status() != ExitStatus::input) std::abort();
    }
    close(file);
    return 0;
}
