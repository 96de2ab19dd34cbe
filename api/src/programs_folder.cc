// Compiled into each library of its own: where the programs lie from its folder.
#include "api/src/run_program.h"

namespace volpt::v0 {

char const* const kProgramsFromLibrary = VOLPT_PROGRAMS_FROM_LIBRARY;

} // namespace volpt::v0
