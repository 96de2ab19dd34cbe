// How messages spell what the caller wrote, for bindings to other languages.
#pragma once

#include "volpt/export.h"

#include <functional>
#include <string>
#include <string_view>

namespace volpt {
VOLPT_API_NAMESPACE v0
{

    struct CallerWords {
        /// Of a function of this API: "render" is volpt::render in C++, and so without this function.
        std::function<std::string(std::string_view name)> function = {};
        /// Of an option, "depth-limit", which is left as it is without this function.
        std::function<std::string(std::string_view name)> option = {};
        std::string spawn = "posix_spawn"; ///< what starts a process that is no copy of this one
    };

    /// Errors, notices and Film::describe of merged films have these words from now on. To be called before any other
    /// function, by one thread; functions of `words` are called by any.
    VOLPT_API void set_caller_words(CallerWords words);

} // namespace v0
} // namespace volpt
