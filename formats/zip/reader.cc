// Slice stacks in a zip archive: plain ones, GrabCAD voxel files (.gcvf, slices/job_manifest.h) and SVX (.svx), read
// with libzip.
//
// SVX: "Simple Voxels" 1.0 of Shapeways (2014); its manifest.xml gives pitch, place and orientation.
#include "formats/reader.h"
#include "formats/slices/job_manifest.h"
#include "formats/slices/stack.h"
#include "formats/zip/archive.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Attributes = std::map<std::string, std::string>;

bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/// name="value" pairs up to the end of the tag. The manifest needs no more of XML than elements and attributes.
Attributes read_attributes(std::string_view tag)
{
    Attributes attributes;
    std::size_t at = 0;
    while (at < tag.size()) {
        std::size_t const equals = tag.find('=', at);
        if (equals == std::string_view::npos) break;
        std::size_t begin = at;
        while (begin < equals && is_blank(tag[begin])) ++begin;
        std::size_t end = equals;
        while (end > begin && is_blank(tag[end - 1])) --end;
        std::size_t const open = tag.find_first_of("\"'", equals);
        if (open == std::string_view::npos) break;
        std::size_t const close = tag.find(tag[open], open + 1);
        if (close == std::string_view::npos) break;
        attributes[std::string(tag.substr(begin, end - begin))] = tag.substr(open + 1, close - open - 1);
        at = close + 1;
    }
    return attributes;
}

/// The attributes of every element of this name.
std::vector<Attributes> find_elements(std::string_view text, std::string_view name)
{
    std::vector<Attributes> found;
    std::string const start = fmt::format("<{}", name);
    for (std::size_t at = text.find(start); at != std::string_view::npos; at = text.find(start, at + 1)) {
        std::size_t const after = at + start.size();
        std::size_t const end = text.find('>', after);
        if (end == std::string_view::npos) break;
        if (is_blank(text[after])) found.push_back(read_attributes(text.substr(after, end - after)));
    }
    return found;
}

double need_number(Attributes const& grid, char const* name, double low, double high, std::string const& where)
{
    auto const found = grid.find(name);
    std::string const text = found == grid.end() ? "" : found->second;
    double number = 0;
    auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc{} || end != text.data() + text.size() || !(number >= low && number <= high))
        fail_input(fmt::format("{} = '{}'", name, text.substr(0, 40)), where,
                   fmt::format("a number from {} to {} is expected", low, high), "correct the manifest");
    return number;
}

int need_size(Attributes const& grid, char const* name, std::string const& where)
{
    return static_cast<int>(need_number(grid, name, 1, 65535, where));
}

/// "density/slice%04d.png" -> "density/slice"
std::string find_density_prefix(std::string_view text, std::string const& where)
{
    for (auto const& channel : find_elements(text, "channel")) {
        auto const type = channel.find("type");
        auto const slices = channel.find("slices");
        if (type != channel.end() && type->second == "DENSITY" && slices != channel.end())
            return slices->second.substr(0, slices->second.find('%'));
    }
    fail_input("names no channel of type DENSITY", where, "it is the density of the volume", "correct the manifest");
}

/// Sets pitch_mm, rotation, first_voxel_world_mm and dims (of the stack: columns, rows, slices) of `meta`, and keeps
/// the attributes of <grid> as metadata. Returns how the names of the density slices start. Error (input) names `where`
/// and the attribute. An XML text of another kind changes nothing and returns "".
std::string read_svx_manifest(std::string_view text, std::string const& where, SourceMeta& meta)
{
    auto const grids = find_elements(text, "grid");
    bool const is_svx = !grids.empty() && (grids[0].contains("voxelSize") || grids[0].contains("gridSizeX"));
    if (!is_svx) return {};
    Attributes const& grid = grids[0];
    constexpr double kMmPerMetre = 1000;
    double const pitch_mm = kMmPerMetre * need_number(grid, "voxelSize", 1e-12, 1e6, where);
    std::array<double, 3> first{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        constexpr std::array kOrigins{"originX", "originY", "originZ"};
        // The origin is the corner of the grid.
        first[axis] = kMmPerMetre * need_number(grid, kOrigins[axis], -1e6, 1e6, where) + 0.5 * pitch_mm;
    }
    int const x = need_size(grid, "gridSizeX", where);
    int const y = need_size(grid, "gridSizeY", where);
    int const z = need_size(grid, "gridSizeZ", where);
    auto const orientation = grid.find("slicesOrientation");
    std::string const axis = orientation == grid.end() ? "Y" : orientation->second;
    // Columns of this matrix are the stack's axes: columns, rows, slices of the pictures.
    if (axis == "X") {
        meta.dims = {y, z, x};
        meta.rotation = {0, 0, 1, 1, 0, 0, 0, 1, 0};
    } else if (axis == "Y") {
        meta.dims = {x, z, y};
        meta.rotation = {1, 0, 0, 0, 0, 1, 0, 1, 0};
    } else if (axis == "Z") {
        meta.dims = {x, y, z};
        meta.rotation = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    } else {
        fail_input(fmt::format("slicesOrientation = '{}'", axis.substr(0, 40)), where, "X, Y or Z is expected",
                   "correct the manifest");
    }
    meta.pitch_mm = std::array{pitch_mm, pitch_mm, pitch_mm};
    meta.first_voxel_world_mm = first;
    nlohmann::ordered_json metadata = nlohmann::ordered_json::object();
    for (auto const& [name, value] : grid) metadata[name] = value;
    meta.metadata_json = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return find_density_prefix(text, where);
}

