// The token where other programs of the same user find it, and nobody else.
#pragma once

#include <filesystem>
#include <string>

namespace volpt {

/// A file of mode 0600 with the token (32 hexadecimal digits) and a line end; removed at the end of its life, unless it
/// holds something else by then. Replaces a file that holds an earlier token alone; Error (usage) if there is anything
/// else under its name, Error (system) if it cannot be written.
class TokenFile {
public:
    TokenFile(std::filesystem::path path, std::string token);
    ~TokenFile();
    TokenFile(TokenFile const&) = delete;
    TokenFile& operator=(TokenFile const&) = delete;

private:
    std::filesystem::path path_;
    std::string token_;
};

/// A new file of mode 0600. Error (system) if it exists or cannot be written whole; nothing is left of it then.
void write_private_file(std::filesystem::path const& path, std::string const& content);

} // namespace volpt
