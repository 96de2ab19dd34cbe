#include "formats/mcx/labels.h"

#include "formats/common/companion_file.h"
#include "formats/common/header_parts.h"
#include "formats/common/jdata.h"
#include "formats/common/text.h"
#include "formats/common/voxel_bytes.h"
#include "formats/mcx/input.h"
#include "formats/mcx/shapes.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/text/json_text.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kMostLabelDim = 65535;

void check_label_size(std::array<int, 3> const& dims, McxLabelOptions const& options, std::string const& where)
{
    double const voxels = 1.0 * dims[0] * dims[1] * dims[2];
    if (voxels > static_cast<double>(options.most_voxels))
        fail_input(fmt::format("has {} x {} x {} voxels", dims[0], dims[1], dims[2]), where,
                   fmt::format("MCX has at most {}", options.most_voxels), "correct the number of voxels");
    check_layer_memory(dims, sizeof(std::uint8_t), options.layer_bytes, where);
}

class DrawnLabels final : public McxLabels {
public:
    explicit DrawnLabels(McxDrawing drawing)
        : McxLabels(drawing.dims), drawing_(std::move(drawing)), drawn_(drawing_.shapes.size())
    {
    }

    void read(int z_first, int z_count, std::span<std::uint8_t> labels) override
    {
        draw_mcx_layers(drawing_, z_first, z_count, labels, drawn_);
    }

    /// Of a file of shapes alone.
    void add_unread(McxNode const& file) { tell_unread(file, notices_); }

    std::vector<std::string> list_notices() const override
    {
        std::vector<std::string> notices = notices_;
        for (std::size_t i = 0; i < drawn_.size(); ++i)
            if (drawn_[i] == 0)
                notices.push_back(fmt::format("{} covers no voxel of the volume", drawing_.shapes[i].path));
        return notices;
    }

private:
    McxDrawing drawing_;
    std::vector<std::uint64_t> drawn_;
    std::vector<std::string> notices_;
};

/// Numbers of 1, 2 or 4 bytes, little-endian.
class StoredLabels final : public McxLabels {
public:
    StoredLabels(std::array<int, 3> dims, std::unique_ptr<VoxelBytes> bytes, std::size_t element_bytes, int labels,
                 std::string where)
        : McxLabels(dims), bytes_(std::move(bytes)), element_bytes_(element_bytes), labels_(labels),
          where_(std::move(where))
    {
    }

    void read(int z_first, int z_count, std::span<std::uint8_t> labels) override
    {
        (void)z_count;
        std::uint64_t const first = static_cast<std::uint64_t>(z_first) * static_cast<std::uint64_t>(dims_[0]) *
                                    static_cast<std::uint64_t>(dims_[1]);
        stored_.resize(labels.size() * element_bytes_);
        bytes_->read(first * element_bytes_, stored_);
        for (std::size_t i = 0; i < labels.size(); ++i) {
            std::uint32_t label = 0;
            std::memcpy(&label, stored_.data() + i * element_bytes_, element_bytes_);
            if (label >= static_cast<std::uint32_t>(labels_)) refuse(label, first + i);
            labels[i] = static_cast<std::uint8_t>(label);
        }
    }

private:
    [[noreturn]] void refuse(std::uint32_t label, std::uint64_t index) const
    {
        auto const nx = static_cast<std::uint64_t>(dims_[0]), ny = static_cast<std::uint64_t>(dims_[1]);
        fail_input(fmt::format("there is no medium {}", label),
                   fmt::format("{}: voxel {},{},{}", where_, index % nx, index / nx % ny, index / (nx * ny)),
                   fmt::format("Domain.Media has the media 0 to {}", labels_ - 1),
                   "add it to Domain.Media, or correct Domain.MediaFormat");
    }

    std::unique_ptr<VoxelBytes> bytes_;
    std::size_t element_bytes_;
    int labels_;
    std::string where_;
    std::vector<std::byte> stored_;
};

class ArrayBytes final : public VoxelBytes {
public:
    explicit ArrayBytes(std::vector<std::byte> bytes) : bytes_(std::move(bytes)) {}
    void read(std::uint64_t offset_bytes, std::span<std::byte> bytes) override
    {
        std::copy_n(bytes_.begin() + static_cast<std::ptrdiff_t>(offset_bytes), bytes.size(), bytes.begin());
    }

private:
    std::vector<std::byte> bytes_;
};

ElementType read_media_format(McxNode const& domain)
{
    if (!domain.has("MediaFormat")) return ElementType::u8;
    McxNode const format = domain.child("MediaFormat");
    std::string const name = format.text();
    if (name == "byte") return ElementType::u8;
    if (name == "short") return ElementType::u16;
    if (name == "integer") return ElementType::u32;
    format.refuse(fmt::format("'{}' is not read", name),
                  "byte, short and integer hold the number of a medium for each voxel; others hold its coefficients",
                  "label the voxels with media");
}

std::array<int, 3> read_domain_dims(McxNode const& domain)
{
    return domain.has("Dim") ? domain.child("Dim").integers(1, kMostLabelDim) : std::array<int, 3>{0, 0, 0};
}

