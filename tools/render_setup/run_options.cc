#include "tools/render_setup/run_options.h"

#include "kernels/gpu_backend.h"
#include "libvolpt/image/codecs/picture_memory.h"
#include "libvolpt/sys/cache_folder.h"
#include "libvolpt/sys/error.h"
#include "tools/options/memory/picture_memory_option.h"
#include "tools/options/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <sstream>

namespace volpt {
namespace po = boost::program_options;

void SampleOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("spp", text_value("N"), "samples per pixel, 0 to N - 1 (default 64)");
    add("samples", text_value("FIRST:COUNT"),
        "only the samples FIRST to FIRST + COUNT - 1 of each pixel, to be merged with others by volmerge");
    add("stop-at-de", text_value("DE"),
        "stop when the noise changes the colour of 95 % of the pixels by less than DE in CIEDE2000, in expectation: a "
        "mean over chance, not a bound, so that a good part of them is further off; --spp is then the maximum (default "
        "1048576)");
    add("seed", text_value("N"), "seed of all random numbers (default 0)");
    add("resume", file_value("FILM.vpf"), "continue this film: keep its scene and seed, render the missing samples");
    add("time-limit", text_value("S"), "stop after S seconds and write the samples done by then");
    add("checkpoint", text_value("S"), "write the films (.vpf) every S seconds during the render");
}

void SampleOptions::read(po::variables_map const& values)
{
    if (auto const text = given_text(values, "spp"))
        request.samples =
            SampleRange{0, static_cast<std::uint64_t>(parse_integer("--spp", *text, 1, std::int64_t{1} << 32))};
    if (auto const text = given_text(values, "samples")) {
        if (request.samples) fail_usage("--spp and --samples contradict each other", "give one of the two");
        request.samples = parse_sample_range("--samples", *text);
    }
    if (auto const text = given_text(values, "stop-at-de")) {
        request.stop_at_de = parse_number("--stop-at-de", *text, 0.001, 100);
        if (is_given(values, "samples"))
            fail_usage("--stop-at-de and --samples contradict each other", "give the maximum with --spp");
    }
    if (auto const text = given_text(values, "seed"))
        request.seed = static_cast<std::uint64_t>(parse_integer("--seed", *text, 0, INT64_MAX));
    if (auto const text = given_text(values, "resume")) request.resume = *text;
    if (auto const text = given_text(values, "checkpoint"))
        request.checkpoint_s = parse_number("--checkpoint", *text, 0.1, 1e9);
    if (auto const text = given_text(values, "time-limit"))
        request.time_limit_s = parse_number("--time-limit", *text, 0.001, 1e9);
}

DeviceList parse_device_list(std::string const& text)
{
    DeviceList list;
    std::string gpus = text;
    if (text == "cpu" || text.starts_with("cpu+")) {
        list.cpu = true;
        if (text == "cpu") return list;
        gpus = text.substr(4);
    }
    if (gpus == "all") {
        list.all_gpus = true;
        return list;
    }
    std::istringstream numbers(gpus);
    for (std::string number; std::getline(numbers, number, ',');) {
        bool const is_number =
            !number.empty() && number.size() < 5 && number.find_first_not_of("0123456789") == std::string::npos;
        if (!is_number)
            fail_usage(fmt::format("--devices {}: '{}' is no GPU's number", text, number),
                       "give all, 0,2, cpu or cpu+all");
        int const gpu = std::stoi(number);
        if (std::find(list.gpus.begin(), list.gpus.end(), gpu) != list.gpus.end())
            fail_usage(fmt::format("--devices {}: GPU {} is there twice", text, gpu), "give each once");
        list.gpus.push_back(gpu);
    }
    if (list.gpus.empty())
        fail_usage(fmt::format("--devices {} names no device", text), "give all, 0,2, cpu or cpu+all");
    return list;
}

namespace {

CacheLimit parse_cache_limit(std::string const& text)
{
    CacheLimit limit;
    if (text.ends_with('%'))
        limit.share = parse_number("--volume-cache", text.substr(0, text.size() - 1), 0, 100) / 100;
    else
        limit.bytes = parse_size_bytes("--volume-cache", text);
    return limit;
}

/// A knob of GPU kernels, with all kernels that have it.
struct KnobOption {
    KnobInfo const* knob;
    std::vector<std::string_view> kernels;
    std::set<int> standards;
};

std::vector<KnobOption> list_knob_options()
{
    std::vector<KnobOption> options;
    for (KernelInfo const& kernel : list_gpu_kernels())
        for (KnobInfo const& knob : kernel.knobs) {
            auto option = std::find_if(options.begin(), options.end(),
                                       [&](KnobOption const& known) { return known.knob->name == knob.name; });
            if (option == options.end()) option = options.insert(options.end(), {&knob, {}, {}});
            option->kernels.push_back(kernel.name);
            option->standards.insert(knob.standard);
        }
    return options;
}

bool is_switch(KnobInfo const& knob)
{
    return knob.kind == KnobInfo::Kind::on_off;
}

std::string spell_standard(KnobOption const& option)
{
    if (option.standards.size() > 1) return "the kernel's";
    int const standard = *option.standards.begin();
    if (is_switch(*option.knob)) return standard != 0 ? "on" : "off";
    return std::to_string(standard);
}

po::typed_value<std::string>* make_knob_value(KnobInfo const& knob)
{
    if (is_switch(knob)) return text_value("on|off");
    ValueChoices choices;
    for (int const value : knob.values) choices.words.push_back(std::to_string(value));
    return text_value("N", std::move(choices));
}

void declare_knobs(po::options_description& options)
{
    for (KnobOption const& option : list_knob_options())
        options.add_options()(spell_option(*option.knob).substr(2).c_str(), make_knob_value(*option.knob),
                              fmt::format("GPU, {}: {} (default {})", fmt::join(option.kernels, ", "),
                                          option.knob->help, spell_standard(option))
                                  .c_str());
}

/// A switch with its standard value is left out, so that every kernel accepts it.
void read_knobs(po::variables_map const& values, KnobValues& knobs)
{
    constexpr int kMostOfChoice = 64; // which of these values are compiled is checked with the kernel
    for (KnobOption const& option : list_knob_options()) {
        KnobInfo const& knob = *option.knob;
        std::string const spelled = spell_option(knob);
        auto const text = given_text(values, spelled.substr(2).c_str());
        if (!text) continue;
        if (is_switch(knob)) {
            int const value = parse_choice(spelled, *text, {"on", "off"}) == "on" ? 1 : 0;
            if (value != knob.standard) knobs.emplace(knob.name, value);
        } else {
            int const most = knob.values.empty() ? knob.most : kMostOfChoice;
            int const least = knob.values.empty() ? knob.least : 1;
            knobs.emplace(knob.name, static_cast<int>(parse_integer(spelled, *text, least, most)));
        }
    }
}

} // namespace

