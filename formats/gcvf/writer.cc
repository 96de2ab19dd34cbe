// GrabCAD Voxel Print jobs (.gcvf): PNG slices of 32 bits and their manifest in a zip archive, written with libzip.
#include "formats/common/exported_plane.h"
#include "formats/slices/job_layers.h"
#include "formats/slices/job_manifest.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <zip.h>

namespace volpt {
namespace {

constexpr char kPrefix[] = "layer_";
constexpr int kColoursOfGrabcad = 6;

struct DiscardZip {
    void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Zip = std::unique_ptr<zip_t, DiscardZip>;

std::string escape_xml(std::string const& text)
{
    std::string escaped;
    for (char const c : text) {
        if (c == '&')
            escaped += "&amp;";
        else if (c == '<')
            escaped += "&lt;";
        else if (c == '>')
            escaped += "&gt;";
        else
            escaped += static_cast<unsigned char>(c) < 0x20 ? '_' : c;
    }
    return escaped;
}

/// Manifests have whole dots per inch.
long find_dpi(double pitch_mm, char const* axis)
{
    long const dpi = std::lround(kMmPerInch / pitch_mm);
    constexpr double kMostDifference = 0.01;
    if (dpi < 1 || std::abs(static_cast<double>(dpi) * pitch_mm / kMmPerInch - 1) > kMostDifference)
        fail_usage(
            fmt::format("voxels of {:g} mm along {} are {:.4g} dots per inch", pitch_mm, axis, kMmPerInch / pitch_mm),
            "a job has whole dots per inch: pack the volume with such a --pitch");
    return dpi;
}

std::string format_colour_codes(std::uint32_t colour)
{
    return fmt::format("{} {} {} {}", colour >> 24, colour >> 16 & 0xffu, colour >> 8 & 0xffu, colour & 0xffu);
}

std::string make_manifest(JobLayers const& layers)
{
    auto const pitch = layers.pitch_mm();
    auto const& dims = layers.dims();
    auto const& materials = layers.materials();
    std::string list;
    for (JobMaterialUse const& material : materials)
        list += fmt::format("        <Material>\n            <Name>{}</Name>\n            <RGBA>{}</RGBA>\n"
                            "            <VoxelCount>{}</VoxelCount>\n        </Material>\n",
                            escape_xml(material.job_name), format_colour_codes(material.colour), material.voxels);
    constexpr std::size_t kColoursOf4Bits = 15; // and the background
    return fmt::format(
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<GCVF>\n    <Version>2</Version>\n"
        "    <Resolution>\n        <XDpi>{}</XDpi>\n        <YDpi>{}</YDpi>\n"
        "        <SliceThicknessNanoMeter>{}</SliceThicknessNanoMeter>\n    </Resolution>\n"
        "    <SliceDimensions>\n        <SliceWidth>{}</SliceWidth>\n        <SliceHeight>{}</SliceHeight>\n"
        "    </SliceDimensions>\n    <SliceRange>\n        <StartIndex>0</StartIndex>\n"
        "        <NumberOfSlices>{}</NumberOfSlices>\n    </SliceRange>\n    <BitDepth>{}</BitDepth>\n"
        "    <MaxNumberOfColors>{}</MaxNumberOfColors>\n    <DataSemantics>Materials</DataSemantics>\n"
        "    <CreationMode>MODEL_ONLY</CreationMode>\n    <ImageFilePrefix>{}</ImageFilePrefix>\n"
        "    <MaterialList>\n        <BackGroundMaterialRGBA>{}</BackGroundMaterialRGBA>\n{}    </MaterialList>\n"
        "</GCVF>\n",
        find_dpi(pitch[0], "x"), find_dpi(pitch[1], "y"), std::lround(pitch[2] * kNanometresPerMm), dims[0], dims[1],
        dims[2], materials.size() <= kColoursOf4Bits ? 4 : 8,
        std::max<std::size_t>(kColoursOfGrabcad, materials.size()), kPrefix, format_colour_codes(layers.background()),
        list);
}

/// "C as VeroCY-V": materials that the job calls otherwise than the table.
std::string list_job_names(std::vector<JobMaterialUse> const& materials)
{
    std::string names;
    for (JobMaterialUse const& material : materials)
        if (material.job_name != material.name)
            names += fmt::format("{}{} as {}", names.empty() ? "" : ", ", material.name, material.job_name);
    return names;
}

[[noreturn]] void fail_zip(zip_t* archive, std::filesystem::path const& path)
{
    fail_system(fmt::format("cannot write the archive: {}", zip_strerror(archive)), path.string(),
                "free some space or write to another disk");
}

/// Takes the source, whatever becomes of it; stored, as PNG is compressed already. Equal jobs give equal bytes.
void add_entry(zip_t* archive, std::string const& name, zip_source_t* source, std::filesystem::path const& path)
{
    if (source == nullptr) fail_zip(archive, path);
    zip_int64_t const index = zip_file_add(archive, name.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) {
        zip_source_free(source);
        fail_zip(archive, path);
    }
    constexpr std::time_t kFirstDayOfZip = 315619200; // 1980-01-02, whatever the time zone
    auto const entry = static_cast<zip_uint64_t>(index);
    if (zip_set_file_compression(archive, entry, ZIP_CM_STORE, 0) != 0 ||
        zip_file_set_mtime(archive, entry, kFirstDayOfZip, 0) != 0)
        fail_zip(archive, path);
}

ExportedVolume write_job(PackedVolume const& volume, ExportPlane, std::filesystem::path const& path,
                         ProgressSink const& progress)
{
    JobLayers layers(volume, JobBackground::black);
    std::string const manifest = make_manifest(layers);
    auto const dims = layers.dims();
    // libzip reads all entries when it closes the archive: slices wait on the disk of the output, not in memory.
    AtomicFile slices(path);
    AtomicFile output(path);
    int code = 0;
    Zip archive(zip_open(output.temporary_path().c_str(), ZIP_CREATE | ZIP_TRUNCATE, &code));
    if (archive == nullptr) fail_system("cannot create the archive", path.string(), "check folder and rights");
    add_entry(archive.get(), kJobManifestName, zip_source_buffer(archive.get(), manifest.data(), manifest.size(), 0),
              path);
    std::uint64_t offset_bytes = 0;
    for (int slice = 0; slice < dims[2]; ++slice) {
        auto const png = encode_job_slice(layers, slice);
        slices.write(png);
        add_entry(archive.get(), fmt::format("{}{}.png", kPrefix, slice),
                  zip_source_file(archive.get(), slices.temporary_path().c_str(), offset_bytes,
                                  static_cast<zip_int64_t>(png.size())),
                  path);
        offset_bytes += png.size();
        report_layer(progress, slice, dims[2], path);
    }
    if (zip_close(archive.get()) != 0) fail_zip(archive.get(), path);
    (void)archive.release();
    output.reopen();
    output.commit();
    ExportedVolume exported{dims, 1, ElementType::u8, {}};
    if (std::string const names = list_job_names(layers.materials()); !names.empty())
        exported.notices.push_back("the manifest has the names of resins: " + names);
    if (layers.materials().size() > kColoursOfGrabcad)
        exported.notices.push_back(fmt::format("the job has {} materials; GrabCAD Voxel Print takes {}",
                                               layers.materials().size(), kColoursOfGrabcad));
    return exported;
}

void check_gcvf(PlannedJob const& job, std::filesystem::path const&)
{
    check_job_layers(job, JobBackground::black);
    find_dpi(static_cast<double>(job.meta.pitch_mm[0]), "x");
    find_dpi(static_cast<double>(job.meta.pitch_mm[1]), "y");
}

} // namespace

extern Writer const gcvf_writer;
Writer const gcvf_writer{write_job, check_gcvf};

} // namespace volpt
