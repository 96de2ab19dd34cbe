// Source: nifti1.h of the NIfTI Data Format Working Group (nifti.nimh.nih.gov).
#include "formats/common/exported_plane.h"
#include "formats/common/plane_header.h"

#include <algorithm>
#include <cstring>

namespace volpt {
namespace {

constexpr std::size_t kHeaderBytes = 352; // with the four bytes that say that no extension follows
constexpr int kFloat = 16, kVectorIntent = 1007, kScannerCoordinates = 1, kMillimetres = 2, kMicroseconds = 24;

/// Fields at offsets of nifti1.h, little-endian.
class NiftiBytes {
public:
    template <typename Value>
    void put(std::size_t offset, Value value)
    {
        std::memcpy(bytes_.data() + offset, &value, sizeof(Value));
    }
    void put_text(std::size_t offset, std::string_view text) { text.copy(bytes_.data() + offset, text.size()); }
    void put_short(std::size_t offset, int value) { put(offset, static_cast<std::int16_t>(value)); }
    void put_float(std::size_t offset, double value) { put(offset, static_cast<float>(value)); }
    std::string const& bytes() const { return bytes_; }

private:
    std::string bytes_ = std::string(kHeaderBytes, '\0');
};

void put_affine(VolumeMeta const& meta, NiftiBytes& header)
{
    constexpr std::size_t kRows = 280;
    auto const rows = find_nifti_affine(meta);
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t column = 0; column < 4; ++column)
            header.put_float(kRows + 16 * i + 4 * column, rows[i][column]);
    header.put_short(254, kScannerCoordinates);
}

} // namespace

std::array<std::array<double, 4>, 3> find_nifti_affine(VolumeMeta const& meta)
{
    std::array<std::array<double, 4>, 3> rows{};
    std::array<double, 3> const first = find_first_voxel(meta);
    for (std::size_t i = 0; i < 3; ++i) {
        double const sign = i < 2 ? -1 : 1;
        for (std::size_t axis = 0; axis < 3; ++axis)
            rows[i][axis] = sign * meta.placement.rotation[3 * i + axis] * static_cast<double>(meta.pitch_mm[axis]);
        rows[i][3] = sign * first[i];
    }
    return rows;
}

std::string format_nifti_header(VolumeMeta const& meta, std::uint32_t times, double time_step_ns, int channels,
                                std::string_view descrip)
{
    NiftiBytes header;
    header.put<std::int32_t>(0, 348);
    std::array<int, 5> const dims{meta.dims[0], meta.dims[1], meta.dims[2], static_cast<int>(times), channels};
    header.put_short(40, channels > 1 ? 5 : times > 1 ? 4 : 3);
    for (std::size_t i = 0; i < 7; ++i) header.put_short(42 + 2 * i, i < dims.size() ? dims[i] : 1);
    if (channels > 1) header.put_short(68, kVectorIntent);
    header.put_short(70, kFloat);
    header.put_short(72, 32);
    header.put_float(76, 1);
    for (std::size_t i = 0; i < 3; ++i) header.put_float(80 + 4 * i, static_cast<double>(meta.pitch_mm[i]));
    header.put_float(92, time_step_ns > 0 ? time_step_ns * 1e-3 : 1);
    for (std::size_t i = 4; i < 7; ++i) header.put_float(80 + 4 * i, 1);
    header.put_float(108, kHeaderBytes);
    header.put_float(112, 1);
    header.put(123, static_cast<std::uint8_t>(kMillimetres | kMicroseconds));
    header.put_text(148, descrip.substr(0, 79));
    put_affine(meta, header);
    header.put_text(344, "n+1");
    return header.bytes();
}

} // namespace volpt
