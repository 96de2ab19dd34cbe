// The table of mesh readers, made from readers.def, and the choice among them.
#include "formats/common/file_head.h"
#include "formats/mesh/reader.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_state.h"

#include <algorithm>
#include <span>

// CMake defines VOLPT_WITH_<dependency> as 1 or 0; the readers of a missing one are null pointers.
#define VOLPT_WITH_none 1
#define VOLPT_MESH_READER_IF_1(name) &name##_mesh_reader
#define VOLPT_MESH_READER_IF_0(name) nullptr
#define VOLPT_MESH_READER_IF_(flag, name) VOLPT_MESH_READER_IF_##flag(name)
#define VOLPT_MESH_READER_IF(flag, name) VOLPT_MESH_READER_IF_(flag, name)

namespace volpt {

#define VOLPT_MESH_READER(name, extensions, dependency) extern MeshReader const name##_mesh_reader;
#include "formats/mesh/readers.def"
#undef VOLPT_MESH_READER

namespace {

#define VOLPT_MESH_READER(name, extensions, dependency)                                                                \
    MeshReaderEntry{#name, extensions, #dependency, VOLPT_MESH_READER_IF(VOLPT_WITH_##dependency, name)},
MeshReaderEntry const kMeshReaders[] = {
#include "formats/mesh/readers.def"
};
#undef VOLPT_MESH_READER

constexpr std::size_t kMeshHeadBytes = 4096;

MeshReaderEntry const& find_mesh_reader(std::filesystem::path const& path)
{
    std::string const head = read_file_head(path, kMeshHeadBytes);
    refuse_failed_download(head, path.string(), "mesh");
    std::uint64_t const file_bytes = find_file_bytes(path);
    for (auto const& entry : kMeshReaders)
        if (entry.reader != nullptr && entry.reader->probe(head, file_bytes)) return entry;
    for (auto const& entry : kMeshReaders) {
        if (!has_extension(path, entry.extensions)) continue;
        if (entry.reader != nullptr) return entry;
        fail_input("this build cannot read the format", path.string(),
                   std::string(entry.name) + " needs " + std::string(entry.dependency), "build volpt with it");
    }
    fail_input(head.empty() ? "the file is empty" : "neither content nor extension is of a known mesh format",
               path.string(), "known: " + list_mesh_extensions(), "export the mesh in one of these formats");
}

} // namespace

std::span<MeshReaderEntry const> list_mesh_readers()
{
    return kMeshReaders;
}

std::string list_mesh_extensions()
{
    std::string list;
    for (auto const& entry : kMeshReaders)
        if (entry.reader != nullptr) list += (list.empty() ? "" : " ") + std::string(entry.extensions);
    return list;
}

bool is_mesh_file(std::filesystem::path const& path)
{
    std::string const head = read_file_head(path, kMeshHeadBytes);
    auto const names_format = [&](auto const& entry) { return has_extension(path, entry.extensions); };
    if (std::ranges::any_of(kMeshReaders, names_format)) return true;
    if (std::ranges::any_of(list_readers(), names_format)) return false;
    std::uint64_t const file_bytes = find_file_bytes(path);
    return std::ranges::any_of(kMeshReaders, [&](MeshReaderEntry const& entry) {
        return entry.reader != nullptr && entry.reader->probe(head, file_bytes);
    });
}

MeshFile read_mesh(std::filesystem::path const& path, MeshReadOptions const& options)
{
    MeshReaderEntry const& entry = find_mesh_reader(path);
    MeshFile file = entry.reader->read(path, options);
    file.format = entry.name;
    if (file.mesh.triangles.empty())
        fail_input("holds no triangles", path.string(), file.notices.empty() ? std::string() : file.notices.front(),
                   "export the surface as a mesh of triangles");
    return file;
}

} // namespace volpt
