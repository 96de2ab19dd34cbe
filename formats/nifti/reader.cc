// Reader of NIfTI-1 and NIfTI-2 volumes, plain or gzipped, in one file or as .hdr and .img.
#include "formats/reader.h"
#include "formats/common/header_parts.h"
#include "formats/common/inflate.h"
#include "formats/common/part_choice.h"
#include "formats/common/voxel_sources.h"
#include "formats/nifti/header.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <memory>

namespace volpt {
namespace {

/// The first bytes of a gzip file, inflated; fewer if it ends early or is damaged.
std::vector<std::byte> inflate_head(std::span<std::byte const> bytes)
{
    std::vector<std::byte> head(kNiftiMaxHeaderBytes);
    head.resize(inflate_bytes(bytes, head).count);
    return head;
}

std::vector<std::byte> read_head(FileBytes const& file)
{
    constexpr std::uint64_t kHeadBytes = 4096;
    std::vector<std::byte> head(static_cast<std::size_t>(std::min(kHeadBytes, file.size_bytes())));
    file.read_at(0, head);
    return is_gzip_head(head) ? inflate_head(head) : head;
}

bool is_nifti(std::string_view head)
{
    auto const bytes = std::as_bytes(std::span(head));
    return is_nifti_header(is_gzip_head(bytes) ? std::span<std::byte const>(inflate_head(bytes)) : bytes);
}

/// slope * number + intercept, rounded once.
class Scaled final : public VolumeSource {
public:
    Scaled(std::unique_ptr<VolumeSource> source, double slope, double intercept)
        : VolumeSource(as_float(source->meta())), source_(std::move(source)), slope_(slope), intercept_(intercept)
    {
    }
    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        source_->read_slab(z_first, z_count, values);
        for (float& value : values) value = static_cast<float>(slope_ * static_cast<double>(value) + intercept_);
    }
    std::vector<std::string> list_notices() const override { return source_->list_notices(); }

private:
    static SourceMeta as_float(SourceMeta meta)
    {
        meta.element = is_exact_in_float(meta.element) ? ElementType::f32 : ElementType::f64;
        return meta;
    }
    std::unique_ptr<VolumeSource> source_;
    double slope_;
    double intercept_;
};

/// The .img (or .img.gz) beside a .hdr (or .hdr.gz).
FileBytes open_image(std::filesystem::path const& path)
{
    std::filesystem::path stem = path;
    if (stem.extension() == ".gz") stem = stem.parent_path() / stem.stem();
    for (char const* extension : {".img", ".img.gz"}) {
        auto candidate = stem;
        candidate.replace_extension(extension);
        std::error_code ignored;
        if (std::filesystem::is_regular_file(candidate, ignored)) return FileBytes(candidate);
    }
    fail_input("there is no .img beside the .hdr", path.string(), "the voxels lie in it", "put it there");
}

SourceMeta make_meta(NiftiHeader const& header, std::filesystem::path const& path)
{
    SourceMeta meta;
    meta.path = path.string();
    meta.dims = header.dims;
    meta.channels = header.channels;
    if (header.channels > 1) meta.natural_window = find_colour_range(header.stored.type);
    meta.pitch_mm = header.pitch_mm;
    meta.pitch_origin = header.pitch_origin;
    meta.rotation = header.rotation;
    meta.first_voxel_world_mm = header.first_voxel_world_mm;
    meta.notices = header.notices;
    meta.metadata_json = format_metadata(header.fields);
    return meta;
}

std::unique_ptr<VolumeSource> open_nifti(std::filesystem::path const& path, ReadOptions const& options)
{
    FileBytes file(path);
    NiftiHeader const header = parse_nifti_header(read_head(file), path.string());
    FileBytes data = header.is_pair ? open_image(path) : std::move(file);
    std::uint64_t const volume_bytes = count_data_bytes(header.stored.type, header.channels, header.dims);
    if (header.volumes > (std::uint64_t{1} << 62) / volume_bytes)
        fail_input(fmt::format("dim: {} volumes of {} bytes", header.volumes, volume_bytes), path.string(),
                   "no file is as large", "the header is damaged");
    std::uint64_t const data_bytes = header.volumes * volume_bytes;
    std::array<std::byte, 4> start{};
    if (data.size_bytes() >= start.size()) data.read_at(0, start);
    SourceMeta meta = make_meta(header, path);
    std::uint64_t const volume = choose_volume(options.part, header.volumes, {}, meta);
    std::unique_ptr<VoxelBytes> bytes;
    // An .img may begin with any two numbers.
    if (header.is_pair ? data.path().extension() == ".gz" : is_gzip_head(start)) {
        std::uint64_t const size_bytes = data.size_bytes();
        bytes = make_inflated(std::move(data), 0, size_bytes, header.data_offset + data_bytes);
        bytes = make_bytes_from(std::move(bytes), header.data_offset + volume * volume_bytes,
                                volume + 1 == header.volumes ? VolumePlace::last : VolumePlace::before_others);
    } else {
        if (data.size_bytes() < header.data_offset || data.size_bytes() - header.data_offset < data_bytes)
            fail_input(fmt::format("holds {} bytes, vox_offset, dim and datatype ask for {}", data.size_bytes(),
                                   header.data_offset + data_bytes),
                       data.path().string(), "the file is cut short or the header wrong", "get a complete copy");
        bytes = make_file_span(std::move(data), header.data_offset + volume * volume_bytes);
    }
    auto source = make_binary_source(std::move(meta), header.stored, std::move(bytes));
    if (header.slope == 1 && header.intercept == 0) return source;
    return std::make_unique<Scaled>(std::move(source), header.slope, header.intercept);
}

} // namespace

extern Reader const nifti_reader;
Reader const nifti_reader{is_nifti, open_nifti};

} // namespace volpt
