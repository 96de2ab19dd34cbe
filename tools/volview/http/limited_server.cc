#include "tools/volview/http/limited_server.h"

#include <string_view>
#include <sys/socket.h>
#include <unistd.h>

namespace volpt {
namespace {

constexpr std::string_view kRefusal =
    "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nRetry-After: 1\r\n"
    "Content-Security-Policy: default-src 'none'\r\nCache-Control: no-store\r\n"
    "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\nContent-Type: application/json\r\n"
    "Content-Length: 33\r\n\r\n"
    "{\"error\": \"too many connections\"}";
static_assert(kRefusal.size() - kRefusal.find("\r\n\r\n") - 4 == 33);

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
    if (ConnectionQueue::is_refusing())
        send(socket, kRefusal.data(), kRefusal.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    else
        is_answered = answer_requests(socket);
    shutdown(socket, SHUT_RDWR);
    close(socket);
    return is_answered;
}

/// False if the last request could not be answered.
bool LimitedServer::answer_requests(socket_t socket)
{
    ConnectionQueue::Entry entry(*queue_, socket);
    Connection connection(socket, stop_signal_, [&entry] { entry.make_room(); });
    auto const keep_guest = [&](httplib::Request& request) {
        if (has_token_(request)) entry.keep();
    };
    for (std::size_t left = keep_alive_max_count_; left > 0; left--) {
        if (!connection.wait_for_request(static_cast<double>(keep_alive_timeout_sec_))) return true;
        bool is_last = left == 1;
        if (!process_request(connection, is_last, is_last, keep_guest)) return false;
        if (is_last || !connection.is_intact()) return true;
        entry.release();
    }
    return true;
}

} // namespace volpt
