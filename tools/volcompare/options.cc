#include "tools/volcompare/options.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/options/memory/picture_memory_option.h"
#include "tools/options/output_options.h"
#include "tools/options/units.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>

namespace volpt {
namespace {
namespace po = boost::program_options;

/// Of --map, besides the metrics.
constexpr std::array<std::string_view, 5> kOtherMaps{"difference", "z", "blocks", "de2000_noise", "de2000_noise_share"};

/// --map NAME FILE: an option of two words, which may be repeated.
class TwoWords final : public po::typed_value<std::vector<std::string>>, public NamesFile, public OffersChoices {
public:
    TwoWords(char const* name, ValueChoices offered) : typed_value(nullptr)
    {
        choices = std::move(offered);
        value_name(name);
    }
    unsigned min_tokens() const override { return 2; }
    unsigned max_tokens() const override { return 2; }
};

MapOutput parse_map(std::string const& name, std::string const& file)
{
    if (file.empty()) fail_usage(fmt::format("--map '{}' names no file", name), "write --map NAME out.png or out.exr");
    MapOutput map{name, file};
    if (!is_display_image(map.path) && map.path.extension() != ".exr")
        fail_usage(fmt::format("--map: '{}' is none of .png, .jpg and .exr", file),
                   "use .png or .jpg for colours, .exr for the values");
    if (std::ranges::find(kOtherMaps, name) == kOtherMaps.end()) find_metric(name);
    return map;
}

/// `words` are NAME and FILE in turn; a line of a --config file is one word, NAME=FILE.
std::vector<MapOutput> parse_maps(std::vector<std::string> const& words)
{
    std::vector<MapOutput> maps;
    for (std::size_t i = 0; i < words.size(); ++i) {
        auto const split = words[i].find('=');
        if (split != std::string::npos) {
            maps.push_back(parse_map(words[i].substr(0, split), words[i].substr(split + 1)));
        } else {
            std::string const& name = words[i++];
            maps.push_back(parse_map(name, i < words.size() ? words[i] : ""));
        }
    }
    return maps;
}

std::filesystem::path parse_sheet(std::string const& text)
{
    std::filesystem::path const path = text;
    if (!is_display_image(path) && path.extension() != ".html")
        fail_usage(fmt::format("--sheet: '{}' is none of .png, .jpg and .html", text), "write --sheet sheet.html");
    return path;
}

Patch parse_patch(std::string const& text)
{
    auto const split = text.rfind('=');
    auto const numbers = split == std::string::npos ? std::vector<std::string_view>{}
                                                    : split_list(std::string_view(text).substr(split + 1));
    if (numbers.size() != 4 || split == 0)
        fail_usage(fmt::format("--patch '{}' is not a rectangle", text),
                   "write --patch NAME=X,Y,WIDTH,HEIGHT in pixels; the upper left pixel is 0,0");
    std::array<int, 4> place{};
    for (std::size_t i = 0; i < 4; ++i)
        place[i] = static_cast<int>(parse_integer("--patch", numbers[i], i < 2 ? 0 : 1, 1 << 20));
    return {text.substr(0, split), place[0], place[1], place[2], place[3]};
}

/// What stands before the first '=' is the caption, unless a file has the whole name.
ViewFile parse_view(std::string const& text)
{
    auto const split = text.find('=');
    std::error_code ignored;
    if (split == std::string::npos || std::filesystem::exists(text, ignored))
        return {std::filesystem::path(text).stem().string(), text};
    if (split + 1 == text.size())
        fail_usage(fmt::format("--view '{}' names no file", text),
                   "write --view picture.png or --view front=picture.png");
    return {text.substr(0, split), text.substr(split + 1)};
}

double parse_width_mm(std::string const& option, std::string const& text)
{
    double const width_mm = parse_length_mm(option, text);
    if (!(width_mm > 1e-6 && width_mm < 1e9))
        fail_usage(fmt::format("{} '{}' must be above 0", option, text), "give for example 60mm");
    return width_mm;
}

std::optional<ExpectationSettings> read_expectation(po::variables_map const& values)
{
    if (!values.at("statistical").as<bool>()) {
        if (is_given(values, "alpha") || is_given(values, "correction"))
            fail_usage("--alpha and --correction require --statistical", "add it or leave them out");
        return std::nullopt;
    }
    ExpectationSettings settings;
    if (auto const text = given_text(values, "alpha")) settings.alpha = parse_number("--alpha", *text, 1e-12, 0.5);
    if (auto const text = given_text(values, "correction"))
        settings.correction = parse_word<Correction>("--correction", *text);
    return settings;
}

} // namespace

void CompareOptions::declare(po::options_description& options)
{
    std::string metrics = "values to compute, a list, may be repeated (default max, mse, rmse)";
    std::vector<std::string> names;
    for (Metric const& metric : list_metrics()) {
        metrics += fmt::format("\n{}: {}", metric.name, metric.definition);
        names.emplace_back(metric.name);
    }
    std::vector<std::string> map_names = names;
    map_names.insert(map_names.end(), kOtherMaps.begin(), kOtherMaps.end());
    std::string const pictures = list_image_extensions(ImageAccess::read);
    auto add = options.add_options();
    add("metric", repeatable_value("NAME[,NAME..]", {.words = names}), metrics.c_str());
    add("threshold", text_value("EXPR"),
        "pass if this holds, e.g. 'flip.mean<0.02 and de2000.p95<1.5' (default: pass if equal)");
    add("statistical", po::bool_switch(), "pass if both have the same expectation, given their noise");
    add("alpha", text_value("P"), "with --statistical: probability of a false alarm (default 0.001)");
    add("correction", text_value(join_words<Correction>()),
        "with --statistical: correction for testing many pixels, sidak or holm (default sidak)");
    add("channels", text_value("LIST"),
        "compare only these channels, e.g. R,G,B; 'diffuse.R,diffuse.G,diffuse.B' become R, G, B");
    add("layer", text_value("PREFIX"),
        "compare this layer of an .exr with several, e.g. 'ViewLayer.Combined' of Blender: PREFIX.R becomes R");
    add("noise-layer", text_value("NAME[,variance|deviation][,samples=N]"),
        "layer with the noise of each pixel, for --statistical: its variance or standard deviation (default: by the "
        "name), or that of single samples, N per pixel");
    add("test-transfer", text_value(join_words<Transfer>()),
        "coding of the test's values, linear or srgb (default: as its file says)");
    add("reference-transfer", text_value(join_words<Transfer>()), "the same for the reference");
    add("illuminant", text_value(join_words<Illuminant>()), kIlluminantHelp);
    add("background", text_value("COLOUR", {.words = {"black", "white"}}),
        "over which flip, hdrflip, de76, de94 and de2000, pages and sheets display pictures with alpha: black, white "
        "or #rrggbb "
        "(default: over black and over white, and the larger error of each pixel counts; views: white)");
    add("resample", text_value("area"),
        "average the reference, an image, to the test's size, in linear light (default: sizes must be equal)");
    add("peak", text_value("VALUE"), "full scale of psnr, ssim and msssim (default 1)");
    add("pixels-per-degree", text_value("N"),
        "of the observer of flip and hdrflip (default 67.02: a 4K screen seen from its width)");
    add("map", new TwoWords("NAME FILE", {.words = map_names, .files = ".png .jpg .exr"}),
        "write an error map: a metric's name, difference, z, blocks, de2000_noise or de2000_noise_share; .png or .jpg "
        "in "
        "colours, .exr as values; may be repeated");
    add("junit", file_value("FILE.xml"), "write the verdict for a CI system");
    add("html", file_value("FILE.html"), "write one page with images, maps and every number");
    add("sheet", repeatable_file("FILE.png|FILE.jpg|FILE.html"),
        "write a contact sheet: target (REFERENCE), prediction (TEST), Delta E 2000 map, patches in L*a*b*; may be "
        "repeated");
    add("patch", repeatable_value("NAME=X,Y,W,H"),
        "with --sheet: pixels whose mean colour is in its table, may be repeated (default: up to 8 uniform patches of "
        "the target that differ most)");
    add("note", repeatable_value("TEXT"), "with --sheet: a line of text on it, may be repeated");
    add("picture-width", text_value("MM"), "with --sheet: width of the print in the pictures, for a scale bar");
    add("view", repeatable_value("[CAPTION=]PICTURE", {.files = ".vpf " + pictures}),
        "with --sheet: a further picture or film on it, may be repeated; without TEST and REFERENCE the sheet has the "
        "views alone");
    add("view-width", text_value("LENGTH"),
        "with --view: width that the views show, for a scale bar (default: as a film of an orthographic camera says)");
    add("against-cpu", file_value("VOLUME.vpk"),
        "render the film's scene, seed and samples on the CPU as the reference");
    add("suite", file_value("SUITE.json"),
        "compare the pairs that the file lists; missing references are rendered into the cache");
    add("cache", file_value("FOLDER"), "with --suite: folder of rendered references (default: the suite's)");
    add("update", po::bool_switch(),
        "with --suite: make the references anew, keep the ones that change as NAME.before.EXT, and print what changed");
    add("dry-run", po::bool_switch(), "with --update: print what would change, and change no reference");
    add("convergence", po::bool_switch(),
        "error over samples and time of the given films or images of one view, relative to the one of most samples");
    add("spp", text_value("N,N,.."),
        "with --convergence: samples per pixel of the images, in their order, and of --reference if it is given last "
        "(default: as the files say, or '64spp' in their names)");
    add("seconds", text_value("S,S,.."),
        "with --convergence: time of rendering of the images, in their order (default: as the files say)");
    add("reference", file_value("FILE", {.files = ".vpf " + pictures}),
        "with --convergence: the image to measure errors against (default: the one of most samples)");
    add("plot", file_value("FILE.svg"), "with --convergence: draw the curve");
    add("env", file_value("IMAGE", {.files = ".exr .hdr .pfm"}),
        "with --against-cpu: the image that lit the film, if any");
    declare_picture_memory(options);
    declare_provenance(options);
}

void CompareOptions::read(po::variables_map const& values)
{
    read_criteria(values);
    read_images(values);
    read_reports(values);
    volume = given_text(values, "against-cpu");
    environment = given_text(values, "env");
    suite = given_text(values, "suite");
    cache = given_text(values, "cache");
    if (values.at("update").as<bool>())
        update = values.at("dry-run").as<bool>() ? UpdateMode::tried : UpdateMode::done;
    else if (values.at("dry-run").as<bool>())
        fail_usage("--dry-run requires --update", "add it or leave --dry-run out");
    choose_picture_memory(read_picture_memory(values));
    read_convergence(values);
    provenance = read_provenance(values);
    check_combination();
    select_metrics(request.criteria); // unknown names are an error of usage, whatever the files contain
}

void CompareOptions::read_criteria(po::variables_map const& values)
{
    for (std::string const& text : given_texts(values, "metric"))
        for (auto const name : split_list(text)) request.criteria.metrics.emplace_back(name);
    if (auto const text = given_text(values, "threshold")) request.criteria.threshold = parse_threshold(*text);
    request.criteria.expectation = read_expectation(values);
    if (auto const text = given_text(values, "illuminant"))
        request.criteria.settings.illuminant = parse_illuminant(*text);
    if (auto const text = given_text(values, "background")) {
        reports.labels.background = parse_background("--background", *text);
        request.criteria.settings.backgrounds = {reports.labels.background};
    }
    if (auto const text = given_text(values, "peak"))
        request.criteria.settings.peak = parse_number("--peak", *text, 1e-9, 1e9);
    if (auto const text = given_text(values, "pixels-per-degree"))
        request.criteria.settings.pixels_per_degree = parse_number("--pixels-per-degree", *text, 1, 1000);
}

void CompareOptions::read_images(po::variables_map const& values)
{
    if (auto const text = given_text(values, "channels"))
        for (auto const name : split_list(*text)) request.channels.emplace_back(name);
    request.layers.prefix = given_text(values, "layer").value_or("");
    if (auto const text = given_text(values, "noise-layer")) request.layers.noise = parse_noise_layer(*text);
    if (auto const text = given_text(values, "test-transfer"))
        request.transfers.test = parse_word<Transfer>("--test-transfer", *text);
    if (auto const text = given_text(values, "reference-transfer"))
        request.transfers.reference = parse_word<Transfer>("--reference-transfer", *text);
    if (auto const text = given_text(values, "resample")) {
        parse_choice("--resample", *text, {"area"});
        request.resample = Resample::area;
    }
}

void CompareOptions::read_reports(po::variables_map const& values)
{
    reports.maps = parse_maps(given_texts(values, "map"));
    reports.junit = given_text(values, "junit");
    reports.html = given_text(values, "html");
    for (std::string const& text : given_texts(values, "sheet")) reports.sheets.push_back(parse_sheet(text));
    if (!reports.sheets.empty()) request.criteria.purpose = Purpose::sheet;
    for (std::string const& text : given_texts(values, "patch")) reports.patches.push_back(parse_patch(text));
    reports.labels.notes = given_texts(values, "note");
    if (auto const text = given_text(values, "picture-width"))
        reports.labels.width_mm = parse_width_mm("--picture-width", *text);
    for (std::string const& text : given_texts(values, "view")) reports.views.push_back(parse_view(text));
    if (auto const text = given_text(values, "view-width"))
        reports.view_width_mm = parse_width_mm("--view-width", *text);
}

void CompareOptions::read_convergence(po::variables_map const& values)
{
    constexpr std::size_t kMost = 10000;
    convergence = values.at("convergence").as<bool>();
    if (auto const text = given_text(values, "spp"))
        request.samples = parse_numbers("--spp", *text, 1, kMost, 1e-6, 1e15);
    if (auto const text = given_text(values, "seconds"))
        request.seconds = parse_numbers("--seconds", *text, 1, kMost, 1e-9, 1e12);
    convergence_reference = given_text(values, "reference");
    reports.plot = given_text(values, "plot");
}

void CompareOptions::check_combination() const
{
    if (!reports.patches.empty() && reports.sheets.empty())
        fail_usage("--patch requires --sheet", "add it or leave --patch out");
    if ((!reports.labels.notes.empty() || reports.labels.width_mm) && reports.sheets.empty())
        fail_usage("--note and --picture-width require --sheet", "add it or leave them out");
    if (!reports.views.empty() && reports.sheets.empty())
        fail_usage("--view requires --sheet", "add it or leave --view out");
    if (reports.view_width_mm && reports.views.empty())
        fail_usage("--view-width requires --view", "add it or leave --view-width out");
    if (environment && !volume) fail_usage("--env requires --against-cpu", "leave it out");
    if ((cache || update != UpdateMode::off) && !suite)
        fail_usage("--cache and --update require --suite", "leave them out");
    if ((reports.plot || convergence_reference || !request.samples.empty() || !request.seconds.empty()) && !convergence)
        fail_usage("--plot, --spp, --seconds and --reference require --convergence", "add it or leave them out");
    bool const is_single = request.criteria.threshold || request.criteria.expectation ||
                           !request.criteria.metrics.empty() || !reports.maps.empty() || !reports.sheets.empty() ||
                           volume || request.resample != Resample::none;
    bool const chooses_channels = !request.channels.empty() || request.layers.noise || !request.layers.prefix.empty();
    if ((suite && (is_single || chooses_channels)) || (convergence && is_single))
        fail_usage("--suite and --convergence cannot be combined with the options of a single comparison",
                   "leave them out, or say in the suite how each pair is judged");
    if (convergence && (suite || reports.junit || reports.html))
        fail_usage("--convergence cannot be combined with --suite, --junit and --html", "use --json or --plot");
    for (MapOutput const& map : reports.maps)
        if ((map.name == "z" || map.name == "blocks") && !request.criteria.expectation)
            fail_usage(fmt::format("--map {} requires --statistical", map.name), "add it, or choose another map");
}

} // namespace volpt
