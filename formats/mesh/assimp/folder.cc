#include "formats/mesh/assimp/folder.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <span>
#include <string_view>

namespace volpt {
namespace {

/// Bytes that can only be read, of a file or in memory.
class MeshStream : public Assimp::IOStream {
public:
    explicit MeshStream(std::uint64_t size_bytes) : size_bytes_(size_bytes) {}

    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override
    {
        if (size == 0) return 0;
        std::size_t const whole = std::min<std::uint64_t>(count, (size_bytes_ - at_) / size);
        read_at(at_, {static_cast<std::byte*>(buffer), whole * size});
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(void const*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override
    {
        std::uint64_t const base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : size_bytes_;
        if (base + offset > size_bytes_) return aiReturn_FAILURE;
        at_ = base + offset;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return at_; }
    std::size_t FileSize() const override { return size_bytes_; }
    void Flush() override {}

private:
    virtual void read_at(std::uint64_t offset, std::span<std::byte> bytes) const = 0;

    std::uint64_t size_bytes_;
    std::uint64_t at_ = 0;
};

class FileStream final : public MeshStream {
public:
    explicit FileStream(FileBytes file) : MeshStream(file.size_bytes()), file_(std::move(file)) {}

private:
    void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override { file_.read_at(offset, bytes); }

    FileBytes file_;
};

/// The bytes have to outlive it.
class MemoryStream final : public MeshStream {
public:
    explicit MemoryStream(std::span<std::byte const> bytes) : MeshStream(bytes.size()), bytes_(bytes) {}

private:
    void read_at(std::uint64_t offset, std::span<std::byte> bytes) const override
    {
        std::ranges::copy(bytes_.subspan(offset, bytes.size()), bytes.begin());
    }

    std::span<std::byte const> bytes_;
};

} // namespace

std::string decode_percents(std::string_view name)
{
    auto const digit = [](char c) {
        if (c >= '0' && c <= '9') return c - '0';
        if (c >= 'a' && c <= 'f') return c - 'a' + 10;
        return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
    };
    std::string decoded;
    for (std::size_t i = 0; i < name.size(); ++i) {
        bool const is_code =
            name[i] == '%' && i + 2 < name.size() && digit(name[i + 1]) >= 0 && digit(name[i + 2]) >= 0;
        decoded += is_code ? static_cast<char>(16 * digit(name[i + 1]) + digit(name[i + 2])) : name[i];
        if (is_code) i += 2;
    }
    return decoded;
}

MeshFolder::MeshFolder(std::filesystem::path path, std::string mesh_name)
    : path_(std::move(path)), mesh_name_(std::move(mesh_name))
{
}

bool MeshFolder::Exists(char const* name) const
{
    return name == mesh_name_;
}

Assimp::IOStream* MeshFolder::Open(char const* name, char const* mode)
{
    if (std::string_view(mode).find_first_of("wa+") != std::string_view::npos) return nullptr;
    if (mesh_bytes_ && name == mesh_name_) return new MemoryStream(*mesh_bytes_);
    auto const path = find(name);
    if (!path) return nullptr;
    try {
        auto* const stream = new FileStream(FileBytes(*path));
        side_files_ += name == mesh_name_ ? 0 : 1;
        return stream;
    } catch (Error const&) {
        missing_names_.emplace_back(name);
        return nullptr;
    }
}

void MeshFolder::Close(Assimp::IOStream* stream)
{
    delete stream;
}

std::optional<std::filesystem::path> MeshFolder::find(std::string const& name)
{
    if (name == mesh_name_) return path_;
    std::error_code ignored;
    auto const folder = std::filesystem::canonical(path_.has_parent_path() ? path_.parent_path() : ".", ignored);
    for (std::string const& spelling : {name, decode_percents(name)}) {
        std::filesystem::path const side(spelling);
        bool is_outside = side.is_absolute() || std::ranges::find(side, "..") != side.end();
        auto const target = is_outside ? side : std::filesystem::canonical(folder / side, ignored);
        if (!is_outside && !ignored) {
            auto const [end, rest] = std::ranges::mismatch(folder, target);
            is_outside = end != folder.end();
        }
        if (is_outside) {
            if (!outside_name_) outside_name_ = name;
            return std::nullopt;
        }
        if (!ignored) return target;
    }
    missing_names_.push_back(name);
    return std::nullopt;
}

} // namespace volpt
