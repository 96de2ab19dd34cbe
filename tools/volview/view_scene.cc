#include "tools/volview/view_scene.h"

#include "libvolpt/job/presets/scene_preset.h"
#include "libvolpt/scene/render_scene.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/provenance.h"
#include "libvolpt/volume/bands/match_bands.h"
#include "tools/render_setup/scene_options.h"

#include <algorithm>
#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <cmath>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace volpt {
namespace po = boost::program_options;
namespace {

constexpr std::size_t kMostTextBytes = 256;
constexpr std::uint64_t kMostPixels = std::uint64_t{4096} * 4096;
// Pixels times bands: a film has 24 bytes for each, and several are there at a time.
constexpr std::uint64_t kMostValues = 4 * kMostPixels;
constexpr char const* kLightImage = "image"; ///< what stands for the file of the light

bool is_flag(po::option_description const& option)
{
    return option.semantic()->max_tokens() == 0;
}

/// The options of a scene as a command line declares them.
class DeclaredOptions {
public:
    SceneOptions groups;

    DeclaredOptions()
    {
        for (OptionGroup* const group : groups.list_groups()) group->declare(table_);
    }

    auto const& list() const { return table_.options(); }

    /// Reads all groups, once.
    void read(OptionTexts const& texts)
    {
        po::parsed_options parsed(&table_);
        for (auto const& [name, text] : texts) {
            bool const has_value = !is_flag(table_.find(name, false));
            parsed.options.emplace_back(name, has_value ? std::vector{text} : std::vector<std::string>{});
        }
        po::variables_map values;
        po::store(parsed, values);
        for (OptionGroup* const group : groups.list_groups()) group->read(values);
    }

private:
    po::options_description table_;
};

NamesFile const* find_file_marker(po::option_description const& option)
{
    return dynamic_cast<NamesFile const*>(option.semantic().get());
}

/// Hints, bands, and how the image of the light is read, are settled when the volume and that image are opened.
bool is_changeable(po::option_description const& option)
{
    for (char const* const name : {"hints", "bands", "env-layout", "list-scenes"})
        if (option.long_name() == name) return false;
    NamesFile const* const marker = find_file_marker(option);
    return marker == nullptr || marker->what == FileValueKind::file_or_number;
}

void check_text(po::option_description const& option, std::string const& text)
{
    std::string const& name = option.long_name();
    auto const is_control = [](char letter) { return static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f; };
    if (text.size() > kMostTextBytes || std::any_of(text.begin(), text.end(), is_control))
        fail_usage(
            fmt::format("the text of '{}' is longer than {} bytes or has control characters", name, kMostTextBytes),
            "give what the command line takes");
    if (is_flag(option) && text != "on" && text != "off")
        fail_usage(fmt::format("'{}' is no text of '{}'", text, name), "give on or off");
    if (find_file_marker(option) != nullptr && text != kLightImage && !looks_like_numbers(text))
        fail_usage(fmt::format("--{} '{}' is neither a number nor '{}'", name, text, kLightImage),
                   "give numbers, or 'image' for the light image of the start; files are named at the start alone");
}

/// What the command line and --config gave. `image` is true of a file of --env.
OptionTexts gather_texts(ToolRun const& run, SceneRequest const& request)
{
    OptionTexts texts;
    DeclaredOptions const declared;
    for (auto const& option : declared.list()) {
        std::string const& name = option->long_name();
        if (!is_given(run.values, name) || name == "env-layout") continue;
        if (is_flag(*option)) {
            if (run.values.at(name).as<bool>()) texts[name] = "on";
        } else {
            bool const is_image = find_file_marker(*option) != nullptr && request.light.image_path;
            texts[name] = is_image ? kLightImage : *given_text(run.values, name);
        }
    }
    return texts;
}

bool picks_long_steps(OptionTexts const& texts)
{
    auto const found = texts.find("long-steps");
    return found != texts.end() && found->second == "auto";
}

std::uint64_t count_pixels(Scene const& scene)
{
    return std::uint64_t{scene.width} * scene.height;
}

/// Whether the scenes differ in nothing but where a camera stands and in the light, so that one can be rendered if the
/// other can.
bool differ_in_view_alone(Scene const& before, Scene const& after)
{
    if (before.camera.kind == CameraKind::probe || after.camera.kind == CameraKind::probe) return false;
    if (before.bands != after.bands) return false;
    Scene seen = after;
    seen.camera = before.camera;
    seen.environment = before.environment;
    return hash_scene(seen) == hash_scene(before);
}

/// Also of a name that starts with '-', where an option may stand.
std::string as_argument(std::string const& name)
{
    return name.starts_with('-') ? "./" + name : name;
}

std::shared_ptr<PackedVolume const> open_volume(ToolRun const& run, std::filesystem::path const& path)
{
    if (run.arguments.empty()) fail_usage("no volume is given", "give VOLUME.vpk, or a file that volprep reads");
    return std::make_shared<PackedVolume const>(PackedVolume::open(
        path.empty() ? std::filesystem::path(run.arguments[0]) : path, VerifyLevel::full, run.common.threads));
}

} // namespace

