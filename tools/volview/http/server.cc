#include "tools/volview/http/server.h"

#include "libvolpt/sys/error.h"
#include "tools/volview/access/access.h"
#include "tools/volview/http/limited_server.h"
#include "tools/volview/http/routes.h"

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <exception>
#include <fmt/format.h>
#include <sys/socket.h>
#include <thread>

namespace volpt {
namespace {

constexpr std::size_t kMostBody_bytes = 64 << 10;
constexpr int kIdle_s = 2;                  // of a connection between two requests
constexpr std::size_t kMostRequests = 1000; // per connection
// Besides a stream, a browser holds a few connections open.
constexpr int kConnectionsPerClient = 4;
constexpr int kOtherConnections = 16;

constexpr char kContentPolicy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

bool is_ipv6(std::string const& address)
{
    in6_addr number{};
    return inet_pton(AF_INET6, address.c_str(), &number) == 1;
}

/// How a browser names what --bind gives; empty if that stands for all addresses.
std::string name_host(std::string const& bind)
{
    if (bind == "0.0.0.0" || bind == "::") return {};
    return is_ipv6(bind) ? "[" + bind + "]" : bind;
}

AccessRules make_rules(ServeOptions const& options, std::string const& token)
{
    constexpr int kInstanceBits = 32;
    AccessRules rules{token, "volview-" + make_random_hex(kInstanceBits), options.allowed_hosts};
    if (auto const host = name_host(options.bind); !host.empty()) rules.allowed_hosts.push_back(host);
    return rules;
}

/// The library would unpack it.
httplib::Server::HandlerResponse refuse_compressed_body(httplib::Request const& request, httplib::Response& response)
{
    if (!request.has_header("Content-Encoding")) return httplib::Server::HandlerResponse::Unhandled;
    send_error(response, 400, "the body is compressed: send plain JSON");
    return httplib::Server::HandlerResponse::Handled;
}

/// One sentence for the statuses that the HTTP library gives by itself.
std::string describe_status(int status)
{
    switch (status) {
    case 404:
        return "there is nothing under this path";
    case 413:
        return fmt::format("the body is longer than {} bytes", kMostBody_bytes);
    case 414:
        return "the path is too long";
    default:
        return "the request cannot be answered";
    }
}

} // namespace

class ViewServer::Implementation {
public:
    Implementation(Session& session, ServeOptions const& options, std::string const& token)
        : server_(options.clients * kConnectionsPerClient + kOtherConnections,
                  [this](httplib::Request const& request) { return is_of_guest(request); }),
          routes_(server_, session, make_rules(options, token), options.clients), options_(options)
    {
        configure();
        add_page_routes(routes_);
        add_picture_routes(routes_);
        add_command_routes(routes_);
        add_volume_routes(routes_);
        add_event_routes(routes_);
        listen();
    }

    ~Implementation()
    {
        routes_.stop();
        routes_.session().stop();
        server_.end();
        thread_.join();
    }

    int port() const { return port_; }
    std::string address() const
    {
        auto const named = name_host(options_.bind);
        auto const host = !named.empty()                    ? named
                          : !options_.allowed_hosts.empty() ? options_.allowed_hosts.front()
                                                            : std::string("127.0.0.1");
        return fmt::format("http://{}:{}/", host, port_);
    }

private:
    bool is_of_guest(httplib::Request const& request) const
    {
        try {
            return routes_.has_token(request);
        } catch (Refusal const&) {
            return false;
        }
    }

    void configure()
    {
        server_.set_payload_max_length(kMostBody_bytes);
        server_.set_keep_alive_timeout(kIdle_s);
        server_.set_keep_alive_max_count(kMostRequests);
        server_.set_tcp_nodelay(true);
        // Not SO_REUSEPORT, the library's default: another process could listen on the same port.
        server_.set_socket_options([](socket_t socket) {
            int const on = 1;
            setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
        });
        server_.set_default_headers({{"Content-Security-Policy", kContentPolicy},
                                     {"Referrer-Policy", "no-referrer"},
                                     {"X-Content-Type-Options", "nosniff"},
                                     {"Cache-Control", "no-store"}});
        server_.set_pre_routing_handler(refuse_compressed_body);
        server_.set_error_handler(
            httplib::Server::HandlerWithResponse([](httplib::Request const&, httplib::Response& response) {
                if (response.body.empty()) send_error(response, response.status, describe_status(response.status));
                return httplib::Server::HandlerResponse::Handled;
            }));
    }

    void listen()
    {
        port_ = options_.port == 0                                   ? server_.bind_to_any_port(options_.bind)
                : server_.bind_to_port(options_.bind, options_.port) ? options_.port
                                                                     : -1;
        if (port_ <= 0)
            fail_system(fmt::format("cannot listen on {}, port {}", options_.bind, options_.port), "--bind, --port",
                        "another program may use the port: give another one, or none for any free one");
        server_.lengthen_backlog();
        thread_ = std::thread([this] {
            try {
                server_.listen_after_bind();
            } catch (...) {
                failure_ = std::current_exception();
            }
            has_ended_ = true;
        });
        // stop() has an effect once it runs.
        while (!server_.is_running() && !has_ended_) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (!has_ended_) return;
        thread_.join();
        if (failure_) std::rethrow_exception(failure_);
        fail_system("the server cannot listen", "--bind, --port");
    }

    LimitedServer server_;
    Routes routes_;
    ServeOptions const& options_;
    int port_ = 0;
    std::exception_ptr failure_; // of the thread, once it has ended
    std::atomic<bool> has_ended_ = false;
    std::thread thread_;
};

ViewServer::ViewServer(Session& session, ServeOptions const& options, std::string const& token)
    : implementation_(std::make_unique<Implementation>(session, options, token))
{
}

ViewServer::~ViewServer() = default;

int ViewServer::port() const
{
    return implementation_->port();
}

std::string ViewServer::address() const
{
    return implementation_->address();
}

} // namespace volpt
