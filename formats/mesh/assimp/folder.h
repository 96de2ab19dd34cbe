// The files that assimp may open: the mesh, and side files in the mesh's own folder.
#pragma once

#include <assimp/IOSystem.hpp>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

/// "my%20mesh.bin" -> "my mesh.bin": names in glTF are URIs.
std::string decode_percents(std::string_view name);

class MeshFolder final : public Assimp::IOSystem {
public:
    /// `mesh_name` is how assimp is told to call the file at `path`.
    MeshFolder(std::filesystem::path path, std::string mesh_name);

    /// What is read in place of the bytes of the mesh's own file.
    void replace_mesh(std::vector<std::byte> bytes) { mesh_bytes_ = std::move(bytes); }

    /// The first name that lies outside of the folder: absolute, with "..", or a link that leaves it.
    std::optional<std::string> const& outside_name() const noexcept { return outside_name_; }
    std::vector<std::string> const& missing_names() const noexcept { return missing_names_; }
    /// Side files that were opened.
    int side_files() const noexcept { return side_files_; }

    bool Exists(char const* name) const override;
    char getOsSeparator() const override { return '/'; }
    /// Null for whatever may not or cannot be read.
    Assimp::IOStream* Open(char const* name, char const* mode) override;
    void Close(Assimp::IOStream* stream) override;

private:
    std::optional<std::filesystem::path> find(std::string const& name);

    std::filesystem::path path_;
    std::string mesh_name_;
    std::optional<std::vector<std::byte>> mesh_bytes_;
    std::optional<std::string> outside_name_;
    std::vector<std::string> missing_names_;
    int side_files_ = 0;
};

} // namespace volpt
