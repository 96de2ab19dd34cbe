#include "tools/volview/access/access.h"
#include "tools/volview/http/routes.h"
#include "tools/volview/page_files.h"

#include <fmt/format.h>

namespace volpt {
namespace {

// A page and not a redirect: a SameSite=Strict cookie is not sent on a redirect that began at another site, such as a
// link in a mail.
constexpr char kEntryPage[] =
    "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>volview</title>"
    "<link rel=\"icon\" href=\"data:,\"><meta http-equiv=\"refresh\" content=\"0;url=/\"></head>"
    "<body><a href=\"/\">volview</a></body></html>\n";
constexpr char kRefusalPage[] = "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>volview</title>"
                                "<link rel=\"icon\" href=\"data:,\"></head><body><p>Open the address that volview "
                                "printed when it started.</p></body>"
                                "</html>\n";
constexpr char kHtml[] = "text/html; charset=utf-8";

void send_file(httplib::Response& response, PageFile const& file)
{
    response.set_content(file.content.data(), file.content.size(), std::string(file.type));
}

/// The first visit has the token in its address and gets it as a cookie.
void answer_root(Routes const& routes, httplib::Request const& request, httplib::Response& response,
                 PageFile const& page)
{
    if (request.has_param("token")) {
        if (request.get_param_value_count("token") != 1 ||
            !equals_in_constant_time(request.get_param_value("token"), routes.rules().token)) {
            response.status = 403;
            response.set_content(kRefusalPage, kHtml);
            return;
        }
        response.set_header("Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", routes.rules().cookie,
                                                      routes.rules().token));
        response.set_content(kEntryPage, kHtml);
        return;
    }
    if (!routes.has_token(request)) {
        response.status = 403;
        response.set_content(kRefusalPage, kHtml);
        return;
    }
    send_file(response, page);
}

/// As a regular expression that matches it alone.
std::string escape(std::string_view name)
{
    std::string pattern;
    for (char const letter : name) pattern += letter == '.' ? std::string("\\.") : std::string(1, letter);
    return pattern;
}

} // namespace

void add_page_routes(Routes& routes)
{
    for (PageFile const& file : list_page_files()) {
        if (file.name == "index.html")
            routes.get_openly("/", [&routes, file](httplib::Request const& request, httplib::Response& response) {
                answer_root(routes, request, response, file);
            });
        else
            routes.get(fmt::format("/{}", escape(file.name)),
                       [file](httplib::Request const&, httplib::Response& response) { send_file(response, file); });
    }
}

} // namespace volpt