std::unique_ptr<DrawnLabels> draw_labels(McxNode const& shapes, std::array<int, 3> dims, int labels, double origin,
                                         McxLabelOptions const& options)
{
    McxDrawing drawing = read_mcx_shapes(shapes, dims, labels, origin);
    if (drawing.dims[0] == 0)
        shapes.refuse("nothing says how many voxels the volume has", "a Grid or Domain.Dim does", "add one of them");
    check_label_size(drawing.dims, options, shapes.where());
    return std::make_unique<DrawnLabels>(std::move(drawing));
}

/// The elements of a row-major array, x slowest, in the order of a volume.
std::vector<std::byte> reorder_rows(JdataArray const& array)
{
    if (array.order == JdataOrder::column_major) return array.bytes;
    std::size_t const size = element_size_bytes(array.type);
    std::size_t const nx = array.dims[0], ny = array.dims[1], nz = array.dims[2];
    std::vector<std::byte> bytes(array.bytes.size());
    std::size_t at = 0;
    for (std::size_t x = 0; x < nx; ++x)
        for (std::size_t y = 0; y < ny; ++y)
            for (std::size_t z = 0; z < nz; ++z, at += size)
                std::memcpy(bytes.data() + ((z * ny + y) * nx + x) * size, array.bytes.data() + at, size);
    return bytes;
}

std::unique_ptr<McxLabels> open_label_array(McxNode const& shapes, int labels, McxLabelOptions const& options)
{
    JdataArray const array = read_jdata_array(shapes.value(), shapes.where(), 4 * options.most_voxels);
    if (array.dims.size() != 3 || *std::ranges::max_element(array.dims) > kMostLabelDim)
        shapes.refuse("_ArraySize_ has no three sizes from 1 to 65535", "the array is a volume", "correct it");
    bool const is_label = array.type == ElementType::u8 || array.type == ElementType::u16 ||
                          array.type == ElementType::u32 || array.type == ElementType::i32;
    if (!is_label)
        shapes.refuse("_ArrayType_ is none of uint8, uint16, uint32 and int32", "labels are whole numbers",
                      "label the voxels with media");
    std::array<int, 3> const dims{static_cast<int>(array.dims[0]), static_cast<int>(array.dims[1]),
                                  static_cast<int>(array.dims[2])};
    check_label_size(dims, options, shapes.where());
    return std::make_unique<StoredLabels>(dims, std::make_unique<ArrayBytes>(reorder_rows(array)),
                                          element_size_bytes(array.type), labels, shapes.where());
}

std::unique_ptr<McxLabels> open_label_file(std::filesystem::path const& path, McxNode const& root, int labels,
                                           double origin, McxLabelOptions const& options)
{
    McxNode const domain = root.child("Domain"), field = domain.child("VolumeFile");
    std::string name = field.text();
    if (root.has("Session") && root.child("Session").has("RootPath"))
        if (std::string const folder = root.child("Session").child("RootPath").text(); !folder.empty())
            name = (std::filesystem::path(folder) / name).string();
    auto const file = find_companion(path, name, "Domain.VolumeFile", options.outside);
    std::array<int, 3> const dims = read_domain_dims(domain);
    if (to_lower(file.extension().string()) == ".json") {
        nlohmann::json const shapes = read_json_file_of_cjson(file, "give the file of shapes that MCX reads");
        McxNode const list(shapes, file.string());
        auto drawn = draw_labels(list.child("Shapes"), dims, labels, origin, options);
        drawn->add_unread(list);
        return drawn;
    }
    if (dims[0] == 0)
        domain.refuse("has no 'Dim'", "the voxels of VolumeFile have no header", "add the number of voxels");
    check_label_size(dims, options, domain.child("Dim").where());
    ElementType const type = read_media_format(domain);
    FileBytes bytes(file);
    std::uint64_t const wanted = count_data_bytes(type, 1, dims);
    if (bytes.size_bytes() != wanted)
        fail_input(fmt::format("holds {} bytes, {} x {} x {} of {} take {}", bytes.size_bytes(), dims[0], dims[1],
                               dims[2], element_name(type), wanted),
                   file.string(), "Domain.Dim and Domain.MediaFormat say so", "correct them, or get a complete copy");
    return std::make_unique<StoredLabels>(dims, make_file_span(std::move(bytes), 0), element_size_bytes(type), labels,
                                          file.string());
}

} // namespace

std::unique_ptr<McxLabels> open_mcx_labels(std::filesystem::path const& path, McxNode const& root, int labels,
                                           double origin, McxLabelOptions const& options)
{
    McxNode const domain = root.child("Domain");
    bool const has_file = domain.has("VolumeFile") && !domain.child("VolumeFile").text().empty();
    bool const has_shapes = root.has("Shapes");
    if (has_file && has_shapes)
        root.refuse("has both Domain.VolumeFile and Shapes", "each of them gives every voxel its medium",
                    "leave one of them out");
    if (has_file) return open_label_file(path, root, labels, origin, options);
    if (!has_shapes)
        root.refuse("has neither Domain.VolumeFile nor Shapes", "one of them gives the voxels their media",
                    "add one of them");
    McxNode const shapes = root.child("Shapes");
    if (is_jdata_array(shapes.value())) return open_label_array(shapes, labels, options);
    return draw_labels(shapes, read_domain_dims(domain), labels, origin, options);
}

} // namespace volpt
