#include "formats/mesh/assimp/folder.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <assimp/IOStream.hpp>
#include <span>
#include <string_view>

namespace volpt {
namespace {

class MeshStream final : public Assimp::IOStream {
public:
    explicit MeshStream(std::filesystem::path const& path) : file_(path) {}

    std::size_t Read(void* buffer, std::size_t size, std::size_t count) override
    {
        if (size == 0) return 0;
        std::size_t const whole = std::min<std::uint64_t>(count, (file_.size_bytes() - at_) / size);
        file_.read_at(at_, {static_cast<std::byte*>(buffer), whole * size});
        at_ += whole * size;
        return whole;
    }
    std::size_t Write(void const*, std::size_t, std::size_t) override { return 0; }
    aiReturn Seek(std::size_t offset, aiOrigin origin) override
    {
        std::uint64_t const base = origin == aiOrigin_SET ? 0 : origin == aiOrigin_CUR ? at_ : file_.size_bytes();
        if (base + offset > file_.size_bytes()) return aiReturn_FAILURE;
        at_ = base + offset;
        return aiReturn_SUCCESS;
    }
    std::size_t Tell() const override { return at_; }
    std::size_t FileSize() const override { return file_.size_bytes(); }
    void Flush() override {}

private:
    FileBytes file_;
    std::uint64_t at_ = 0;
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
    auto const path = find(name);
    if (!path) return nullptr;
    try {
        auto* const stream = new MeshStream(*path);
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
