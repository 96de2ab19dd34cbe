// JNIfTI volumes as text (.jnii): NIfTI's header and data as JSON.
//
// Source: JNIfTI and JData specifications of NeuroJSON, draft 1 and 3 (neurojson.org).
#include "formats/reader.h"

#include "formats/common/header_parts.h"
#include "formats/common/jdata.h"
#include "formats/common/part_choice.h"
#include "formats/common/text.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/text/json_text.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using JniftiJson = nlohmann::json;

constexpr std::size_t kNamingBytes = 4096; ///< where a binary file names its header or data

/// BJData: names stand behind their lengths, without quotes.
bool is_binary_jnifti(std::string_view head)
{
    bool const has_names =
        head.find("NIFTIHeader") != std::string_view::npos || head.find("NIFTIData") != std::string_view::npos;
    return (head.starts_with('{') || head.starts_with('[')) && has_names &&
           head.find("\"NIFTI") == std::string_view::npos;
}

bool is_jnifti(std::string_view head)
{
    auto const first = head.find_first_not_of(" \t\r\n");
    bool const is_text =
        first != std::string_view::npos && head[first] == '{' && head.find("\"NIFTI") != std::string_view::npos;
    return is_text || is_binary_jnifti(head);
}

[[noreturn]] void refuse_member(std::string const& key, std::string const& where, std::string const& why)
{
    fail_input(fmt::format("'{}' is missing or not valid", key), where, why, "write the file again");
}

std::vector<double> read_row(JniftiJson const& list, std::size_t count, std::string const& key,
                             std::string const& where)
{
    std::vector<double> row;
    if (list.is_array() && list.size() >= count)
        for (std::size_t i = 0; i < count; ++i)
            if (list[i].is_number() && std::abs(list[i].get<double>()) <= 1e30) row.push_back(list[i].get<double>());
    if (row.size() != count) refuse_member(key, where, fmt::format("it has {} numbers", count));
    return row;
}

/// Unit.L, or Unit itself: a code of NIfTI, whose bits of time are left out, or its name.
double read_length_unit_mm(JniftiJson const& header, std::string const& where)
{
    JniftiJson unit = header.value("Unit", JniftiJson());
    if (unit.is_object()) unit = unit.value("L", JniftiJson());
    if (unit.is_null()) return 1;
    constexpr std::tuple<std::string_view, int, double> kUnits[] = {
        {"", 0, 1.0}, {"unknown", 0, 1.0}, {"m", 1, 1e3}, {"mm", 2, 1.0}, {"um", 3, 1e-3}, {"micron", 3, 1e-3}};
    std::string const name = unit.is_string() ? to_lower(unit.get<std::string>()) : std::string();
    double const code = unit.is_number() ? unit.get<double>() : -1;
    bool const is_code = code >= 0 && code <= 255 && code == std::floor(code);
    for (auto const& [known, number, mm] : kUnits)
        if (unit.is_string() ? name == known : is_code && (static_cast<int>(code) & 7) == number) return mm;
    refuse_member("NIFTIHeader.Unit.L", where, "it is 'm', 'mm', 'um', or '' where it is not known");
}

double read_number(JniftiJson const& header, char const* key, double fallback, std::string const& where)
{
    if (!header.contains(key) || header.at(key).is_null() || header.at(key) == JniftiJson("")) return fallback;
    if (!header.at(key).is_number() || !(std::abs(header.at(key).get<double>()) <= 1e30))
        refuse_member(std::string("NIFTIHeader.") + key, where, "it is a number");
    return header.at(key).get<double>();
}

