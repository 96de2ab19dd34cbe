// Reader of OpenVDB volumes: asks a sandboxed process for layers and assembles them.
#include "formats/read_openvdb.h"

#include "formats/file_bytes.h"
#include "formats/read_openvdb_wire.h"
#include "formats/reader.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kMagic{" BDV\0\0\0\0", 8};
/// Eight layers of it are 2 GiB of floats.
constexpr std::int64_t kMaxLayerVoxels = std::int64_t{1} << 26;

bool is_openvdb_head(std::string_view head)
{
    return head.starts_with(kMagic);
}

Json receive_json(Sandbox& sandbox, std::filesystem::path const& path)
{
    auto const& message = sandbox.receive();
    auto const* const text = reinterpret_cast<char const*>(message.bytes.data());
    Json json = Json::parse(text, text + message.bytes.size(), nullptr, false);
    if (message.kind != kVdbMeta || json.is_discarded()) fail_input("its description is unreadable", path.string());
    return json;
}

void check_size(VdbFrame const& frame, std::string const& path)
{
    for (int const size : frame.dims)
        if (size < 1 || size > 65535) fail_input("its box is none", path, {}, "the file is damaged");
    if (std::int64_t{frame.dims[0]} * frame.dims[1] > kMaxLayerVoxels)
        fail_input(fmt::format("a layer has {}x{} voxels", frame.dims[0], frame.dims[1]), path,
                   fmt::format("layers of more than {} voxels do not fit into memory", kMaxLayerVoxels),
                   "clip or resample the grid");
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
            fail_input("the grid's transform shears", meta.path, "voxels are boxes", "resample the grid onto an unsheared transform");
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

class VdbSource final : public VolumeSource {
public:
    VdbSource(SourceMeta source, VdbFrame const& frame, std::unique_ptr<Sandbox> sandbox)
        : VolumeSource(std::move(source)), frame_(frame), sandbox_(std::move(sandbox))
    {
    }

    VdbFrame const& frame() const noexcept { return frame_; }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        VdbRequest const request{z_first, z_count};
        sandbox_->send(std::as_bytes(std::span(&request, 1)));
        for (;;) {
            auto const& message = sandbox_->receive();
            if (message.kind == kVdbSlabEnd) return;
            if (message.kind != kVdbBlocks) refuse();
            std::span<std::byte const> bytes = message.bytes;
            while (!bytes.empty()) bytes = bytes.subspan(place_block(request, bytes, values));
        }
    }

private:
    [[noreturn]] void refuse() const { fail_input("its layers are unreadable", meta().path, {}, "the file is damaged"); }

    bool is_inside(VdbBlock const& block, VdbRequest request) const
    {
        std::array<std::int32_t, 3> const low{0, 0, request.z_first};
        std::array<std::int32_t, 3> const high{meta().dims[0], meta().dims[1], request.z_first + request.z_count};
        for (std::size_t i = 0; i < 3; ++i)
            if (block.first[i] < low[i] || block.dims[i] < 1 || block.dims[i] > high[i] - block.first[i]) return false;
        return true;
    }

    /// Returns the bytes that the block took.
    std::size_t place_block(VdbRequest request, std::span<std::byte const> bytes, std::span<float> values) const
    {
        VdbBlock block{};
        if (bytes.size() < sizeof(block)) refuse();
        std::memcpy(&block, bytes.data(), sizeof(block));
        if (!is_inside(block, request)) refuse();
        auto const channels = static_cast<std::size_t>(meta().channels);
        auto const row = static_cast<std::size_t>(block.dims[0]) * channels;
        std::size_t const rows = static_cast<std::size_t>(block.dims[1]) * static_cast<std::size_t>(block.dims[2]);
        std::size_t const numbers = block.is_constant != 0 ? channels : row * rows;
        if ((bytes.size() - sizeof(block)) / sizeof(float) < numbers) refuse();
        std::byte const* from = bytes.data() + sizeof(block);
        for (std::int32_t z = 0; z < block.dims[2]; ++z)
            for (std::int32_t y = 0; y < block.dims[1]; ++y) {
                std::size_t const voxel =
                    (static_cast<std::size_t>(block.first[2] + z - request.z_first) * static_cast<std::size_t>(meta().dims[1]) +
                     static_cast<std::size_t>(block.first[1] + y)) *
                        static_cast<std::size_t>(meta().dims[0]) +
                    static_cast<std::size_t>(block.first[0]);
                auto const to = values.subspan(voxel * channels, row);
                if (block.is_constant != 0) {
                    fill_row(from, to, channels);
                } else {
                    std::memcpy(to.data(), from, to.size_bytes());
                    from += to.size_bytes();
                }
            }
        return sizeof(block) + numbers * sizeof(float);
    }

    static void fill_row(std::byte const* from, std::span<float> to, std::size_t channels)
    {
        std::array<float, 3> value{};
        std::memcpy(value.data(), from, channels * sizeof(float));
        for (std::size_t i = 0; i < to.size(); i += channels) std::copy_n(value.begin(), channels, to.begin() + static_cast<std::ptrdiff_t>(i));
    }

    VdbFrame frame_;
    std::unique_ptr<Sandbox> sandbox_;
};

