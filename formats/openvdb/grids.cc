// The child's side of reading an OpenVDB file: finds the grid, describes it, sends its layers.
#include "formats/openvdb/blocks.h"
#include "formats/openvdb/library.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <fmt/format.h>
#include <istream>
#include <nlohmann/json.hpp>
#include <openvdb/io/File.h>
#include <openvdb/io/Stream.h>
#include <streambuf>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

struct Entry {
    std::string name; ///< "density", "density[1]"
    openvdb::GridBase::Ptr grid;

    bool is_scalar() const
    {
        auto const type = grid->valueType();
        return type == "float" || type == "double" || type == "int32" || type == "int64" || type == "bool";
    }
    bool is_vector() const { return grid->valueType().starts_with("vec3"); }
    bool is_points() const { return grid->valueType().starts_with("ptdata"); }
};

/// A file in memory as a stream: OpenVDB seeks before every leaf, upon which a file stream reads its buffer again.
class MappedStream final : public std::streambuf {
public:
    explicit MappedStream(std::filesystem::path const& path) : file_(path)
    {
        auto* const begin = const_cast<char*>(reinterpret_cast<char const*>(file_.bytes().data())); // only read
        setg(begin, begin, begin + file_.bytes().size());
    }

    /// Error (input): parts that the file has lost meanwhile were read as zeros.
    void check_unchanged() const { file_.check_unchanged(); }

private:
    pos_type seekoff(off_type offset, std::ios_base::seekdir from, std::ios_base::openmode) override
    {
        off_type const base =
            from == std::ios_base::beg ? 0 : (from == std::ios_base::cur ? gptr() : egptr()) - eback();
        off_type const size = egptr() - eback();
        if (offset < -base || offset > size - base) return pos_type(off_type(-1));
        setg(eback(), eback() + base + offset, egptr());
        return base + offset;
    }
    pos_type seekpos(pos_type position, std::ios_base::openmode mode) override
    {
        return seekoff(position, std::ios_base::beg, mode);
    }

    MappedFile file_;
};

class VdbFile {
public:
    explicit VdbFile(std::filesystem::path const& path) : path_(path), file_(path.string())
    {
        // No delayed loading: a damaged leaf has to be found before anything is packed.
        file_.open(false);
        // io::File numbers equal names in its own order, which readGrid understands.
        for (auto name = file_.beginName(); name != file_.endName(); ++name)
            entries_.push_back({name.gridName(), file_.readGridMetadata(name.gridName())});
    }

    std::vector<Entry> const& entries() const { return entries_; }

    /// io::File does not notice that a file ends early and hides its stream; io::Stream reads from a stream of ours.
    openvdb::GridBase::Ptr read(Entry const& entry)
    {
        MappedStream buffer(path_);
        std::istream stream(&buffer);
        // The library's loops over numbers that the file claims go on at its end.
        stream.exceptions(std::ios::failbit | std::ios::badbit);
        try {
            auto const grids = openvdb::io::Stream(stream, false).getGrids();
            buffer.check_unchanged();
            return grids->size() == 1 ? grids->front() : file_.readGrid(entry.name);
        } catch (std::ios_base::failure const&) {
            fail_input("the file ends early, or claims more than it holds", path_.string(), {}, "get a complete copy");
        }
    }

    std::string list_names() const
    {
        std::string list;
        for (auto const& entry : entries_)
            list += fmt::format("{}{} ({})", list.empty() ? "" : ", ", entry.name, entry.grid->valueType());
        return list.empty() ? "none" : list;
    }

    /// The grid of that name, or the first of several with it.
    Entry const& find(std::string const& name) const
    {
        for (auto const& entry : entries_)
            if (entry.name == name || entry.name == name + "[0]") return entry;
        fail_input(fmt::format("there is no grid \"{}\"", name), path_.string(), {}, "choose among " + list_names());
    }

    Entry const& find_density(std::string const& name) const
    {
        if (!name.empty()) return find(name);
        for (auto const& entry : entries_)
            if (entry.is_scalar() && (entry.name == "density" || entry.name.starts_with("density["))) return entry;
        for (auto const& entry : entries_)
            if (entry.is_scalar()) return entry;
        for (auto const& entry : entries_)
            if (entry.is_vector()) return entry;
        fail_input("there is no grid of numbers", path_.string(), "the file holds: " + list_names(),
                   "write a float grid");
    }

private:
    std::filesystem::path path_;
    openvdb::io::File file_;
    std::vector<Entry> entries_;
};

