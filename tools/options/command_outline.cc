#include "tools/options/command_outline.h"

#include "tools/options/option_group.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace volpt {
namespace po = boost::program_options;
namespace {

// A list, not any suffix: "smith.john" has one too.
constexpr std::array<std::string_view, 33> kUsualExtensions{
    ".vpk",  ".vpf",  ".exr", ".png", ".pfm",  ".hdr", ".bmp", ".tif",  ".tiff", ".mha",  ".mhd",
    ".nrrd", ".nhdr", ".nii", ".gz",  ".vdb",  ".raw", ".vol", ".xml",  ".zip",  ".gcvf", ".svx",
    ".json", ".cfg",  ".txt", ".csv", ".html", ".svg", ".jpg", ".jpeg", ".icc",  ".dat",  ".obj"};

NamesFile const* find_file_marker(po::option const& option, po::options_description const& options)
{
    auto const* const description = options.find_nothrow(option.string_key, false);
    return description == nullptr ? nullptr : dynamic_cast<NamesFile const*>(description->semantic().get());
}

std::string outline_value(std::string const& value, NamesFile const* marker)
{
    bool const is_number = looks_like_numbers(value);
    bool const is_file = marker != nullptr && !(marker->what == FileValueKind::file_or_number && is_number);
    return is_file || value.find('/') != std::string::npos ? hide_file_name(value) : value;
}

} // namespace

std::string hide_file_name(std::string const& name)
{
    std::string extension = std::filesystem::path(name).extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return "FILE" + (std::ranges::find(kUsualExtensions, extension) == kUsualExtensions.end() ? "" : extension);
}

std::vector<std::string> outline_command(po::parsed_options const& parsed, po::options_description const& options)
{
    std::vector<std::string> words;
    for (po::option const& option : parsed.options) {
        bool const is_argument = option.position_key >= 0;
        if (!is_argument) words.push_back("--" + option.string_key);
        NamesFile const* const marker = is_argument ? nullptr : find_file_marker(option, options);
        for (std::string const& value : option.value)
            words.push_back(is_argument ? hide_file_name(value) : outline_value(value, marker));
    }
    return words;
}

} // namespace volpt
