// Text from files is parsed to a bounded depth, whoever asks.
#include "libvolpt/sys/json.h"
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

} // namespace
} // namespace volpt
