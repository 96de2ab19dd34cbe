#include "formats/tally/jnifti_file.h"

#include "formats/common/jdata.h"
#include "formats/common/plane_header.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/sys/text/base64.h"

#include <algorithm>
#include <climits>
#include <nlohmann/json.hpp>
#include <zlib.h>

namespace volpt {
namespace {

constexpr std::size_t kGroupBytes = 3 * 16384; // of base64, which takes three bytes at a time

/// Bytes on their way into a file as base64 of a zlib stream.
class PackedText {
public:
    explicit PackedText(AtomicFile& file) : file_(file), buffer_(kGroupBytes)
    {
        if (deflateInit(&stream_, Z_DEFAULT_COMPRESSION) != Z_OK)
            fail_system("zlib has no memory to compress", file_.path().string());
    }
    ~PackedText() { deflateEnd(&stream_); }
    PackedText(PackedText const&) = delete;
    PackedText& operator=(PackedText const&) = delete;

    void write(std::span<std::byte const> bytes)
    {
        while (!bytes.empty()) {
            std::size_t const part = std::min(bytes.size(), std::size_t{INT_MAX});
            deflate_part(bytes.first(part), Z_NO_FLUSH);
            bytes = bytes.subspan(part);
        }
    }

    void finish()
    {
        deflate_part({}, Z_FINISH);
        write_base64(used_);
    }

private:
    void deflate_part(std::span<std::byte const> bytes, int flush)
    {
        // zlib reads, but its type is not const.
        stream_.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(bytes.data()));
        stream_.avail_in = static_cast<uInt>(bytes.size());
        bool is_full = true;
        while (is_full) {
            stream_.next_out = reinterpret_cast<Bytef*>(buffer_.data() + used_);
            stream_.avail_out = static_cast<uInt>(buffer_.size() - used_);
            deflate(&stream_, flush);
            is_full = stream_.avail_out == 0;
            used_ = buffer_.size() - stream_.avail_out;
            if (is_full) write_base64(used_);
        }
    }

    void write_base64(std::size_t count)
    {
        std::string const text = encode_base64(std::span(buffer_).first(count));
        file_.write(std::as_bytes(std::span(text)));
        used_ = 0;
    }

    AtomicFile& file_;
    z_stream stream_{};
    std::vector<std::byte> buffer_;
    std::size_t used_ = 0;
};

nlohmann::ordered_json make_header(TallyVolume const& tally, VolumeMeta const& cells, std::string const& description)
{
    constexpr double kUs = 1e-3; // per ns
    std::uint32_t const channels = 2 * tally.bands;
    nlohmann::ordered_json header{{"NIIHeaderSize", 348},
                                  {"Dim", {cells.dims[0], cells.dims[1], cells.dims[2], tally.gates, channels}},
                                  {"DataType", "single"},
                                  {"BitDepth", 32}};
    header["VoxelSize"] = {cells.pitch_mm[0], cells.pitch_mm[1], cells.pitch_mm[2],
                           tally.gate_ns > 0 ? tally.gate_ns * kUs : 1.0, 1};
    header["Unit"] = {{"L", "mm"}, {"T", "us"}};
    header["ScaleSlope"] = 1;
    header["ScaleOffset"] = 0;
    header["Description"] = description;
    header["QForm"] = 0;
    header["SForm"] = 1;
    auto affine = find_nifti_affine(cells);
    for (auto& row : affine)
        for (double& element : row) element += 0.0; // drops the sign of -0
    header["Affine"] = affine;
    return header;
}

/// Planes of equal x, one after the other.
void write_values(TallyVolume const& tally, PackedText& text)
{
    auto const size = [&](std::size_t axis) { return static_cast<std::size_t>(tally.dims[axis]); };
    std::size_t const nx = size(0), ny = size(1), nz = size(2), count = nx * ny * nz;
    std::vector<float> plane(ny * nz * tally.gates * 2 * tally.bands);
    for (std::size_t x = 0; x < nx; ++x) {
        std::size_t at = 0;
        for (std::size_t y = 0; y < ny; ++y)
            for (std::size_t z = 0; z < nz; ++z)
                for (std::size_t gate = 0; gate < tally.gates; ++gate)
                    for (auto const* values : {&tally.values, &tally.standard_errors})
                        for (std::size_t band = 0; band < tally.bands; ++band)
                            plane[at++] = (*values)[(gate * tally.bands + band) * count + (z * ny + y) * nx + x];
        text.write(std::as_bytes(std::span(plane)));
    }
}

} // namespace

void write_jnifti_tally(TallyVolume const& tally, VolumeMeta const& cells, std::string const& description,
                        std::filesystem::path const& path)
{
    nlohmann::ordered_json json;
    json["NIFTIHeader"] = make_header(tally, cells, description);
    std::uint64_t const elements = std::uint64_t{2} * tally.values.size();
    json["NIFTIData"] = {{"_ArrayType_", "single"},
                         {"_ArraySize_", json["NIFTIHeader"]["Dim"]},
                         {"_ArrayZipType_", "zlib"},
                         {"_ArrayZipSize_", {1, elements}},
                         {"_ArrayZipData_", ""}};
    std::string const text = format_json(json) + "\n";
    std::size_t const hole = text.rfind("\"\"") + 1;
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(text).first(hole)));
    PackedText packed(file);
    write_values(tally, packed);
    packed.finish();
    file.write(std::as_bytes(std::span(text).subspan(hole)));
    file.commit();
}

} // namespace volpt
