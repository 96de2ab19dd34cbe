#include "tools/volview/access/request_head.h"

#include "tools/volview/access/access.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace volpt {
namespace {

constexpr std::string_view kTokenMarks = "!#$%&'*+-.^_`|~";
constexpr HeadFault kMalformed{400, "the head of the request is malformed"};

bool are_equal_words(std::string_view a, std::string_view b)
{
    return std::ranges::equal(a, b, {}, lower_ascii, lower_ascii);
}

/// A token of RFC 9110.
bool is_token(std::string_view text)
{
    auto const is_of_token = [](char c) {
        char const lower = lower_ascii(c);
        return (lower >= 'a' && lower <= 'z') || (c >= '0' && c <= '9') ||
               kTokenMarks.find(c) != std::string_view::npos;
    };
    return !text.empty() && std::ranges::all_of(text, is_of_token);
}

bool is_number(std::string_view text)
{
    return !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
}

/// Numbers beyond 64 bits are the largest one.
std::uint64_t read_number(std::string_view digits)
{
    std::uint64_t value = 0;
    bool const fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc();
    return fits ? value : std::numeric_limits<std::uint64_t>::max();
}

/// The headers that decide, as they are read line by line.
struct Fields {
    std::optional<std::string_view> content_length, content_type, range;
    bool has_transfer_encoding = false, has_if_range = false;

    /// False if the header may occur once and is there already.
    bool add(std::string_view name, std::string_view value)
    {
        if (are_equal_words(name, "Content-Length")) return take_once(content_length, value);
        if (are_equal_words(name, "Content-Type")) return take_once(content_type, value);
        if (are_equal_words(name, "Range")) return take_once(range, value);
        has_transfer_encoding |= are_equal_words(name, "Transfer-Encoding");
        has_if_range |= are_equal_words(name, "If-Range");
        return true;
    }

private:
    static bool take_once(std::optional<std::string_view>& field, std::string_view value)
    {
        if (field) return false;
        field = value;
        return true;
    }
};

/// Lines end with "\r\n", and no other control characters are in them: the library passes over lines that end
/// otherwise.
bool is_line(std::string_view line)
{
    return std::ranges::none_of(line, [](char c) { return (c >= 0 && c < ' ' && c != '\t') || c == 127; });
}

std::optional<HeadFault> find_body_fault(std::string_view method, Fields const& fields)
{
    if (fields.content_length && !is_number(*fields.content_length))
        return HeadFault{400, "the Content-Length is no number"};
    if (fields.content_length && fields.has_transfer_encoding)
        return HeadFault{400, "the request has a Content-Length and a Transfer-Encoding"};
    bool const has_body =
        fields.has_transfer_encoding || (fields.content_length && read_number(*fields.content_length) > 0);
    if (method != "POST") return has_body ? std::optional(HeadFault{400, "GET and HEAD have no body"}) : std::nullopt;
    if (!fields.content_type || !is_json_type(*fields.content_type))
        return HeadFault{415, "the Content-Type is not application/json"};
    if (!fields.content_length) return HeadFault{411, "the body's length is not told: send Content-Length"};
    return std::nullopt;
}

std::string_view take_line(std::string_view& text)
{
    auto const end = text.find("\r\n");
    std::string_view const line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
    return line;
}

} // namespace

bool is_head_request(std::string_view head)
{
    return head.starts_with("HEAD ");
}

std::variant<RequestHead, HeadFault> check_head(std::string_view head)
{
    if (!head.ends_with("\r\n\r\n")) return kMalformed;
    std::string_view rest = head.substr(0, head.size() - 2);
    std::string_view const request_line = take_line(rest);
    std::string_view const method = request_line.substr(0, request_line.find(' '));
    if (!is_line(request_line) || !is_token(method) || method.size() == request_line.size()) return kMalformed;
    if (method != "GET" && method != "HEAD" && method != "POST")
        return HeadFault{405, "the methods are GET, HEAD and POST"};
    RequestHead checked{std::string(request_line) + "\r\n", {}};
    Fields fields;
    while (!rest.empty()) {
        std::string_view const line = take_line(rest);
        auto const colon = line.find(':');
        // A line that begins with a space goes on with the header before: is_token refuses it.
        if (colon == std::string_view::npos || !is_token(line.substr(0, colon)) || !is_line(line)) return kMalformed;
        std::string_view const name = line.substr(0, colon);
        if (!fields.add(name, trim_blanks(line.substr(colon + 1))))
            return HeadFault{400, "a header that may occur once occurs twice"};
        if (!are_equal_words(name, "Range")) checked.text.append(line).append("\r\n");
    }
    checked.text += "\r\n";
    if (auto const fault = find_body_fault(method, fields)) return *fault;
    if (fields.range && fields.range->find(',') != std::string_view::npos)
        return HeadFault{416, "the request asks for several ranges: ask for one"};
    // Nothing here has a version that If-Range could name.
    if (fields.range && method == "GET" && !fields.has_if_range) checked.range = *fields.range;
    return checked;
}

ContentPart find_part(std::string_view range, std::uint64_t size_bytes)
{
    using Kind = ContentPart::Kind;
    ContentPart const whole{Kind::whole, 0, size_bytes}, nothing{Kind::nothing, 0, 0};
    auto const equals = range.find('=');
    if (equals == std::string_view::npos || !are_equal_words(trim_blanks(range.substr(0, equals)), "bytes"))
        return whole;
    std::string_view const limits = trim_blanks(range.substr(equals + 1));
    auto const dash = limits.find('-');
    if (dash == std::string_view::npos) return whole;
    std::string_view const first_digits = trim_blanks(limits.substr(0, dash)),
                           last_digits = trim_blanks(limits.substr(dash + 1));
    if ((!first_digits.empty() && !is_number(first_digits)) || (!last_digits.empty() && !is_number(last_digits)))
        return whole;
    if (first_digits.empty() && last_digits.empty()) return whole;
    if (first_digits.empty()) { // so many from the end
        std::uint64_t const count = std::min(read_number(last_digits), size_bytes);
        return count == 0 ? nothing : ContentPart{Kind::range, size_bytes - count, count};
    }
    std::uint64_t const first = read_number(first_digits);
    if (!last_digits.empty() && read_number(last_digits) < first) return whole;
    if (first >= size_bytes) return nothing;
    std::uint64_t const last =
        last_digits.empty() ? size_bytes - 1 : std::min(read_number(last_digits), size_bytes - 1);
    return {Kind::range, first, last - first + 1};
}

} // namespace volpt
