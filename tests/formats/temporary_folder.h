// A folder of its own for a test, removed at the end.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <string_view>

namespace volpt {

class TemporaryFolder {
public:
    TemporaryFolder()
    {
        std::string name = testing::TempDir() + "/volpt_formats_XXXXXX";
        if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
        path_ = name;
    }
    ~TemporaryFolder() { std::filesystem::remove_all(path_); }
    TemporaryFolder(TemporaryFolder const&) = delete;
    TemporaryFolder& operator=(TemporaryFolder const&) = delete;

    std::filesystem::path operator/(std::string_view name) const { return path_ / name; }

    std::filesystem::path write(std::string_view name, std::string_view content) const
    {
        std::ofstream file(path_ / name, std::ios::binary);
        file << content;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

} // namespace volpt
