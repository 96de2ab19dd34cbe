// OBJ (Wavefront, 1995, with MTL) and glTF 2.0 (Khronos, 2021; .gltf and .glb), read by assimp in a sandboxed process.
#include "formats/mesh/assimp/scene.h"
#include "formats/mesh/transfer.h"
#include "libvolpt/sys/file_bytes.h"

namespace volpt {
namespace {

MeshFile read_with_assimp(std::filesystem::path const& path, MeshReadOptions const& options, AssimpFormat format)
{
    FileBytes const must_be_regular(path);
    return read_mesh_in_sandbox(path, options, [&] { return load_with_assimp(path, format, options.pictures); });
}

MeshFile read_obj(std::filesystem::path const& path, MeshReadOptions const& options)
{
    return read_with_assimp(path, options, AssimpFormat::obj);
}

MeshFile read_gltf(std::filesystem::path const& path, MeshReadOptions const& options)
{
    return read_with_assimp(path, options, AssimpFormat::gltf);
}

/// OBJ has no mark of its own: it is known by its extension.
bool is_never(std::string_view, std::uint64_t)
{
    return false;
}

bool is_gltf(std::string_view head, std::uint64_t)
{
    std::size_t const first = head.find_first_not_of(" \t\r\n");
    bool const is_json =
        first != std::string_view::npos && head[first] == '{' && head.find("\"asset\"") != std::string_view::npos;
    return head.starts_with("glTF") || is_json;
}

} // namespace

extern MeshReader const obj_mesh_reader;
extern MeshReader const gltf_mesh_reader;
MeshReader const obj_mesh_reader{is_never, read_obj};
MeshReader const gltf_mesh_reader{is_gltf, read_gltf};

} // namespace volpt
