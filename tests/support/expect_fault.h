#pragma once

#include <csignal>
#include <gtest/gtest.h>
#include <sys/wait.h>

#if defined(__has_feature) // clang's way to say it
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define VOLPT_SANITIZER_HANDLES_FAULTS
#endif
#elif defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define VOLPT_SANITIZER_HANDLES_FAULTS
#endif

namespace volpt::test {

/// Whether a process ended by the default action of SIGSEGV or SIGBUS. A sanitizer's handler stands in for that action:
/// it prints fault_report() and exits.
inline bool ended_by_fault(int status, [[maybe_unused]] int signal)
{
#ifdef VOLPT_SANITIZER_HANDLES_FAULTS
    return WIFEXITED(status) && WEXITSTATUS(status) != 0;
#else
    return WIFSIGNALED(status) && WTERMSIG(status) == signal;
#endif
}

/// What the process has printed, as a regular expression.
inline constexpr char const* fault_report([[maybe_unused]] int signal)
{
#ifdef VOLPT_SANITIZER_HANDLES_FAULTS
    return signal == SIGBUS ? "Sanitizer: BUS on" : "Sanitizer: SEGV on";
#else
    return "";
#endif
}

/// Expects that the statement, run in a child process, ends it by this signal of a fault.
#define VOLPT_EXPECT_FAULT(statement, signal)                                                                          \
    EXPECT_EXIT(                                                                                                       \
        statement, [](int status) { return volpt::test::ended_by_fault(status, signal); },                             \
        volpt::test::fault_report(signal))

} // namespace volpt::test
