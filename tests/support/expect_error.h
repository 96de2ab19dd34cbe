#pragma once

#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

namespace volpt::test {

/// Fails the test for every one of `parts` that `text` does not contain.
inline void expect_contains(std::string_view text, std::initializer_list<std::string_view> parts,
                            char const* file = __builtin_FILE(), int line = __builtin_LINE())
{
    testing::ScopedTrace const trace(file, line, "expect_contains");
    for (std::string_view const part : parts)
        EXPECT_NE(text.find(part), std::string_view::npos) << "'" << part << "' is not in '" << text << "'";
}

/// The message of the Error that `action` throws, empty if it throws nothing. Another status than `status` or another
/// exception fails the test.
template <typename Action>
std::string catch_error(ExitStatus status, Action&& action, char const* file = __builtin_FILE(),
                        int line = __builtin_LINE())
{
    try {
        action();
    } catch (Error const& error) {
        testing::ScopedTrace const trace(file, line, "catch_error");
        EXPECT_EQ(static_cast<int>(error.status()), static_cast<int>(status)) << error.what();
        return error.what();
    }
    return {};
}

/// `action` has to throw an Error of this status whose message contains all of `parts`. Returns the message.
template <typename Action>
std::string expect_error(ExitStatus status, std::initializer_list<std::string_view> parts, Action&& action,
                         char const* file = __builtin_FILE(), int line = __builtin_LINE())
{
    std::string message = catch_error(status, action, file, line);
    if (message.empty())
        ADD_FAILURE_AT(file, line) << "no Error was thrown";
    else
        expect_contains(message, parts, file, line);
    return message;
}

} // namespace volpt::test
