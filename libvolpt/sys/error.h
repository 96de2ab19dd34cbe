// The exception type of the library: what failed, where, why it matters, what to do, and the exit status.
#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace volpt {

/// Exit status of every tool (docs/exit-status.md); `done` is 0 for success and for a positive verdict.
enum class ExitStatus : int { done = 0, negative = 1, usage = 2, input = 3, system = 4 };

/// The parts of a message. `where` names file, field or offset; `why` and `what_to_do` may be empty.
struct ErrorText {
    std::string what;
    std::string where;
    std::string why;
    std::string what_to_do;
};

class Error : public std::runtime_error {
public:
    Error(ExitStatus status, ErrorText text);

    ExitStatus status() const noexcept { return status_; }
    ErrorText const& text() const noexcept { return text_; }

    /// The same error with the activity of an outer layer in front: "while packing head.mha".
    Error within(std::string_view doing) const;

private:
    ExitStatus status_;
    ErrorText text_;
};

/// Unreadable, damaged or unacceptable input: exit status 3.
[[noreturn]] void fail_input(std::string what, std::string where, std::string why = {}, std::string what_to_do = {});
/// An invalid command line or API call: exit status 2.
[[noreturn]] void fail_usage(std::string what, std::string what_to_do = {});
/// A failure of the device, the disk or the operating system: exit status 4.
[[noreturn]] void fail_system(std::string what, std::string where, std::string what_to_do = {});

} // namespace volpt
