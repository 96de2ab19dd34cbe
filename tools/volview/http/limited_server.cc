#include "tools/volview/http/limited_server.h"

#include "tools/volview/access/request_head.h"

#include <fmt/format.h>
#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr HeadFault kTooLong{431, "the head of the request is longer than 32 KiB"};
constexpr HeadFault kTooMany{503, "too many connections"};

std::string_view name_status(int status)
{
    switch (status) {
    case 405:
        return "Method Not Allowed\r\nAllow: GET, HEAD, POST";
    case 411:
        return "Length Required";
    case 415:
        return "Unsupported Media Type";
    case 416:
        return "Range Not Satisfiable";
    case 431:
        return "Request Header Fields Too Large";
    case 503:
        return "Service Unavailable\r\nRetry-After: 1";
    default:
        return "Bad Request";
    }
}

/// An answer that the HTTP library does not make. The connection ends with it.
std::string format_refusal(HeadFault const& fault, std::string_view head)
{
    std::string const body = fmt::format("{{\"error\": \"{}\"}}\n", fault.sentence);
    return fmt::format("HTTP/1.1 {} {}\r\nConnection: close\r\nContent-Security-Policy: default-src 'none'\r\n"
                       "Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
                       "Content-Type: application/json\r\nContent-Length: {}\r\n\r\n{}",
                       fault.status, name_status(fault.status), body.size(), is_head_request(head) ? "" : body);
}

} // namespace

LimitedServer::LimitedServer(int threads, std::function<bool(httplib::Request const&)> has_token)
    : has_token_(std::move(has_token))
{
    new_task_queue = [this, threads] { return queue_ = new ConnectionQueue(threads); };
}

void LimitedServer::lengthen_backlog()
{
    constexpr int kBacklog = 256;
    ::listen(svr_sock_, kBacklog);
}

void LimitedServer::end()
{
    stop_signal_.raise();
    stop();
}

bool LimitedServer::process_and_close_socket(socket_t socket)
{
    bool is_answered = false;
    if (ConnectionQueue::is_refusing()) {
        std::string const refusal = format_refusal(kTooMany, {});
        send(socket, refusal.data(), refusal.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    } else {
        is_answered = answer_requests(socket);
    }
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return is_answered;
}

/// False if the last request could not be answered.
bool LimitedServer::answer_requests(socket_t socket)
{
    ConnectionQueue::Entry entry(*queue_, socket);
    Connection connection(socket, stop_signal_, [&entry] { entry.make_room(); });
    RequestHead request_head;
    auto const keep_guest = [&](httplib::Request& request) {
        request.headers.erase(kRangeHeader);
        if (!request_head.range.empty()) request.set_header(kRangeHeader, request_head.range);
        if (has_token_(request)) entry.keep();
    };
    for (std::size_t left = keep_alive_max_count_; left > 0; left--) {
        if (!connection.wait_for_request(static_cast<double>(keep_alive_timeout_sec_))) return true;
        auto const head = connection.read_head();
        if (!head) return false;
        auto checked = head->ends_with("\r\n\r\n") ? check_head(*head) : kTooLong;
        if (auto const* const fault = std::get_if<HeadFault>(&checked)) {
            std::string const refusal = format_refusal(*fault, *head);
            connection.write(refusal.data(), refusal.size());
            connection.drain();
            return false;
        }
        request_head = std::get<RequestHead>(std::move(checked));
        connection.set_head(request_head.text);
        bool is_last = left == 1;
        if (!process_request(connection, is_last, is_last, keep_guest)) return false;
        if (is_last || !connection.is_intact()) return true;
        entry.release();
    }
    return true;
}

} // namespace volpt
