// Finds maps among a verdict's parts and writes them.
#include "libvolpt/stats/report/error_map.h"

#include "libvolpt/image/codecs/codecs.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

/// By nearest rank; 1 if all are 0, so that the scale has a length.
float find_end(std::vector<float> const& values)
{
    std::vector<float> sizes;
    for (float const value : values)
        if (std::isfinite(value)) sizes.push_back(std::abs(value));
    if (sizes.empty()) return 1;
    auto const rank = static_cast<std::ptrdiff_t>((sizes.size() * 99 + 99) / 100 - 1);
    std::nth_element(sizes.begin(), sizes.begin() + rank, sizes.end());
    float const percentile = sizes[static_cast<std::size_t>(rank)];
    float const end = percentile > 0 ? percentile : std::ranges::max(sizes);
    return end > 0 ? end : 1;
}

ColourScale choose_scale(std::string_view metric, std::vector<float> const& values)
{
    if (metric == "flip" || metric == "hdrflip" || metric == "de2000_noise_share") return {ColourMap::magnitude, 1};
    return {metric == "bias" ? ColourMap::sign : ColourMap::magnitude, find_end(values)};
}

std::string title_of(std::string_view metric)
{
    if (metric == "flip") return "FLIP";
    if (metric == "hdrflip") return "HDR-FLIP";
    if (metric == "de76" || metric == "de94" || metric == "de2000") return "Delta E " + std::string(metric.substr(2));
    if (metric == "de2000_noise") return "Delta E 2000 expected of the noise alone";
    if (metric == "de2000_noise_share") return "share of Delta E 2000 that is noise";
    return std::string(metric);
}

} // namespace

std::optional<NamedMap> find_error_map(Verdict const& verdict, std::string_view name)
{
    if (name == "z") {
        if (!verdict.expectation) return {};
        return NamedMap{"z", "z of test - reference", verdict.expectation->z_map, {ColourMap::sign, 5}};
    }
    std::string_view const metric = name == "difference" ? "bias" : name;
    auto const found = std::ranges::find(verdict.image.maps, metric, &ErrorMap::metric);
    if (found == verdict.image.maps.end()) return {};
    NamedMap map{std::string(name), title_of(metric), found->values, choose_scale(metric, found->values)};
    if (metric == "bias") map.title = "test - reference, mean over the channels";
    return map;
}

void write_error_map(std::filesystem::path const& path, NamedMap const& map, int width, int height)
{
    if (path.extension() == ".png") {
        write_image(path, paint(map.values, width, height, map.scale));
        return;
    }
    Image image = make_image(width, height, Transfer::linear, {"Y"});
    image.channels[0].values = map.values;
    image.metadata = {{"error_map", map.name}};
    write_image(path, image);
}

} // namespace volpt
