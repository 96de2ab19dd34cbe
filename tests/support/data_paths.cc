// The only source that is compiled with the path of the source tree, so that a compiler cache serves the others in
// every checkout.
#include "tests/support/data_paths.h"

#include <cstdlib>

namespace volpt::test {

std::filesystem::path tests_folder()
{
    char const* const folder = std::getenv("VOLPT_TESTS_DIR");
    return folder != nullptr ? folder : VOLPT_TESTS_DIR;
}

} // namespace volpt::test
