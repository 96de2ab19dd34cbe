// Declares and reads the options of volcompare.
#include "tools/volcompare/options.h"

#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/error.h"
#include "tools/options/run_options.h"
#include "tools/options/units.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

Transfer parse_transfer(std::string_view option, std::string const& text)
{
    return parse_choice(option, text, {"linear", "srgb"}) == "linear" ? Transfer::linear : Transfer::srgb;
}

bool is_noise_map(std::string_view name)
{
    return name == "de2000_noise" || name == "de2000_noise_share";
}

MapOutput parse_map(std::string const& text)
{
    auto const split = text.find('=');
    if (split == std::string::npos || split + 1 == text.size())
        fail_usage(fmt::format("--map '{}' names no file", text), "write --map NAME out.png or out.exr");
    MapOutput map{text.substr(0, split), text.substr(split + 1)};
    if (map.path.extension() != ".png" && map.path.extension() != ".exr")
        fail_usage(fmt::format("--map: '{}' is neither .png nor .exr", map.path.string()),
                   "use .png for colours, .exr for the values");
    if (map.name != "z" && map.name != "difference" && !is_noise_map(map.name)) find_metric(map.name);
    return map;
}

std::filesystem::path parse_sheet(std::string const& text)
{
    std::filesystem::path const path = text;
    if (path.extension() != ".png" && path.extension() != ".html")
        fail_usage(fmt::format("--sheet: '{}' is neither .png nor .html", text), "write --sheet sheet.html");
    return path;
}

Patch parse_patch(std::string const& text)
{
    auto const split = text.rfind('=');
    auto const numbers = split == std::string::npos ? std::vector<std::string_view>{}
                                                    : split_list(std::string_view(text).substr(split + 1));
    if (numbers.size() != 4 || split == 0)
        fail_usage(fmt::format("--patch '{}' is no rectangle", text),
                   "write --patch NAME=X,Y,WIDTH,HEIGHT in pixels, the upper left pixel being 0,0");
    std::array<int, 4> place{};
    for (std::size_t i = 0; i < 4; ++i)
        place[i] = static_cast<int>(parse_integer("--patch", numbers[i], i < 2 ? 0 : 1, 1 << 20));
    return {text.substr(0, split), place[0], place[1], place[2], place[3]};
}

ExpectationSettings read_expectation(po::variables_map const& values)
{
    ExpectationSettings settings;
    if (auto const text = given_text(values, "alpha")) settings.alpha = parse_number("--alpha", *text, 1e-12, 0.5);
    if (auto const text = given_text(values, "correction"))
        settings.correction =
            parse_choice("--correction", *text, {"sidak", "holm"}) == "holm" ? Correction::holm : Correction::sidak;
    return settings;
}

} // namespace

void CompareOptions::declare(po::options_description& options)
{
    std::string names;
    for (Metric const& metric : list_metrics()) names += fmt::format("\n{}: {}", metric.name, metric.definition);
    std::string const metric_help = "value to compute, may be repeated (default max, mse, rmse)" + names;
    auto const text = [](char const* name) { return po::value<std::string>()->value_name(name); };
    auto const texts = [](char const* name) { return po::value<std::vector<std::string>>()->value_name(name); };
    auto add = options.add_options();
    add("metric", texts("NAME"), metric_help.c_str());
    add("threshold", text("EXPR"),
        "pass if this holds, e.g. 'flip.mean<0.02 and de2000.p95<1.5'; without it, pass if equal");
    add("statistical", po::bool_switch(), "pass if both have the same expectation, given their noise");
    add("alpha", text("P"), "with --statistical: probability of a false alarm (default 0.001)");
    add("correction", text("NAME"), "with --statistical: sidak or holm, for the many pixels (default sidak)");
    add("channels", text("LIST"),
        "compare these channels alone, e.g. R,G,B; 'diffuse.R,diffuse.G,diffuse.B' become R, G, B");
    add("test-transfer", text("NAME"), "linear or srgb: what the test's values are, whatever its file says");
    add("reference-transfer", text("NAME"), "the same for the reference");
    add("illuminant", text("D50|D65"), kIlluminantHelp);
    add("resample", text("area"),
        "average the reference, a picture, to the test's size, in linear light; without it, sizes must agree");
    add("peak", text("VALUE"), "full scale of psnr, ssim and msssim (default 1)");
    add("pixels-per-degree", text("N"), "of the observer of flip and hdrflip (default 67.02: 4K screen at its width)");
    add("map", texts("NAME FILE"),
        "write an error map: a metric's name, difference, z, de2000_noise or de2000_noise_share; .png in colours, .exr "
        "as values; may be repeated");
    add("junit", text("FILE.xml"), "write the verdict for a CI system");
    add("html", text("FILE.html"), "write one page with pictures, maps and every number");
    add("sheet", texts("FILE.png|FILE.html"),
        "contact sheet: target (REFERENCE), prediction (TEST), Delta E 2000 map, patches in L*a*b*; may be repeated");
    add("patch", texts("NAME=X,Y,W,H"),
        "with --sheet: pixels whose mean colour stands in its table, may be repeated (default: up to 8 even patches "
        "of the target that differ most)");
    add("against-cpu", text("VOLUME.vpk"),
        "render the film's scene, seed and samples on the CPU and take that for the reference");
    add("suite", text("SUITE.json"),
        "run the pairs that the file lists; references that are missing are rendered into the cache");
    add("cache", text("FOLDER"), "with --suite: where rendered references lie (default: as the suite says)");
    add("update", po::bool_switch(), "with --suite: make references anew and say what changed");
    add("convergence", po::bool_switch(),
        "error over samples and time of the films given, against that of most samples");
    add("plot", text("FILE.svg"), "with --convergence: draw it");
    add("env", text("IMAGE"), "with --against-cpu: the picture that lit the film, if one did");
}

