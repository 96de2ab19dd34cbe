#include "tools/volview/access/access.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <sys/random.h>
#include <vector>

namespace volpt {
namespace {

constexpr std::size_t kLongestHost = 255;
constexpr std::string_view kLoopback[] = {"localhost", "127.0.0.1", "[::1]"};

constexpr bool is_digit(char letter)
{
    return letter >= '0' && letter <= '9';
}
constexpr bool is_hex(char letter)
{
    return is_digit(letter) || (lower_ascii(letter) >= 'a' && lower_ascii(letter) <= 'f');
}
constexpr bool is_of_name(char letter)
{
    return is_digit(letter) || (lower_ascii(letter) >= 'a' && lower_ascii(letter) <= 'z') || letter == '.' ||
           letter == '-' || letter == '_';
}

std::string lower(std::string_view text)
{
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), lower_ascii);
    return result;
}

bool is_port(std::string_view text)
{
    if (text.empty() || text.size() > 5 || !std::all_of(text.begin(), text.end(), is_digit)) return false;
    int port = 0;
    for (char const digit : text) port = 10 * port + (digit - '0');
    return port <= 65535;
}

} // namespace

std::string_view trim_blanks(std::string_view text)
{
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
    return text;
}

std::string make_random_hex(int bits)
{
    std::vector<unsigned char> bytes(static_cast<std::size_t>(bits + 7) / 8);
    // Up to 256 bytes come whole, once the kernel has entropy.
    ssize_t got = -1;
    do got = getrandom(bytes.data(), bytes.size(), 0);
    while (got < 0 && errno == EINTR);
    if (got != static_cast<ssize_t>(bytes.size()))
        fail_system(std::string("no random numbers: ") + std::strerror(errno), "getrandom");
    std::string hex;
    for (unsigned char const byte : bytes)
        for (int const shift : {4, 0}) hex += "0123456789abcdef"[(byte >> shift) & 15];
    hex.resize(static_cast<std::size_t>(bits) / 4);
    return hex;
}

bool equals_in_constant_time(std::string_view given, std::string_view secret)
{
    if (secret.empty()) return false;
    unsigned difference = given.size() == secret.size() ? 0 : 1;
    for (std::size_t i = 0; i < given.size(); ++i) {
        unsigned const bits = static_cast<unsigned char>(given[i]) ^
                              static_cast<unsigned>(static_cast<unsigned char>(secret[i % secret.size()]));
        difference |= bits;
#if defined(__GNUC__)
        __asm__ volatile("" : "+r"(difference)); // no early end of the loop
#endif
    }
    return difference == 0;
}

std::optional<std::string> parse_host(std::string_view header)
{
    if (header.empty() || header.size() > kLongestHost) return std::nullopt;
    std::size_t end = 0;
    if (header.front() == '[') {
        end = header.find(']');
        if (end == header.npos || end < 3) return std::nullopt;
        auto const address = header.substr(1, end - 1);
        if (!std::all_of(address.begin(), address.end(),
                         [](char letter) { return is_hex(letter) || letter == ':' || letter == '.'; }))
            return std::nullopt;
        ++end;
    } else {
        end = std::min(header.find(':'), header.size());
        auto const name = header.substr(0, end);
        if (name.empty() || !std::all_of(name.begin(), name.end(), is_of_name)) return std::nullopt;
    }
    auto const rest = header.substr(end);
    if (!rest.empty() && (rest.front() != ':' || !is_port(rest.substr(1)))) return std::nullopt;
    return lower(header.substr(0, end));
}

bool is_host(std::string_view text)
{
    return parse_host(text) == lower(text);
}

bool is_allowed_host(std::string_view header, std::span<std::string const> others)
{
    auto const host = parse_host(header);
    if (!host) return false;
    return std::find(std::begin(kLoopback), std::end(kLoopback), *host) != std::end(kLoopback) ||
           std::any_of(others.begin(), others.end(), [&](std::string const& other) { return lower(other) == *host; });
}

bool is_same_origin(std::string_view origin, std::string_view host)
{
    constexpr std::string_view kScheme = "http://";
    return !host.empty() && lower(origin.substr(0, kScheme.size())) == kScheme &&
           lower(origin.substr(kScheme.size())) == lower(host);
}

std::optional<std::string_view> find_cookie(std::string_view header, std::string_view name)
{
    while (!header.empty()) {
        std::size_t const end = std::min(header.find(';'), header.size());
        auto const pair = trim_blanks(header.substr(0, end));
        std::size_t const equals = pair.find('=');
        if (equals != pair.npos && pair.substr(0, equals) == name) return pair.substr(equals + 1);
        header.remove_prefix(std::min(end + 1, header.size()));
    }
    return std::nullopt;
}

std::optional<std::string_view> find_bearer(std::string_view header)
{
    constexpr std::string_view kKind = "bearer ";
    if (lower(header.substr(0, kKind.size())) != kKind) return std::nullopt;
    return trim_blanks(header.substr(kKind.size()));
}

bool is_json_type(std::string_view header)
{
    return lower(trim_blanks(header.substr(0, header.find(';')))) == "application/json";
}

} // namespace volpt