std::string element_of(std::string const& value_type)
{
    if (value_type == "bool") return "u8";
    if (value_type == "int32" || value_type == "vec3i") return "i32";
    if (value_type == "int64") return "i64";
    if (value_type == "double" || value_type == "vec3d") return "f64";
    return "f32";
}

VdbFrame make_frame(openvdb::GridBase const& grid, openvdb::CoordBBox const& box, std::string const& where)
{
    if (!grid.transform().isLinear())
        fail_input("the grid's transform is no affine map", where, "a frustum has voxels of different sizes",
                   "resample the grid onto a linear transform");
    auto const matrix = grid.transform().baseMap()->getAffineMap()->getMat4();
    VdbFrame frame;
    for (int i = 0; i < 3; ++i) {
        auto const a = static_cast<std::size_t>(i);
        frame.index_min[a] = box.min()[i];
        std::int64_t const extent = std::int64_t{box.max()[i]} - box.min()[i] + 1;
        if (extent > 65535)
            fail_input(fmt::format("the active voxels span {} along axis {}", extent, i), where,
                       "a packed volume has at most 65535 voxels along an axis", "clip or resample the grid");
        frame.dims[a] = static_cast<int>(extent);
    }
    for (int i = 0; i < 4; ++i)
        for (int j = 0; j < 3; ++j) frame.rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)] = matrix[i][j];
    return frame;
}

bool have_equal_rows(VdbFrame const& a, VdbFrame const& b)
{
    double size = 0;
    double difference = 0;
    for (std::size_t i = 0; i < 4; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            if (i < 3) size = std::max(size, std::abs(a.rows[i][j]));
            difference = std::max(difference, std::abs(a.rows[i][j] - b.rows[i][j]));
        }
    return difference <= 1e-6 * size;
}

Json list_metadata(openvdb::GridBase const& grid)
{
    Json keys = Json::object();
    for (auto it = grid.beginMeta(); it != grid.endMeta(); ++it) keys[it->first] = it->second->str();
    keys["value_type"] = grid.valueType();
    return keys;
}

void send_json(SandboxPort& port, Json const& json)
{
    std::string const text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    port.send(kVdbMeta, std::as_bytes(std::span(text)));
}

void check_kind(VdbTask const& task, Entry const& entry, std::string const& where)
{
    if (entry.is_points())
        fail_input("the grid holds points", where, "points are no density", "rasterise them to a float grid");
    bool const is_albedo = task.quantity == VdbQuantity::albedo;
    if (is_albedo ? !entry.is_vector() : !entry.is_scalar() && !entry.is_vector())
        fail_input(fmt::format("the grid holds {} values", entry.grid->valueType()), where,
                   is_albedo ? "albedo is a Vec3 grid" : "numbers are float, double, int, bool or Vec3",
                   "choose another grid; --list-grids shows them");
}

/// Half the width of the narrow band, which a level set stores as its background.
double find_ramp_depth(openvdb::GridBase const& grid, std::string const& where)
{
    double depth = 0;
    if (auto const* const floats = dynamic_cast<openvdb::FloatGrid const*>(&grid))
        depth = static_cast<double>(floats->background());
    if (auto const* const doubles = dynamic_cast<openvdb::DoubleGrid const*>(&grid)) depth = doubles->background();
    if (!(depth > 0 && std::isfinite(depth)))
        fail_input(fmt::format("the level set's background is {}", depth), where,
                   "it is the distance at which the narrow band ends", "rebuild the level set");
    return depth;
}

std::size_t count_wanted(VdbOptions const& options)
{
    return 1u + (options.albedo_grid.empty() ? 0u : 1u) + (options.emission_grid.empty() ? 0u : 1u);
}

