#include "libvolpt/sys/error.h"

namespace volpt {
namespace {

std::string join_sentences(ErrorText const& text)
{
    std::string line = text.where.empty() ? text.what : text.where + ": " + text.what;
    if (!text.why.empty()) line += " (" + text.why + ")";
    if (!text.what_to_do.empty()) line += "; " + text.what_to_do;
    return line;
}

} // namespace

Error::Error(ExitStatus status, ErrorText text)
    : std::runtime_error(join_sentences(text)), status_(status), text_(std::move(text))
{
}

Error Error::within(std::string_view doing) const
{
    ErrorText outer = text_;
    outer.what = std::string(doing) + ": " + outer.what;
    return Error(status_, std::move(outer));
}

void fail_input(std::string what, std::string where, std::string why, std::string what_to_do)
{
    throw Error(ExitStatus::input, {std::move(what), std::move(where), std::move(why), std::move(what_to_do)});
}

void fail_usage(std::string what, std::string what_to_do)
{
    throw Error(ExitStatus::usage, {std::move(what), {}, {}, std::move(what_to_do)});
}

void fail_system(std::string what, std::string where, std::string what_to_do)
{
    throw Error(ExitStatus::system, {std::move(what), std::move(where), {}, std::move(what_to_do)});
}

} // namespace volpt
