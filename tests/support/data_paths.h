// Where the files of tests/ lie.
#pragma once

#include <filesystem>

namespace volpt::test {

/// The folder tests/ of the sources; the environment's VOLPT_TESTS_DIR where they were moved since the build.
std::filesystem::path tests_folder();

} // namespace volpt::test