void DeviceOptions::declare(po::options_description& options)
{
    options.add_options()("device", text_value(join_words<DeviceChoice>()),
                          "device that traces the paths; the image has the same bits on all (default auto)")(
        "devices", text_value("cpu|all|cpu+all|LIST"),
        "several devices together: all GPUs (all), some by number (0,2), with the CPU's threads (cpu+all, cpu+0)")(
        "list-devices", po::bool_switch(), "list the GPUs of this machine with their numbers and exit")(
        "kernel", text_value("auto|NAME", {.words = kernel_names_}),
        "scheduling of the paths, see --list-kernels (default auto)")(
        "list-kernels", po::bool_switch(), "list the kernels that this machine can run and exit")(
        "tile-size", text_value("N"),
        "pixels along a tile, without effect on the image (default: 64 on a CPU, as many as fit on a GPU)")(
        "tiles", text_value("COLSxROWS"),
        "number of tiles, instead of --tile-size; they are alike in size to 64 pixels, small ones to 1")(
        "volume-memory", text_value(join_words<VolumeMemory>()),
        "GPU: where the voxels are: in device memory, the most used bricks in device memory and the rest in host "
        "memory, or all in host memory, read over the bus (default auto: device if they fit)")(
        "volume-cache", text_value("SIZE|PERCENT%"),
        "GPU: maximum device memory for voxels, for example 512MiB, or 20% of the voxels (default: what film and paths "
        "leave free)")("bank-cache", text_value("FOLDER|off"),
                       "CPU: folder in which the outcomes of long steps are kept for later renders, at most 256 MiB "
                       "(default: volpt in "
                       "the user's folder for caches)");
    declare_picture_memory(options);
    declare_knobs(options);
    options.add_options()("trials", text_value("N"),
                          "measure: render N times after a warm-up, and print times, rates and efficiencies");
}

void DeviceOptions::read(po::variables_map const& values)
{
    choose_picture_memory(read_picture_memory(values));
    if (auto const text = given_text(values, "device")) request.device = parse_word<DeviceChoice>("--device", *text);
    if (auto const text = given_text(values, "devices")) {
        if (is_given(values, "device"))
            fail_usage("--device and --devices contradict each other", "give one of the two");
        request.devices = parse_device_list(*text);
    }
    if (auto const text = given_text(values, "kernel"); text && *text != "auto") request.kernel = *text;
    if (auto const text = given_text(values, "tile-size"))
        request.tile_size = static_cast<std::uint32_t>(parse_integer("--tile-size", *text, 1, 65536));
    if (auto const text = given_text(values, "tiles")) {
        if (request.tile_size != 0) fail_usage("--tiles and --tile-size contradict each other", "give one of the two");
        auto const [columns, rows] = parse_size("--tiles", *text);
        request.tiles = TileGrid{static_cast<std::uint32_t>(columns), static_cast<std::uint32_t>(rows)};
    }
    if (auto const text = given_text(values, "volume-memory"))
        request.volume_memory = parse_word<VolumeMemory>("--volume-memory", *text);
    if (auto const text = given_text(values, "volume-cache")) {
        if (request.volume_memory == VolumeMemory::device || request.volume_memory == VolumeMemory::zerocopy)
            fail_usage("--volume-cache requires --volume-memory auto or cached", "leave one of the two out");
        request.cache = parse_cache_limit(*text);
    }
    auto const banks = given_text(values, "bank-cache");
    if (!banks)
        request.bank_cache = find_cache_folder();
    else if (*banks != "off")
        request.bank_cache = *banks;
    read_knobs(values, request.knobs);
    if (auto const text = given_text(values, "trials"))
        trials = static_cast<int>(parse_integer("--trials", *text, 1, 10000));
    list_kernels = values.at("list-kernels").as<bool>();
    list_devices = values.at("list-devices").as<bool>();
}

} // namespace volpt
