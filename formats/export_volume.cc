// Streams a plane layer by layer into a MetaImage, an NRRD, a headerless file or slices.
#include "formats/export_volume.h"

#include "formats/openvdb/reader.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"
#include "libvolpt/volume/packed_stream.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <optional>

namespace volpt {
namespace {

ElementType choose_element(VolumeMeta const& meta, ExportPlane plane)
{
    if (plane == ExportPlane::label) return ElementType::u8;
    if (plane == ExportPlane::albedo) return meta.albedo_encoding == Encoding::u8 ? ElementType::u8 : ElementType::f32;
    bool const codes = meta.extinction == Source::plane && meta.density_value_scale == 1.0f;
    if (codes && meta.density_encoding == Encoding::u8) return ElementType::u8;
    if (codes && meta.density_encoding == Encoding::u16) return ElementType::u16;
    return ElementType::f32;
}

std::array<double, 3> find_first_voxel(VolumeMeta const& meta)
{
    std::array<double, 3> first_voxel = meta.placement.origin_world_mm;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            first_voxel[i] += meta.placement.rotation[3 * i + j] * 0.5 * static_cast<double>(meta.pitch_mm[j]);
    return first_voxel;
}

std::string format_mha_header(VolumeMeta const& meta, ExportedVolume const& exported)
{
    // MetaImage's Offset is the centre of the first voxel, its TransformMatrix rows are the axes.
    std::array<double, 9> rows{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) rows[3 * j + i] = meta.placement.rotation[3 * i + j];
    std::string_view const type = exported.element == ElementType::u8    ? "MET_UCHAR"
                                  : exported.element == ElementType::u16 ? "MET_USHORT"
                                                                         : "MET_FLOAT";
    std::string const channels =
        exported.channels == 1 ? std::string() : fmt::format("ElementNumberOfChannels = {}\n", exported.channels);
    return fmt::format("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\n"
                       "CompressedData = False\nTransformMatrix = {:.17g}\nOffset = {:.15g}\nElementSpacing = {}\n"
                       "DimSize = {}\n{}ElementType = {}\nElementDataFile = LOCAL\n",
                       fmt::join(rows, " "), fmt::join(find_first_voxel(meta), " "), fmt::join(meta.pitch_mm, " "),
                       fmt::join(meta.dims, " "), channels, type);
}

std::string format_nrrd_header(VolumeMeta const& meta, ExportedVolume const& exported)
{
    bool const has_channels = exported.channels > 1;
    std::string directions = has_channels ? "none " : "";
    for (std::size_t axis = 0; axis < 3; ++axis) {
        std::array<double, 3> step{};
        // The shortest decimals of the float: 0.0423, not 0.04230000078678131.
        double const pitch = std::stod(fmt::format("{}", meta.pitch_mm[axis]));
        for (std::size_t i = 0; i < 3; ++i) step[i] = meta.placement.rotation[3 * i + axis] * pitch;
        directions += fmt::format("{}({:.15g})", axis == 0 ? "" : " ", fmt::join(step, ","));
    }
    std::string_view const type = exported.element == ElementType::u8    ? "uint8"
                                  : exported.element == ElementType::u16 ? "uint16"
                                                                         : "float";
    return fmt::format("NRRD0004\ntype: {}\ndimension: {}\nspace: left-posterior-superior\nsizes: {}{}\n"
                       "space directions: {}\nkinds: {}domain domain domain\nendian: little\nencoding: raw\n"
                       "space units: \"mm\" \"mm\" \"mm\"\nspace origin: ({:.15g})\n\n",
                       type, has_channels ? 4 : 3, has_channels ? fmt::format("{} ", exported.channels) : "",
                       fmt::join(meta.dims, " "), directions, has_channels ? "vector " : "",
                       fmt::join(find_first_voxel(meta), ","));
}

/// Where "%04d" stands in a slice's name, and its width.
struct NumberPlace {
    std::size_t begin = 0;
    std::size_t end = 0;
    int width = 0;
};

std::optional<NumberPlace> find_number(std::string const& name)
{
    NumberPlace place;
    place.begin = name.find('%');
    if (place.begin == std::string::npos || name.find('%', place.begin + 1) != std::string::npos) return std::nullopt;
    place.end = place.begin + 1;
    while (place.end < name.size() && name[place.end] >= '0' && name[place.end] <= '9' && place.width < 10)
        place.width = 10 * place.width + (name[place.end++] - '0');
    if (place.end == name.size() || name[place.end++] != 'd' || place.width > 9) return std::nullopt;
    return place;
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
    if (meta.extinction == Source::material)
        fail_usage("this volume's extinction is that of its materials", "export the labels with --plane label");
    bool const constant = meta.extinction == Source::constant &&
                          std::adjacent_find(meta.constant_extinction.begin(), meta.constant_extinction.end(),
                                             std::not_equal_to<>()) == meta.constant_extinction.end();
    if (meta.extinction != Source::plane && !constant)
        fail_usage("--export writes one density a voxel; this volume's extinction differs by band",
                   "choose one band with --bands first");
}

void check_has_plane(VolumeMeta const& meta, ExportPlane plane, std::string const& extension)
{
    if (plane == ExportPlane::density) return check_has_density(meta);
    if (extension == ".vdb") fail_usage(".vdb is written for densities alone", "use .mha or .nrrd");
    if (plane == ExportPlane::label && !needs_labels(meta)) fail_usage("the volume has no labels", "leave --plane out");
    if (plane == ExportPlane::albedo && meta.albedo != Source::plane)
        fail_usage("the volume has no albedo of its own a voxel",
                   "volinfo shows its constant; labels go by --plane label");
}

/// Reads layers of one plane as numbers.
class LayerReader {
public:
    LayerReader(PackedVolume const& volume, ExportPlane plane, ElementType element)
        : view_(volume.view()), plane_(plane),
          is_byte_albedo_(plane == ExportPlane::albedo && element == ElementType::u8),
          labels_(plane == ExportPlane::label ? layer_voxels() : 0),
          values_(layer_voxels() * (plane == ExportPlane::albedo ? view_.one_minus_albedo.channels : 1))
    {
        VolumeMeta const& meta = volume.meta();
        has_density_ = meta.extinction == Source::plane;
        if (plane == ExportPlane::density && !has_density_) std::ranges::fill(values_, meta.constant_extinction[0]);
    }

