#include "formats/nifti/header.h"

#include "formats/common/header_parts.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Offsets of the fields; NIfTI-2 has the same fields, wider and in another order.
struct Layout {
    std::size_t header_bytes;
    std::size_t magic, datatype, dim, pixdim, vox_offset, slope, intercept, units, qform_code, sform_code, quatern,
        qoffset, srow, descrip;
};
constexpr Layout kNifti1{348, 344, 70, 40, 76, 108, 112, 116, 123, 252, 254, 256, 268, 280, 148};
constexpr Layout kNifti2{540, 4, 12, 16, 104, 168, 176, 184, 500, 344, 348, 352, 376, 400, 240};

class Fields {
public:
    Fields(std::span<std::byte const> bytes, Layout const& layout, bool swapped)
        : bytes_(bytes), layout_(layout), swapped_(swapped)
    {
    }

    Layout const& layout() const { return layout_; }
    bool is_wide() const { return &layout_ == &kNifti2; }
    bool is_swapped() const { return swapped_; }

    template <typename Value>
    Value load(std::size_t offset) const
    {
        std::array<std::byte, sizeof(Value)> raw;
        std::memcpy(raw.data(), bytes_.data() + offset, sizeof(Value));
        if (swapped_) std::reverse(raw.begin(), raw.end());
        return std::bit_cast<Value>(raw);
    }

    /// Float in NIfTI-1, double in NIfTI-2; `index` counts from the field's start.
    double real(std::size_t offset, std::size_t index = 0) const
    {
        return is_wide() ? load<double>(offset + 8 * index) : static_cast<double>(load<float>(offset + 4 * index));
    }
    std::int64_t size(std::size_t index) const
    {
        return is_wide() ? load<std::int64_t>(layout_.dim + 8 * index) : load<std::int16_t>(layout_.dim + 2 * index);
    }
    int code(std::size_t offset) const { return is_wide() ? load<std::int32_t>(offset) : load<std::int16_t>(offset); }
    std::string text(std::size_t offset, std::size_t size) const
    {
        auto const* const begin = reinterpret_cast<char const*>(bytes_.data() + offset);
        return {begin, std::find(begin, begin + size, '\0')};
    }

private:
    std::span<std::byte const> bytes_;
    Layout const& layout_;
    bool swapped_;
};

std::optional<Fields> recognise(std::span<std::byte const> bytes)
{
    if (bytes.size() < 8) return std::nullopt;
    for (Layout const* const layout : {&kNifti1, &kNifti2})
        for (bool const swapped : {false, true}) {
            Fields const fields(bytes, *layout, swapped);
            if (fields.load<std::uint32_t>(0) != layout->header_bytes || bytes.size() < layout->header_bytes) continue;
            std::string const magic = fields.text(layout->magic, 4);
            if (magic == (layout == &kNifti1 ? "n+1" : "n+2") || magic == (layout == &kNifti1 ? "ni1" : "ni2"))
                return fields;
        }
    return std::nullopt;
}

[[noreturn]] void refuse(std::string what, std::string const& where, std::string why)
{
    fail_input(std::move(what), where, std::move(why), "correct the header or convert the file");
}

void read_dims(Fields const& fields, NiftiHeader& header, std::string const& where)
{
    std::int64_t const count = fields.size(0);
    if (count < 1 || count > 7) refuse(fmt::format("dim[0] = {}", count), where, "1 to 7 dimensions are possible");
    for (std::size_t i = 1; i <= static_cast<std::size_t>(count); ++i) {
        std::int64_t const size = fields.size(i);
        // Some programs write 0 behind the dimensions that they use.
        if (i > 3 && size == 0) continue;
        if (size < 1 || size > 65535) refuse(fmt::format("dim[{}] = {}", i, size), where, "sizes are 1 to 65535");
        if (i <= 3)
            header.dims[i - 1] = static_cast<int>(size);
        else
            header.volumes *= static_cast<std::uint64_t>(size); // below 2^64: four of 16 bits
    }
}