ViewScene::ViewScene(ToolRun const& run, SceneRequest const& request, DeviceRequest const& device, std::uint64_t seed,
                     std::filesystem::path const& packed)
    : device_(device), threads_(run.common.threads), seed_(seed), volume_(open_volume(run, packed)),
      volume_path_(run.arguments[0]), bands_(request.bands), texts_(gather_texts(run, request))
{
    load_light(run, apply_preset(request, volume_->meta()));
    scene_ = make_scene(texts_);
    if (scene_.bands != volume_->meta().bands()) report_widened(run.notice);
    if (auto const assumed = describe_assumed_index(scene_, hints_, request)) run.notice(*assumed);
    most_pixels_ = std::max(std::min(kMostPixels, kMostValues / scene_.bands), count_pixels(scene_));
}

void ViewScene::load_light(ToolRun const& run, SceneRequest const& request)
{
    hints_ = choose_hints(request.hints, request.light, HintLight::needed, *volume_, volume_path_, run.detail);
    if (auto const path = choose_light(request.light, hints_)) {
        bool const is_of_hints = !request.light.image_path;
        auto const layout = given_text(run.values, "env-layout").value_or("auto");
        Image const image = read_light(request.light, *path, run.notice);
        light_file_ = {*path, is_of_hints ? "latlong" : layout, is_of_hints, find_colour(image)};
        make_lights(image, run.notice);
    }
    if (!request.light.names_light()) return;
    // What they say of the light is unused as yet: nothing is told of it.
    NoticeSink const silent = [](std::string_view) {};
    hints_ = choose_hints(request.hints, LightRequest{}, HintLight::unused, *volume_, volume_path_, silent);
}

void ViewScene::make_lights(Image const& image, NoticeSink const& notice)
{
    bool const may_widen = light_bands() != volume_->meta().bands();
    bool const has_colour = light_file_->colour == ImageColour::coloured;
    if (!may_widen || !has_colour) light_ = make_light(image, light_file_->path, volume_->meta(), notice);
    if (!may_widen) return;
    // A grey image is in three bands where something else has a colour; its notices are those of the other.
    VolumeMeta rgb = volume_->meta();
    rgb.band_numbers = {0, 1, 2};
    NoticeSink const silent = [](std::string_view) {};
    rgb_light_ = make_light(image, light_file_->path, rgb, has_colour ? notice : silent);
}

std::uint32_t ViewScene::light_bands() const
{
    VolumeMeta const& meta = volume_->meta();
    return meta.is_grey() && bands_ == PictureBands::of_light ? kRgbBands : meta.bands();
}

LightImage const* ViewScene::find_light(std::uint32_t bands) const
{
    bool const is_widened = bands != volume_->meta().bands();
    if (is_widened || !light_) return rgb_light_ ? &*rgb_light_ : nullptr;
    return &*light_;
}

