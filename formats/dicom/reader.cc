// Reader of DICOM files: asks a sandboxed process for slices.
#include "formats/dicom/reader.h"

#include "formats/common/file_head.h"
#include "formats/dicom/messages.h"
#include "formats/reader.h"
#include "formats/slices/dicom_files.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/json_text.h"

#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

/// Messages of the child. Where it ended without a word of its own, or without a file's name, the file that it was
/// reading is named.
class DicomMessages {
public:
    explicit DicomMessages(DicomTask const& task) : where_(task.where), paths_(task.paths) {}

    std::vector<std::string> const& paths() const { return paths_; }

    /// The next message of another kind than kDicomFile.
    SandboxMessage const& receive(Sandbox& sandbox)
    {
        try {
            for (;;) {
                SandboxMessage const& message = sandbox.receive();
                if (message.kind != kDicomFile) return message;
                if (message.bytes.size() == sizeof file_) std::memcpy(&file_, message.bytes.data(), sizeof file_);
            }
        } catch (Error const& error) {
            if (error.text().where != where_ || file_ >= paths_.size()) throw;
            fail_input(error.text().what, paths_[file_], error.text().why, error.text().what_to_do);
        }
    }

private:
    std::string where_;
    std::vector<std::string> paths_;
    std::uint32_t file_ = kNoDicomFile;
};

/// Index of a path, and the number of a frame in it, from 1; 0: the only one.
using SlicePlace = std::array<std::uint32_t, 2>;

class DicomSource final : public SandboxedSource {
public:
    DicomSource(SourceMeta source, std::vector<SlicePlace> slices, DicomMessages messages,
                std::unique_ptr<SharedMemory> memory, std::unique_ptr<Sandbox> sandbox)
        : SandboxedSource(std::move(source), std::move(memory), std::move(sandbox)), slices_(std::move(slices)),
          messages_(std::move(messages))
    {
    }

    std::string describe_voxel(int x, int y, int z) const override
    {
        auto const [file, frame] = slices_[static_cast<std::size_t>(z)];
        std::string const& path = messages_.paths()[file];
        return frame > 0 ? fmt::format("{}: frame {}: pixel {},{}", path, frame, x, y)
                         : fmt::format("{}: pixel {},{}", path, x, y);
    }

private:
    void await_slab(Sandbox& sandbox) override
    {
        if (messages_.receive(sandbox).kind != kDicomSlabEnd)
            fail_input("its slices are unreadable", meta().path, {}, "the file is damaged");
    }

    std::vector<SlicePlace> slices_;
    DicomMessages messages_;
};

template <typename Value>
std::optional<Value> get_optional(Json const& json)
{
    if (json.is_null()) return std::nullopt;
    return json.get<Value>();
}

[[noreturn]] void fail_description(std::string const& where, std::string const& why = {})
{
    fail_input("its description is wrong", where, why, "the file is damaged");
}

/// The process that read the files may be under the control of a malicious one.
void check_meta(SourceMeta const& meta)
{
    for (int const size : meta.dims)
        if (size < 1 || size > 65535) fail_description(meta.path);
    for (double const mm : meta.pitch_mm.value_or(std::array{1.0, 1.0, 1.0}))
        if (!(mm >= 1e-9 && mm <= 1e9)) fail_description(meta.path);
    for (double const cosine : meta.rotation)
        if (!(std::abs(cosine) <= 1 + 1e-6)) fail_description(meta.path);
    for (double const mm : meta.first_voxel_world_mm.value_or(std::array{0.0, 0.0, 0.0}))
        if (!(std::abs(mm) <= 1e9)) fail_description(meta.path);
}

SourceMeta make_meta(Json const& json, std::string const& where)
{
    SourceMeta meta;
    meta.path = where;
    meta.missing_pitch = MissingPitch::refused;
    meta.dims = json.at("dims").get<std::array<int, 3>>();
    meta.pitch_mm = get_optional<std::array<double, 3>>(json.at("pitch_mm"));
    meta.rotation = json.at("rotation").get<std::array<double, 9>>();
    meta.first_voxel_world_mm = get_optional<std::array<double, 3>>(json.at("first_voxel_world_mm"));
    meta.display_window = get_optional<std::array<double, 2>>(json.at("display_window"));
    meta.metadata_json = json.at("keys").dump(-1, ' ', false, Json::error_handler_t::replace);
    meta.notices = json.at("notices").get<std::vector<std::string>>();
    meta.series = json.at("series").get<std::string>();
    meta.volume_count = json.at("volumes").get<std::uint64_t>();
    meta.volume = json.at("volume").get<std::uint64_t>();
    if (meta.pitch_mm) meta.pitch_origin = "PixelSpacing, and the places of slices";
    auto const type = parse_stored_type(json.at("element").get<std::string>());
    if (!type) fail_description(where);
    meta.element = type->type;
    check_meta(meta);
    return meta;
}

std::vector<SlicePlace> make_slices(Json const& json, SourceMeta const& meta, std::size_t files)
{
    auto slices = json.get<std::vector<SlicePlace>>();
    if (slices.size() != static_cast<std::size_t>(meta.dims[2])) fail_description(meta.path);
    for (auto const& [file, frame] : slices)
        if (file >= files || frame > 65535) fail_description(meta.path);
    return slices;
}

} // namespace

std::unique_ptr<VolumeSource> open_dicom(std::string const& input, DicomOptions const& options)
{
    DicomFiles files = list_dicom_files(input);
    DicomTask const task{input, std::move(files.paths), options.series, options.part};
    auto memory = std::make_unique<SharedMemory>();
    auto sandbox = std::make_unique<Sandbox>(input, options.limits.value_or(find_sandbox_limits(task.paths)),
                                             [&](SandboxPort& port) { serve_dicom(task, *memory, port); });
    DicomMessages messages(task);
    auto const& message = messages.receive(*sandbox);
    Json const json = parse_json({reinterpret_cast<char const*>(message.bytes.data()), message.bytes.size()});
    if (message.kind != kDicomMeta || json.is_discarded()) fail_description(input);
    try {
        SourceMeta meta = make_meta(json, input);
        meta.notices.insert(meta.notices.begin(), files.notices.begin(), files.notices.end());
        auto slices = make_slices(json.at("slices"), meta, task.paths.size());
        return std::make_unique<DicomSource>(std::move(meta), std::move(slices), std::move(messages), std::move(memory),
                                             std::move(sandbox));
    } catch (Json::exception const& error) {
        fail_description(input, describe_json_error(error.what()));
    }
}

extern Reader const dicom_reader;
Reader const dicom_reader{is_dicom_head, [](std::filesystem::path const& path, ReadOptions const& options) {
                              DicomOptions dicom;
                              dicom.part = options.part;
                              return open_dicom(path.string(), dicom);
                          }};

} // namespace volpt
