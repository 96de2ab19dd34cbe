#pragma once

#include <filesystem>

namespace volpt {

/// A folder that nobody else can look into, in that of temporary files; removed with what is in it.
class PrivateFolder {
public:
    /// Error (system) if it cannot be made.
    PrivateFolder();
    ~PrivateFolder();
    PrivateFolder(PrivateFolder const&) = delete;
    PrivateFolder& operator=(PrivateFolder const&) = delete;

    std::filesystem::path const& path() const { return path_; }

private:
    std::filesystem::path path_;
};

} // namespace volpt
