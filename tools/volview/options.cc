#include "tools/volview/options.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"
#include "tools/volview/access/access.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <limits>
#include <netinet/in.h>

namespace volpt {
namespace po = boost::program_options;

void ServeOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("port", text_value("N"), "port to listen on (default: a free one)");
    add("bind", text_value("ADDRESS"),
        "address of this machine to listen on (default 127.0.0.1, which no other machine reaches)");
    add("open", po::bool_switch(), "open the page in the browser of the desktop");
    add("out", file_value("FOLDER"),
        "folder for what is saved with the page's Save; without it, the browser downloads it");
    add("token-file", file_value("FILE"),
        "write the token to this file, readable by its owner alone, and leave it out of the printed address");
    add("allow-host", repeatable_value("NAME"),
        "name by which browsers may call this server, besides localhost, 127.0.0.1 and [::1]; may be repeated");
    add("exit-after", text_value("S"), "end after so many seconds");
    add("clients", text_value("N"), "pages that may watch at a time (default 16)");
    add("stop-at-de", text_value("DE"), "noise in CIEDE2000 that the time left is told for (default 0.5)");
    add("seed", text_value("N"), "seed of the random numbers (default 0)");
    add("target-picture", file_value("PICTURE", {.files = list_image_extensions(ImageAccess::read)}),
        "picture that the film of a probe is compared with");
    add("denoise", text_value(join_words<Denoise>()),
        "take most of the noise out of what is shown, and of .png and .exr that are saved, by regression on what a "
        "plain ray cast shows; for the eye, not for measuring. Films keep their samples (default on)");
    add("tev", text_value("HOST:PORT"),
        "show the picture in the image viewer tev, too, which listens there (port 14158 if left out)");
}

void ServeOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "port")) port = static_cast<int>(parse_integer("--port", *text, 0, 65535));
    if (auto const text = given_text(values, "bind")) bind = *text;
    opens_browser = values["open"].as<bool>();
    if (auto const text = given_text(values, "out")) out = *text;
    if (auto const text = given_text(values, "token-file")) token_file = *text;
    allowed_hosts = given_texts(values, "allow-host");
    for (std::string const& name : allowed_hosts)
        if (!is_host(name))
            fail_usage(fmt::format("--allow-host '{}' is no name of a host", name),
                       "give it without a port: render.example.org or [fd00::1]");
    if (auto const text = given_text(values, "exit-after")) exit_after_s = parse_number("--exit-after", *text, 0, 1e9);
    if (auto const text = given_text(values, "clients"))
        clients = static_cast<int>(parse_integer("--clients", *text, 1, 256));
    if (auto const text = given_text(values, "stop-at-de")) stop_at_de = parse_number("--stop-at-de", *text, 1e-6, 1e6);
    if (auto const text = given_text(values, "seed"))
        seed = static_cast<std::uint64_t>(parse_integer("--seed", *text, 0, std::numeric_limits<std::int64_t>::max()));
    if (auto const text = given_text(values, "target-picture")) target_picture = *text;
    if (auto const text = given_text(values, "denoise")) denoise = parse_word<Denoise>("--denoise", *text);
    if (auto const text = given_text(values, "tev")) tev = parse_tev_address(*text);
    if (out && !std::filesystem::is_directory(*out))
        fail_usage(fmt::format("--out '{}' is no folder", out->string()), "make it first, or give another one");
}

bool ServeOptions::is_loopback() const
{
    if (bind == "localhost") return true;
    // Numbers alone: a name may begin with 127, too.
    in_addr ipv4{};
    if (inet_pton(AF_INET, bind.c_str(), &ipv4) == 1) return ntohl(ipv4.s_addr) >> 24 == IN_LOOPBACKNET;
    in6_addr ipv6{};
    return inet_pton(AF_INET6, bind.c_str(), &ipv6) == 1 && IN6_IS_ADDR_LOOPBACK(&ipv6);
}

} // namespace volpt
