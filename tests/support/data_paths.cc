// The one unit that is compiled with a path of the source tree: all others are found in a compiler cache from any
// folder.
#include "tests/support/data_paths.h"

#include <cstdlib>

namespace volpt::test {

std::filesystem::path tests_folder()
{
    char const* const folder = std::getenv("VOLPT_TESTS_DIR");
    return folder != nullptr ? folder : VOLPT_TESTS_DIR;
}

} // namespace volpt::test
