#include "libvolpt/sys/files/file_state.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>

namespace volpt {
namespace fs = std::filesystem;
namespace {

[[noreturn]] void refuse_path(fs::path const& path, std::error_code const& error)
{
    fail_input(fmt::format("cannot be looked at: {}", error.message()), path.string(), {},
               "check its name, its links, and the permissions of its folders");
}

} // namespace

bool is_there(fs::path const& path)
{
    std::error_code error;
    fs::file_status const status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found) return false;
    if (error) refuse_path(path, error);
    return true;
}

std::uint64_t find_file_bytes(fs::path const& path)
{
    std::error_code error;
    std::uint64_t const size_bytes = fs::file_size(path, error);
    if (error) refuse_path(path, error);
    return size_bytes;
}

void make_folder(fs::path const& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error)
        fail_system(fmt::format("this folder cannot be made: {}", error.message()), path.string(),
                    "name one in a folder in which you may write");
}

} // namespace volpt
