#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "tools/options/units.h"
#include "tools/volview/preview/preview.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <string_view>

namespace volpt {
namespace {

using Points = std::vector<PiecewiseCurve::Point>;

/// The words of a command line as provenance has it: in single quotes where needed, as a shell reads them.
std::vector<std::string> split_words(std::string_view line)
{
    std::vector<std::string> words;
    bool is_quoted = false, is_word = false;
    for (std::size_t i = 0; i < line.size(); ++i) {
        char const letter = line[i];
        if (letter == ' ' && !is_quoted) {
            is_word = false;
            continue;
        }
        if (!is_word) words.emplace_back();
        is_word = true;
        if (letter == '\'')
            is_quoted = !is_quoted;
        else if (letter == '\\' && !is_quoted && i + 1 < line.size())
            words.back() += line[++i];
        else
            words.back() += letter;
    }
    return words;
}

/// "--name value" and "--name=value" of a volprep command, in its order; the source has no name.
struct GivenOption {
    std::string name;
    std::vector<std::string> values;
};

/// False for the source, and for options that stand alone.
bool takes_value(std::string_view name)
{
    constexpr std::array<std::string_view, 11> kFlags{
        "allow-outside", "approximate-shape", "auto",   "clamp",  "json", "json-lines", "keep-values",
        "quiet",         "reproducible",      "strict", "verbose"};
    return !name.empty() && std::ranges::find(kFlags, name) == kFlags.end();
}

std::vector<GivenOption> list_options(std::vector<std::string> const& words)
{
    std::vector<GivenOption> options;
    for (std::string const& word : words) {
        if (word == "--") {
            continue; // the source follows
        } else if (word.starts_with("--")) {
            auto const equal = word.find('=');
            options.push_back({word.substr(2, equal == std::string::npos ? equal : equal - 2), {}});
            if (equal != std::string::npos) options.back().values.push_back(word.substr(equal + 1));
        } else if (word == "-o") {
            options.push_back({"output", {}});
        } else if (!options.empty() && options.back().values.empty() && takes_value(options.back().name)) {
            options.back().values.push_back(word);
        } else {
            options.push_back({"", {word}});
        }
    }
    return options;
}

GivenOption const* find_option(std::vector<GivenOption> const& options, std::string_view name)
{
    auto const found = std::ranges::find(options, name, &GivenOption::name);
    return found == options.end() || (found->values.empty() && name != "surface") ? nullptr : &*found;
}

void remove_options(std::vector<GivenOption>& options, std::initializer_list<std::string_view> names)
{
    std::erase_if(options, [&](GivenOption const& option) { return std::ranges::count(names, option.name) > 0; });
}

/// What the packed density is of the measured value; no points: the same.
Points find_mapping(VolumeMeta const& meta, std::vector<GivenOption> const& options)
{
    if (auto const* const opacity = find_option(options, "opacity"))
        return parse_curve("--opacity", opacity->values[0]).points();
    if (auto const* const window = find_option(options, "window")) {
        auto const ends = parse_numbers("--window", window->values[0], 2, 2, -1e300, 1e300);
        return {{ends[0], 0}, {ends[1], 1}};
    }
    // Formats that say which of their integers means 1.
    bool const has_codes = meta.density_encoding == Encoding::u8 || meta.density_encoding == Encoding::u16;
    if (has_codes && meta.density_value_scale != 1 && find_option(options, "encode") == nullptr)
        return {{0, 0}, {std::round(1 / static_cast<double>(meta.density_value_scale)), 1}};
    return {};
}

/// curve(mapping(x)), exactly: a curve with the points of the mapping, and those where it takes the values of the
/// curve's points.
Points compose(Points const& mapping, PiecewiseCurve const& curve)
{
    if (mapping.empty()) return curve.points();
    Points points;
    for (std::size_t i = 0; i < mapping.size(); ++i) {
        auto const [x, density] = mapping[i];
        points.push_back({x, curve.evaluate(density)});
        if (i + 1 == mapping.size()) break;
        auto const [next_x, next_density] = mapping[i + 1];
        Points between;
        for (auto const [at, y] : curve.points())
            if (at > std::min(density, next_density) && at < std::max(density, next_density))
                between.push_back({x + (at - density) / (next_density - density) * (next_x - x), y});
        if (next_density < density) std::ranges::reverse(between);
        points.insert(points.end(), between.begin(), between.end());
    }
    // Rounding may have moved one onto its neighbour.
    auto const last =
        std::unique(points.begin(), points.end(), [](auto const& a, auto const& b) { return !(b.x > a.x); });
    points.erase(last, points.end());
    return points;
}

/// Nine digits are more than a float has, and spare 0.30000000000000004.
std::string spell(Points const& points, std::uint32_t bands)
{
    std::string text;
    for (auto const [x, y] : points) {
        text += fmt::format("{}{:.9g}", text.empty() ? "" : ",", x);
        for (std::uint32_t band = 0; band < bands; ++band) text += fmt::format(":{:.9g}", y);
    }
    return text;
}

std::string spell_crop(Crop crop, GivenOption const* before)
{
    if (before != nullptr) {
        auto const ranges = split_list(before->values[0]);
        for (std::size_t i = 0; i < std::min<std::size_t>(3, ranges.size()); ++i) {
            int const offset =
                static_cast<int>(parse_integer("--crop", ranges[i].substr(0, ranges[i].find(':')), 0, 65535));
            crop.first[i] += offset;
            crop.end[i] += offset;
        }
    }
    return fmt::format("{}:{},{}:{},{}:{}", crop.first[0], crop.end[0], crop.first[1], crop.end[1], crop.first[2],
                       crop.end[2]);
}

/// True for what volprep takes --opacity and --crop of: files and slices of numbers.
bool is_measured_source(std::vector<GivenOption> const& options)
{
    constexpr std::array<std::string_view, 8> kOthers{".vpk", ".xml", ".stl", ".ply", ".obj", ".gltf", ".glb", ".3mf"};
    auto const source = std::ranges::find(options, "", &GivenOption::name);
    if (source == options.end()) return false;
    for (std::string_view const other : kOthers)
        if (source->values[0].ends_with(other)) return false;
    return std::ranges::none_of(
        std::array<char const*, 5>{"make", "slab", "print", "print-mesh", "medium"},
        [&](char const* name) { return std::ranges::find(options, name, &GivenOption::name) != options.end(); });
}

/// False where the reader of the source has a window of its own for some files, which --encode leaves no trace of in
/// the packed volume: bytes of .vol.
bool tells_mapping(std::vector<GivenOption> const& options)
{
    auto const source = std::ranges::find(options, "", &GivenOption::name);
    bool const is_vol = source != options.end() && source->values[0].ends_with(".vol");
    return !is_vol || find_option(options, "encode") == nullptr || find_option(options, "window") != nullptr ||
           find_option(options, "opacity") != nullptr;
}

std::string join_command(std::vector<GivenOption> const& options)
{
    std::vector<std::string> words{"volprep"};
    for (auto const& [name, values] : options) {
        if (!name.empty()) words.push_back("--" + name);
        for (std::string const& value : values)
            words.push_back(name.empty() && value.starts_with("FILE") ? "SOURCE" + value.substr(4) : value);
    }
    return format_command(words);
}

std::vector<std::string> list_packed_curves(RemapOptions const& options, std::string const& why)
{
    std::vector<std::string> lines{"# " + why};
    if (options.opacity) lines.push_back("# density over packed density: " + to_text(*options.opacity));
    if (options.albedo) lines.push_back("# albedo over packed density: " + to_text(*options.albedo));
    if (options.crop) lines.push_back("# voxels of the packed volume: " + spell_crop(*options.crop, nullptr));
    return lines;
}

std::vector<std::string> make_command(PackedVolume const& volume, RemapOptions const& options,
                                      std::vector<GivenOption> words, std::string const& output)
{
    std::vector<std::string> lines;
    Points const mapping = find_mapping(volume.meta(), words);
    auto const* const crop_before = find_option(words, "crop");
    std::vector<GivenOption> added;
    if (options.opacity) {
        added.push_back({"opacity", {spell(compose(mapping, *options.opacity), 1)}});
        if (find_option(words, "transfer") != nullptr && !options.albedo)
            lines.emplace_back("# --transfer takes the new densities, so albedos differ from those of the preview");
        if (find_option(words, "surface") != nullptr)
            lines.emplace_back("# the surface is made of the new densities, that of the preview is the old one");
    }
    if (options.albedo)
        added.push_back({"albedo-curve", {spell(compose(mapping, *options.albedo), volume.meta().bands())}});
    if (options.crop) added.push_back({"crop", {spell_crop(*options.crop, crop_before)}});
    if (options.opacity) remove_options(words, {"opacity", "window"});
    if (options.albedo) remove_options(words, {"albedo-curve", "albedo", "transfer"});
    if (options.crop) remove_options(words, {"crop"});
    remove_options(words, {"output", "export", "printer"});
    // Of a program that has packed a file for its own use.
    if (std::ranges::find(words, "json-lines", &GivenOption::name) != words.end())
        remove_options(words, {"json-lines", "provenance", "threads"});
    words.insert(words.end(), added.begin(), added.end());
    words.push_back({"output", {output}});
    lines.push_back(join_command(words));
    return lines;
}

} // namespace

std::vector<std::string> list_preview_commands(PackedVolume const& volume, RemapOptions const& options,
                                               std::string const& output)
{
    if (options.is_empty()) return {};
    Provenance const& provenance = volume.provenance();
    auto const* const tool = provenance.find("tool");
    auto const* const plain = provenance.find("command");
    auto const* const full = provenance.find("command_line");
    if (tool == nullptr || *tool != "volprep" || (plain == nullptr && full == nullptr))
        return list_packed_curves(options, "the volume does not say which command packed it");
    std::vector<std::string> words = split_words(plain != nullptr ? *plain : *full);
    // A whole command line begins with the program.
    if (plain == nullptr && !words.empty()) words.erase(words.begin());
    auto const given = list_options(words);
    if (!is_measured_source(given))
        return list_packed_curves(options, "volprep makes this volume from no file of measured values");
    if ((options.opacity || options.albedo) && !tells_mapping(given))
        return list_packed_curves(options, "with --encode, the volume does not say which values of its .vol file are "
                                           "densities 0 and 1; pack it with --window to get a command");
    try {
        return make_command(volume, options, given, output);
    } catch (Error const&) {
        return list_packed_curves(options, "the command that packed the volume cannot be read");
    }
}

} // namespace volpt
