// The registry of triangle-mesh formats that are read: a folder formats/mesh/<name> and one line in mesh/readers.def
// each.
#pragma once

#include "libvolpt/surface/triangle_mesh.h"
#include "libvolpt/sys/sandbox.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// Of those who need the shape alone, none is read, so that none can be wrong.
enum class MeshPictures { dropped, kept };

struct MeshReadOptions {
    MeshPictures pictures = MeshPictures::dropped;
    std::optional<SandboxLimits> limits; ///< of a process that reads; absent: find_sandbox_limits
};

/// blended: over white.
enum class PictureAlpha { blended, ignored };

/// A picture that gives a surface its colour. It is not decoded.
struct MeshPicture {
    std::string name;                  ///< as the file has it; of a picture inside of the file, "picture 2 inside"
    std::vector<std::byte> bytes = {}; ///< of a picture inside of the file; empty: `name` is a file
    PictureAlpha alpha = PictureAlpha::blended;
    bool is_inside() const { return !bytes.empty(); }
};

inline constexpr std::size_t kMaxMeshPictures = 64;
inline constexpr std::uint64_t kMaxMeshPictureBytes = std::uint64_t{1} << 30; ///< of all pictures inside of a file

struct MeshFile {
    std::string format; ///< a name of list_mesh_readers
    TriangleMesh mesh;
    std::vector<std::string> notices; ///< what was skipped or assumed, for the user
    /// What mesh.pictures counts, each once. Where a triangle has a picture, the colours of its corners multiply it,
    /// in linear light.
    std::vector<MeshPicture> pictures;
    bool has_pictures = false; ///< a material in use names one, also if they are dropped
};

struct MeshReader {
    /// True if the first bytes of a file (up to 4 KiB) and its size are of this format. Never throws.
    bool (*probe)(std::string_view head, std::uint64_t file_bytes);
    MeshFile (*read)(std::filesystem::path const& path, MeshReadOptions const& options);
};

/// A line of mesh/readers.def.
struct MeshReaderEntry {
    std::string_view name;
    std::string_view extensions; ///< ".gltf .glb"
    std::string_view dependency; ///< "none", or the library that the reader needs
    MeshReader const* reader;    ///< nullptr: not in this build
};

std::span<MeshReaderEntry const> list_mesh_readers();

/// ".stl .ply ...", for help texts: what this build reads.
std::string list_mesh_extensions();

/// Whether the file is to be read as a mesh: by extension, or by content where the extension is not that of a volume
/// format. Error (input) if it cannot be opened.
bool is_mesh_file(std::filesystem::path const& path);

/// Finds the reader by content, then by extension. Formats that have units come in mm; numbers of the others are taken
/// as mm. No axis is turned, no vertex moved, merged or dropped: there may be vertices that no triangle uses, and
/// coordinates may be NaN or infinite (but in 3MF, which forbids them). There is at least one triangle; indices are in
/// range. Error (input) if the file is damaged, holds no triangles, needs what is not supported or, of pictures that
/// are kept, has more or larger ones than the bounds above.
MeshFile read_mesh(std::filesystem::path const& path, MeshReadOptions const& options = {});

} // namespace volpt
