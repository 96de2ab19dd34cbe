// What is printed by a job with a manifest, and how much of each material.
#include "libvolpt/job/info/source/source_report.h"

#include "libvolpt/medium/materials.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/units.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kMm3PerMl = 1e3;

/// Neighbours are mostly alike.
void count_layer_pixels(std::span<float const> values, std::size_t channels, PixelCounts& counts)
{
    std::uint64_t* count = nullptr;
    std::uint32_t last = 0;
    for (std::size_t i = 0; i + channels <= values.size(); i += channels) {
        std::uint32_t colour = 0;
        for (std::size_t channel = 0; channel < 3; ++channel)
            colour = colour << 8 | static_cast<std::uint32_t>(values[i + (channels == 1 ? 0 : channel)]);
        colour = colour << 8 | (channels == 4 ? static_cast<std::uint32_t>(values[i + 3]) : 0xffu);
        if ((colour & 0xffu) == 0) colour = 0;
        if (count == nullptr || colour != last) count = &counts[colour];
        last = colour;
        ++*count;
    }
}

} // namespace

PixelCounts count_pixels(VolumeSource& source, ProgressSink const& progress)
{
    constexpr int kLayers = 8;
    constexpr std::size_t kMostColours = 65536;
    SourceMeta const& meta = source.meta();
    auto const channels = static_cast<std::size_t>(meta.channels);
    std::size_t const numbers =
        channels * static_cast<std::size_t>(meta.dims[0]) * static_cast<std::size_t>(meta.dims[1]);
    std::vector<float> values;
    PixelCounts counts;
    for (int z = 0; z < meta.dims[2]; z += kLayers) {
        int const count = std::min(kLayers, meta.dims[2] - z);
        values.resize(numbers * static_cast<std::size_t>(count));
        source.read_slab(z, count, values);
        count_layer_pixels(values, channels, counts);
        if (counts.size() > kMostColours)
            fail_input(fmt::format("has more than {} colours", kMostColours), meta.path,
                       "the colours of a job's slices are materials", "print the pictures: volprep print");
        Progress const state{static_cast<std::uint64_t>(z + count), static_cast<std::uint64_t>(meta.dims[2]), "slices"};
        if (progress && !progress(state))
            fail_system("stopped before all pixels were counted", meta.path, "start again");
    }
    return counts;
}

Json report_print_job(SourceMeta const& source, PixelCounts const& counts)
{
    constexpr std::size_t kMostOthers = 16;
    PrintJob const& job = *source.job;
    auto const& pitch_mm = *source.pitch_mm;
    double const voxel_ml = pitch_mm[0] * pitch_mm[1] * pitch_mm[2] / kMm3PerMl;
    PixelCounts others = counts;
    std::optional<double> whole_ml = 0;
    auto const take = [&](std::uint32_t colour, std::optional<std::uint64_t> announced) {
        auto const found = others.find((colour & 0xffu) == 0 ? 0 : colour);
        std::optional<std::uint64_t> voxels = announced;
        if (!counts.empty()) voxels = found == others.end() ? 0 : found->second;
        if (found != others.end()) others.erase(found);
        return voxels;
    };
    auto const describe = [&](std::uint32_t colour, std::optional<std::uint64_t> voxels) {
        Json entry{{"colour", format_colour(colour)}, {"voxels", nullptr}, {"volume_ml", nullptr}};
        if (!voxels) return entry;
        entry["voxels"] = *voxels;
        entry["volume_ml"] = static_cast<double>(*voxels) * voxel_ml;
        return entry;
    };
    Json materials = Json::array();
    for (PrintJob::Material const& material : job.materials) {
        auto const voxels = take(material.colour, material.voxels);
        Json entry{{"name", material.name}};
        entry.update(describe(material.colour, voxels));
        whole_ml =
            whole_ml && voxels ? std::optional(*whole_ml + static_cast<double>(*voxels) * voxel_ml) : std::nullopt;
        materials.push_back(std::move(entry));
    }
    Json report{{"layers", source.dims[2]},
                {"layer_mm", pitch_mm[2]},
                {"dpi", {kMmPerInch / pitch_mm[0], kMmPerInch / pitch_mm[1]}},
                {"materials", std::move(materials)}};
    if (job.background) report["background"] = describe(*job.background, take(*job.background, {}));
    std::vector<std::pair<std::uint32_t, std::uint64_t>> rest(others.begin(), others.end());
    std::ranges::stable_sort(rest, std::ranges::greater{}, [](auto const& other) { return other.second; });
    for (auto const& [colour, voxels] : rest)
        if (whole_ml && colour != 0) *whole_ml += static_cast<double>(voxels) * voxel_ml; // transparent: not printed
    report["whole_volume_ml"] = whole_ml ? Json(*whole_ml) : Json(nullptr);
    if (rest.size() > kMostOthers) rest.resize(kMostOthers);
    for (auto const& [colour, voxels] : rest) report["other_colours"].push_back(describe(colour, voxels));
    return report;
}

} // namespace volpt
