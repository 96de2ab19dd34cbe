#include "tools/render_setup/private_folder.h"

#include "libvolpt/sys/error.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>

namespace volpt {

PrivateFolder::PrivateFolder()
{
    std::error_code error;
    std::string name = (std::filesystem::temp_directory_path(error) / "volpt-XXXXXX").string();
    if (error)
        fail_system(fmt::format("there is no folder for temporary files: {}", error.message()), "TMPDIR",
                    "set TMPDIR to a folder with free space");
    if (mkdtemp(name.data()) == nullptr)
        fail_system(fmt::format("a folder for temporary files cannot be made: {}", std::strerror(errno)), name,
                    "set TMPDIR to a folder with free space");
    path_ = name;
}

PrivateFolder::~PrivateFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

} // namespace volpt
