// The programs of the suite, which are installed with the library.
#pragma once

#include "volpt/export.h"

#include <filesystem>
#include <string>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    /// Absolute path of a program, "volprep", in the folder of programs that belongs to the library: ../bin beside the
    /// library's own, bin beside the module of the Python package. PATH is not searched. Error (system) that says where
    /// the program is missing.
    VOLPT_API std::filesystem::path find_program(std::string const& name);

} // namespace v0
} // namespace volpt
