// Options of the server: addresses and names of hosts.
#include "tools/volview/options.h"

#include "tests/support/expect_error.h"

#include <boost/program_options/parsers.hpp>
#include <gtest/gtest.h>

namespace volpt {
namespace {

ServeOptions read_serve_options(std::vector<std::string> const& words)
{
    namespace po = boost::program_options;
    ServeOptions options;
    po::options_description declared;
    options.declare(declared);
    po::variables_map values;
    po::store(po::command_line_parser(words).options(declared).run(), values);
    options.read(values);
    return options;
}

TEST(ServeOptions, AddressesOfThisMachineAloneAreItsLoopback)
{
    EXPECT_TRUE(ServeOptions().is_loopback());
    for (char const* const address : {"localhost", "127.0.0.1", "127.255.0.3", "::1", "0:0:0:0:0:0:0:1"})
        EXPECT_TRUE(read_serve_options({"--bind", address}).is_loopback()) << address;
}

TEST(ServeOptions, NamesThatBeginAsTheLoopbackAreNotIt)
{
    for (char const* const address : {"127.example.org", "127.0.0.1.example.org", "127.", "128.0.0.1", "0.0.0.0",
                                      "::", "::2", "10.127.0.0", "localhost.example.org", ""})
        EXPECT_FALSE(read_serve_options({"--bind", address}).is_loopback()) << address;
}

TEST(ServeOptions, AllowedHostsHaveNoPort)
{
    std::vector<std::string> const hosts{"Render.example.org", "[fd00::1]"};
    EXPECT_EQ(read_serve_options({"--allow-host", hosts[0], "--allow-host", hosts[1]}).allowed_hosts, hosts);
    for (char const* const host : {"[::2]:80", "render:80", "::2", "http://render"})
        test::expect_error(ExitStatus::usage, {"--allow-host", host}, [&] {
            read_serve_options({"--allow-host", host});
        });
}

} // namespace
} // namespace volpt
