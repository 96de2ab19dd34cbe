#include "tools/volview/http/routes.h"

#include <fmt/format.h>

namespace volpt {
namespace {

void send_picture(httplib::Response& response, EncodedPicture const& picture)
{
    response.set_content(reinterpret_cast<char const*>(picture.bytes.data()), picture.bytes.size(),
                         std::string(picture.type));
}

/// Straight from the mapping: films are large.
void send_film(httplib::Response& response, std::shared_ptr<MappedFile const> const& file, std::string const& extension)
{
    std::string const type = extension == ".png"   ? "image/png"
                             : extension == ".exr" ? "image/x-exr"
                                                   : "application/octet-stream";
    response.set_header("Content-Disposition", fmt::format("attachment; filename=\"film{}\"", extension));
    response.set_content_provider(file->bytes().size(), type,
                                  [file](std::size_t offset, std::size_t length, httplib::DataSink& sink) {
                                      constexpr std::size_t kPiece = 1 << 20;
                                      auto const* const bytes = reinterpret_cast<char const*>(file->bytes().data());
                                      return sink.write(bytes + offset, std::min(length, kPiece));
                                  });
}

} // namespace

void add_picture_routes(Routes& routes)
{
    Session& session = routes.session();
    routes.get("/frame\\.png", [&session](httplib::Request const&, httplib::Response& response) {
        send_picture(response, session.encode_picture());
    });
    routes.get("/target\\.png", [&session](httplib::Request const&, httplib::Response& response) {
        send_picture(response, session.encode_target());
    });
    for (std::string const extension : {".vpf", ".exr", ".png"})
        routes.get("/film\\" + extension, [&session, extension](httplib::Request const&, httplib::Response& response) {
            send_film(response, session.make_film_file(extension), extension);
        });
}

} // namespace volpt
