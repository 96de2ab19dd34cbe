// Text from files is parsed to a bounded depth, whoever asks.
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/json_text.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <nlohmann/json.hpp>

namespace volpt {
namespace {

std::string nest(int depth, std::string const& open, std::string const& close, std::string const& inside)
{
    std::string text;
    for (int i = 0; i < depth; ++i) text += open;
    text += inside;
    for (int i = 0; i < depth; ++i) text += close;
    return text;
}

TEST(Json, DepthIsBounded)
{
    for (auto const& [open, close] : {std::pair<std::string, std::string>{"[", "]"}, {"{\"a\": ", "}"}}) {
        std::string const deepest = nest(kMaxJsonDepth, open, close, "1");
        EXPECT_TRUE(is_valid_json(deepest));
        EXPECT_FALSE(parse_json(deepest).is_discarded());
        EXPECT_EQ(parse_json(deepest), parse_json(format_json(parse_json(deepest))));
        for (int const depth : {kMaxJsonDepth + 1, 100'000}) {
            std::string const deeper = nest(depth, open, close, "1");
            EXPECT_FALSE(is_valid_json(deeper));
            EXPECT_TRUE(parse_json(deeper).is_discarded());
            EXPECT_FALSE(parse_json_strings(deeper));
        }
    }
}

TEST(Json, BracketsInStringsDoNotCount)
{
    std::string text(1000, '[');
    text += "\\\"{";
    std::string const brackets = nlohmann::json{{"a\"[", text}, {"b", "\\"}}.dump();
    EXPECT_TRUE(is_valid_json(brackets));
    EXPECT_EQ(parse_json(brackets).at("b"), "\\");
}

TEST(Json, DeepFilesAreRefused)
{
    test::TempFolder folder;
    auto const deep = folder.write("deep.json", nest(100'000, "[", "]", ""));
    test::expect_error(ExitStatus::input, {"deep.json", "nested too deeply"}, [&] { read_json_file(deep); });
    EXPECT_EQ(read_json_file(folder.write("flat.json", "[\"" + std::string(200, '[') + "\"]")).size(), 1u);
}

TEST(JsonOfCjson, ControlCharactersStandInStrings)
{
    test::TempFolder folder;
    auto const path =
        folder.write("help.json", "{\"Help\": \"first line\n\tsecond \\\"line\\\"\r\n\x01\",\n \"n\": [1]}");
    EXPECT_EQ(read_json_file_of_cjson(path, "")["Help"].get<std::string>(), "first line\n\tsecond \"line\"\r\n\x01");
    EXPECT_EQ(parse_json_of_cjson("[\"a\nb\", 1]")[0].get<std::string>(), "a\nb");
    test::expect_error(ExitStatus::input, {"help.json", "line 2, column 0"}, [&] { read_json_file(path); });
}

TEST(JsonOfCjson, OtherDamageIsRefusedWithItsPlaceInTheFile)
{
    test::TempFolder folder;
    auto const refused = [&](std::string const& text, std::string_view place) {
        SCOPED_TRACE(text);
        auto const path = folder.write("damaged.json", text);
        test::expect_error(ExitStatus::input, {"damaged.json", "not valid JSON", place},
                           [&] { read_json_file_of_cjson(path, "correct the file"); });
        EXPECT_TRUE(parse_json_of_cjson(text).is_discarded());
    };
    refused("{\"a\": \"1\n2\n3\",\n \"b\": }", "line 4, column 7");
    refused("{\"a\": \"1\n2\n3\", b}", "line 3, column 5");
    refused("{\"a\": \"1\n2", "line 2, column");
    refused(std::string("[\"a\0b\"]", 7), "line 1, column 4");
    refused("[\"a\\\nb\"]", "line 1, column 5"); // an escaped line end
    refused("[1,\x01 2]", "line 1, column 4");   // outside of a string
    refused("{\"a\": 1e999}", "the number 1e999 is too large");
}

TEST(JsonErrors, AreToldWithoutTheLibrarysNames)
{
    EXPECT_EQ(describe_json_error("[json.exception.out_of_range.403] key 'accessors' not found"),
              "key 'accessors' not found");
    EXPECT_EQ(describe_json_error("[json.exception.out_of_range.406] number overflow parsing '1e400'"),
              "the number 1e400 is too large");
    EXPECT_EQ(describe_json_error("[json.exception.parse_error.101] parse error at line 1, column 2: syntax error"),
              "line 1, column 2: syntax error");
    EXPECT_EQ(describe_json_error("std::bad_alloc"), "std::bad_alloc");
}

} // namespace
} // namespace volpt