/// RAS to LPS: x and y change sign.
void place_by_affine(JniftiJson const& rows, double unit_mm, SourceMeta& meta)
{
    std::array<std::array<double, 3>, 3> steps_mm{};
    std::array<double, 3> first{};
    if (!rows.is_array() || rows.size() < 3) refuse_member("NIFTIHeader.Affine", meta.path, "it has three rows");
    for (std::size_t i = 0; i < 3; ++i) {
        auto const row = read_row(rows[i], 4, fmt::format("NIFTIHeader.Affine[{}]", i), meta.path);
        double const to_mm = i < 2 ? -unit_mm : unit_mm;
        for (std::size_t axis = 0; axis < 3; ++axis) steps_mm[axis][i] = to_mm * row[axis];
        first[i] = to_mm * row[3];
        if (!(std::abs(first[i]) < 1e9))
            refuse_member("NIFTIHeader.Affine", meta.path, "the volume lies within 1e9 mm of the origin");
    }
    auto const axes = split_axes(steps_mm, meta.path, "NIFTIHeader.Affine");
    meta.pitch_mm = axes.pitch_mm;
    meta.pitch_origin = "NIFTIHeader.Affine";
    meta.rotation = axes.rotation;
    meta.first_voxel_world_mm = first;
}

/// Whether QForm or SForm says that there is a transformation: a code of NIfTI or its name; "" and 0 say that there is
/// none.
bool has_transformation(JniftiJson const& header, char const* key, SourceMeta& meta)
{
    if (!header.contains(key) || !header.at(key).is_string()) return read_number(header, key, 0, meta.path) > 0;
    constexpr std::string_view kNames[] = {"scanner_anat", "aligned_anat", "talairach", "mni_152", "template_other"};
    std::string const name = header.at(key).get<std::string>();
    if (!name.empty() && std::ranges::find(kNames, to_lower(name)) == std::end(kNames))
        meta.notices.push_back(fmt::format("NIFTIHeader.{} '{}' is no name of the specification: it is taken for a "
                                           "transformation",
                                           key, name.substr(0, 40)));
    return !name.empty();
}

void read_placement(JniftiJson const& header, SourceMeta& meta)
{
    double const unit_mm = read_length_unit_mm(header, meta.path);
    if (has_transformation(header, "SForm", meta) && header.contains("Affine"))
        return place_by_affine(header.at("Affine"), unit_mm, meta);
    if (has_transformation(header, "QForm", meta))
        meta.notices.push_back("NIFTIHeader.QForm is not read: the box's middle is put at the origin");
    if (!header.contains("VoxelSize")) return;
    auto const size = read_row(header.at("VoxelSize"), 3, "NIFTIHeader.VoxelSize", meta.path);
    std::array<double, 3> pitch_mm{};
    for (std::size_t i = 0; i < 3; ++i) {
        pitch_mm[i] = std::abs(size[i]) * unit_mm;
        if (!(pitch_mm[i] > 1e-9 && pitch_mm[i] < 1e9))
            refuse_member("NIFTIHeader.VoxelSize", meta.path, "voxels are between 1e-9 and 1e9 mm large");
    }
    meta.pitch_mm = pitch_mm;
    meta.pitch_origin = "NIFTIHeader.VoxelSize";
}

/// Volume meta.volume of those that an array holds, the axes behind the third in turn.
class JniftiVolume final : public VolumeSource {
public:
    JniftiVolume(SourceMeta meta, JdataArray array, double slope, double offset)
        : VolumeSource(std::move(meta)), array_(std::move(array)), slope_(slope), offset_(offset)
    {
        std::size_t const n = array_.dims.size();
        std::vector<std::size_t> steps(std::max<std::size_t>(n, 3), 1);
        bool const is_row_major = array_.order == JdataOrder::row_major;
        std::size_t step = 1;
        for (std::size_t i = 0; i < n; ++i) {
            std::size_t const axis = is_row_major ? n - 1 - i : i;
            steps[axis] = step;
            step *= static_cast<std::size_t>(array_.dims[axis]);
        }
        std::copy_n(steps.begin(), 3, steps_.begin());
        std::uint64_t volume = this->meta().volume;
        for (std::size_t axis = 3; axis < n; ++axis) {
            first_ += static_cast<std::size_t>(volume % array_.dims[axis]) * steps[axis];
            volume /= array_.dims[axis];
        }
    }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        std::size_t const size = element_size_bytes(array_.type);
        stored_.resize(values.size() * size);
        std::size_t at = 0;
        auto const& [nx, ny, nz] = this->meta().dims;
        for (int z = z_first; z < z_first + z_count; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x, at += size) {
                    std::size_t const from = first_ + static_cast<std::size_t>(x) * steps_[0] +
                                             static_cast<std::size_t>(y) * steps_[1] +
                                             static_cast<std::size_t>(z) * steps_[2];
                    std::memcpy(stored_.data() + at, array_.bytes.data() + from * size, size);
                }
        decode_elements({array_.type, ByteOrder::little}, stored_, values);
        if (slope_ == 1 && offset_ == 0) return;
        for (float& value : values) value = static_cast<float>(slope_ * static_cast<double>(value) + offset_);
    }

