#include "formats/slices/job_layers.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/medium/materials.h"
#include "libvolpt/medium/resins.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/json.h"
#include "libvolpt/volume/meta.h"
#include "libvolpt/volume/packed_layers.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

std::string find_text(nlohmann::json const& metadata, std::string const& key)
{
    auto const found = metadata.find(key);
    return found == metadata.end() || !found->is_string() ? std::string() : found->get<std::string>();
}

std::vector<std::string> list_support(nlohmann::json const& metadata)
{
    return parse_json_strings(find_text(metadata, "materials.support")).value_or(std::vector<std::string>());
}

std::uint32_t choose_background(std::vector<JobMaterialUse> const& materials, JobBackground background)
{
    constexpr std::uint32_t kBlack = 0x000000ff;
    std::uint32_t colour = background == JobBackground::black ? kBlack : 0;
    while (std::ranges::find(materials, colour, &JobMaterialUse::colour) != materials.end())
        colour = colour == kBlack ? 0 : colour + 0x100;
    return colour;
}

/// The name that the volume's own job has for the colour, as a manifest spells it (formats/slices/job_manifest.cc).
std::string find_source_name(nlohmann::json const& metadata, std::uint32_t colour)
{
    constexpr std::string_view kKey = "job.material.";
    std::string const codes =
        fmt::format("{} {} {} {}", colour >> 24, colour >> 16 & 0xffu, colour >> 8 & 0xffu, colour & 0xffu);
    for (auto const& [key, value] : metadata.items())
        if (key.starts_with(kKey) && value.is_string() && value.get_ref<std::string const&>() == codes)
            return key.substr(kKey.size());
    return {};
}

void choose_job_names(nlohmann::json const& metadata, std::vector<JobMaterialUse>& materials)
{
    auto const is_taken = [&](std::string const& name) {
        return std::ranges::any_of(materials, [&](JobMaterialUse const& other) {
            return other.job_name == name || (other.job_name.empty() && other.name == name);
        });
    };
    for (JobMaterialUse& material : materials) {
        std::string name = find_source_name(metadata, material.colour);
        if (name.empty()) name = find_printer_name(material.name).value_or("");
        material.job_name = name.empty() || is_taken(name) ? material.name : name;
    }
}

/// For each axis, whether the volume's own order is that against the world's.
std::array<bool, 3> find_reversed_axes(VolumeMeta const& meta)
{
    if (!needs_labels(meta))
        fail_usage("a print job needs materials, and this volume has none",
                   "pack slices or a picture with --materials");
    std::array<bool, 3> is_reversed{};
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            double const along = meta.placement.rotation[3 * i + j];
            if (i == j) is_reversed[i] = along < 0;
            if (std::abs(std::abs(along) - (i == j ? 1 : 0)) > 1e-6)
                fail_usage("the volume is turned: its axes are not those of the world",
                           "a printer's slices lie across z; pack it with its own axes along x, y and z");
        }
    is_reversed[1] = !is_reversed[1]; // the first row of a picture is its upper one
    return is_reversed;
}

} // namespace

JobPalette choose_job_palette(PlannedJob const& job, std::span<std::uint64_t const> counts, JobBackground background)
{
    auto const metadata = nlohmann::json::parse(job.source_metadata_json);
    if (metadata.contains("inks"))
        fail_usage("its voxels are mixtures of inks, and a printer lays one ink into each",
                   "pack the picture with --halftone diffusion");
    auto const support = list_support(metadata);
    auto const& materials = job.materials;
    JobPalette palette;
    std::size_t air = materials.size();
    for (std::size_t i = materials.size(); i-- > 0;)
        if (is_air(materials[i]) && std::ranges::find(support, materials[i].name) == support.end()) air = i;
    palette.colours.assign(materials.size(), 0);
    for (std::size_t i = 0; i < materials.size(); ++i) {
        if (i == air || counts[i] == 0) continue;
        auto const colour = parse_hex_colour(find_text(metadata, "colour." + materials[i].name));
        if (!colour)
            fail_usage(fmt::format("material '{}' has no colour of its own", materials[i].name),
                       "pack the volume with a table whose materials have a \"colour\"");
        for (JobMaterialUse const& other : palette.materials)
            if (other.colour == *colour)
                fail_usage(fmt::format("materials '{}' and '{}' have the colour {}", other.name, materials[i].name,
                                       format_colour(*colour)),
                           "give each another \"colour\" in the table");
        palette.colours[i] = *colour;
        palette.materials.push_back({materials[i].name, *colour, counts[i]});
    }
    choose_job_names(metadata, palette.materials);
    palette.background = choose_background(palette.materials, background);
    if (air == materials.size()) return palette;
    auto const own = parse_hex_colour(find_text(metadata, "colour." + materials[air].name));
    bool const is_free =
        own && std::ranges::find(palette.materials, *own, &JobMaterialUse::colour) == palette.materials.end();
    if (is_free) palette.background = *own;
    palette.colours[air] = palette.background;
    return palette;
}

void check_job_layers(PlannedJob const& job, JobBackground background)
{
    find_reversed_axes(job.meta);
    choose_job_palette(job, std::vector<std::uint64_t>(job.materials.size(), 1), background);
}

JobLayers::JobLayers(PackedVolume const& volume, JobBackground background)
    : volume_(volume), view_(volume.view()), dims_(volume.meta().dims), is_reversed_(find_reversed_axes(volume.meta()))
{
    auto const counts = count_labels(view_);
    palette_ =
        choose_job_palette({volume.meta(), volume.materials(), volume.source_metadata_json()}, counts, background);
}

std::array<double, 3> JobLayers::pitch_mm() const
{
    std::array<double, 3> pitch{};
    std::ranges::transform(volume_.meta().pitch_mm, pitch.begin(), [](float mm) { return static_cast<double>(mm); });
    return pitch;
}

std::span<std::byte const> JobLayers::draw(int slice)
{
    auto const columns = static_cast<std::size_t>(dims_[0]);
    auto const rows = static_cast<std::size_t>(dims_[1]);
    labels_.resize(columns * rows);
    pixels_.resize(4 * columns * rows);
    read_label_layer(view_, is_reversed_[2] ? dims_[2] - 1 - slice : slice, labels_);
    volume_.check_unchanged();
    for (std::size_t row = 0; row < rows; ++row) {
        std::size_t const y = is_reversed_[1] ? rows - 1 - row : row;
        for (std::size_t column = 0; column < columns; ++column) {
            std::size_t const x = is_reversed_[0] ? columns - 1 - column : column;
            std::uint32_t const colour = palette_.colours[labels_[y * columns + x]];
            for (std::size_t i = 0; i < 4; ++i)
                pixels_[4 * (row * columns + column) + i] = static_cast<std::byte>(colour >> (24 - 8 * i));
        }
    }
    return pixels_;
}

std::vector<std::byte> encode_job_slice(JobLayers& layers, int slice)
{
    auto const pitch = layers.pitch_mm();
    return encode_rgba_png(layers.dims()[0], layers.dims()[1], layers.draw(slice), {pitch[0], pitch[1]});
}

} // namespace volpt
