#include "formats/slices/material_stacks.h"

#include "formats/common/text.h"
#include "formats/slices/files.h"
#include "formats/slices/stack.h"
#include "libvolpt/medium/resins.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <sstream>

namespace volpt {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kMaxListBytes = std::uint64_t{1} << 20;
constexpr std::size_t kListHeadBytes = 4096;
constexpr std::size_t kMaxStacks = 255; ///< indices of a palette, without nothing

struct ListedMaterial {
    std::string name; ///< of the resin; else of the stack
    std::string path; ///< "C:\jobs\Mat1\Mat1_xxxx.bmp"
};

struct StackList {
    double thickness_mm = 0;
    std::uint64_t slices = 0;
    std::vector<ListedMaterial> materials;
    nlohmann::ordered_json metadata = nlohmann::ordered_json::object();
};

std::string read_beginning(fs::path const& path, std::uint64_t max_bytes)
{
    FileBytes const file(path);
    std::string text(static_cast<std::size_t>(std::min(file.size_bytes(), max_bytes)), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    return text;
}

std::string trim_value(std::string const& text)
{
    constexpr char kBlanks[] = " \t\r\n;";
    std::size_t const begin = text.find_first_not_of(kBlanks);
    if (begin == std::string::npos) return {};
    return text.substr(begin, text.find_last_not_of(kBlanks) + 1 - begin);
}

/// "Material12", "Resin2": the number behind the word; 0 for others.
std::size_t find_listed_number(std::string const& key, std::string_view word)
{
    if (!key.starts_with(word)) return 0;
    std::size_t number = 0;
    char const* const end = key.data() + key.size();
    auto const [rest, error] = std::from_chars(key.data() + word.size(), end, number);
    return error == std::errc{} && rest == end && number <= kMaxStacks ? number : 0;
}

class StackTextReader {
public:
    explicit StackTextReader(fs::path const& path) : where_(path.string()) {}

    StackList read(std::string const& text)
    {
        std::istringstream lines(text);
        std::string section;
        for (std::string line; std::getline(lines, line);) {
            line = trim_value(line);
            if (line.starts_with('[')) section = to_lower(line);
            std::size_t const equals = line.find('=');
            if (line.starts_with('[') || equals == std::string::npos) continue;
            use(section, to_lower(trim_value(line.substr(0, equals))), trim_value(line.substr(equals + 1)));
        }
        if (text_.thickness_mm == 0) fail("has no 'Layer thickness'", "it is the thickness of a slice in mm");
        if (text_.materials.empty()) fail("has no 'Material1 = ..' under [Materials]", "it names the bitmaps");
        for (std::size_t i = 0; i < text_.materials.size(); ++i)
            if (text_.materials[i].path.empty())
                fail(fmt::format("has no 'Material{}'", i + 1), "materials are numbered from 1 without a gap");
        name_materials();
        return std::move(text_);
    }

private:
    [[noreturn]] void fail(std::string const& what, std::string const& why) const
    {
        fail_input(what, where_, why, "correct the text");
    }

    double read_number(std::string const& key, std::string const& value, double low, double high) const
    {
        double number = 0;
        char const* const end = value.data() + value.size();
        auto const [rest, error] = std::from_chars(value.data(), end, number);
        if (error != std::errc{} || rest != end || !(number >= low && number <= high))
            fail(fmt::format("'{}' is '{}'", key, value.substr(0, 40)),
                 fmt::format("a number from {} to {} is expected", low, high));
        return number;
    }

    void use(std::string const& section, std::string const& key, std::string const& value)
    {
        text_.metadata["job." + key] = value;
        if (section == "[build]" && key == "layer thickness")
            text_.thickness_mm = read_number(key, value, 1e-4, 10);
        else if (section == "[build]" && key == "number of slices")
            text_.slices = static_cast<std::uint64_t>(read_number(key, value, 0, 65535));
        else if (section == "[resin type]")
            set(resins_, key == "color" ? 1 : find_listed_number(key, "resin"), value);
        else if (section == "[materials]")
            set_path(find_listed_number(key, "material"), value);
    }

    static void set(std::vector<std::string>& names, std::size_t number, std::string const& value)
    {
        if (number == 0) return;
        if (names.size() < number) names.resize(number);
        names[number - 1] = value;
    }

    void set_path(std::size_t number, std::string const& path)
    {
        if (number == 0) return;
        if (text_.materials.size() < number) text_.materials.resize(number);
        text_.materials[number - 1].path = path;
    }

    void name_materials()
    {
        for (std::size_t i = 0; i < text_.materials.size(); ++i) {
            std::string& name = text_.materials[i].name;
            name = fmt::format("Material{}", i + 1);
            if (i >= resins_.size() || resins_[i].empty()) continue;
            bool const is_new = std::ranges::count(resins_, resins_[i]) == 1;
            name = is_new ? resins_[i] : fmt::format("{} {}", resins_[i], i + 1);
        }
    }

    std::string where_;
    StackList text_;
    std::vector<std::string> resins_;
};

/// The path's bitmaps: its end beside the text, as long an end as there is. xxxx in the name stands for the number.
std::unique_ptr<SlicePictures> open_stack(fs::path const& text, ListedMaterial const& material)
{
    std::string path = material.path;
    std::ranges::replace(path, '\\', '/');
    std::size_t const dot = path.rfind('.');
    std::size_t begin = dot == std::string::npos ? 0 : dot;
    while (begin > 0 && (path[begin - 1] == 'x' || path[begin - 1] == 'X')) --begin;
    if (dot == std::string::npos || begin == dot)
        fail_input(fmt::format("the bitmaps of '{}' are '{}'", material.name, material.path.substr(0, 200)),
                   text.string(), "xxxx before the extension stands for the slice's number", "correct the text");
    std::size_t const slash = path.find_last_of('/', begin);
    std::string const prefix =
        path.substr(slash == std::string::npos ? 0 : slash + 1, begin - (slash == std::string::npos ? 0 : slash + 1));
    fs::path const folder = slash == std::string::npos ? fs::path() : fs::path(path.substr(0, slash));
    std::vector<fs::path> parts(folder.begin(), folder.end());
    for (std::size_t first = 0; first <= parts.size(); ++first) {
        fs::path at = text.parent_path().empty() ? fs::path(".") : text.parent_path();
        bool is_inside = true;
        for (std::size_t i = first; i < parts.size(); ++i) {
            std::string const part = parts[i].string();
            is_inside = is_inside && part != ".." && part.find(':') == std::string::npos && !parts[i].is_absolute();
            at /= parts[i];
        }
        std::error_code ignored;
        if (!is_inside || !fs::is_directory(at, ignored)) continue;
        for (auto const& entry : fs::directory_iterator(at, ignored))
            if (is_slice_of(entry.path(), prefix)) return make_picture_files(list_folder_slices(at, prefix));
    }
    fail_input(fmt::format("there are no bitmaps of '{}', {}", material.name, material.path.substr(0, 200)),
               text.string(), "they are looked for beside the text, by the end of that path",
               "copy the bitmaps' folders beside the text, or correct it");
}

class MaterialStacks final : public SlicePictures {
public:
    MaterialStacks(fs::path const& text, StackList const& listed) : where_(text.string())
    {
        for (ListedMaterial const& material : listed.materials) {
            stacks_.push_back(open_stack(text, material));
            names_.push_back(material.name);
            auto const& notices = stacks_.back()->notices();
            notices_.insert(notices_.end(), notices.begin(), notices.end());
            if (stacks_.back()->count() != stacks_.front()->count())
                fail_input(fmt::format("there are {} bitmaps of '{}' and {} of '{}'", stacks_.back()->count(),
                                       names_.back(), stacks_.front()->count(), names_.front()),
                           where_, "a slice has one of each material", "get a complete copy of the job");
        }
        choose_colours();
        if (listed.slices != 0 && listed.slices != count())
            notices_.push_back(
                fmt::format("the text says {} slices, there are {}, which are read", listed.slices, count()));
    }

    PrintJob describe_job() const
    {
        PrintJob job{.background = 0u, .materials = {}, .has_colours = false};
        for (std::size_t i = 0; i < names_.size(); ++i) job.materials.push_back({names_[i], palette_[i + 1], {}});
        return job;
    }

    std::string const& where() const override { return where_; }
    std::size_t count() const override { return stacks_.front()->count(); }
    std::string describe(std::size_t slice) const override { return stacks_.front()->describe(slice); }
    std::vector<std::string> const& notices() const override { return notices_; }
    std::map<std::string, std::string> list_metadata() const override { return stacks_.front()->list_metadata(); }
    bool is_concurrent() const override { return true; }

    SliceFacts read_facts(std::size_t slice) override
    {
        SliceFacts const first = stacks_.front()->read_facts(slice);
        for (auto const& stack : stacks_) check_size(stack->read_facts(slice), first, *stack, slice);
        return {first.width, first.height, 4, ElementType::u8, true};
    }

    SliceFacts decode(std::size_t slice, std::vector<float>& numbers) override
    {
        SliceFacts const facts = read_facts(slice);
        std::vector<std::uint8_t> indices(static_cast<std::size_t>(facts.width) *
                                          static_cast<std::size_t>(facts.height));
        Palette const palette = decode_indexed(slice, facts, indices);
        numbers.resize(4 * indices.size());
        for (std::size_t i = 0; i < indices.size(); ++i)
            for (std::size_t channel = 0; channel < 4; ++channel)
                numbers[4 * i + channel] = static_cast<float>(palette[indices[i]] >> (24 - 8 * channel) & 0xffu);
        return facts;
    }

    Palette decode_indexed(std::size_t slice, SliceFacts const& size, std::span<std::uint8_t> indices) override
    {
        std::ranges::fill(indices, std::uint8_t{0});
        std::vector<float> numbers;
        for (std::size_t material = 0; material < stacks_.size(); ++material) {
            SliceFacts const facts = stacks_[material]->decode(slice, numbers);
            check_size(facts, size, *stacks_[material], slice);
            auto const channels = static_cast<std::size_t>(facts.channels);
            float const half = facts.element == ElementType::u16 ? 32768.0f : 128.0f;
            for (std::size_t i = 0; i < indices.size(); ++i) {
                if (numbers[i * channels] < half) continue;
                if (indices[i] != 0) refuse_overlap(slice, i, size, indices[i] - 1u, material);
                indices[i] = static_cast<std::uint8_t>(material + 1);
            }
        }
        return palette_;
    }

private:
    void check_size(SliceFacts const& facts, SliceFacts const& wanted, SlicePictures const& stack,
                    std::size_t slice) const
    {
        if (facts.width == wanted.width && facts.height == wanted.height) return;
        fail_input(fmt::format("is {} x {} pixels, {} is {} x {}", facts.width, facts.height,
                               stacks_.front()->describe(slice), wanted.width, wanted.height),
                   stack.describe(slice), "the bitmaps of a job have one size", "get a complete copy of the job");
    }

    [[noreturn]] void refuse_overlap(std::size_t slice, std::size_t pixel, SliceFacts const& size, std::size_t first,
                                     std::size_t second) const
    {
        auto const width = static_cast<std::size_t>(size.width);
        fail_input(fmt::format("pixel {},{} is of '{}', and in {} of '{}'", pixel % width, pixel / width,
                               names_[second], stacks_[first]->describe(slice), names_[first]),
                   stacks_[second]->describe(slice), "a voxel is of one material", "make the bitmaps anew");
    }

    /// Resins have their own colours; others what is left of a list.
    void choose_colours()
    {
        constexpr std::array<std::uint32_t, 7> kOthers{0xff8000ff, 0x00a050ff, 0x8040ffff, 0x804020ff,
                                                       0xff80c0ff, 0x60c0ffff, 0x808000ff};
        std::uint32_t other = 0;
        for (std::size_t i = 0; i < names_.size(); ++i) {
            auto const resin = find_resin(names_[i]);
            std::uint32_t colour = resin ? find_vero_colour(*resin).value_or(0) : 0;
            for (; std::ranges::find(palette_, colour) != palette_.end(); ++other)
                colour = other < kOthers.size() ? kOthers[other] : 0x010101ff + (other << 8);
            palette_[i + 1] = colour;
        }
    }

    std::string where_;
    std::vector<std::unique_ptr<SlicePictures>> stacks_;
    std::vector<std::string> names_;
    std::vector<std::string> notices_;
    Palette palette_{}; ///< 0 is the background, and what no material has
};

} // namespace

bool is_material_stacks(fs::path const& path)
{
    std::error_code ignored;
    if (to_lower(path.extension().string()) != ".txt" || !fs::is_regular_file(path, ignored)) return false;
    std::string const head = to_lower(read_beginning(path, kListHeadBytes));
    return head.find("[build]") != std::string::npos && head.find("[materials]") != std::string::npos;
}

fs::path find_material_stacks(fs::path const& folder)
{
    fs::path found;
    std::error_code ignored;
    for (auto const& entry : fs::directory_iterator(folder, ignored)) {
        if (is_slice_name(entry.path())) return {};
        if (!is_material_stacks(entry.path())) continue;
        if (!found.empty())
            fail_input(fmt::format("{} and {} are texts of two jobs", std::min(found, entry.path()).filename().string(),
                                   std::max(found, entry.path()).filename().string()),
                       folder.string(), "a folder holds one job", "name one of the texts instead of the folder");
        found = entry.path();
    }
    return found;
}

std::unique_ptr<VolumeSource> open_material_stacks(fs::path const& text, SliceAlpha alpha)
{
    FileBytes const file(text);
    if (file.size_bytes() > kMaxListBytes)
        fail_input(fmt::format("has {} bytes", file.size_bytes()), text.string(),
                   fmt::format("the text of a job has at most {} bytes", kMaxListBytes), "get the job's own text");
    StackList const listed = StackTextReader(text).read(read_beginning(text, kMaxListBytes));
    auto pictures = std::make_unique<MaterialStacks>(text, listed);
    constexpr double kXDpi = 600, kYDpi = 300;
    SourceMeta known = place_upright();
    known.job = pictures->describe_job();
    known.pitch_mm = {kMmPerInch / kXDpi, kMmPerInch / kYDpi, listed.thickness_mm};
    known.notices.push_back(
        fmt::format("the text says layers of {:g} mm and no dots per inch: {:g} x {:g} are assumed; "
                    "--pitch says otherwise",
                    listed.thickness_mm, kXDpi, kYDpi));
    known.metadata_json = listed.metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return make_slice_stack(std::move(pictures), std::move(known), alpha);
}

} // namespace volpt
