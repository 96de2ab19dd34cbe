// No message shows the name of a library's exception.
#include "libvolpt/sys/text/failure_text.h"
#include "libvolpt/sys/error.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace volpt {
namespace {

template <typename Work>
std::string describe_failure_of(Work const& work)
{
    try {
        work();
    } catch (std::exception const& failure) {
        return describe_failure(failure);
    }
    return "no failure";
}

TEST(FailureText, IsASentence)
{
    EXPECT_EQ(describe_failure_of([] { throw std::bad_alloc(); }), "out of memory");
    EXPECT_EQ(
        describe_failure_of([] { return nlohmann::json::parse("{\"a\": }"); }).find("JSON is not as expected: line 1"),
        0u);
    EXPECT_EQ(describe_failure_of([] { return nlohmann::json::object().at("key"); }),
              "JSON is not as expected: key 'key' not found");
    EXPECT_EQ(describe_failure_of([] { std::vector<int>().reserve(~std::size_t{0}); }).find("more memory is asked for"),
              0u);
    EXPECT_EQ(describe_failure_of([] { fail_input("is damaged", "a.json"); }).find("a.json: is damaged"), 0u);
    EXPECT_EQ(describe_failure_of([] { throw std::runtime_error("IoError: x"); }),
              "a library failed and says 'IoError: x'");
}

} // namespace
} // namespace volpt
