// Where a JSON text is wrong, for messages.
#pragma once

#include <string>
#include <string_view>

namespace volpt {

/// "line 2, column 16: syntax error ..": the library's words on a parse error, without its number.
inline std::string describe_json_error(std::string_view what)
{
    constexpr std::string_view kLead = "parse error at ";
    auto const lead = what.find(kLead);
    return std::string(lead == std::string_view::npos ? what : what.substr(lead + kLead.size()));
}

} // namespace volpt
