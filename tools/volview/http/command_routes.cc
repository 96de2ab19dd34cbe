#include "tools/options/units.h"
#include "tools/volview/http/routes.h"

#include <nlohmann/json.hpp>

namespace volpt {

void add_command_routes(Routes& routes)
{
    using Json = nlohmann::ordered_json;
    Session& session = routes.session();
    routes.get_json("/scene\\.json", [&session] { return session.describe_scene(); });
    routes.get_json("/stats\\.json", [&session] { return session.describe_statistics(); });
    routes.get("/command\\.json", [&session](httplib::Request const& request, httplib::Response& response) {
        std::optional<std::uint64_t> samples;
        if (request.has_param("samples"))
            samples = static_cast<std::uint64_t>(
                parse_integer("samples", request.get_param_value("samples"), 1, std::int64_t{1} << 32));
        send_json(response, session.describe_command(samples));
    });
    routes.post("/camera", [&session](Json const& command) { return session.move_camera(command); });
    routes.post("/options", [&session](Json const& command) { return session.set_options(command); });
    routes.post("/display", [&session](Json const& command) { return session.set_display(command); });
    routes.post("/pick", [&session](Json const& command) { return session.find_point(command); });
    routes.post("/patch", [&session](Json const& command) { return session.measure_patch(command); });
    routes.post("/save", [&session](Json const& command) { return session.save(command); });
}

} // namespace volpt
