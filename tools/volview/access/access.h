// Who may speak to the server: the token, and the headers of a request that browsers fill. Pure functions, but for
// random numbers.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace volpt {

/// Those of <cctype> depend on the locale.
constexpr char lower_ascii(char letter)
{
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a') : letter;
}

/// Without blanks and tabs at its ends.
std::string_view trim_blanks(std::string_view text);

/// So many random bits (a multiple of 4) as lower-case hexadecimal digits, from the operating system. Error (system) if
/// it has none.
std::string make_random_hex(int bits);

/// True if both are equal. The time depends on the length of `given` alone.
bool equals_in_constant_time(std::string_view given, std::string_view secret);

/// The host of a Host header in lower case, without its port: "localhost", "127.0.0.1", "[::1]". None if the text is
/// none: other characters than letters, digits, '.', '-' and '_', or than those of an address in brackets; a port that
/// is no number up to 65535; more than 255 characters.
std::optional<std::string> parse_host(std::string_view header);

/// True if parse_host takes the text for a host without a port.
bool is_host(std::string_view text);

/// True if the host of the header is localhost, 127.0.0.1, [::1] or one of `others` (in any case), with any port.
bool is_allowed_host(std::string_view header, std::span<std::string const> others);

/// True if an Origin header names the page that a server with this Host header gives: "http://" and the same text.
bool is_same_origin(std::string_view origin, std::string_view host);

/// The value of the first cookie of this name in a Cookie header; none if there is no such cookie.
std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name);

/// What follows "Bearer " in an Authorization header; none if it is of another kind.
std::optional<std::string_view> find_bearer(std::string_view header);

/// True if a Content-Type header is application/json, whatever its parameters.
bool is_json_type(std::string_view header);

} // namespace volpt
