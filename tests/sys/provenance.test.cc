// Provenance survives its JSON, and other JSON is refused.
#include "libvolpt/sys/provenance.h"
#include "libvolpt/sys/error.h"
#include "tests/support/expect_error.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;

TEST(Provenance, OrderAndOddCharactersSurviveJson)
{
    Provenance provenance;
    provenance.set("zeta", "quote \" backslash \\ newline \n umlaut ü");
    provenance.set("alpha", "");
    provenance.set("zeta", provenance.entries.front().second);
    EXPECT_EQ(parse_provenance(to_json(provenance), "here").entries, provenance.entries);
}

TEST(Provenance, BytesThatAreNoUtf8AreReplacedNotRefused)
{
    Provenance provenance;
    provenance.set("command_line", "volprep caf\xe9.mha");
    EXPECT_NO_THROW(parse_provenance(to_json(provenance), "here"));
}

TEST(Provenance, SaysWhoWhenAndHow)
{
    Provenance const provenance = make_provenance("volprep", {"volprep", "a file.mha", "-o", "it's.vpk"});
    ASSERT_NE(provenance.find("command_line"), nullptr);
    EXPECT_EQ(*provenance.find("command_line"), "volprep 'a file.mha' -o 'it'\\''s.vpk'");
    EXPECT_EQ(*provenance.find("tool"), "volprep");
    EXPECT_EQ(*provenance.find("version"), suite_version());
    EXPECT_EQ(provenance.find("time")->size(), std::string_view("2026-01-01T00:00:00Z").size());
    EXPECT_FALSE(provenance.find("host")->empty());
    EXPECT_EQ(provenance.find("nothing"), nullptr);
}

TEST(Provenance, OtherJsonIsRefusedWithPlace)
{
    for (char const* text : {"", "[]", "{\"a\": 1}", "{\"a\": {}}", "{", "null", "\"text\"", "{\"a\": \"b\"} tail"}) {
        SCOPED_TRACE(text);
        expect_error(ExitStatus::input, {"film.vpf"},
                     [&] { parse_provenance(text, "film.vpf: section 'provenance'"); });
    }
}

TEST(Provenance, PlainOneHasNeitherHostNorCommandLine)
{
    Provenance const provenance = make_plain_provenance("volprep", {"FILE.mha", "--window", "-1000,1000"});
    EXPECT_EQ(*provenance.find("command"), "FILE.mha --window -1000,1000");
    EXPECT_EQ(*provenance.find("tool"), "volprep");
    EXPECT_EQ(provenance.find("host"), nullptr);
    EXPECT_EQ(provenance.find("command_line"), nullptr);
}

} // namespace
} // namespace volpt
