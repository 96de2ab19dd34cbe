#pragma once

#include "libvolpt/job/device_request.h"
#include "libvolpt/job/scene_request.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/scene/scene_hints.h"
#include "libvolpt/volume/volume.h"
#include "tools/options/tool.h"

#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Options by their long names; those without a value have the text "on".
using OptionTexts = std::map<std::string, std::string>;

/// A volume, its light, and a scene whose options are changed by name, with the texts that volrender's command line
/// takes. Every scene is that of the volrender command with the same options. Not for several threads at once.
class ViewScene {
public:
    /// Opens and checks what volrender would, the volume `run.arguments[0]`; Error as there. `device` decides what
    /// --long-steps auto is. `packed` is the .vpk to open where the argument is none; empty: it is one.
    ViewScene(ToolRun const& run, SceneRequest const& request, DeviceRequest const& device = {}, std::uint64_t seed = 0,
              std::filesystem::path const& packed = {});

    /// That of the file.
    PackedVolume const& volume() const { return *volume_; }
    /// What scene() is of: volume(), or that in three bands, if it is grey and the light has a colour.
    std::shared_ptr<PackedVolume const> rendered_volume() const;
    /// The only image that any scene of this object has as its light, for the bands of scene(); null: none has. It
    /// stays where it is.
    LightImage const* light() const { return find_light(scene_.bands); }
    /// How many values a light may have, besides one.
    std::uint32_t light_bands() const;
    Scene const& scene() const { return scene_; }
    std::uint64_t seed() const { return seed_; }

    /// The options that `change` takes. None names a file: where volrender takes a file or numbers, the word "image"
    /// is that of light().
    static std::vector<std::string> list_changeable();
    /// The options that were given, at the start or later.
    OptionTexts const& texts() const { return texts_; }
    /// Gives options a new text; null: they are not given any more. All or nothing: Error (usage) says what is refused
    /// and leaves all as it was. A changed scene has at most 4096 x 4096 pixels, fewer with more than four bands, or as
    /// many as at the start. --long-steps auto is decided again unless camera and light alone changed.
    Scene const& change(std::map<std::string, std::optional<std::string>> const& texts);

    /// A volrender command, for a shell in the same folder, that renders samples 0 .. `samples` - 1 of this scene into
    /// a new film with the same bits on any device. --long-steps auto stands there as what was chosen. `samples` is
    /// 1 .. 2^32. `picture_options` are words of the command for pictures of that film.
    std::string make_command(std::uint64_t samples, std::vector<std::string> const& picture_options = {}) const;
    /// The same of another volume, for example a preview of this one, from the same camera.
    std::string make_command(std::uint64_t samples, std::vector<std::string> const& picture_options,
                             std::string const& volume_path) const;
    /// {"camera": {"kind": "perspective"|"orthographic"|"probe", "origin", "target", "up", "fov_deg" or
    /// "ortho_width_mm"}, "box": {"center", "size"}}: points in mm of the world; a probe has its kind alone; the box is
    /// the smallest one along the world's axes around that of the volume.
    nlohmann::ordered_json describe() const;

private:
    /// The image of light() as options of volrender.
    struct LightFile {
        std::filesystem::path path;
        std::string layout;
        bool is_of_hints = false;
        ImageColour colour = ImageColour::grey;
    };

    void load_light(ToolRun const& run, SceneRequest const& request);
    void make_lights(Image const& image, NoticeSink const& notice);
    LightImage const* find_light(std::uint32_t bands) const;
    PackedVolume const& find_volume(std::uint32_t bands);
    OptionTexts spell_out(OptionTexts texts) const;
    Scene make_scene(OptionTexts const& texts);
    std::string format_volrender(std::uint64_t samples, std::string const& volume_path, OptionTexts const& given,
                                 std::vector<std::string> const& picture_options) const;

    DeviceRequest device_;
    int threads_;
    std::uint64_t seed_;
    std::shared_ptr<PackedVolume const> volume_;
    std::shared_ptr<PackedVolume const> rgb_volume_; ///< of a grey one; null until a scene is of it
    std::string volume_path_;
    SceneHints hints_; ///< as if no option of the light were given
    std::optional<LightFile> light_file_;
    std::optional<LightImage> light_;
    std::optional<LightImage> rgb_light_; ///< of a grey volume in three bands
    PictureBands bands_;
    OptionTexts texts_;
    Scene scene_;
    std::uint64_t most_pixels_ = 0; ///< of a change; 0: there is no scene yet
};

} // namespace volpt