private:
    JdataArray array_;
    std::array<std::size_t, 3> steps_{};
    std::size_t first_ = 0;
    double slope_, offset_;
    std::vector<std::byte> stored_;
};

void read_array_dims(JdataArray const& array, PartChoice part, SourceMeta& meta)
{
    std::uint64_t volumes = 1;
    meta.dims = {1, 1, 1};
    for (std::size_t i = 0; i < array.dims.size(); ++i) {
        if (i >= 3)
            volumes *= array.dims[i];
        else if (array.dims[i] > 65535)
            refuse_member("NIFTIData._ArraySize_", meta.path, "sizes are 1 to 65535");
        else
            meta.dims[i] = static_cast<int>(array.dims[i]);
    }
    // Tallies have a volume for each time and source: the first of a file is read, with a note, as it always was.
    part.missing = MissingChoice::first;
    choose_volume(part, volumes, {}, meta);
}

std::unique_ptr<VolumeSource> open_jnifti(std::filesystem::path const& path, ReadOptions const& options)
{
    FileBytes const file(path);
    // Text and array are held as a whole, beside each other.
    std::uint64_t const most_bytes = find_usable_memory() / 3;
    if (file.size_bytes() > most_bytes)
        fail_input(fmt::format("has {} bytes", file.size_bytes()), path.string(),
                   fmt::format("its text is held in memory, and {} bytes may be used", most_bytes),
                   "give the volume as .nii");
    std::string text(static_cast<std::size_t>(file.size_bytes()), '\0');
    file.read_at(0, std::as_writable_bytes(std::span(text)));
    if (is_binary_jnifti(std::string_view(text).substr(0, kNamingBytes)))
        fail_input("is binary JNIfTI (.bnii, BJData)", path.string(), "JNIfTI is read as text",
                   "convert it, in Python: import jdata; jdata.save(jdata.load('FILE.bnii'), 'FILE.jnii', "
                   "compression='zlib')");
    auto const parsed = parse_json_of_cjson(text);
    if (parsed.is_discarded() || !parsed.is_object())
        fail_input("is no valid JSON", path.string(), "JNIfTI's text form is JSON", "get a complete copy");
    for (char const* const key : {"NIFTIHeader", "NIFTIData"})
        if (!parsed.contains(key) || !parsed.at(key).is_object())
            refuse_member(key, path.string(), "a JNIfTI volume has a header and an annotated array");
    JniftiJson const header(parsed.at("NIFTIHeader")), data(parsed.at("NIFTIData"));
    JdataArray array = read_jdata_array(data, path.string() + ": NIFTIData", most_bytes);
    SourceMeta meta;
    meta.path = path.string();
    meta.element = array.type;
    read_array_dims(array, options.part, meta);
    read_placement(header, meta);
    if (header.contains("Description") && header.at("Description").is_string())
        meta.metadata_json = format_metadata({{"Description", header.at("Description").get<std::string>()}});
    double slope = read_number(header, "ScaleSlope", 1, meta.path);
    double offset = read_number(header, "ScaleOffset", 0, meta.path);
    if (slope == 0) slope = 1, offset = 0; // NIfTI: not given
    if (slope == 1 && offset == 1) {
        offset = 0;
        meta.notices.push_back("NIFTIHeader.ScaleOffset is 1, as MCX writes it for data without an offset: left out");
    }
    if (slope != 1 || offset != 0) meta.element = is_exact_in_float(array.type) ? ElementType::f32 : ElementType::f64;
    return std::make_unique<JniftiVolume>(std::move(meta), std::move(array), slope, offset);
}

} // namespace

extern Reader const jnifti_reader;
Reader const jnifti_reader{is_jnifti, open_jnifti};

} // namespace volpt
