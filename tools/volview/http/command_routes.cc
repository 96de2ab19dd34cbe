#include "tools/volview/http/routes.h"

#include <nlohmann/json.hpp>

namespace volpt {

void add_command_routes(Routes& routes)
{
    using Json = nlohmann::ordered_json;
    Session& session = routes.session();
    routes.get_json("/scene\\.json", [&session] { return session.describe_scene(); });
    routes.get_json("/stats\\.json", [&session] { return session.describe_statistics(); });
    routes.get_json("/command\\.json", [&session] { return session.describe_command(); });
    routes.post("/camera", [&session](Json const& command) { return session.move_camera(command); });
    routes.post("/options", [&session](Json const& command) { return session.set_options(command); });
    routes.post("/display", [&session](Json const& command) { return session.set_display(command); });
    routes.post("/pick", [&session](Json const& command) { return session.find_point(command); });
    routes.post("/patch", [&session](Json const& command) { return session.measure_patch(command); });
    routes.post("/save", [&session](Json const& command) { return session.save(command); });
}

} // namespace volpt
