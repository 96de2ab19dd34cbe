// Temporary folders, and whole files as text or bytes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace volpt::test {

inline std::string read_text(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline std::vector<std::byte> read_bytes(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

inline void write_text(std::filesystem::path const& path, std::string_view text)
{
    std::ofstream(path, std::ios::binary) << text;
}

inline void write_bytes(std::filesystem::path const& path, std::span<std::byte const> bytes)
{
    write_text(path, {reinterpret_cast<char const*>(bytes.data()), bytes.size()});
}

/// Tests that damage a file byte by byte take every one; with sanitizers, where each takes ten times as long, one of
/// 13, which is prime to the sizes of what files hold.
#ifdef VOLPT_SANITIZED
inline constexpr std::size_t kDamageStride = 13;
#else
inline constexpr std::size_t kDamageStride = 1;
#endif

/// Changes one byte in place, which is faster than rewriting the file when a test damages every byte of it in turn.
inline void flip_bits(std::filesystem::path const& path, std::size_t offset_bytes, unsigned mask)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(offset_bytes));
    int const old = file.get();
    file.seekp(static_cast<std::streamoff>(offset_bytes));
    file.put(static_cast<char>(static_cast<unsigned>(old) ^ mask));
}

/// A new folder; the destructor removes it with everything in it.
class TempFolder {
public:
    TempFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "volpt_test_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make a temporary folder");
        path_ = name;
    }
    ~TempFolder()
    {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TempFolder(TempFolder const&) = delete;
    TempFolder& operator=(TempFolder const&) = delete;

    std::filesystem::path const& path() const { return path_; }
    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

    /// Writes a file of this content and returns its path.
    std::filesystem::path write(std::string_view name, std::string_view content) const
    {
        write_text(path_ / name, content);
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

} // namespace volpt::test