void CompareOptions::read(po::variables_map const& values)
{
    if (is_given(values, "metric")) criteria.metrics = values.at("metric").as<std::vector<std::string>>();
    if (auto const text = given_text(values, "threshold")) criteria.threshold = parse_threshold(*text);
    if (values.at("statistical").as<bool>())
        criteria.expectation = read_expectation(values);
    else if (is_given(values, "alpha") || is_given(values, "correction"))
        fail_usage("--alpha and --correction are of use with --statistical alone", "add it or leave them out");
    if (auto const text = given_text(values, "channels"))
        for (auto const name : split_list(*text)) channels.emplace_back(name);
    if (auto const text = given_text(values, "test-transfer"))
        transfers.test = parse_transfer("--test-transfer", *text);
    if (auto const text = given_text(values, "reference-transfer"))
        transfers.reference = parse_transfer("--reference-transfer", *text);
    if (auto const text = given_text(values, "illuminant")) criteria.settings.illuminant = parse_illuminant(*text);
    if (auto const text = given_text(values, "resample")) {
        parse_choice("--resample", *text, {"area"});
        resample = Resample::area;
    }
    if (auto const text = given_text(values, "peak")) criteria.settings.peak = parse_number("--peak", *text, 1e-9, 1e9);
    if (auto const text = given_text(values, "pixels-per-degree"))
        criteria.settings.pixels_per_degree = parse_number("--pixels-per-degree", *text, 1, 1000);
    if (is_given(values, "map"))
        for (std::string const& text : values.at("map").as<std::vector<std::string>>()) maps.push_back(parse_map(text));
    junit = given_text(values, "junit");
    html = given_text(values, "html");
    if (is_given(values, "sheet"))
        for (std::string const& text : values.at("sheet").as<std::vector<std::string>>())
            sheets.push_back(parse_sheet(text));
    if (is_given(values, "patch"))
        for (std::string const& text : values.at("patch").as<std::vector<std::string>>())
            patches.push_back(parse_patch(text));
    if (!patches.empty() && sheets.empty()) fail_usage("--patch goes with --sheet alone", "add it or leave it out");
    volume = given_text(values, "against-cpu");
    environment = given_text(values, "env");
    if (environment && !volume) fail_usage("--env is of use with --against-cpu alone", "leave it out");
    suite = given_text(values, "suite");
    cache = given_text(values, "cache");
    update = values.at("update").as<bool>();
    convergence = values.at("convergence").as<bool>();
    plot = given_text(values, "plot");
    if ((cache || update) && !suite) fail_usage("--cache and --update are of use with --suite alone", "leave them out");
    if (plot && !convergence) fail_usage("--plot is of use with --convergence alone", "leave it out");
    bool const judged_here = criteria.threshold || criteria.expectation || !criteria.metrics.empty() || !maps.empty() ||
                             !sheets.empty() || volume || !channels.empty() || resample != Resample::none;
    if ((suite || convergence) && judged_here)
        fail_usage("--suite and --convergence go without the options of a single comparison",
                   "say in the suite how each pair is judged");
    if (convergence && (suite || junit || html))
        fail_usage("--convergence goes with --json and --plot alone", "leave the others out");
    for (MapOutput const& map : maps)
        if (map.name == "z" && !criteria.expectation)
            fail_usage("--map z is of use with --statistical alone", "add it, or choose another map");
    select_metrics(criteria); // unknown names are a matter of usage, not of what the files hold
}

void add_page_metrics(Criteria& criteria, Image const& image)
{
    if (criteria.metrics.empty()) criteria.metrics = list_default_metrics();
    criteria.metrics.emplace_back("bias");
    if (has_colours(image)) criteria.metrics.insert(criteria.metrics.end(), {"flip", "de2000"});
    criteria.settings.keep_map = KeepMap::yes;
}

std::vector<std::string> join_map_options(std::vector<std::string> words)
{
    for (std::size_t i = 0; i + 2 < words.size(); ++i) {
        if (words[i] == "--") break;
        if (words[i] != "--map") continue;
        words[i] += "=" + words[i + 1] + "=" + words[i + 2];
        words.erase(words.begin() + static_cast<std::ptrdiff_t>(i) + 1,
                    words.begin() + static_cast<std::ptrdiff_t>(i) + 3);
    }
    return words;
}

} // namespace volpt