constexpr std::uint64_t kMaxPicture_bytes = std::uint64_t{1} << 30;
constexpr std::size_t kMaxManifestBytes = std::size_t{1} << 20;

class ArchivedSlices final : public SliceFiles {
public:
    ArchivedSlices(ZipArchive archive, std::vector<std::string> const& slices) : archive_(std::move(archive))
    {
        where_ = archive_.path();
        entries_ = archive_.list();
        auto order = order_slices(slices, where_);
        names_ = std::move(order.names);
        notices_ = std::move(order.notices);
    }

    std::string describe(std::size_t slice) const override { return fmt::format("{}: {}", where_, names_[slice]); }

    std::vector<std::byte> read(std::size_t slice, std::size_t max_bytes) override
    {
        std::scoped_lock const lock(mutex_); // libzip's archives are not for several threads
        return archive_.read(entries_.at(names_[slice]), describe(slice), max_bytes);
    }

private:
    std::mutex mutex_;
    ZipArchive archive_;
    std::map<std::string, std::uint64_t> entries_;
};

bool is_zip(std::string_view head)
{
    return head.starts_with("PK\3\4") || head.starts_with("PK\5\6");
}

using Entries = std::map<std::string, std::uint64_t>;

/// Nothing is ever unpacked; a name that would lead elsewhere was made for harm.
void refuse_outside_names(Entries const& entries, std::string const& where)
{
    for (auto const& [name, index] : entries) {
        bool is_outside = name.front() == '/' || name.front() == '\\' || (name.size() > 1 && name[1] == ':');
        for (std::size_t at = 0; at <= name.size() && !is_outside;) {
            std::size_t const end = std::min(name.find_first_of("/\\", at), name.size());
            is_outside = std::string_view(name).substr(at, end - at) == "..";
            at = end + 1;
        }
        if (is_outside)
            fail_input("the name leads out of the archive", fmt::format("{}: {}", where, name.substr(0, 200)),
                       "unpacked, it would replace other files", "do not trust the archive");
    }
}

/// The name of the job's manifest, in any folder; empty if there is none.
std::string find_job_manifest(Entries const& entries, std::string const& where)
{
    std::string found;
    for (auto const& [name, index] : entries) {
        if (std::filesystem::path(name).filename() != kJobManifestName) continue;
        if (!found.empty())
            fail_input(fmt::format("{} and {} are manifests of two jobs", found, name), where,
                       "an archive holds one job", "pack them one by one");
        found = name;
    }
    return found;
}

std::unique_ptr<VolumeSource> open_job(ZipArchive archive, std::string const& manifest_name, SliceAlpha alpha)
{
    std::string const where = fmt::format("{}: {}", archive.path(), manifest_name);
    auto const entries = archive.list();
    JobManifest const manifest =
        read_job_manifest(archive.read(entries.at(manifest_name), where, kMaxJobManifestBytes), where);
    std::string const folder =
        manifest_name.substr(0, manifest_name.size() - std::string_view(kJobManifestName).size());
    std::vector<std::string> slices;
    for (auto const& [name, index] : entries)
        if (name.starts_with(folder) && name.find('/', folder.size()) == std::string::npos &&
            (manifest.prefix.empty() ? is_slice_name(name) : is_slice_of(name, manifest.prefix)))
            slices.push_back(name);
    if (slices.empty())
        fail_input(fmt::format("NumberOfSlices is {}, and there is no slice named {}NUMBER", manifest.dims[2],
                               manifest.prefix),
                   where, "slices are missing", "get a complete copy of the job");
    auto files = std::make_unique<ArchivedSlices>(std::move(archive), slices);
    check_job_slices(manifest, files->names(), where);
    SourceMeta known = place_upright();
    known.job = manifest.job;
    known.pitch_mm = manifest.pitch_mm;
    known.metadata_json = manifest.metadata_json;
    auto stack = make_slice_stack(make_picture_files(std::move(files)), std::move(known), alpha);
    check_job_size(manifest, stack->meta(), where);
    return stack;
}

std::unique_ptr<VolumeSource> open_slices(std::filesystem::path const& path, ReadOptions const& options)
{
    ZipArchive archive(path, kMaxPicture_bytes);
    SourceMeta known = place_upright();
    std::string prefix;
    auto const entries = archive.list();
    refuse_outside_names(entries, archive.path());
    if (auto const name = find_job_manifest(entries, archive.path()); !name.empty())
        return open_job(std::move(archive), name, options.alpha);
    if (auto const manifest = entries.find("manifest.xml"); manifest != entries.end()) {
        std::string const where = archive.path() + ": manifest.xml";
        auto const text = archive.read(manifest->second, where, kMaxManifestBytes);
        prefix = read_svx_manifest({reinterpret_cast<char const*>(text.data()), text.size()}, where, known);
    }
    std::vector<std::string> slices;
    for (auto const& [name, index] : entries)
        if (is_slice_name(name) && name.starts_with(prefix)) slices.push_back(name);
    auto const dims = known.dims;
    auto files = std::make_unique<ArchivedSlices>(std::move(archive), slices);
    std::string const where = files->where();
    auto stack = make_slice_stack(make_picture_files(std::move(files)), std::move(known), options.alpha);
    if (dims[0] != 0 && stack->meta().dims != dims)
        fail_input(fmt::format("the slices are {} x {} x {}, the manifest says {} x {} x {}", stack->meta().dims[0],
                               stack->meta().dims[1], stack->meta().dims[2], dims[0], dims[1], dims[2]),
                   where + ": manifest.xml", "slices are missing or of another size", "get a complete copy");
    return stack;
}

} // namespace

extern Reader const zip_reader;
Reader const zip_reader{is_zip, open_slices};

} // namespace volpt
