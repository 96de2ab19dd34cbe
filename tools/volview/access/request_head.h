// What the head of a request asks for, decided before the HTTP library sees it: the library parses ranges and forms
// before it asks who sends them, takes the first of several lengths, and leaves a body that it does not expect as the
// next request. RFC 9110, 9112.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace volpt {

/// Why a request is refused: a status of HTTP and a sentence. What follows in the connection is no request.
struct HeadFault {
    int status;
    std::string_view sentence;
};

/// A request that the library may have.
struct RequestHead {
    std::string text;  ///< the head without its Range; ends with an empty line
    std::string range; ///< the value of Range of a GET; empty: the whole answer
};

/// `head` is all up to the empty line, with it. Refused are: methods other than GET, HEAD and POST (405); a GET or HEAD
/// with a body (400); a POST whose body is not JSON (415) or whose length is not told (411); two lengths, or one that
/// is no number (400); more than one range (416); header lines that programs read in different ways (400).
std::variant<RequestHead, HeadFault> check_head(std::string_view head);

/// What a request asks of a content.
struct ContentPart {
    enum class Kind { whole, range, nothing };

    Kind kind;
    std::uint64_t offset, length;
};

/// What a Range of bytes asks of a content of this size: ends past the last byte are cut; `nothing` if no byte lies in
/// it. The whole if the text is empty, malformed or not of bytes, as RFC 9110 has it.
ContentPart find_part(std::string_view range, std::uint64_t size_bytes);

/// True if the method of this head is HEAD: its answer has no body.
bool is_head_request(std::string_view head);

} // namespace volpt
