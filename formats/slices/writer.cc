// PNG slices, one per layer: densities that are u8 or u16 codes, with as many bits; instead of densities, the colours
// of materials (as printers want them, slices/job_layers.h) or the 8-bit albedo. Error (usage) for volumes that such a
// stack does not hold without loss.
#include "formats/common/exported_plane.h"
#include "formats/slices/job_layers.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/scene/layer_image.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

#include <algorithm>
#include <fmt/format.h>
#include <optional>

namespace volpt {
namespace {

/// Where "%04d" stands in a slice's name, and its width.
struct NumberPlace {
    std::size_t begin = 0;
    std::size_t end = 0;
    int width = 0;
};

std::optional<NumberPlace> parse_number_place(std::string const& name)
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

/// Error (usage) if the name has no place for a number.
NumberPlace find_number(std::filesystem::path const& pattern)
{
    auto const place = parse_number_place(pattern.filename().string());
    if (!place)
        fail_usage(fmt::format("--export {} names one file for all slices", pattern.string()),
                   "number them, for example out/slice%04d.png");
    return *place;
}

/// True if u16 codes are all that the volume has, so that its slices need 16 bits.
bool has_wide_codes(VolumeMeta const& meta)
{
    bool const has_density_alone = !needs_labels(meta) && meta.albedo != Source::plane;
    return has_density_alone && choose_element(meta, ExportPlane::density) == ElementType::u16;
}

std::vector<std::byte> encode_wide_slice(VolumeMeta const& meta, std::vector<float> const& codes)
{
    std::vector<std::uint16_t> samples(codes.size());
    std::ranges::transform(codes, samples.begin(), [](float value) { return static_cast<std::uint16_t>(value); });
    return encode_grey_png_16(meta.dims[0], meta.dims[1], samples);
}

/// The content of the volume decides what the slices show, whatever the plane.
ExportedVolume write_slices(PackedVolume const& volume, ExportPlane, std::filesystem::path const& pattern,
                            ProgressSink const& progress)
{
    std::string const name = pattern.filename().string();
    NumberPlace const place = find_number(pattern);
    VolumeMeta const& meta = volume.meta();
    std::optional<ExportedPlane> codes;
    std::optional<JobLayers> job;
    if (needs_labels(meta)) job.emplace(volume, JobBackground::transparent);
    if (has_wide_codes(meta)) codes.emplace(volume, ExportPlane::density, ElementType::u16);
    for (int z = 0; z < meta.dims[2]; ++z) {
        std::string const number = fmt::format("{:0{}}", z, place.width);
        auto const path = pattern.parent_path() / (name.substr(0, place.begin) + number + name.substr(place.end));
        if (codes)
            write_file_atomically(path, encode_wide_slice(meta, codes->read(z)));
        else if (job)
            write_file_atomically(path, encode_job_slice(*job, z));
        else
            write_image(path, draw_layer(volume, z, LayerLook::exact));
        report_layer(progress, z, meta.dims[2], pattern);
    }
    return {meta.dims, 1, codes ? ElementType::u16 : ElementType::u8, {}};
}

void check_job_slices(PlannedJob const& job, std::filesystem::path const& pattern)
{
    find_number(pattern);
    check_job_layers(job, JobBackground::transparent);
}

} // namespace

extern Writer const slices_writer;
Writer const slices_writer{write_slices, check_job_slices};

} // namespace volpt