PackedVolume const& ViewScene::find_volume(std::uint32_t bands)
{
    if (bands == volume_->meta().bands()) return *volume_;
    if (!rgb_volume_) rgb_volume_ = match_bands(volume_, bands, threads_);
    return *rgb_volume_;
}

std::shared_ptr<PackedVolume const> ViewScene::rendered_volume() const
{
    return scene_.bands == volume_->meta().bands() ? volume_ : rgb_volume_;
}

std::vector<std::string> ViewScene::list_changeable()
{
    std::vector<std::string> names;
    DeclaredOptions const declared;
    for (auto const& option : declared.list())
        if (is_changeable(*option)) names.push_back(option->long_name());
    return names;
}

OptionTexts ViewScene::spell_out(OptionTexts texts) const
{
    auto const light = texts.find("env");
    if (light == texts.end() || light->second != kLightImage) return texts;
    if (!light_file_) fail_usage("there is no light image", "give --env numbers, or start with --env IMAGE");
    light->second = light_file_->path.string();
    if (light_file_->layout != "auto") texts["env-layout"] = light_file_->layout;
    return texts;
}

Scene ViewScene::make_scene(OptionTexts const& texts)
{
    DeclaredOptions declared;
    declared.read(spell_out(texts));
    SceneRequest const request = apply_preset(declared.groups.make_request(), volume_->meta());
    SceneHints hints = hints_;
    if (request.light.names_light()) hints.environment.reset();
    bool const is_lit_by_hints = hints.environment && hints.environment->kind == EnvironmentKind::image;
    if (is_lit_by_hints && !(light_file_ && light_file_->is_of_hints))
        fail_usage(fmt::format("without options of the light it is {}, which was not read at the start",
                               hints.environment->image_file),
                   "give --env numbers or 'image', or start without options of the light");
    bool const has_image = is_lit_by_hints || request.light.image_path;
    std::uint32_t const bands = choose_bands(volume_->meta(), request, hints,
                                             has_image ? light_file_->colour : ImageColour::grey, std::nullopt);
    PackedVolume const& volume = find_volume(bands);
    LightImage const* const light = find_light(bands);
    Scene scene = apply_request(make_default_scene(volume, request, hints, is_lit_by_hints ? light : nullptr), request,
                                request.light.image_path ? light : nullptr, volume);
    if (auto const problem = find_scene_problem(scene)) fail_usage(problem->field + ": " + problem->what);
    if (most_pixels_ != 0 && count_pixels(scene) > most_pixels_)
        fail_usage(fmt::format("{}x{} pixels are too many to look at", scene.width, scene.height),
                   fmt::format("give at most {} pixels in all; volrender renders more", most_pixels_));
    bool const picks = request.medium.picks_long_steps;
    if (most_pixels_ != 0 && picks == picks_long_steps(texts_)) {
        Scene same_steps = scene;
        if (picks) same_steps.long_steps = scene_.long_steps;
        if (differ_in_view_alone(scene_, same_steps)) return same_steps;
    }
    // What else is wrong shows where it would be rendered.
    RenderScene const rendered(scene, volume, light, seed_);
    if (!picks) return scene;
    scene.long_steps = choose_long_steps(rendered, volume, device_);
    if (scene.long_steps != LongSteps::plain) RenderScene(scene, volume, light, seed_);
    return scene;
}

Scene const& ViewScene::change(std::map<std::string, std::optional<std::string>> const& texts)
{
    OptionTexts changed = texts_;
    DeclaredOptions const declared;
    for (auto const& [name, text] : texts) {
        auto const& options = declared.list();
        auto const found = std::find_if(options.begin(), options.end(),
                                        [&wanted = name](auto const& option) { return option->long_name() == wanted; });
        if (found == options.end() || !is_changeable(**found))
            fail_usage(fmt::format("'{}' is no option that can be changed", name.size() > kMostTextBytes ? "" : name),
                       fmt::format("give one of {}", fmt::join(list_changeable(), ", ")));
        if (text) check_text(**found, *text);
        if (text && !(is_flag(**found) && *text == "off"))
            changed[name] = *text;
        else
            changed.erase(name);
    }
    try {
        scene_ = make_scene(changed);
    } catch (Error const& error) {
        // An extinction that is too high is a fault of the volume elsewhere, here of the option.
        if (error.status() == ExitStatus::input) throw Error(ExitStatus::usage, error.text());
        throw;
    } catch (po::error const& error) {
        fail_usage(error.what());
    }
    texts_ = std::move(changed);
    return scene_;
}

