// Feeds bytes to a registered mesh reader: an Error of input or a sound mesh is fine, which is packed if it bounds a
// solid, and verified; anything else is a finding.
#pragma once

#include "formats/mesh/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/mesh/mesh_volume.h"
#include "tests/fuzz/pack_and_verify.h"
#include "tests/volume/mesh_samples.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <sys/mman.h>
#include <unistd.h>

namespace volpt::test {

inline void check_fuzzed_mesh(TriangleMesh const& mesh)
{
    for (auto const& triangle : mesh.triangles)
        for (std::uint32_t const index : triangle)
            if (index >= mesh.positions_mm.size()) std::abort();
    for (std::size_t const count : {mesh.normals.size(), mesh.texture_coordinates.size(), mesh.colours.size()})
        if (count != 0 && count != mesh.triangles.size()) std::abort();
}

/// With its normals and texture coordinates.
inline void pack_fuzzed_mesh(TriangleMesh mesh)
{
    if (mesh.triangles.size() > 1000) return; // the other inputs are more worth the time
    MeshPlaceOptions options;
    options.bricks = 2;
    PlacedMesh placed = place_mesh(std::move(mesh), options);
    if (!placed.report.is_accepted()) return;
    pack_and_verify(*make_mesh_volume(std::make_unique<HomogeneousMedium>(), std::move(placed), "mesh"));
}

/// The reader `name`; nothing where its library is off. A name that is not registered is a finding too. A process that
/// reads may take little, as there is one for every input: 1 GiB, 2 s.
inline int fuzz_mesh(std::string_view name, std::uint8_t const* data, std::size_t size_bytes)
{
    for (MeshReaderEntry const& entry : list_mesh_readers()) {
        if (entry.name != name) continue;
        if (entry.reader == nullptr) return 0;
        int const file = memfd_create("fuzz", MFD_CLOEXEC);
        if (file < 0 || write(file, data, size_bytes) != static_cast<ssize_t>(size_bytes)) std::abort();
        try {
            MeshReadOptions options;
            options.pictures = MeshPictures::kept;
            options.limits = SandboxLimits{std::uint64_t{1} << 30, 2};
            MeshFile read = entry.reader->read("/proc/self/fd/" + std::to_string(file), options);
            check_fuzzed_mesh(read.mesh);
            pack_fuzzed_mesh(std::move(read.mesh));
        } catch (Error const& error) {
            if (error.status() != ExitStatus::input) std::abort();
        }
        close(file);
        return 0;
    }
    std::abort();
}

} // namespace volpt::test
