#pragma once

#include "tools/volview/options.h"
#include "tools/volview/session.h"

#include <memory>
#include <string>

namespace volpt {

/// Serves a session by HTTP, in threads of its own, until it is destroyed; streams end then.
class ViewServer {
public:
    /// Listens. Error (system) if the address or the port cannot be had. `session` outlives it.
    ViewServer(Session& session, ServeOptions const& options, std::string const& token);
    ~ViewServer();

    int port() const;
    /// "http://127.0.0.1:4711/"
    std::string address() const;

private:
    class Implementation;
    std::unique_ptr<Implementation> implementation_;
};

} // namespace volpt
