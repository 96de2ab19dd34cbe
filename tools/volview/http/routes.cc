#include "tools/volview/http/routes.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/failure_text.h"
#include "tools/volview/access/access.h"
#include "tools/volview/access/request_head.h"
#include "tools/volview/http/limited_server.h"

#include <algorithm>
#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <thread>

namespace volpt {
namespace {

constexpr auto kPlaceWait = std::chrono::seconds(2);
constexpr auto kPlaceInterval = std::chrono::milliseconds(10);

/// The header's value; empty if it is absent. Refusal if there are several: programs differ in which of them they take.
std::string take_header(httplib::Request const& request, char const* name)
{
    if (request.get_header_value_count(name) > 1) throw Refusal(400, std::string(name) + " occurs twice");
    return request.get_header_value(name);
}

void answer_safely(httplib::Response& response, std::function<void()> const& answer)
{
    try {
        answer();
    } catch (Refusal const& refusal) {
        send_error(response, refusal.status(), refusal.what());
    } catch (Busy const& busy) {
        send_error(response, 503, busy.what());
    } catch (Conflict const& conflict) {
        send_error(response, 409, conflict.what());
    } catch (Error const& error) {
        bool const is_of_client = error.status() == ExitStatus::usage || error.status() == ExitStatus::input;
        send_error(response, is_of_client ? 400 : 500, error.what());
    } catch (std::exception const& error) {
        send_error(response, 500, describe_failure(error));
    }
}

} // namespace

void send_json(httplib::Response& response, nlohmann::ordered_json const& value)
{
    response.set_content(format_json(value) + "\n", "application/json");
}

void send_error(httplib::Response& response, int status, std::string const& sentence)
{
    response.status = status;
    send_json(response, {{"error", sentence}});
}

void send_bytes(httplib::Request const& request, httplib::Response& response, std::size_t size_bytes,
                std::string const& type, WritePart write)
{
    std::string const range = request.get_header_value(kRangeHeader);
    ContentPart const part = find_part(range, size_bytes);
    if (part.kind == ContentPart::Kind::nothing) {
        response.set_header("Content-Range", fmt::format("bytes */{}", size_bytes));
        throw Refusal(416, fmt::format("nothing lies in the range {}: there are {} bytes", range, size_bytes));
    }
    response.set_header("Accept-Ranges", "bytes");
    if (part.kind == ContentPart::Kind::range) {
        response.status = 206;
        response.set_header("Content-Range",
                            fmt::format("bytes {}-{}/{}", part.offset, part.offset + part.length - 1, size_bytes));
    }
    response.set_content_provider(
        part.length, type,
        [part, write = std::move(write)](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
            if (offset >= part.length) return false;
            return write(part.offset + offset, std::min(length, part.length - offset), sink);
        });
}

void send_picture(httplib::Request const& request, httplib::Response& response, EncodedPicture picture,
                  std::shared_ptr<void const> place)
{
    std::string const type(picture.type);
    std::size_t const size_bytes = picture.bytes.size();
    auto const sent = std::make_shared<EncodedPicture const>(std::move(picture));
    send_bytes(request, response, size_bytes, type,
               [sent, place = std::move(place)](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                   return sink.write(reinterpret_cast<char const*>(sent->bytes.data()) + offset, length);
               });
}

std::shared_ptr<void const> Places::take()
{
    if (taken_->fetch_add(1) >= count_) {
        taken_->fetch_sub(1);
        return nullptr;
    }
    return {taken_.get(), [taken = taken_](void const*) { taken->fetch_sub(1); }};
}

std::shared_ptr<void const> Routes::take_place(Places& places) const
{
    auto const until = std::chrono::steady_clock::now() + kPlaceWait;
    do {
        if (auto place = places.take()) return place;
        std::this_thread::sleep_for(kPlaceInterval);
    } while (!is_stopping_ && std::chrono::steady_clock::now() < until);
    throw Refusal(503, "others fetch pictures and films at this moment: try again");
}

void Routes::check_host(httplib::Request const& request) const
{
    if (!is_allowed_host(take_header(request, "Host"), rules_.allowed_hosts))
        throw Refusal(403, "the Host of this request is none of this server's; volview --allow-host NAME allows one");
}

bool Routes::has_token(httplib::Request const& request) const
{
    auto const bearer_header = take_header(request, "Authorization");
    if (auto const bearer = find_bearer(bearer_header)) return equals_in_constant_time(*bearer, rules_.token);
    auto const cookies = take_header(request, "Cookie");
    auto const cookie = find_cookie(cookies, rules_.cookie);
    return cookie && equals_in_constant_time(*cookie, rules_.token);
}

void Routes::check_token(httplib::Request const& request) const
{
    if (!has_token(request))
        throw Refusal(403, "the token is missing or wrong; open the address that volview printed when it started");
}

void Routes::get_openly(std::string const& path, Answer answer)
{
    server_.Get(path, [this, answer = std::move(answer)](httplib::Request const& request, httplib::Response& response) {
        answer_safely(response, [&] {
            check_host(request);
            answer(request, response);
        });
    });
}

void Routes::get(std::string const& path, Answer answer)
{
    get_openly(path, [this, answer = std::move(answer)](httplib::Request const& request, httplib::Response& response) {
        check_token(request);
        answer(request, response);
    });
}

void Routes::get_json(std::string const& path, Describe describe)
{
    get(path, [describe = std::move(describe)](httplib::Request const&, httplib::Response& response) {
        send_json(response, describe());
    });
}

void Routes::post(std::string const& path, Command command)
{
    server_.Post(path,
                 [this, command = std::move(command)](httplib::Request const& request, httplib::Response& response) {
                     answer_safely(response, [&] {
                         check_host(request);
                         if (request.has_header("Origin") &&
                             !is_same_origin(take_header(request, "Origin"), take_header(request, "Host")))
                             throw Refusal(403, "the Origin of this request is another page");
                         check_token(request);
                         if (!is_json_type(take_header(request, "Content-Type")))
                             throw Refusal(400, "the Content-Type is not application/json");
                         send_json(response, command(parse_command(request.body)));
                     });
                 });
}

} // namespace volpt
