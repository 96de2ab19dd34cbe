#include "libvolpt/sys/json.h"
#include "libvolpt/sys/stopwatch.h"
#include "tools/volview/http/routes.h"

#include <chrono>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

// Statistics are the heartbeat as well: a connection that is gone shows at the next write.
constexpr double kStatisticsInterval_s = 0.25;
// How soon a stream without new pictures sees a changed scene, or that the server stops.
constexpr double kFrameWait_s = 0.05;

/// The stream of one client. A slow one skips pictures: it gets the newest when it has taken the last.
class EventStream {
public:
    EventStream(Routes const& routes, std::shared_ptr<void const> place)
        : routes_(routes), place_(std::move(place)), watch_(routes.session().frames())
    {
    }

    /// Sends what is due; false if the client is gone. To be called until then.
    bool send(httplib::DataSink& sink)
    {
        if (routes_.is_stopping()) {
            sink.done();
            return true;
        }
        Session& session = routes_.session();
        if (std::uint64_t const number = session.scene_number(); number != scene_number_) {
            scene_number_ = number;
            if (!send_event(sink, "scene", session.describe_scene())) return false;
        }
        if (seconds_since(statistics_at_) >= kStatisticsInterval_s) {
            statistics_at_ = std::chrono::steady_clock::now();
            if (!send_event(sink, "stats", session.describe_statistics())) return false;
        }
        auto const frame = session.frames().wait_for_frame(frame_number_, kFrameWait_s);
        if (!frame) return true;
        frame_number_ = frame->number;
        return sink.write(frame->text.data(), frame->text.size());
    }

private:
    static bool send_event(httplib::DataSink& sink, char const* name, nlohmann::ordered_json const& data)
    {
        std::string const text = fmt::format("event: {}\ndata: {}\n\n", name, format_json(data));
        return sink.write(text.data(), text.size());
    }

    Routes const& routes_;
    std::shared_ptr<void const> place_;
    FrameEncoder::Watch watch_;
    std::uint64_t scene_number_ = 0, frame_number_ = 0;
    std::chrono::steady_clock::time_point statistics_at_;
};

} // namespace

void add_event_routes(Routes& routes)
{
    auto const places = std::make_shared<Places>(routes.clients());
    routes.get("/events", [&routes, places](httplib::Request const& request, httplib::Response& response) {
        if (request.method != "GET") throw Refusal(405, "/events is a stream for GET");
        auto place = places->take();
        if (!place)
            throw Refusal(503,
                          fmt::format("{} pages watch already; volview --clients N allows more", routes.clients()));
        auto const stream = std::make_shared<EventStream>(routes, std::move(place));
        response.set_chunked_content_provider("text/event-stream", [stream](std::size_t, httplib::DataSink& sink) {
            try {
                return stream->send(sink);
            } catch (std::exception const&) {
                return false; // the page connects again
            }
        });
    });
}

} // namespace volpt
