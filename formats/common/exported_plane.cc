#include "formats/common/exported_plane.h"

#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>

namespace volpt {
namespace {

void check_has_density(VolumeMeta const& meta)
{
    if (meta.extinction == Source::material)
        fail_usage("this volume's extinction is that of its materials", "export the labels with --plane label");
    bool const constant = meta.extinction == Source::constant &&
                          std::adjacent_find(meta.constant_extinction.begin(), meta.constant_extinction.end(),
                                             std::not_equal_to<>()) == meta.constant_extinction.end();
    if (meta.extinction != Source::plane && !constant)
        fail_usage("--export writes one density per voxel; this volume's extinction differs by band",
                   "choose one band with --bands first");
}

void check_has_plane(VolumeMeta const& meta, ExportPlane plane)
{
    if (plane == ExportPlane::density) return check_has_density(meta);
    if (plane == ExportPlane::label && !needs_labels(meta)) fail_usage("the volume has no labels", "leave --plane out");
    if (plane == ExportPlane::albedo && meta.albedo != Source::plane)
        fail_usage("the volume does not store an albedo per voxel",
                   "volinfo shows its constant; labels are exported by --plane label");
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

} // namespace

ElementType choose_element(VolumeMeta const& meta, ExportPlane plane)
{
    if (plane == ExportPlane::label) return ElementType::u8;
    if (plane == ExportPlane::albedo) return meta.albedo_encoding == Encoding::u8 ? ElementType::u8 : ElementType::f32;
    bool const are_codes = meta.extinction == Source::plane && meta.density_value_scale == 1.0f;
    if (are_codes && meta.density_encoding == Encoding::u8) return ElementType::u8;
    if (are_codes && meta.density_encoding == Encoding::u16) return ElementType::u16;
    return ElementType::f32;
}

ExportedVolume describe_export(VolumeMeta const& meta, ExportPlane plane)
{
    check_has_plane(meta, plane);
    int const channels = plane == ExportPlane::albedo ? static_cast<int>(meta.bands()) : 1;
    return {meta.dims, channels, choose_element(meta, plane)};
}

std::array<double, 3> find_first_voxel(VolumeMeta const& meta)
{
    std::array<double, 3> first_voxel = meta.placement.origin_world_mm;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j)
            first_voxel[i] += meta.placement.rotation[3 * i + j] * 0.5 * static_cast<double>(meta.pitch_mm[j]);
    return first_voxel;
}

ExportedPlane::ExportedPlane(PackedVolume const& volume, ExportPlane plane, ElementType element)
    : volume_(volume), view_(volume.view()), plane_(plane),
      is_byte_albedo_(plane == ExportPlane::albedo && element == ElementType::u8),
      labels_(plane == ExportPlane::label ? layer_voxels() : 0),
      values_(layer_voxels() * (plane == ExportPlane::albedo ? view_.one_minus_albedo.channels : 1))
{
    VolumeMeta const& meta = volume.meta();
    has_density_ = meta.extinction == Source::plane;
    if (plane == ExportPlane::density && !has_density_) std::ranges::fill(values_, meta.constant_extinction[0]);
}

std::vector<float> const& ExportedPlane::read(int z)
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
    volume_.check_unchanged();
    return values_;
}

std::size_t ExportedPlane::layer_voxels() const
{
    return static_cast<std::size_t>(view_.dims[0]) * static_cast<std::size_t>(view_.dims[1]);
}

void report_layer(ProgressSink const& progress, int z, int layers, std::filesystem::path const& path)
{
    Progress const state{static_cast<std::uint64_t>(z + 1), static_cast<std::uint64_t>(layers), "slices"};
    if (progress && !progress(state))
        fail_system("stopped before the export was complete", path.string(), "start again");
}

ExportedVolume write_plane_file(PackedVolume const& volume, ExportPlane plane, std::filesystem::path const& path,
                                ProgressSink const& progress,
                                std::string (*format_header)(VolumeMeta const& meta, ExportedVolume const& exported),
                                std::string_view footer)
{
    VolumeMeta const& meta = volume.meta();
    ExportedVolume const exported = describe_export(meta, plane);
    AtomicFile file(path);
    std::string const header = format_header(meta, exported);
    file.write(std::as_bytes(std::span(header)));
    ExportedPlane layers(volume, plane, exported.element);
    std::vector<std::byte> bytes;
    for (int z = 0; z < meta.dims[2]; ++z) {
        encode_layer(exported.element, layers.read(z), bytes);
        file.write(bytes);
        report_layer(progress, z, meta.dims[2], path);
    }
    file.write(std::as_bytes(std::span(footer)));
    file.commit();
    return exported;
}

} // namespace volpt
