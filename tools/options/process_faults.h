// What every tool does about its process before anything else.
#pragma once

#include <string_view>

namespace volpt {

/// Descriptors 0 to 2 that the caller closed are opened such that using them fails: otherwise the next file would get
/// one, and what a library prints or reads there would go to that file.
void reserve_standard_descriptors();

/// From now on, a fault (SIGSEGV) while a mapped file is not what it was ends the process with exit status 3 and a
/// message that names the file; every other fault goes to the handler of before. Tables that another program overwrote
/// can lead anywhere.
void report_faults_of_changed_files(std::string_view tool);

} // namespace volpt
