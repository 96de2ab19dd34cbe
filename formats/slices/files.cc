#include "formats/slices/files.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <glob.h>
#include <limits>
#include <map>
#include <optional>

namespace volpt {
namespace {

constexpr std::size_t kMaxSlices = 65535;

struct NumberedName {
    std::uint64_t number = 0;
    std::string name;
};
using Series = std::vector<NumberedName>;

bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/// The name with its number replaced by '#', and the number; 0 if it has none.
std::pair<std::string, std::uint64_t> split_name(std::string const& name, std::string const& where)
{
    std::size_t const slash = name.rfind('/');
    std::size_t const start = slash == std::string::npos ? 0 : slash + 1;
    std::size_t const dot = name.rfind('.');
    std::size_t end = dot == std::string::npos || dot < start ? name.size() : dot;
    while (end > start && !is_digit(name[end - 1])) --end;
    std::size_t begin = end;
    while (begin > start && is_digit(name[begin - 1])) --begin;
    if (begin == end) return {name, 0};
    std::uint64_t number = 0;
    if (std::from_chars(name.data() + begin, name.data() + end, number).ec != std::errc{})
        fail_input("the number in the slice's name is too large", where + ": " + name, {}, "rename the slices");
    return {name.substr(0, begin) + "#" + name.substr(end), number};
}

/// The only series among them; single names beside it are left out with a notice.
Series choose_series(std::map<std::string, Series> const& all, std::string const& where, SliceOrder& order)
{
    auto const largest = std::max_element(
        all.begin(), all.end(), [](auto const& a, auto const& b) { return a.second.size() < b.second.size(); });
    for (auto const& [pattern, series] : all) {
        if (pattern == largest->first) continue;
        if (series.size() > 1 || largest->second.size() < 2)
            fail_input(fmt::format("holds {} slices named {} and {} named {}", largest->second.size(), largest->first,
                                   series.size(), pattern),
                       where, "a stack is one series, numbered from slice to slice", "choose one with a pattern");
        order.notices.push_back(
            fmt::format("{}: {} is not one of the slices {}: ignored", where, series[0].name, largest->first));
    }
    return largest->second;
}

class PlainFiles final : public SliceFiles {
public:
    /// `paths` are what order_slices orders.
    PlainFiles(std::string where, std::vector<std::string> const& paths)
    {
        where_ = std::move(where);
        auto order = order_slices(paths, where_);
        names_ = std::move(order.names);
        notices_ = std::move(order.notices);
    }

    std::string describe(std::size_t slice) const override { return names_[slice]; }

    std::vector<std::byte> read(std::size_t slice, std::size_t max_bytes) override
    {
        FileBytes const file(names_[slice]);
        std::vector<std::byte> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(max_bytes, file.size_bytes())));
        file.read_at(0, bytes);
        return bytes;
    }
};

} // namespace

SliceOrder order_slices(std::vector<std::string> const& names, std::string const& where)
{
    if (names.empty())
        fail_input("there are no slices", where, {},
                   "name a folder or pattern of .png, .bmp, .tif or DICOM files, or an archive of .png or .bmp");
    if (names.size() > kMaxSlices)
        fail_input(fmt::format("{} slices are more than {}", names.size(), kMaxSlices), where, {}, "split the stack");
    std::map<std::string, Series> all;
    for (auto const& name : names) {
        auto const [pattern, number] = split_name(name, where);
        all[pattern].push_back({number, name});
    }
    SliceOrder order;
    Series series = choose_series(all, where, order);
    std::sort(series.begin(), series.end(), [](auto const& a, auto const& b) { return a.number < b.number; });
    for (std::size_t i = 0; i < series.size(); ++i) {
        order.names.push_back(series[i].name);
        if (i == 0 || series[i].number == series[i - 1].number + 1) continue;
        if (series[i].number == series[i - 1].number)
            fail_input(fmt::format("{} and {} have the same number", series[i - 1].name, series[i].name), where,
                       "the order of the slices is their numbers'", "rename or remove one");
        fail_input(fmt::format("slice {} is missing between {} and {}", series[i - 1].number + 1, series[i - 1].name,
                               series[i].name),
                   where, "slices are equally spaced", "add it, or choose slices with a pattern");
    }
    return order;
}

bool is_slice_name(std::filesystem::path const& path)
{
    std::string const extension = to_lower(path.extension().string());
    return extension == ".png" || extension == ".bmp" || extension == ".tif" || extension == ".tiff";
}

bool is_slice_of(std::filesystem::path const& name, std::string const& prefix)
{
    std::string const stem = name.stem().string();
    return is_slice_name(name) && stem.size() > prefix.size() && stem.starts_with(prefix) &&
           std::all_of(stem.begin() + static_cast<std::ptrdiff_t>(prefix.size()), stem.end(), is_digit);
}

std::uint64_t find_slice_number(std::string const& name, std::string const& where)
{
    return split_name(name, where).second;
}

std::unique_ptr<SliceFiles> list_folder_slices(std::filesystem::path const& folder, std::string const& prefix)
{
    std::vector<std::string> paths;
    std::error_code error;
    for (std::filesystem::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
        if (prefix.empty() ? is_slice_name(at->path()) : is_slice_of(at->path(), prefix))
            paths.push_back(at->path().string());
    if (error)
        fail_input("the folder cannot be read: " + error.message(), folder.string(), {}, "check name and rights");
    return std::make_unique<PlainFiles>(folder.string(), paths);
}

std::vector<std::string> list_matches(std::string const& pattern)
{
    glob_t found{};
    int const status = glob(pattern.c_str(), GLOB_NOSORT, nullptr, &found);
    std::vector<std::string> paths(found.gl_pathv, found.gl_pathv + (status == 0 ? found.gl_pathc : 0));
    globfree(&found);
    if (status == GLOB_NOSPACE) throw std::bad_alloc();
    if (status != 0) fail_input("no file matches the pattern", pattern, {}, "check it; quote it from the shell");
    return paths;
}

std::unique_ptr<SliceFiles> list_pattern_slices(std::string const& pattern)
{
    return std::make_unique<PlainFiles>(pattern, list_matches(pattern));
}

bool is_slice_pattern(std::string const& name)
{
    std::error_code ignored;
    return name.find_first_of("*?[") != std::string::npos && !std::filesystem::exists(name, ignored);
}

} // namespace volpt
