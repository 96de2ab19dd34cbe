// Streams densities layer by layer into a MetaImage or a headerless file.
#include "formats/export_volume.h"

#include "formats/packed_layers.h"
#include "formats/packed_stream.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace volpt {
namespace {

ElementType choose_element(VolumeMeta const& meta)
{
    bool const codes = meta.extinction == Source::plane && meta.density_value_scale == 1.0f;
    if (codes && meta.density_encoding == Encoding::u8) return ElementType::u8;
    if (codes && meta.density_encoding == Encoding::u16) return ElementType::u16;
    return ElementType::f32;
}

std::string format_mha_header(VolumeMeta const& meta, ElementType element)
{
    // MetaImage's Offset is the centre of the first voxel, its TransformMatrix rows are the axes.
    std::array<double, 3> first_voxel = meta.placement.origin_world_mm;
    std::array<double, 9> rows{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            first_voxel[i] += meta.placement.rotation[3 * i + j] * 0.5 * static_cast<double>(meta.pitch_mm[j]);
            rows[3 * j + i] = meta.placement.rotation[3 * i + j];
        }
    std::string_view const type = element == ElementType::u8    ? "MET_UCHAR"
                                  : element == ElementType::u16 ? "MET_USHORT"
                                                                : "MET_FLOAT";
    return fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                       "CompressedData = False\nTransformMatrix = {:.17g}\nOffset = {:.15g}\nElementSpacing = {}\n"
                       "DimSize = {}\nElementType = {}\nElementDataFile = LOCAL\n",
                       fmt::join(rows, " "), fmt::join(first_voxel, " "), fmt::join(meta.pitch_mm, " "),
                       fmt::join(meta.dims, " "), type);
}

template <typename Code>
void encode_codes(std::vector<float> const& values, std::vector<std::byte>& bytes)
{
    bytes.resize(values.size() * sizeof(Code));
    for (std::size_t i = 0; i < values.size(); ++i) {
        auto const code = static_cast<Code>(values[i]);
        std::memcpy(bytes.data() + i * sizeof(Code), &code, sizeof(Code));
    }
}

void encode_layer(ElementType element, std::vector<float> const& values, std::vector<std::byte>& bytes)
{
    if (element == ElementType::u8) return encode_codes<std::uint8_t>(values, bytes);
    if (element == ElementType::u16) return encode_codes<std::uint16_t>(values, bytes);
    encode_codes<float>(values, bytes);
}

void check_has_density(VolumeMeta const& meta)
{
    bool const constant = meta.extinction == Source::constant &&
                          std::adjacent_find(meta.constant_extinction.begin(), meta.constant_extinction.end(),
                                             std::not_equal_to<>()) == meta.constant_extinction.end();
    if (meta.extinction != Source::plane && !constant)
        fail_usage("--export writes one density a voxel; this volume's extinction differs by material or band",
                   "choose one band with --bands first");
}

} // namespace

std::string list_export_extensions()
{
    return ".mha .raw";
}

ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress)
{
    VolumeMeta const& meta = volume.meta();
    auto const extension = path.extension();
    if (extension != ".mha" && extension != ".raw")
        fail_usage(fmt::format("--export {}: the extension is of no known format", path.string()),
                   "use one of " + list_export_extensions());
    check_has_density(meta);
    ExportedVolume const exported{meta.dims, choose_element(meta)};
    AtomicFile file(path);
    std::string const header = extension == ".mha" ? format_mha_header(meta, exported.element) : std::string();
    file.write(std::as_bytes(std::span(header)));

    VolumeView const view = volume.view();
    std::vector<float> layer(static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]));
    if (meta.extinction == Source::constant) std::fill(layer.begin(), layer.end(), meta.constant_extinction[0]);
    std::vector<std::byte> bytes;
    for (int z = 0; z < meta.dims[2]; ++z) {
        if (meta.extinction == Source::plane) read_plane_layer(view, view.density, z, layer);
        encode_layer(exported.element, layer, bytes);
        file.write(bytes);
        Progress const state{static_cast<std::uint64_t>(z + 1), static_cast<std::uint64_t>(meta.dims[2]), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before the file was complete", path.string(), "start again");
    }
    file.commit();
    return exported;
}

} // namespace volpt
