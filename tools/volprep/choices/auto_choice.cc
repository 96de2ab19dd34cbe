#include "tools/volprep/choices/auto_choice.h"

#include "formats/mesh/reader.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/surface/weld_vertices.h"
#include "libvolpt/sys/error.h"
#include "tools/options/progress_line.h"
#include "tools/volprep/choices/number_choice.h"
#include "tools/volprep/sources.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>
#include <sstream>

namespace volpt {
namespace {

constexpr char kInks[] = "elek2017";
constexpr char kJobPrinter[] = "j750";
constexpr std::size_t kMostJobColours = 32; ///< more are a picture's

bool is_picture_file(std::string const& path)
{
    std::string const extension = std::filesystem::path(path).extension().string();
    std::istringstream names(list_image_extensions(ImageAccess::read));
    for (std::string name; names >> name;)
        if (name == extension) return true;
    return false;
}

class FileChoice {
public:
    FileChoice(ToolRun const& run, VolprepOptions const& options)
        : run_(run), options_(options), line_("choose", run.common.verbosity), progress_(line_.sink())
    {
    }

    AutoChoice choose()
    {
        std::string const& input = run_.arguments[0];
        if (!options_.volume.dims && is_lone_picture(input)) return choose_print();
        InputKinds const kinds = find_input_kinds(run_.arguments, options_);
        if (kinds.contains(InputKind::packed_volume) || kinds.contains(InputKind::mitsuba_scene) ||
            kinds.contains(InputKind::mcx_input)) {
            choice_.reason = "it says its media itself";
            return std::move(choice_);
        }
        if (kinds.contains(InputKind::triangle_mesh)) return choose_for_mesh(input);
        return choose_for_file(input, kinds);
    }

private:
    bool is_given(std::string_view option) const
    {
        return std::ranges::find(run_.given_options, option) != run_.given_options.end();
    }
    void add(char const* name, std::string value)
    {
        if (!is_given(name)) choice_.options.push_back({name, std::move(value)});
    }

    /// Not a pattern or a folder; of TIFF, a volume reader sees first.
    static bool is_lone_picture(std::string const& input)
    {
        std::error_code unknown;
        std::string const extension = std::filesystem::path(input).extension().string();
        return std::filesystem::is_regular_file(input, unknown) && extension != ".tif" && extension != ".tiff" &&
               is_picture_file(input);
    }

    /// A small print, whose voxels are larger than a printer's: 60 mm wide and 3 mm thick.
    AutoChoice choose_print()
    {
        choice_.command = "print";
        choice_.reason = "a picture, printed 60 mm wide and 3 mm thick in voxels of 0.15 mm";
        add("materials", kInks);
        if (!is_given("size") && !is_given("width")) add("width", "60mm");
        if (!is_given("thickness") && !is_given("core")) add("thickness", "3mm");
        if (!is_given("printer")) add("pitch", "0.15mm");
        return std::move(choice_);
    }

    /// A mesh with colours is printed in inks; another one is of a resin.
    AutoChoice choose_for_mesh(std::string const& input)
    {
        bool const has_medium = is_given("medium") || is_given("materials") || is_given("palette") ||
                                is_given("sigma-t") || is_given("albedo");
        MeshFile file = read_mesh(input);
        weld_vertices(file.mesh, run_.common.threads);
        MeshReport const report = check_mesh(file.mesh, run_.common.threads);
        bool const has_colours = !file.mesh.colours.empty() || !file.mesh.pictures.empty();
        if (has_medium) {
            choice_.reason = "a mesh with a medium";
        } else if (has_colours && report.components > 0) {
            choose_printed_colours(report);
        } else {
            choice_.reason = fmt::format("a mesh of white resin (W of {})", kInks);
            add("materials", kInks);
            add("material", "W");
        }
        if (file.format == "gltf") add("mesh-up", "+y");
        if (report.is_accepted() || is_given("repair")) return std::move(choice_);
        add("repair", "");
        choice_.reason += ", which bounds no solid as it is";
        return std::move(choice_);
    }

    void choose_printed_colours(MeshReport const& report)
    {
        constexpr double kVoxels = 200; // along the longest side
        Vec3 const size = report.bounds.upper - report.bounds.lower;
        choice_.reason = fmt::format("a mesh with colours, printed in the inks of {}", kInks);
        add("print-mesh", "");
        add("materials", kInks);
        if (!is_given("printer"))
            add("pitch", fmt::format("{:.3g}mm", static_cast<double>(std::max({size.x, size.y, size.z})) / kVoxels));
    }

