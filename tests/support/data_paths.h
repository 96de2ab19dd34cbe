#pragma once

#include <filesystem>

namespace volpt::test {

/// The folder tests/ of the sources. VOLPT_TESTS_DIR in the environment overrides the path known at build time.
std::filesystem::path tests_folder();

} // namespace volpt::test
