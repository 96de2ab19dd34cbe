#include "libvolpt/sys/files/overwriting.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace fs = std::filesystem;

fs::path find_whole_path(fs::path const& path)
{
    // weakly_canonical alone leaves "a" relative where there is no file, but not "./a".
    std::error_code error;
    fs::path const whole = fs::weakly_canonical(fs::absolute(path, error), error);
    return error ? fs::path() : whole;
}

bool is_same_file(fs::path const& a, fs::path const& b)
{
    std::error_code ignored;
    if (fs::equivalent(a, b, ignored)) return true;
    fs::path const whole_a = find_whole_path(a), whole_b = find_whole_path(b);
    return !whole_a.empty() && whole_a == whole_b;
}

void refuse_overwriting(std::vector<fs::path> const& inputs, std::vector<fs::path> const& outputs)
{
    for (auto output = outputs.begin(); output != outputs.end(); ++output) {
        auto const is_this = [&](fs::path const& other) { return is_same_file(other, *output); };
        if (std::ranges::any_of(inputs, is_this))
            fail_usage(fmt::format("input and output are the same file, {}", output->string()), "name another output");
        if (std::any_of(outputs.begin(), output, is_this))
            fail_usage(fmt::format("two outputs are the same file, {}", output->string()), "name another output");
    }
}

} // namespace volpt
