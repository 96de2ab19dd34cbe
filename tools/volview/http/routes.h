// What a group of routes needs to add itself to the server. A group is a file; server.cc lists them.
#pragma once

#include "tools/volview/session.h"

#include <atomic>
#include <functional>
#include <httplib.h>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <string>

namespace volpt {

/// Who may send requests.
struct AccessRules {
    std::string token;                      ///< hexadecimal digits
    std::string cookie;                     ///< name of the one that holds the token
    std::vector<std::string> allowed_hosts; ///< besides those of the loopback
};

/// An answer other than 200: a status of HTTP and a sentence.
class Refusal : public std::runtime_error {
public:
    Refusal(int status, std::string const& sentence) : std::runtime_error(sentence), status_(status) {}
    int status() const { return status_; }

private:
    int status_;
};

/// What only so many may do at a time.
class Places {
public:
    explicit Places(int count) : count_(count) {}

    /// A place, which is free again when its last copy goes; null if all are taken.
    std::shared_ptr<void const> take();

private:
    int count_;
    std::shared_ptr<std::atomic<int>> taken_ = std::make_shared<std::atomic<int>>(0);
};

class Routes {
public:
    Routes(httplib::Server& server, Session& session, AccessRules rules, int clients)
        : server_(server), session_(session), rules_(std::move(rules)), clients_(clients)
    {
    }
    Routes(Routes const&) = delete;
    Routes& operator=(Routes const&) = delete;

    using Answer = std::function<void(httplib::Request const&, httplib::Response&)>;
    using Describe = std::function<nlohmann::ordered_json()>;
    using Command = std::function<nlohmann::ordered_json(nlohmann::ordered_json const&)>;

    /// Answers GET of a path for those who have the token. Exceptions become answers: Refusal has its own status,
    /// Conflict is 409, Error (usage) and Error (input) are 400, others 500.
    void get(std::string const& path, Answer answer);
    /// The same with JSON as the answer.
    void get_json(std::string const& path, Describe describe);
    /// The same for POST of a JSON object from a page of this server.
    void post(std::string const& path, Command command);
    /// For those without the token, too, who call the server by an allowed host.
    void get_openly(std::string const& path, Answer answer);

    /// True if the request has the token, as cookie or as bearer.
    bool has_token(httplib::Request const& request) const;

    Session& session() const { return session_; }
    AccessRules const& rules() const { return rules_; }
    int clients() const { return clients_; }
    /// A place among those for whom a picture or a film is made and sent at this moment, to be held until it is sent:
    /// these take much memory. Waits a little. Refusal (503) if none becomes free.
    std::shared_ptr<void const> take_picture_place() { return take_place(picture_places_); }
    std::shared_ptr<void const> take_film_place() { return take_place(film_places_); }
    /// No answer goes on once it is true.
    std::atomic<bool> const& is_stopping() const { return is_stopping_; }
    void stop() { is_stopping_ = true; }

private:
    static constexpr int kMostSent = 4; // at a time, of each kind

    std::shared_ptr<void const> take_place(Places& places) const;
    void check_host(httplib::Request const& request) const;
    void check_token(httplib::Request const& request) const;

    httplib::Server& server_;
    Session& session_;
    AccessRules rules_;
    int clients_;
    std::atomic<bool> is_stopping_ = false;
    Places picture_places_{kMostSent}, film_places_{kMostSent};
};

/// Sends a JSON value.
void send_json(httplib::Response& response, nlohmann::ordered_json const& value);
/// Sends the content that `write` gives from an offset on, at most `length` bytes of it at a time, or the part of it
/// that the request asks for (206). Refusal (416) if nothing lies in that part.
using WritePart = std::function<bool(std::size_t offset, std::size_t length, httplib::DataSink& sink)>;
void send_bytes(httplib::Request const& request, httplib::Response& response, std::size_t size_bytes,
                std::string const& type, WritePart write);
/// Sends a picture, which holds a place until then.
void send_picture(httplib::Request const& request, httplib::Response& response, EncodedPicture picture,
                  std::shared_ptr<void const> place);
/// Sends {"error": sentence}.
void send_error(httplib::Response& response, int status, std::string const& sentence);

void add_page_routes(Routes& routes);    ///< the page's files, and the exchange of the token for a cookie
void add_picture_routes(Routes& routes); ///< pictures and films
void add_command_routes(Routes& routes); ///< descriptions and commands
void add_volume_routes(Routes& routes);  ///< the volume's numbers, sections, and previews
void add_event_routes(Routes& routes);   ///< the stream of pictures and statistics

} // namespace volpt