std::unique_ptr<VolumeSource> open_task(VdbTask const& task)
{
    // A path that cannot be opened is told here, not by the library.
    FileBytes const file(task.path);
    auto sandbox = std::make_unique<Sandbox>(task.path, task.options.limits.value_or(find_sandbox_limits(task.path)),
                                             [&](SandboxPort& port) { serve_openvdb(task, port); });
    Json const json = receive_json(*sandbox, task.path);
    try {
        VdbFrame const frame = parse_frame(json);
        SourceMeta meta = make_meta(json, frame, task.path);
        bool const is_level_set = json.at("is_level_set").get<bool>();
        if (!task.frame && task.options.interior && !is_level_set)
            fail_usage("--interior has no meaning for a grid that is no level set", "give --scale");
        if (is_level_set && !task.options.interior)
            meta.notices.push_back("the grid is a level set: density is 1 deep inside; --interior says otherwise");
        return std::make_unique<VdbSource>(std::move(meta), frame, std::move(sandbox));
    } catch (Json::exception const& error) {
        fail_input("its description is wrong", task.path.string(), error.what(), "the file is damaged");
    }
}

} // namespace

bool is_openvdb_file(std::filesystem::path const& path)
{
    FileBytes const file(path);
    std::string head(kMagic.size(), '\0');
    if (file.size_bytes() < head.size()) return false;
    file.read_at(0, std::as_writable_bytes(std::span(head)));
    return is_openvdb_head(head);
}

std::unique_ptr<VolumeSource> open_openvdb(std::filesystem::path const& path, VdbOptions const& options)
{
    return open_task({path, options, {}});
}

std::unique_ptr<VolumeSource> open_openvdb_albedo(std::filesystem::path const& path, VdbOptions const& options,
                                                  VolumeSource const& density)
{
    auto const* const source = dynamic_cast<VdbSource const*>(&density);
    if (source == nullptr) fail_usage("--albedo-grid needs an OpenVDB file", "give the density from the same file");
    return open_task({path, options, source->frame()});
}

std::vector<VdbGridEntry> list_openvdb_grids(std::filesystem::path const& path)
{
    FileBytes const file(path);
    Sandbox sandbox(path, find_sandbox_limits(path), [&](SandboxPort& port) { serve_openvdb_list(path, port); });
    std::vector<VdbGridEntry> grids;
    try {
        for (auto const& json : receive_json(sandbox, path))
            grids.push_back({json.at("name").get<std::string>(), json.at("type").get<std::string>(),
                             json.at("class").get<std::string>(), json.at("active_voxels").get<std::string>(),
                             json.at("voxel_size").get<std::array<double, 3>>()});
    } catch (Json::exception const& error) {
        fail_input("its list of grids is wrong", path.string(), error.what(), "the file is damaged");
    }
    return grids;
}

namespace {

std::unique_ptr<VolumeSource> open_first_density(std::filesystem::path const& path)
{
    return open_openvdb(path);
}

} // namespace

extern Reader const openvdb_reader;
Reader const openvdb_reader{is_openvdb_head, open_first_density};

} // namespace volpt