std::string ViewScene::make_command(std::uint64_t samples, std::vector<std::string> const& picture_options) const
{
    return format_volrender(samples, volume_path_, texts_, picture_options);
}

std::string ViewScene::make_command(std::uint64_t samples, std::vector<std::string> const& picture_options,
                                    std::string const& volume_path) const
{
    // A camera that is not given, or is given by --from, follows the box of the volume.
    OptionTexts texts = texts_;
    CameraSpec const& camera = scene_.camera;
    if (camera.kind != CameraKind::probe) {
        auto const spell = [](Vec3d const& at) { return fmt::format("{},{},{}", at[0], at[1], at[2]); };
        bool const is_perspective = camera.kind == CameraKind::perspective;
        texts.erase("from");
        texts["origin"] = spell(camera.origin_world);
        texts["target"] = spell(camera.target_world);
        texts["up"] = spell(camera.up_world);
        texts.erase(is_perspective ? "ortho" : "fov");
        texts[is_perspective ? "fov" : "ortho"] =
            fmt::format("{}", is_perspective ? camera.fov_x_deg : camera.ortho_width_mm);
    }
    return format_volrender(samples, volume_path, texts, picture_options);
}

std::string ViewScene::format_volrender(std::uint64_t samples, std::string const& volume_path, OptionTexts const& given,
                                        std::vector<std::string> const& picture_options) const
{
    std::vector<std::string> words{"volrender", as_argument(volume_path)};
    OptionTexts const texts = spell_out(given);
    DeclaredOptions const declared;
    for (auto const& option : declared.list()) {
        auto const text = texts.find(option->long_name());
        if (text == texts.end()) continue;
        words.push_back("--" + text->first);
        if (is_flag(*option)) continue;
        bool const picks = text->first == "long-steps" && picks_long_steps(texts);
        words.push_back(picks ? to_word(scene_.long_steps) : text->second);
    }
    if (seed_ != 0) words.insert(words.end(), {"--seed", std::to_string(seed_)});
    words.insert(words.end(), picture_options.begin(), picture_options.end());
    std::string const film = std::filesystem::path(volume_path).stem().string() + ".vpf";
    words.insert(words.end(), {"-o", as_argument(film), "--spp", std::to_string(samples)});
    return format_command(words);
}

nlohmann::ordered_json ViewScene::describe() const
{
    CameraSpec const& camera = scene_.camera;
    nlohmann::ordered_json view{{"kind", "probe"}};
    if (camera.kind != CameraKind::probe) {
        bool const is_perspective = camera.kind == CameraKind::perspective;
        view["kind"] = is_perspective ? "perspective" : "orthographic";
        view["origin"] = camera.origin_world;
        view["target"] = camera.target_world;
        view["up"] = camera.up_world;
        if (is_perspective)
            view["fov_deg"] = camera.fov_x_deg;
        else
            view["ortho_width_mm"] = camera.ortho_width_mm;
    }
    VolumeMeta const& meta = volume_->meta();
    Vec3d centre = meta.placement.origin_world_mm, size{0, 0, 0};
    for (std::size_t row = 0; row < 3; ++row)
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const along =
                meta.placement.rotation[3 * row + axis] * meta.dims[axis] * static_cast<double>(meta.pitch_mm[axis]);
            centre[row] += 0.5 * along;
            size[row] += std::abs(along);
        }
    return {{"camera", view}, {"box", {{"center", centre}, {"size", size}}}};
}

} // namespace volpt