    std::vector<float> const& read(int z)
    {
        if (plane_ == ExportPlane::density && has_density_) read_plane_layer(view_, view_.density, z, values_);
        if (plane_ == ExportPlane::label) {
            read_label_layer(view_, z, labels_);
            std::ranges::copy(labels_, values_.begin());
        }
        if (plane_ == ExportPlane::albedo) {
            read_plane_layer(view_, view_.one_minus_albedo, z, values_);
            for (float& value : values_) value = is_byte_albedo_ ? std::round(255 * (1 - value)) : 1 - value;
        }
        return values_;
    }

private:
    std::size_t layer_voxels() const
    {
        return static_cast<std::size_t>(view_.dims[0]) * static_cast<std::size_t>(view_.dims[1]);
    }

    VolumeView view_;
    ExportPlane plane_;
    bool is_byte_albedo_;
    bool has_density_ = false;
    std::vector<std::uint8_t> labels_;
    std::vector<float> values_;
};

/// Grey of 16 bits where densities are u16 codes, else the 8-bit picture that holds them.
void write_slice(PackedVolume const& volume, int z, LayerReader* codes, std::filesystem::path const& path)
{
    if (codes == nullptr) return write_image(path, draw_layer(volume, z, LayerLook::exact));
    std::vector<float> const& values = codes->read(z);
    std::vector<std::uint16_t> samples(values.size());
    std::ranges::transform(values, samples.begin(), [](float value) { return static_cast<std::uint16_t>(value); });
    write_file_atomically(path, encode_grey_png_16(volume.meta().dims[0], volume.meta().dims[1], samples));
}

ExportedVolume export_slices(PackedVolume const& volume, std::filesystem::path const& pattern,
                             ProgressSink const& progress)
{
    std::string const name = pattern.filename().string();
    auto const place = find_number(name);
    if (!place)
        fail_usage(fmt::format("--export {} names one file for all slices", pattern.string()),
                   "number them, for example out/slice%04d.png");
    VolumeMeta const& meta = volume.meta();
    std::optional<LayerReader> codes;
    bool const has_density_alone = !needs_labels(meta) && meta.albedo != Source::plane;
    if (has_density_alone && choose_element(meta, ExportPlane::density) == ElementType::u16)
        codes.emplace(volume, ExportPlane::density, ElementType::u16);
    for (int z = 0; z < meta.dims[2]; ++z) {
        std::string const number = fmt::format("{:0{}}", z, place->width);
        write_slice(volume, z, codes ? &*codes : nullptr,
                    pattern.parent_path() / (name.substr(0, place->begin) + number + name.substr(place->end)));
        if (progress &&
            !progress({static_cast<std::uint64_t>(z + 1), static_cast<std::uint64_t>(meta.dims[2]), "slices"}))
            fail_system("stopped before the stack was complete", pattern.string(), "start again");
    }
    return {meta.dims, 1, codes ? ElementType::u16 : ElementType::u8};
}

} // namespace

std::string list_export_extensions()
{
    return ".mha .nrrd .raw slice%04d.png .vdb";
}

ExportedVolume export_volume(PackedVolume const& volume, std::filesystem::path const& path,
                             ProgressSink const& progress, ExportPlane plane)
{
    VolumeMeta const& meta = volume.meta();
    auto const extension = path.extension();
    if (extension == ".png") return export_slices(volume, path, progress);
    if (extension != ".mha" && extension != ".nrrd" && extension != ".raw" && extension != ".vdb")
        fail_usage(fmt::format("--export {}: the extension is of no known format", path.string()),
                   "use one of " + list_export_extensions());
    check_has_plane(meta, plane, extension);
    if (extension == ".vdb") {
        AtomicFile file(path);
        write_openvdb(volume, file.temporary_path(), progress);
        file.commit();
        return {meta.dims, 1, ElementType::f32};
    }
    int const channels = plane == ExportPlane::albedo ? static_cast<int>(meta.bands()) : 1;
    ExportedVolume const exported{meta.dims, channels, choose_element(meta, plane)};
    AtomicFile file(path);
    std::string const header = extension == ".mha"    ? format_mha_header(meta, exported)
                               : extension == ".nrrd" ? format_nrrd_header(meta, exported)
                                                      : std::string();
    file.write(std::as_bytes(std::span(header)));

    LayerReader layers(volume, plane, exported.element);
    std::vector<std::byte> bytes;
    for (int z = 0; z < meta.dims[2]; ++z) {
        encode_layer(exported.element, layers.read(z), bytes);
        file.write(bytes);
        Progress const state{static_cast<std::uint64_t>(z + 1), static_cast<std::uint64_t>(meta.dims[2]), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before the file was complete", path.string(), "start again");
    }
    file.commit();
    return exported;
}

} // namespace volpt
