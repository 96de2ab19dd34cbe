// The folder for caches follows the XDG base directory specification.
#include "libvolpt/sys/cache_folder.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <optional>
#include <string>

namespace volpt {
namespace {

/// Sets an environment variable, or removes it, until the end.
class Variable {
public:
    Variable(char const* name, char const* value) : name_(name)
    {
        if (char const* const before = std::getenv(name)) before_ = before;
        set(value);
    }
    ~Variable() { set(before_ ? before_->c_str() : nullptr); }
    Variable(Variable const&) = delete;
    Variable& operator=(Variable const&) = delete;

    void set(char const* value) const
    {
        if (value != nullptr)
            setenv(name_, value, 1);
        else
            unsetenv(name_);
    }

private:
    char const* name_;
    std::optional<std::string> before_;
};

TEST(CacheFolder, IsInTheFolderForCachesElseAtHomeElseNowhere)
{
    Variable const cache("XDG_CACHE_HOME", "/caches"), home("HOME", "/home/me");
    EXPECT_EQ(find_cache_folder(), "/caches/volpt");
    for (char const* const none : {static_cast<char const*>(nullptr), "", "relative"}) {
        cache.set(none);
        EXPECT_EQ(find_cache_folder(), "/home/me/.cache/volpt");
    }
    for (char const* const none : {static_cast<char const*>(nullptr), "", "relative"}) {
        home.set(none);
        EXPECT_TRUE(find_cache_folder().empty());
    }
}

} // namespace
} // namespace volpt