    /// Opens the file's numbers as they will be packed: the first channel and time, and the series of most slices,
    /// where the file has several and nothing is given.
    std::unique_ptr<VolumeSource> open_numbers(std::string const& input)
    {
        PartChoice& part = options_.volume.part;
        part.missing = MissingChoice::first;
        auto source = open_shaped_source(input, options_);
        SourceMeta const& meta = source->meta();
        if (!meta.series.empty() && options_.volume.dicom.series.empty())
            add("series", options_.volume.dicom.series = meta.series);
        if (meta.volume_count > 1 && !part.volume) add("volume", std::to_string(*(part.volume = meta.volume)));
        if (meta.channel && part.channel.empty()) add("channel", part.channel = std::to_string(*meta.channel));
        return source;
    }

    AutoChoice choose_for_file(std::string const& input, InputKinds kinds)
    {
        if (kinds.contains(InputKind::labelled)) {
            choice_.reason = "materials by its labels or colours";
            std::unique_ptr<VolumeSource> const source = open_numbers(input);
            if (source->meta().kind == SourceKind::pictures && !source->meta().pitch_mm && !is_given("pitch"))
                add("printer", kJobPrinter);
            return std::move(choice_);
        }
        std::unique_ptr<VolumeSource> source;
        try {
            source = open_numbers(input);
        } catch (Error const&) {
            if (!kinds.contains(InputKind::slices)) throw;
            options_.volume.materials = kInks; // transparent pixels are for materials alone
            return choose_job(open_numbers(input)->meta().pitch_mm);
        }
        SourceMeta const meta = source->meta();
        if (meta.job || (meta.kind == SourceKind::pictures && meta.channels >= 3 && has_few_colours(*source)))
            return choose_job(meta.pitch_mm);
        if (!meta.pitch_mm && meta.missing_pitch == MissingPitch::refused && !is_given("printer")) {
            add("pitch", "1mm");
            if (!is_given("pitch")) options_.volume.pitch_mm = {1, 1, 1};
        }
        if (meta.channels > 1) return choose_for_albedo(meta);
        return append(choose_for_numbers([&] { return open_numbers(input); }, kinds.contains(InputKind::openvdb_file),
                                         [&](char const* option) { return is_given(option); }, progress_));
    }

    AutoChoice append(AutoChoice numbers)
    {
        choice_.options.insert(choice_.options.end(), numbers.options.begin(), numbers.options.end());
        choice_.reason = std::move(numbers.reason);
        return std::move(choice_);
    }

    AutoChoice choose_job(std::optional<std::array<double, 3>> const& pitch_mm)
    {
        choice_.reason = fmt::format("a print job in the inks of {}", kInks);
        add("materials", kInks);
        if (!pitch_mm && !is_given("pitch")) {
            add("printer", kJobPrinter);
            choice_.reason += fmt::format(" and voxels of the {}", kJobPrinter);
        }
        return std::move(choice_);
    }

    /// Several numbers per voxel are its albedo; as thick as other volumes.
    AutoChoice choose_for_albedo(SourceMeta const& meta)
    {
        constexpr double kPaths = 60;
        std::array<double, 3> const pitch_mm = meta.pitch_mm.value_or(std::array<double, 3>{1, 1, 1});
        double shortest_mm = 1e300;
        for (std::size_t i = 0; i < 3; ++i) shortest_mm = std::min(shortest_mm, meta.dims[i] * pitch_mm[i]);
        add("scale", fmt::format("{:.4g}", kPaths / shortest_mm));
        choice_.reason = "colours, as albedo of an even medium";
        return std::move(choice_);
    }

    bool has_few_colours(VolumeSource& source) const
    {
        std::set<std::uint32_t> colours;
        auto const [nx, ny, nz] = source.meta().dims;
        auto const channels = static_cast<std::size_t>(source.meta().channels);
        std::vector<float> layer(channels * static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny));
        for (int z = 0; z < nz && colours.size() <= kMostJobColours; ++z) {
            source.read_slab(z, 1, layer);
            for (std::size_t i = 0; i + 2 < layer.size() && colours.size() <= kMostJobColours; i += channels)
                colours.insert(static_cast<std::uint32_t>(layer[i]) << 16 |
                               static_cast<std::uint32_t>(layer[i + 1]) << 8 |
                               static_cast<std::uint32_t>(layer[i + 2]));
        }
        return colours.size() <= kMostJobColours;
    }

    ToolRun const& run_;
    VolprepOptions options_; ///< with what was chosen to open the file
    ProgressLine line_;
    ProgressSink progress_;
    AutoChoice choice_;
};

} // namespace

AutoChoice choose_options(ToolRun const& run, VolprepOptions const& options)
{
    bool const is_made = options.synthetic.shape || options.slab.texture_path || options.picture.path;
    if (run.arguments.empty() || is_made || options.print_mesh.is_asked_for)
        fail_usage("--auto chooses for a file that is packed", is_made || options.print_mesh.is_asked_for
                                                                   ? "leave out --auto, or what is made or printed"
                                                                   : "give an INPUT");
    return FileChoice(run, options).choose();
}

} // namespace volpt
