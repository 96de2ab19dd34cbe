#include "libvolpt/sys/text/failure_text.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/json_text.h"

#include <fmt/format.h>
#include <new>
#include <stdexcept>
#include <string_view>
#include <system_error>

namespace volpt {

std::string describe_failure(std::exception const& failure)
{
    if (dynamic_cast<Error const*>(&failure) != nullptr) return failure.what();
    if (dynamic_cast<std::bad_alloc const*>(&failure) != nullptr) return "out of memory";
    if (auto const* const system = dynamic_cast<std::system_error const*>(&failure);
        system != nullptr && system->code() == std::errc::resource_unavailable_try_again)
        return "no more threads can be started: use fewer (-j), or raise the limit of processes (ulimit -u)";
    if (dynamic_cast<std::length_error const*>(&failure) != nullptr)
        return "more memory is asked for than there can be: a number in the input is too large";
    std::string_view const what = failure.what();
    if (what.starts_with("[json.exception.")) return "JSON is not as expected: " + describe_json_error(what);
    return fmt::format("a library failed and says '{}'", what);
}

} // namespace volpt
