// The file of the token: whose it is when a program ends.
#include "tools/volview/access/token_file.h"

#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <fstream>
#include <iterator>
#include <memory>

namespace volpt {
namespace {

using test::TempFolder;

std::string read_whole(std::filesystem::path const& path)
{
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

TEST(TokenFile, EndsWithItsOwner)
{
    TempFolder const folder;
    auto const path = folder / "token";
    {
        TokenFile const file(path, std::string(32, 'a'));
        EXPECT_EQ(read_whole(path), std::string(32, 'a').append("\n"));
    }
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST(TokenFile, OfASecondProgramStaysWhenTheFirstEnds)
{
    TempFolder const folder;
    auto const path = folder / "token";
    auto first = std::make_unique<TokenFile>(path, std::string(32, 'a'));
    TokenFile const second(path, std::string(32, 'b'));
    first.reset();
    EXPECT_EQ(read_whole(path), std::string(32, 'b').append("\n"));
}

TEST(TokenFile, OtherContentStaysAtTheEnd)
{
    TempFolder const folder;
    auto const path = folder / "token";
    {
        TokenFile const file(path, std::string(32, 'a'));
        std::ofstream(path) << "notes";
    }
    EXPECT_EQ(read_whole(path), "notes");
    test::expect_error(ExitStatus::usage, {"--token-file"}, [&] { TokenFile(path, std::string(32, 'a')); });
    EXPECT_EQ(read_whole(path), "notes");
}

} // namespace
} // namespace volpt
