#include "libvolpt/stats/verdict/suite_pattern.h"

#include "libvolpt/sys/error.h"

#include <fmt/format.h>
#include <set>

namespace volpt {
namespace {

namespace fs = std::filesystem;

constexpr char kPage[] = "docs/formats/volcompare-suite.md";

bool has_star(std::string const& text)
{
    return text.find('*') != std::string::npos;
}

/// A pattern: what stands before and after its '*'.
struct NamePattern {
    std::string before, after;
};

NamePattern split_pattern(fs::path const& path, std::string const& where)
{
    std::string const name = path.filename().string();
    std::size_t const star = name.find('*');
    if (star == std::string::npos || has_star(path.parent_path().string()) ||
        name.find('*', star + 1) != std::string::npos)
        fail_input(fmt::format("'{}' is no pattern", path.string()), where, kPage,
                   "write one '*', in the file's name: renders/*.png");
    return {name.substr(0, star), name.substr(star + 1)};
}

/// NAME.before.EXT, or NAME.before of a file without extension.
bool is_kept_copy(fs::path const& path)
{
    return path.extension() == ".before" || path.stem().extension() == ".before";
}

/// What '*' stands for in the names of the folder's files.
void add_matches(fs::path const& path, fs::path const& suite_folder, std::string const& where,
                 std::set<std::string>& texts)
{
    NamePattern const pattern = split_pattern(path, where);
    fs::path const folder = (suite_folder / path).parent_path();
    std::error_code ignored;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder.empty() ? "." : folder, ignored)) {
        std::string const name = entry.path().filename().string();
        if (name.size() < pattern.before.size() + pattern.after.size() || !name.starts_with(pattern.before) ||
            !name.ends_with(pattern.after) || is_kept_copy(entry.path()) || !entry.is_regular_file(ignored))
            continue;
        texts.insert(name.substr(pattern.before.size(), name.size() - pattern.before.size() - pattern.after.size()));
    }
}

std::string replace_star(std::string text, std::string const& by)
{
    std::size_t const star = text.find('*');
    return star == std::string::npos ? text : text.replace(star, 1, by);
}

} // namespace

std::vector<SuitePair> expand_pattern(SuitePair const& pair, fs::path const& folder, std::string const& where)
{
    auto const is_pattern = [](std::optional<fs::path> const& path) { return path && has_star(path->string()); };
    std::set<std::string> texts;
    if (has_star(pair.test.string())) {
        add_matches(pair.test, folder, where, texts);
        if (is_pattern(pair.reference)) add_matches(*pair.reference, folder, where, texts);
        if (is_pattern(pair.volume)) split_pattern(*pair.volume, where);
        if (texts.empty())
            fail_input(fmt::format("no file matches '{}'", pair.test.string()), where,
                       "a suite that compares nothing would pass", "render the pictures first");
    } else {
        if (is_pattern(pair.reference) || is_pattern(pair.volume))
            fail_input("'reference' or 'volume' is a pattern, but 'test' is not", where, kPage);
        texts.insert(std::string());
    }
    std::vector<SuitePair> pairs;
    for (std::string const& text : texts) {
        SuitePair one = pair;
        one.test = folder / replace_star(pair.test.string(), text);
        if (one.reference) one.reference = folder / replace_star(pair.reference->string(), text);
        if (one.volume) one.volume = folder / replace_star(pair.volume->string(), text);
        if (has_star(pair.test.string())) one.name = replace_star(pair.name, text);
        pairs.push_back(std::move(one));
    }
    return pairs;
}

} // namespace volpt
