#include "tools/options/process_faults.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

namespace volpt {
namespace {

struct sigaction fault_handler_before {};
char faulting_tool[32] = {};

/// Async-signal-safe; control characters, which a file name may hold, become '?'.
void print_in_handler(char const* text)
{
    char line[512];
    std::size_t const length = std::min(std::strlen(text), sizeof line);
    std::replace_copy_if(
        text, text + length, line, [](unsigned char c) { return c < 32 || c == 127; }, '?');
    if (::write(STDERR_FILENO, line, length) < 0) return;
}

void end_if_a_file_changed(int, siginfo_t* info, void*)
{
    if (char const* const path = find_changed_mapping()) {
        print_in_handler(faulting_tool);
        print_in_handler(": error: ");
        print_in_handler(path);
        print_in_handler(": another program wrote to the file while it was in use; start again when it is complete");
        if (::write(STDERR_FILENO, "\n", 1) < 0) ::_exit(static_cast<int>(ExitStatus::system));
        ::_exit(static_cast<int>(ExitStatus::input));
    }
    ::sigaction(SIGSEGV, &fault_handler_before, nullptr); // the instruction runs again, and faults again
    if (info->si_code <= 0) ::raise(SIGSEGV);             // sent by a process: there is no such instruction
}

} // namespace

void reserve_standard_descriptors()
{
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) >= 0) continue;
        // The lowest free number, which is this one. Reading from 0 and writing to 1 or 2 fail, as if it were closed.
        if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) < 0) return;
    }
}

void report_faults_of_changed_files(std::string_view tool)
{
    tool.copy(faulting_tool, sizeof faulting_tool - 1);
    struct sigaction action {};
    action.sa_sigaction = end_if_a_file_changed;
    sigemptyset(&action.sa_mask);
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    struct sigaction before {};
    ::sigaction(SIGSEGV, &action, &before);
    bool const was_installed = (before.sa_flags & SA_SIGINFO) != 0 && before.sa_sigaction == action.sa_sigaction;
    if (!was_installed) fault_handler_before = before;
}

} // namespace volpt
