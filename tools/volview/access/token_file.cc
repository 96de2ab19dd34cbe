#include "tools/volview/access/token_file.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <optional>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::size_t kTokenDigits = 32;

/// None if the file holds anything else than a token and a line end.
std::optional<std::string> read_token(std::filesystem::path const& path)
{
    std::error_code error;
    if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::regular) return std::nullopt;
    if (std::filesystem::file_size(path, error) != kTokenDigits + 1) return std::nullopt;
    std::ifstream file(path, std::ios::binary);
    std::string text{std::istreambuf_iterator<char>(file), {}};
    if (text.find_first_not_of("0123456789abcdef") != kTokenDigits || text.back() != '\n') return std::nullopt;
    text.pop_back();
    return text;
}

} // namespace

void write_private_file(std::filesystem::path const& path, std::string const& content)
{
    int const descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool const written =
        descriptor >= 0 && write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    int const reason = errno;
    if (descriptor >= 0) close(descriptor);
    if (descriptor >= 0 && !written) unlink(path.c_str()); // a part of the content is of no use
    if (!written)
        fail_system(fmt::format("cannot be written: {}", std::strerror(reason)), path.string(),
                    "give a name in a folder that can be written");
}

TokenFile::TokenFile(std::filesystem::path path, std::string token) : path_(std::move(path)), token_(std::move(token))
{
    std::error_code ignored;
    if (std::filesystem::symlink_status(path_, ignored).type() != std::filesystem::file_type::not_found) {
        if (!read_token(path_))
            fail_usage(fmt::format("--token-file '{}' exists and holds something else than a token", path_.string()),
                       "give another name, or remove the file");
        std::filesystem::remove(path_, ignored);
    }
    write_private_file(path_, token_ + "\n");
}

TokenFile::~TokenFile()
{
    // Another volview may have replaced it by its own.
    std::error_code ignored;
    if (read_token(path_) == token_) std::filesystem::remove(path_, ignored);
}

} // namespace volpt