std::vector<std::string> list_notices(VdbTask const& task, VdbFile const& file, Entry const& entry,
                                      VdbBlocks const& blocks, VdbSampling sampling)
{
    std::vector<std::string> notices;
    std::string const& wanted = task.options.density_grid;
    if (!task.frame && wanted != entry.name && file.entries().size() > count_wanted(task.options))
        notices.push_back(
            fmt::format("grid {} of {} is read; --density-grid takes another", entry.name, file.list_names()));
    if (blocks.clamped() > 0)
        notices.push_back(
            fmt::format("grid {}: {} numbers of its leaves and tiles were clamped", entry.name, blocks.clamped()));
    if (sampling == VdbSampling::resampled)
        notices.push_back(fmt::format("grid {} has another transform and was resampled onto the density's voxels, "
                                      "linear between its own",
                                      entry.name));
    return notices;
}

} // namespace

void serve_openvdb(VdbTask const& task, SharedMemory& memory, SandboxPort& port)
{
    VdbLibrary const library;
    VdbFile file(task.path);
    Entry const& entry = task.quantity == VdbQuantity::albedo     ? file.find(task.options.albedo_grid)
                         : task.quantity == VdbQuantity::emission ? file.find(task.options.emission_grid)
                                                                  : file.find_density(task.options.density_grid);
    std::string const where = fmt::format("{}: grid {}", task.path.string(), entry.name);
    check_kind(task, entry, where);
    auto const grid = file.read(entry);
    bool const is_level_set =
        grid->getGridClass() == openvdb::GRID_LEVEL_SET && entry.is_scalar() && task.quantity == VdbQuantity::density;
    VdbMapping mapping{{}, task.options.interior.value_or(1), task.options.bad_numbers, task.quantity};
    if (is_level_set) mapping.ramp_depth = find_ramp_depth(*grid, where);
    auto const blocks = make_vdb_blocks(grid, mapping);
    if (!blocks)
        fail_input(fmt::format("the grid is a {}", grid->isType<openvdb::MaskGrid>() ? "mask" : grid->type()), where,
                   "density is float, double, int or bool", "choose another grid; --list-grids shows them");
    if (blocks->active_box().empty())
        fail_input("the grid is empty", where, "it has no active voxels",
                   "choose another grid; --list-grids shows them");
    VdbFrame const own = make_frame(*grid, blocks->active_box(), where);
    auto const sampling =
        task.frame && !have_equal_rows(*task.frame, own) ? VdbSampling::resampled : VdbSampling::own_voxels;
    VdbFrame const frame = task.frame.value_or(own);

    Json const meta{{"dims", frame.dims},
                    {"index_min", frame.index_min},
                    {"rows", frame.rows},
                    {"channels", blocks->channels()},
                    {"element", element_of(grid->valueType())},
                    {"is_level_set", is_level_set},
                    {"keys", list_metadata(*grid)},
                    {"notices", list_notices(task, file, entry, *blocks, sampling)}};
    send_json(port, meta);
    // Sampling costs under 1 us per voxel, copying far less.
    port.allow_more_cpu(60 + static_cast<std::uint64_t>(frame.dims[0]) * static_cast<std::uint64_t>(frame.dims[1]) *
                                 static_cast<std::uint64_t>(frame.dims[2]) / 1'000'000);
    auto const layer = static_cast<std::size_t>(blocks->channels()) * static_cast<std::size_t>(frame.dims[0]) *
                       static_cast<std::size_t>(frame.dims[1]);
    serve_slabs(port, memory, layer, kVdbSlabEnd, [&](SlabRequest const& request, std::span<float> slab) {
        blocks->fill(request, frame, sampling, slab);
    });
}

void serve_openvdb_list(std::filesystem::path const& path, SandboxPort& port)
{
    VdbLibrary const library;
    VdbFile const file(path);
    Json list = Json::array();
    for (auto const& [name, grid] : file.entries()) {
        auto const count = (*grid)[openvdb::GridBase::META_FILE_VOXEL_COUNT];
        auto const size = grid->transform().voxelSize();
        list.push_back({{"name", name},
                        {"type", grid->valueType()},
                        {"class", openvdb::GridBase::gridClassToString(grid->getGridClass())},
                        {"active_voxels", count ? count->str() : "unknown"},
                        {"voxel_size", {size.x(), size.y(), size.z()}}});
    }
    send_json(port, list);
}

} // namespace volpt
