// Reader of OpenVDB volumes: asks a sandboxed process for layers and assembles them.
#include "formats/openvdb/reader.h"

#include "formats/openvdb/messages.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/json_text.h"

#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

Json receive_json(Sandbox& sandbox, std::filesystem::path const& path)
{
    auto const& message = sandbox.receive();
    auto const* const text = reinterpret_cast<char const*>(message.bytes.data());
    Json json = parse_json({text, message.bytes.size()});
    if (message.kind != kVdbMeta || json.is_discarded()) fail_input("its description is unreadable", path.string());
    return json;
}

void check_size(VdbFrame const& frame, std::string const& path)
{
    for (int const size : frame.dims)
        if (size < 1 || size > 65535) fail_input("its box is empty or too large", path, {}, "the file is damaged");
}

/// Pitch and rotation from the index axes in the world.
void place(VdbFrame const& frame, SourceMeta& meta)
{
    std::array<double, 3> pitch{};
    for (std::size_t i = 0; i < 3; ++i) {
        pitch[i] = std::hypot(frame.rows[i][0], frame.rows[i][1], frame.rows[i][2]);
        if (!(pitch[i] >= 1e-9 && pitch[i] <= 1e9))
            fail_input(fmt::format("voxel axis {} is {} long", i, pitch[i]), meta.path, "the transform is degenerate",
                       "scale the grid's transform");
        for (std::size_t j = 0; j < 3; ++j) meta.rotation[3 * j + i] = frame.rows[i][j] / pitch[i];
    }
    for (std::size_t a = 0; a < 3; ++a) {
        double cosine = 0;
        for (std::size_t j = 0; j < 3; ++j) cosine += meta.rotation[3 * j + a] * meta.rotation[3 * j + (a + 1) % 3];
        if (!(std::abs(cosine) <= 1e-6))
            fail_input("the grid's transform shears", meta.path, "voxels are boxes",
                       "resample the grid onto an unsheared transform");
    }
    std::array<double, 3> first = frame.rows[3];
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) first[j] += frame.index_min[i] * frame.rows[i][j];
    meta.pitch_mm = pitch;
    meta.first_voxel_world_mm = first;
}

SourceMeta make_meta(Json const& json, VdbFrame const& frame, std::filesystem::path const& path)
{
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = frame.dims;
    check_size(frame, meta.path);
    place(frame, meta);
    auto const type = parse_stored_type(json.at("element").get<std::string>());
    meta.channels = json.at("channels").get<int>();
    if (!type || (meta.channels != 1 && meta.channels != 3)) fail_input("its description is wrong", meta.path);
    meta.element = type->type;
    meta.metadata_json = json.at("keys").dump(-1, ' ', false, Json::error_handler_t::replace);
    meta.notices = json.at("notices").get<std::vector<std::string>>();
    return meta;
}

VdbFrame parse_frame(Json const& json)
{
    VdbFrame frame;
    frame.dims = json.at("dims").get<std::array<int, 3>>();
    frame.index_min = json.at("index_min").get<std::array<int, 3>>();
    frame.rows = json.at("rows").get<std::array<std::array<double, 3>, 4>>();
    return frame;
}

class VdbSource final : public SandboxedSource {
public:
    VdbSource(SourceMeta source, VdbFrame const& frame, std::unique_ptr<SharedMemory> memory,
              std::unique_ptr<Sandbox> sandbox)
        : SandboxedSource(std::move(source), std::move(memory), std::move(sandbox)), frame_(frame)
    {
    }

    VdbFrame const& frame() const noexcept { return frame_; }

private:
    void await_slab(Sandbox& sandbox) override
    {
        if (sandbox.receive().kind != kVdbSlabEnd)
            fail_input("its layers are unreadable", meta().path, {}, "the file is damaged");
    }

    VdbFrame frame_;
};

std::unique_ptr<VolumeSource> open_task(VdbTask const& task)
{
    // Files that cannot be opened or are of another format are reported here, not by the library.
    refuse_known_mistakes(read_file_head(task.path, 64), task.path.string());
    auto memory = std::make_unique<SharedMemory>();
    auto sandbox = std::make_unique<Sandbox>(task.path, task.options.limits.value_or(find_sandbox_limits(task.path)),
                                             [&](SandboxPort& port) { serve_openvdb(task, *memory, port); });
    Json const json = receive_json(*sandbox, task.path);
    try {
        VdbFrame const frame = parse_frame(json);
        SourceMeta meta = make_meta(json, frame, task.path);
        bool const is_level_set = json.at("is_level_set").get<bool>();
        if (!task.frame && task.options.interior && !is_level_set)
            fail_usage("--interior has no meaning for a grid that is no level set", "give --scale");
        if (is_level_set && !task.options.interior)
            meta.notices.push_back("the grid is a level set: density is 1 deep inside; --interior says otherwise");
        return std::make_unique<VdbSource>(std::move(meta), frame, std::move(memory), std::move(sandbox));
    } catch (Json::exception const& error) {
        fail_input("its description is wrong: " + describe_json_error(error.what()), task.path.string(), {},
                   "the file is damaged");
    }
}

} // namespace

std::unique_ptr<VolumeSource> open_openvdb(std::filesystem::path const& path, VdbOptions const& options)
{
    return open_task({path, options, {}, VdbQuantity::density});
}

std::unique_ptr<VolumeSource> open_openvdb_albedo(std::filesystem::path const& path, VdbOptions const& options,
                                                  VolumeSource const& density)
{
    auto const* const source = dynamic_cast<VdbSource const*>(&density);
    if (source == nullptr) fail_usage("--albedo-grid needs an OpenVDB file", "give the density from the same file");
    return open_task({path, options, source->frame(), VdbQuantity::albedo});
}

std::unique_ptr<VolumeSource> open_openvdb_emission(std::filesystem::path const& path, VdbOptions const& options,
                                                    VolumeSource const& density)
{
    auto const* const source = dynamic_cast<VdbSource const*>(&density);
    if (source == nullptr) fail_usage("--emission-grid needs an OpenVDB file", "give the density from the same file");
    return open_task({path, options, source->frame(), VdbQuantity::emission});
}

std::vector<VdbGridEntry> list_openvdb_grids(std::filesystem::path const& path)
{
    refuse_known_mistakes(read_file_head(path, 64), path.string());
    Sandbox sandbox(path, find_sandbox_limits(path), [&](SandboxPort& port) { serve_openvdb_list(path, port); });
    std::vector<VdbGridEntry> grids;
    try {
        for (auto const& json : receive_json(sandbox, path))
            grids.push_back({json.at("name").get<std::string>(), json.at("type").get<std::string>(),
                             json.at("class").get<std::string>(), json.at("active_voxels").get<std::string>(),
                             json.at("voxel_size").get<std::array<double, 3>>()});
    } catch (Json::exception const& error) {
        fail_input("its list of grids is wrong: " + describe_json_error(error.what()), path.string(), {},
                   "the file is damaged");
    }
    return grids;
}

extern Reader const openvdb_reader;
Reader const openvdb_reader{is_openvdb_head,
                            [](std::filesystem::path const& path, ReadOptions const&) { return open_openvdb(path); }};

} // namespace volpt
