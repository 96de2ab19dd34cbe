#include "formats/slices/job_manifest.h"

#include "formats/slices/files.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#if VOLPT_WITH_pugixml
#include <pugixml.hpp>
#endif

namespace volpt {

#if VOLPT_WITH_pugixml
namespace {

class ManifestReader {
public:
    ManifestReader(pugi::xml_node root, std::string const& where) : root_(root), where_(where) {}

    JobManifest read()
    {
        JobManifest manifest;
        constexpr double kMaxDpi = 1e6;
        constexpr double kMaxThickness_nm = 1e9;
        manifest.pitch_mm = {kMmPerInch / need_number("Resolution", "XDpi", 1, kMaxDpi),
                             kMmPerInch / need_number("Resolution", "YDpi", 1, kMaxDpi),
                             need_number("Resolution", "SliceThicknessNanoMeter", 1, kMaxThickness_nm) /
                                 kNanometresPerMm};
        manifest.dims = {need_size("SliceDimensions", "SliceWidth"), need_size("SliceDimensions", "SliceHeight"),
                         need_size("SliceRange", "NumberOfSlices")};
        if (has_text("SliceRange", "StartIndex"))
            manifest.first_number = static_cast<std::uint64_t>(need_whole("SliceRange", "StartIndex", 0, 1e9));
        manifest.prefix = root_.child("ImageFilePrefix").text().get();
        if (manifest.prefix.find_first_of("/\\:") != std::string::npos)
            fail_input(fmt::format("ImageFilePrefix = '{}'", manifest.prefix.substr(0, 40)), where_,
                       "it leads out of the job's folder", "correct the manifest");
        read_materials(manifest.job);
        manifest.metadata_json = metadata_.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
        return manifest;
    }

private:
    bool has_text(char const* group, char const* name) const
    {
        return *root_.child(group).child(name).text().get() != '\0';
    }

    double need_number(char const* group, char const* name, double low, double high)
    {
        std::string const text = root_.child(group).child(name).text().get();
        double number = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc{} || end != text.data() + text.size() || !(number >= low && number <= high))
            fail_input(fmt::format("{}/{} = '{}'", group, name, text.substr(0, 40)), where_,
                       fmt::format("a number from {} to {} is expected", low, high), "correct the manifest");
        metadata_[fmt::format("job.{}", name)] = text;
        return number;
    }

    double need_whole(char const* group, char const* name, double low, double high)
    {
        double const number = need_number(group, name, low, high);
        if (number != static_cast<double>(static_cast<std::int64_t>(number)))
            fail_input(fmt::format("{}/{} = {}", group, name, number), where_, "a whole number is expected",
                       "correct the manifest");
        return number;
    }

    int need_size(char const* group, char const* name) { return static_cast<int>(need_whole(group, name, 1, 65535)); }

    /// "0 255 255 255"
    std::uint32_t read_colour(std::string_view text, std::string const& what) const
    {
        std::uint32_t colour = 0;
        int numbers = 0;
        for (char const *at = text.data(), *const end = at + text.size();;) {
            while (at != end && (*at == ' ' || *at == ',' || *at == '\t' || *at == '\r' || *at == '\n')) ++at;
            if (at == end) break;
            unsigned code = 0;
            auto const [rest, error] = std::from_chars(at, end, code);
            if (error != std::errc{} || code > 255 || numbers == 4) {
                numbers = 0;
                break;
            }
            colour = colour << 8 | code;
            ++numbers;
            at = rest;
        }
        if (numbers != 4)
            fail_input(fmt::format("{} = '{}'", what, text.substr(0, 40)), where_,
                       "four numbers from 0 to 255 are expected: red, green, blue, alpha", "correct the manifest");
        return colour;
    }

    void read_materials(PrintJob& job)
    {
        auto const list = root_.child("MaterialList");
        if (auto const background = list.child("BackGroundMaterialRGBA")) {
            job.background = read_colour(background.text().get(), "BackGroundMaterialRGBA");
            metadata_["job.BackGroundMaterialRGBA"] = background.text().get();
        }
        for (auto const node : list.children("Material")) {
            PrintJob::Material material;
            material.name = node.child("Name").text().get();
            material.colour = read_colour(node.child("RGBA").text().get(), fmt::format("RGBA of '{}'", material.name));
            std::string const count = node.child("VoxelCount").text().get();
            std::uint64_t voxels = 0;
            if (std::from_chars(count.data(), count.data() + count.size(), voxels).ec == std::errc{})
                material.voxels = voxels;
            bool const is_background = job.background == material.colour;
            for (PrintJob::Material const& other : job.materials)
                if (other.colour == material.colour || other.name == material.name)
                    fail_input(
                        fmt::format("MaterialList: '{}' and '{}' have one name or colour", other.name, material.name),
                        where_, "a colour stands for one material", "correct the manifest");
            if (is_background)
                fail_input(fmt::format("MaterialList: '{}' has the colour of the background", material.name), where_,
                           "a colour stands for one material", "correct the manifest");
            metadata_[fmt::format("job.material.{}", material.name)] = node.child("RGBA").text().get();
            job.materials.push_back(std::move(material));
        }
    }

    pugi::xml_node root_;
    std::string const& where_;
    nlohmann::ordered_json metadata_ = nlohmann::ordered_json::object();
};

} // namespace

JobManifest read_job_manifest(std::span<std::byte const> text, std::string const& where)
{
    pugi::xml_document document;
    auto const result = document.load_buffer(text.data(), text.size(), pugi::parse_default | pugi::parse_trim_pcdata);
    if (!result)
        fail_input(fmt::format("is no XML: {}", result.description()),
                   fmt::format("{} at offset {}", where, result.offset), "it says how large the voxels are",
                   "get a complete copy of the job");
    auto const root = document.child("GCVF");
    if (!root) fail_input("has no <GCVF> element", where, "it is no manifest of a print job", "correct or remove it");
    return ManifestReader(root, where).read();
}
#else
JobManifest read_job_manifest(std::span<std::byte const>, std::string const& where)
{
    fail_input("this build cannot read the manifests of print jobs", where,
               "it was configured with VOLPT_WITH_PUGIXML=OFF", "build volpt with pugixml");
}
#endif

void check_job_slices(JobManifest const& manifest, std::vector<std::string> const& names, std::string const& where)
{
    auto const wanted = static_cast<std::size_t>(manifest.dims[2]);
    if (names.size() != wanted)
        fail_input(fmt::format("NumberOfSlices is {}, and there are {} slices named {}NUMBER", wanted, names.size(),
                               manifest.prefix),
                   where, names.size() < wanted ? "slices are missing" : "it is not known which of them belong to it",
                   "get a complete copy of the job");
    // The prefix may end in a digit.
    std::string const stem = std::filesystem::path(names.front()).stem().string();
    std::uint64_t const first = find_slice_number(stem.substr(manifest.prefix.size()), where);
    if (first != manifest.first_number)
        fail_input(fmt::format("StartIndex is {}, and the first slice is {}", manifest.first_number, names.front()),
                   where, "slices are missing or of another job", "get a complete copy of the job");
}

void check_job_size(JobManifest const& manifest, SourceMeta const& stack, std::string const& where)
{
    if (stack.dims[0] == manifest.dims[0] && stack.dims[1] == manifest.dims[1]) return;
    fail_input(fmt::format("the slices have {} x {} pixels, the manifest says {} x {}", stack.dims[0], stack.dims[1],
                           manifest.dims[0], manifest.dims[1]),
               where, "slices or manifest are of another job", "get a complete copy of the job");
}

} // namespace volpt
