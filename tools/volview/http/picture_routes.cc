#include "tools/volview/http/routes.h"

#include <fmt/format.h>

namespace volpt {
namespace {

/// Straight from the mapping: films are large.
void send_film(httplib::Request const& request, httplib::Response& response,
               std::shared_ptr<MappedFile const> const& file, std::string const& extension,
               std::shared_ptr<void const> const& place)
{
    std::string const type = extension == ".png"   ? "image/png"
                             : extension == ".exr" ? "image/x-exr"
                                                   : "application/octet-stream";
    response.set_header("Content-Disposition", fmt::format("attachment; filename=\"film{}\"", extension));
    send_bytes(request, response, file->bytes().size(), type,
               [file, place](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                   constexpr std::size_t kPiece = 1 << 20;
                   auto const* const bytes = reinterpret_cast<char const*>(file->bytes().data());
                   return sink.write(bytes + offset, std::min(length, kPiece));
               });
}

} // namespace

void add_picture_routes(Routes& routes)
{
    Session& session = routes.session();
    routes.get("/frame\\.png", [&routes, &session](httplib::Request const& request, httplib::Response& response) {
        auto place = routes.take_picture_place();
        send_picture(request, response, session.encode_picture(), std::move(place));
    });
    routes.get("/target\\.png", [&routes, &session](httplib::Request const& request, httplib::Response& response) {
        auto place = routes.take_picture_place();
        send_picture(request, response, session.encode_target(), std::move(place));
    });
    for (std::string const extension : {".vpf", ".exr", ".png"})
        routes.get("/film\\" + extension,
                   [&routes, &session, extension](httplib::Request const& request, httplib::Response& response) {
                       auto const place = routes.take_film_place();
                       send_film(request, response, session.make_film_file(extension), extension, place);
                   });
}

} // namespace volpt
