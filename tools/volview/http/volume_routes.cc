#include "tools/volview/http/routes.h"
#include "tools/volview/volume_views.h"

#include <nlohmann/json.hpp>

namespace volpt {
namespace {

VolumeSection find_section(PackedVolume const& volume, httplib::Request const& request)
{
    return parse_section(volume, request.get_param_value("axis"), request.get_param_value("index"));
}

} // namespace

void add_volume_routes(Routes& routes)
{
    using Json = nlohmann::ordered_json;
    Session& session = routes.session();
    routes.get_json("/volume\\.json", [&session] { return session.describe_volume(); });
    routes.get("/slice\\.png", [&routes, &session](httplib::Request const& request, httplib::Response& response) {
        PackedVolume const& volume = session.volume();
        auto place = routes.take_picture_place();
        send_picture(request, response, encode_section(volume, find_section(volume, request)), std::move(place));
    });
    routes.get("/slice\\.json", [&session](httplib::Request const& request, httplib::Response& response) {
        PackedVolume const& volume = session.volume();
        send_json(response, describe_place(volume, find_section(volume, request), request.get_param_value("x"),
                                           request.get_param_value("y")));
    });
    routes.post("/preview", [&session](Json const& command) { return session.set_preview(command); });
}

} // namespace volpt
