#include "formats/tally/tally_file.h"

#include "formats/common/plane_header.h"
#include "formats/tally/gzip_file.h"
#include "formats/tally/jnifti_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/pack/packer.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::uint32_t kMostNiftiCells = 32767; // NIfTI-1 has 16 bits

enum class TallyFormat { none, nifti, nifti_gzip, jnifti, metaimage, nrrd, packed };

TallyFormat format_of(std::filesystem::path const& path)
{
    std::string const name = path.filename().string();
    if (name.ends_with(".nii.gz")) return TallyFormat::nifti_gzip;
    if (name.ends_with(".nii")) return TallyFormat::nifti;
    if (name.ends_with(".jnii")) return TallyFormat::jnifti;
    if (name.ends_with(".mha")) return TallyFormat::metaimage;
    if (name.ends_with(".nrrd")) return TallyFormat::nrrd;
    if (name.ends_with(".vpk")) return TallyFormat::packed;
    return TallyFormat::none;
}

std::string describe_values(TallyVolume const& tally)
{
    return name_tally_kind(tally.kind) + ", " + spell_tally_unit(tally);
}

std::string describe_channels(TallyVolume const& tally)
{
    std::string text = tally.bands > 1 ? fmt::format("values of {} bands", tally.bands) : "value";
    if (tally.gates > 1) text += fmt::format(", gate by gate ({} of {} ns)", tally.gates, tally.gate_ns);
    return text + ", then likewise their standard errors";
}

std::size_t count_cells(TallyVolume const& tally)
{
    std::size_t cells = 1;
    for (int const n : tally.dims) cells *= static_cast<std::size_t>(n);
    return cells;
}

/// Volume after volume: by channel (values by band, then errors by band), by gate.
template <typename File>
void write_nifti(TallyVolume const& tally, VolumeMeta const& cells, std::filesystem::path const& path)
{
    int const channels = 2 * static_cast<int>(tally.bands);
    std::string const header = format_nifti_header(cells, tally.gates, tally.gate_ns, channels, describe_values(tally));
    std::size_t const count = count_cells(tally);
    File file(path);
    file.write(std::as_bytes(std::span(header)));
    for (auto const* plane : {&tally.values, &tally.standard_errors})
        for (std::size_t band = 0; band < tally.bands; ++band)
            for (std::size_t gate = 0; gate < tally.gates; ++gate)
                file.write(std::as_bytes(std::span(*plane).subspan((gate * tally.bands + band) * count, count)));
    file.commit();
}

/// `header`, and cell after cell all channels: values by gate and band, then errors likewise.
void write_interleaved(TallyVolume const& tally, std::string const& header, std::filesystem::path const& path)
{
    std::size_t const count = count_cells(tally), values = std::size_t{tally.gates} * tally.bands;
    std::size_t const row = static_cast<std::size_t>(tally.dims[0]);
    std::vector<float> cells(row * 2 * values);
    AtomicFile file(path);
    file.write(std::as_bytes(std::span(header)));
    for (std::size_t first = 0; first < count; first += row) {
        for (std::size_t x = 0; x < row; ++x)
            for (std::size_t i = 0; i < values; ++i) {
                cells[2 * values * x + i] = tally.values[i * count + first + x];
                cells[2 * values * x + values + i] = tally.standard_errors[i * count + first + x];
            }
        file.write(std::as_bytes(std::span(cells)));
    }
    file.commit();
}

/// `header` with a line after the one that begins with `key`.
std::string insert_line(std::string header, std::string_view key, std::string const& line)
{
    auto const at = header.find('\n', header.find(key));
    return header.insert(at + 1, line + '\n');
}

void write_packed(TallyVolume const& tally, VolumeMeta meta, std::filesystem::path const& path,
                  Provenance const& provenance)
{
    meta.extinction = Source::plane;
    meta.density_encoding = Encoding::f32;
    nlohmann::ordered_json const source{
        {"tally", describe_values(tally)}, {"gates", tally.gates}, {"gate_ns", tally.gate_ns}, {"bands", tally.bands}};
    std::array<int, 3> const dims = meta.dims;
    VolumePacker packer(path, std::move(meta));
    packer.set_source_metadata(format_json(source));
    std::size_t const count = count_cells(tally), layer = count / static_cast<std::size_t>(dims[2]);
    std::vector<float> density(layer);
    for (int z = 0; z < dims[2]; ++z) {
        for (std::size_t i = 0; i < layer; ++i) {
            double sum = 0;
            for (std::size_t value = 0; value < std::size_t{tally.gates} * tally.bands; ++value)
                sum += static_cast<double>(tally.values[value * count + static_cast<std::size_t>(z) * layer + i]);
            density[i] = static_cast<float>(sum / tally.bands);
        }
        packer.add_slab({.z_first = z, .z_count = 1, .density = density});
    }
    packer.finish(provenance);
}

} // namespace

VolumeMeta find_tally_cells(TallyVolume const& tally, VolumeMeta const& voxels)
{
    VolumeMeta cells;
    cells.dims = tally.dims;
    for (std::size_t axis = 0; axis < 3; ++axis)
        cells.pitch_mm[axis] =
            voxels.pitch_mm[axis] * static_cast<float>(voxels.dims[axis]) / static_cast<float>(tally.dims[axis]);
    if (cells.dims == voxels.dims) cells.pitch_mm = voxels.pitch_mm;
    cells.placement = voxels.placement;
    return cells;
}

bool is_tally_file(std::filesystem::path const& path)
{
    return format_of(path) != TallyFormat::none;
}

void check_tally_file(std::filesystem::path const& path, TallyView const& tally)
{
    TallyFormat const format = format_of(path);
    bool const is_nifti = format == TallyFormat::nifti || format == TallyFormat::nifti_gzip;
    if (is_nifti && std::max({tally.dims[0], tally.dims[1], tally.dims[2], tally.gates}) > kMostNiftiCells)
        fail_usage(fmt::format("'{}' cannot hold a tally of {} x {} x {} cells and {} gates, only up to {} each",
                               path.string(), tally.dims[0], tally.dims[1], tally.dims[2], tally.gates,
                               kMostNiftiCells),
                   "write .nrrd or .mha");
    AtomicFile const probe(path); // found now, not after hours of rendering
}

void write_tally(TallyVolume const& tally, VolumeMeta const& voxels, std::filesystem::path const& path,
                 Provenance const& provenance)
{
    VolumeMeta const cells = find_tally_cells(tally, voxels);
    ExportedVolume const exported{tally.dims, static_cast<int>(2 * tally.gates * tally.bands), ElementType::f32};
    std::string const what = describe_values(tally) + "; " + describe_channels(tally);
    switch (format_of(path)) {
    case TallyFormat::nifti:
        return write_nifti<AtomicFile>(tally, cells, path);
    case TallyFormat::nifti_gzip:
        return write_nifti<GzipFile>(tally, cells, path);
    case TallyFormat::jnifti:
        return write_jnifti_tally(tally, cells, what, path);
    case TallyFormat::metaimage:
        return write_interleaved(
            tally, insert_line(format_metaimage_header(cells, exported), "ObjectType", "Comment = " + what), path);
    case TallyFormat::nrrd:
        return write_interleaved(
            tally, insert_line(format_nrrd_header(cells, exported), "space origin", "tally:=" + what), path);
    case TallyFormat::packed:
        return write_packed(tally, cells, path, provenance);
    case TallyFormat::none:
        break;
    }
    fail_usage(fmt::format("'{}' is of no format that holds a tally", path.string()),
               fmt::format("use one of {}", kTallyExtensions));
}

} // namespace volpt
