#include "tools/volview/token_file.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::size_t kTokenDigits = 32;

bool holds_token(std::filesystem::path const& path)
{
    std::error_code error;
    if (std::filesystem::symlink_status(path, error).type() != std::filesystem::file_type::regular) return false;
    if (std::filesystem::file_size(path, error) != kTokenDigits + 1) return false;
    std::ifstream file(path, std::ios::binary);
    std::string const text{std::istreambuf_iterator<char>(file), {}};
    return text.find_first_not_of("0123456789abcdef") == kTokenDigits && text.back() == '\n';
}

} // namespace

void write_private_file(std::filesystem::path const& path, std::string const& content)
{
    int const descriptor = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool const written =
        descriptor >= 0 && write(descriptor, content.data(), content.size()) == static_cast<ssize_t>(content.size());
    int const reason = errno;
    if (descriptor >= 0) close(descriptor);
    if (!written)
        fail_system(fmt::format("cannot be written: {}", std::strerror(reason)), path.string(),
                    "give a name in a folder that can be written");
}

TokenFile::TokenFile(std::filesystem::path path, std::string const& token) : path_(std::move(path))
{
    std::error_code ignored;
    if (std::filesystem::symlink_status(path_, ignored).type() != std::filesystem::file_type::not_found) {
        if (!holds_token(path_))
            fail_usage(fmt::format("--token-file '{}' exists and holds something else than a token", path_.string()),
                       "give another name, or remove the file");
        std::filesystem::remove(path_, ignored);
    }
    write_private_file(path_, token + "\n");
}

TokenFile::~TokenFile()
{
    std::error_code ignored;
    std::filesystem::remove(path_, ignored);
}

} // namespace volpt
