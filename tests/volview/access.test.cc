// Who may speak to volview's server: hosts, origins, cookies and the token.
#include "tools/volview/access/access.h"

#include <gtest/gtest.h>
#include <set>
#include <string>
#include <vector>

namespace volpt {
namespace {

using Names = std::vector<std::string>;

TEST(Access, NamesOfTheLoopbackAreAllowedWithAnyPort)
{
    for (char const* const host : {"localhost", "127.0.0.1", "[::1]", "LocalHost"})
        for (char const* const port : {"", ":1", ":80", ":65535", ":00080"})
            EXPECT_TRUE(is_allowed_host(std::string(host) + port, {})) << host << port;
}

TEST(Access, OtherHostsAreRefusedUnlessAllowed)
{
    for (char const* const host :
         {"example.org", "localhost.example.org", "127.0.0.1.example.org", "127.0.0.2", "[::2]", "::1", "0.0.0.0"})
        EXPECT_FALSE(is_allowed_host(host, {})) << host;
    Names const others{"Render.Example.org", "[fd00::1]"};
    for (char const* const host : {"render.example.org", "RENDER.example.ORG:8080", "[FD00::1]:1"})
        EXPECT_TRUE(is_allowed_host(host, others)) << host;
    for (char const* const host : {"example.org", "render.example.org.", "xrender.example.org"})
        EXPECT_FALSE(is_allowed_host(host, others)) << host;
}

TEST(Access, MalformedHostsAreNone)
{
    for (char const* const host : {"",
                                   ":",
                                   ":80",
                                   "localhost:",
                                   "localhost:x",
                                   "localhost:8 0",
                                   "localhost:-1",
                                   "localhost:65536",
                                   "localhost:1:2",
                                   "localhost:123456",
                                   "local host",
                                   "localhost ",
                                   " localhost",
                                   "user@localhost",
                                   "localhost/path",
                                   "[::1",
                                   "[]",
                                   "[::1]x",
                                   "[::1]:",
                                   "[x::1]",
                                   "::1",
                                   "127.0.0.1\n",
                                   "a,b",
                                   "a\\b"})
        EXPECT_EQ(parse_host(host), std::nullopt) << "'" << host << "'";
    EXPECT_EQ(parse_host(std::string("localhost\0", 10)), std::nullopt);
    EXPECT_EQ(parse_host(std::string(256, 'a')), std::nullopt);
    EXPECT_EQ(parse_host(std::string(1 << 20, '[')), std::nullopt);
    EXPECT_EQ(parse_host(std::string(255, 'A')), std::string(255, 'a'));
}

TEST(Access, HostHasNoPortInItsOption)
{
    for (char const* const host : {"render", "Render.Example.org", "[fd00::1]", "[FD00::1]", "10.0.0.7"})
        EXPECT_TRUE(is_host(host)) << host;
    for (char const* const host : {"", "render:80", "[::2]:80", "[::2", "::2", "http://render", "a b", ":80"})
        EXPECT_FALSE(is_host(host)) << host;
}

TEST(Access, HostLosesItsPortAndItsCapitals)
{
    EXPECT_EQ(parse_host("Node7.Example.ORG:8080"), "node7.example.org");
    EXPECT_EQ(parse_host("[FE80::1]:80"), "[fe80::1]");
    EXPECT_EQ(parse_host("[::ffff:127.0.0.1]"), "[::ffff:127.0.0.1]");
    EXPECT_EQ(parse_host("render_box"), "render_box");
}

TEST(Access, OriginIsThatOfTheHostAlone)
{
    EXPECT_TRUE(is_same_origin("http://localhost:8080", "localhost:8080"));
    EXPECT_TRUE(is_same_origin("HTTP://LocalHost:8080", "localhost:8080"));
    EXPECT_TRUE(is_same_origin("http://[::1]:8080", "[::1]:8080"));
    for (char const* const origin : {"", "null", "http://", "https://localhost:8080", "http://localhost",
                                     "http://localhost:80801", "http://localhost:8080/", "http://evil/localhost:8080",
                                     "http://localhost:8080.example.org", "localhost:8080"})
        EXPECT_FALSE(is_same_origin(origin, "localhost:8080")) << origin;
    EXPECT_FALSE(is_same_origin("http://", ""));
}

TEST(Access, CookieIsFoundByItsWholeName)
{
    EXPECT_EQ(find_cookie("volview-1=a", "volview-1"), "a");
    EXPECT_EQ(find_cookie("x=1; volview-1=a; volview-2=b", "volview-2"), "b");
    EXPECT_EQ(find_cookie("x=1;volview-1=a;", "volview-1"), "a");
    EXPECT_EQ(find_cookie("  volview-1=a=b \t; y", "volview-1"), "a=b");
    EXPECT_EQ(find_cookie("volview-1=; z=1", "volview-1"), "");
    EXPECT_EQ(find_cookie("volview-1=a; volview-1=b", "volview-1"), "a");
    for (char const* const header : {"", ";", ";;;", "=", "volview-1", "volview-12=a", "xvolview-1=a", "VOLVIEW-1=a",
                                     "x=volview-1=a", "volview-1 =a"})
        EXPECT_EQ(find_cookie(header, "volview-1"), std::nullopt) << header;
    std::string long_header;
    for (int i = 0; i < 100000; ++i) long_header += "a=b;";
    EXPECT_EQ(find_cookie(long_header, "volview-1"), std::nullopt);
    EXPECT_EQ(find_cookie(long_header + "volview-1=c", "volview-1"), "c");
}

TEST(Access, BearerIsTakenFromItsKindAlone)
{
    EXPECT_EQ(find_bearer("Bearer 12ab"), "12ab");
    EXPECT_EQ(find_bearer("bearer  12ab "), "12ab");
    for (char const* const header : {"", "Bearer", "Basic 12ab", "12ab", "Bearer12ab"})
        EXPECT_EQ(find_bearer(header), std::nullopt) << header;
}

TEST(Access, TokenIsEqualToItselfAlone)
{
    std::string const token = "0123456789abcdef";
    EXPECT_TRUE(equals_in_constant_time(token, token));
    for (std::size_t i = 0; i < token.size(); ++i) {
        std::string other = token;
        other[i] = 'x';
        EXPECT_FALSE(equals_in_constant_time(other, token));
    }
    EXPECT_FALSE(equals_in_constant_time("", token));
    EXPECT_FALSE(equals_in_constant_time(token.substr(1), token));
    EXPECT_FALSE(equals_in_constant_time(token + token, token));
    EXPECT_FALSE(equals_in_constant_time("", ""));
}

TEST(Access, RandomTextsDiffer)
{
    std::set<std::string> texts;
    for (int i = 0; i < 100; ++i) {
        std::string const text = make_random_hex(128);
        EXPECT_EQ(text.size(), 32u);
        EXPECT_EQ(text.find_first_not_of("0123456789abcdef"), std::string::npos);
        texts.insert(text);
    }
    EXPECT_EQ(texts.size(), 100u);
}

TEST(Access, JsonTypeHasParameters)
{
    for (char const* const type : {"application/json", "Application/JSON", "application/json; charset=utf-8"})
        EXPECT_TRUE(is_json_type(type)) << type;
    for (char const* const type : {"", "text/plain", "application/jsonx", "text/plain; application/json"})
        EXPECT_FALSE(is_json_type(type)) << type;
}

} // namespace
} // namespace volpt