void read_type(Fields const& fields, NiftiHeader& header, std::string const& where)
{
    constexpr std::pair<int, ElementType> kTypes[] = {
        {2, ElementType::u8},     {4, ElementType::i16},    {8, ElementType::i32},   {16, ElementType::f32},
        {64, ElementType::f64},   {256, ElementType::i8},   {512, ElementType::u16}, {768, ElementType::u32},
        {1024, ElementType::i64}, {1280, ElementType::u64}, {128, ElementType::u8}};
    int const datatype = fields.load<std::int16_t>(fields.layout().datatype);
    auto const found =
        std::find_if(std::begin(kTypes), std::end(kTypes), [&](auto const& t) { return t.first == datatype; });
    if (found == std::end(kTypes))
        refuse(fmt::format("datatype = {}", datatype), where, "integers, float, double and RGB24 are read");
    header.stored = {found->second, fields.is_swapped() ? ByteOrder::big : ByteOrder::little};
    header.channels = datatype == 128 ? 3 : 1;
    header.fields.emplace_back("datatype", std::to_string(datatype));
}

void read_storage(Fields const& fields, NiftiHeader& header, std::string const& where)
{
    Layout const& at = fields.layout();
    header.is_pair = fields.text(at.magic, 4).starts_with("ni");
    double const offset =
        fields.is_wide() ? static_cast<double>(fields.load<std::int64_t>(at.vox_offset)) : fields.real(at.vox_offset);
    double const least = header.is_pair ? 0 : static_cast<double>(at.header_bytes);
    if (!(offset == 0 || (offset >= least && offset < 1e15)))
        refuse(fmt::format("vox_offset = {}", offset), where, "the voxels follow the header");
    // Four bytes after the header say whether extensions follow.
    header.data_offset = offset > 0 || header.is_pair ? static_cast<std::uint64_t>(offset) : at.header_bytes + 4;
    double const slope = fields.real(at.slope);
    double const intercept = fields.real(at.intercept);
    // The format: a slope of 0 means none; NaN is written for the same.
    if (slope != 0 && std::isfinite(slope) && std::isfinite(intercept) && header.channels == 1) {
        header.slope = slope;
        header.intercept = intercept;
    }
    header.fields.emplace_back("scl_slope", fmt::format("{}", slope));
    header.fields.emplace_back("scl_inter", fmt::format("{}", intercept));
    header.fields.emplace_back("descrip", fields.text(at.descrip, 80));
}

/// Steps of the voxel axes (rows) and place of the first voxel, RAS, in the file's unit.
struct Affine {
    std::array<std::array<double, 3>, 3> steps{};
    std::array<double, 3> first{};
};

Affine read_sform(Fields const& fields)
{
    Affine affine;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis)
            affine.steps[axis][i] = fields.real(fields.layout().srow, 4 * i + axis);
        affine.first[i] = fields.real(fields.layout().srow, 4 * i + 3);
    }
    return affine;
}

/// nifti1.h, "METHOD 2": a unit quaternion of which b, c, d are stored; pixdim[0] < 0 mirrors the third axis.
Affine read_qform(Fields const& fields)
{
    Layout const& at = fields.layout();
    double b = fields.real(at.quatern, 0);
    double c = fields.real(at.quatern, 1);
    double d = fields.real(at.quatern, 2);
    double a = 1 - (b * b + c * c + d * d);
    if (a < 1e-7) {
        double const length = std::sqrt(b * b + c * c + d * d);
        b /= length;
        c /= length;
        d /= length;
        a = 0;
    }
    a = std::sqrt(a);
    double const rotation[3][3] = {{a * a + b * b - c * c - d * d, 2 * (b * c - a * d), 2 * (b * d + a * c)},
                                   {2 * (b * c + a * d), a * a + c * c - b * b - d * d, 2 * (c * d - a * b)},
                                   {2 * (b * d - a * c), 2 * (c * d + a * b), a * a + d * d - b * b - c * c}};
    Affine affine;
    for (std::size_t i = 0; i < 3; ++i) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            double const mirror = axis == 2 && fields.real(at.pixdim) < 0 ? -1 : 1;
            affine.steps[axis][i] = rotation[i][axis] * fields.real(at.pixdim, axis + 1) * mirror;
        }
        affine.first[i] = fields.real(at.qoffset, i);
    }
    return affine;
}

