// A folder of a test's own, and whole files as bytes.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace volpt::test {

/// Removed at the end, with all that is in it.
class TempFolder {
public:
    TempFolder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "volpt_test_XXXXXX").string();
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~TempFolder() { std::filesystem::remove_all(path_); }
    TempFolder(TempFolder const&) = delete;
    TempFolder& operator=(TempFolder const&) = delete;

    std::filesystem::path const& path() const { return path_; }
    std::filesystem::path operator/(std::string const& name) const { return path_ / name; }

private:
    std::filesystem::path path_;
};

inline std::vector<std::byte> read_bytes(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes(std::filesystem::file_size(path));
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

inline void write_bytes(std::filesystem::path const& path, std::vector<std::byte> const& bytes)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<char const*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

/// Changes one byte in place; rewriting whole files thousands of times would wait for the disk.
inline void flip_bits(std::filesystem::path const& path, std::size_t offset_bytes, unsigned mask)
{
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekg(static_cast<std::streamoff>(offset_bytes));
    int const old = file.get();
    file.seekp(static_cast<std::streamoff>(offset_bytes));
    file.put(static_cast<char>(static_cast<unsigned>(old) ^ mask));
}

} // namespace volpt::test
