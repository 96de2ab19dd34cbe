// Compiled into each library of its own: where the programs lie from its folder.
#include "api/src/access.h"
#include "libvolpt/job/program/child_program.h"
#include "volpt/program.h"

#include <dlfcn.h>

namespace volpt::v0 {
namespace {

/// Its address lies in the library; that of a function of the API may be another library's of the same name.
constexpr char kProgramsFromLibrary[] = VOLPT_PROGRAMS_FROM_LIBRARY;

} // namespace

std::filesystem::path find_program(std::string const& name)
{
    return translate_errors([&] {
        Dl_info library{};
        if (::dladdr(kProgramsFromLibrary, &library) == 0 || library.dli_fname == nullptr)
            fail_system("the folder of the library is not known", name);
        auto const folder = std::filesystem::absolute(library.dli_fname).parent_path();
        return find_program_in((folder / kProgramsFromLibrary).lexically_normal(), name,
                               "install the programs with the library: this folder beside " + folder.string() +
                                   " is the only one where it looks for them, and PATH is not searched");
    });
}

} // namespace volpt::v0