double find_unit_mm(Fields const& fields)
{
    int const code =
        fields.is_wide() ? fields.code(fields.layout().units) : fields.load<std::uint8_t>(fields.layout().units);
    return (code & 7) == 1 ? 1000 : (code & 7) == 3 ? 1e-3 : 1;
}

void place(Affine affine, double unit_mm, NiftiHeader& header, std::string const& where, char const* field)
{
    // RAS to LPS: x and y change sign.
    std::array<double, 3> const to_lps{-unit_mm, -unit_mm, unit_mm};
    for (std::size_t i = 0; i < 3; ++i) {
        for (auto& step : affine.steps) step[i] *= to_lps[i];
        affine.first[i] *= to_lps[i];
        if (!(std::abs(affine.first[i]) < 1e9))
            refuse(fmt::format("{}: the first voxel lies at {}", field, affine.first[i]), where,
                   "it is more than 1e9 mm from the origin");
    }
    auto const axes = split_axes(affine.steps, where, field);
    header.pitch_mm = axes.pitch_mm;
    header.pitch_origin = field;
    header.rotation = axes.rotation;
    header.first_voxel_world_mm = affine.first;
}

void read_placement(Fields const& fields, NiftiHeader& header, std::string const& where)
{
    Layout const& at = fields.layout();
    double const unit_mm = find_unit_mm(fields);
    int const sform = fields.code(at.sform_code);
    int const qform = fields.code(at.qform_code);
    header.fields.emplace_back("sform_code", std::to_string(sform));
    header.fields.emplace_back("qform_code", std::to_string(qform));
    if (sform > 0) {
        try {
            return place(read_sform(fields), unit_mm, header, where, "sform");
        } catch (Error const& error) {
            if (qform <= 0) throw;
            header.notices.push_back(fmt::format("{}: {}: the qform is used", where, error.text().what));
        }
    }
    if (qform > 0) return place(read_qform(fields), unit_mm, header, where, "qform");
    header.pitch_origin = "pixdim";
    for (std::size_t axis = 0; axis < 3; ++axis) {
        double const pitch = std::abs(fields.real(at.pixdim, axis + 1)) * unit_mm;
        // Axes that a flat file does not have may carry 0.
        header.pitch_mm[axis] = pitch > 0 || header.dims[axis] > 1 ? pitch : 1;
        if (!(header.pitch_mm[axis] > 1e-9 && header.pitch_mm[axis] < 1e9))
            refuse(fmt::format("pixdim[{}] = {}", axis + 1, pitch), where, "voxels are between 1e-9 and 1e9 mm large");
    }
}

} // namespace

bool is_nifti_header(std::span<std::byte const> bytes)
{
    return recognise(bytes).has_value();
}

NiftiHeader parse_nifti_header(std::span<std::byte const> bytes, std::string const& where)
{
    auto const fields = recognise(bytes);
    if (!fields)
        fail_input("is no NIfTI header", where,
                   "it has neither the size nor the magic word of NIfTI-1 or NIfTI-2 (ANALYZE 7.5 has none)",
                   "get a complete copy, or convert it to .nii");
    NiftiHeader header;
    read_dims(*fields, header, where);
    read_type(*fields, header, where);
    read_storage(*fields, header, where);
    read_placement(*fields, header, where);
    return header;
}

} // namespace volpt
