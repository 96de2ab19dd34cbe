// The HTTP library's server, with limits on what a client may take of memory, threads and time.
#pragma once

#include "tools/volview/http/connection.h"
#include "tools/volview/http/connection_queue.h"

#include <functional>
#include <httplib.h>

namespace volpt {

/// Where the handlers of requests find the one range that a GET asks for. The library sees none: it would send what
/// lies behind the end of the content, and parts of refusals.
inline constexpr char kRangeHeader[] = "X-Volview-Range";

class LimitedServer : public httplib::Server {
public:
    /// `has_token` tells whether a request is that of a guest: connections of others make room for new ones.
    LimitedServer(int threads, std::function<bool(httplib::Request const&)> has_token);

    /// To be called when it is bound: the library lets five connections wait for being accepted, and where more come,
    /// all clients wait for seconds.
    void lengthen_backlog();

    /// Ends, within about a second, whatever the clients do. Answers that are computed at this moment are waited for.
    void end();

private:
    bool process_and_close_socket(socket_t socket) override;
    bool answer_requests(socket_t socket);

    std::function<bool(httplib::Request const&)> has_token_;
    StopSignal stop_signal_;
    ConnectionQueue* queue_ = nullptr; // the library's, while it listens
};

} // namespace volpt
