#include "libvolpt/medium/unknown_colours.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <tuple>

namespace volpt {
namespace {

constexpr std::size_t kToldColours = 8;

using UnknownColour = std::pair<std::uint32_t, ColourUse>;

std::string list_known_colours(ColourLabels const& labels, std::vector<Material> const& materials)
{
    std::string known;
    auto const list = labels.list();
    for (std::size_t i = 0; i < std::min(list.size(), kToldColours); ++i)
        known +=
            fmt::format("{}{} {}", i == 0 ? "" : ", ", materials[list[i].label].name, format_colour(list[i].colour));
    return known;
}

/// "12 pixels, nearest C at a distance of 3".
std::string describe_use(UnknownColour const& unknown, CountedSlices counted, ColourLabels const& labels,
                         std::vector<Material> const& materials)
{
    auto const& [colour, use] = unknown;
    auto const nearest = labels.find_nearest_of_hue(colour);
    std::string const count = fmt::format("{}{} pixel{}", counted == CountedSlices::all ? "" : "at least ", use.pixels,
                                          use.pixels == 1 ? "" : "s");
    if (nearest.kind == ColourLabels::Kind::unknown) return count + ", of no hue in the table";
    return fmt::format("{}, nearest {} at a distance of {}", count, materials[nearest.label].name, nearest.distance);
}

/// Names no material of another hue, and no --snap that would take one.
std::string advise(std::vector<UnknownColour> const& unknown, ColourLabels const& labels,
                   std::vector<Material> const& materials)
{
    std::uint32_t const colour = unknown.front().first;
    ColourLabels::Match const nearest = labels.find_nearest_of_hue(colour);
    bool const is_named = nearest.kind != ColourLabels::Kind::unknown;
    int farthest = 1;
    for (auto const& entry : unknown) farthest = std::max(farthest, labels.find_nearest(entry.first).distance);
    std::string const snap = farthest <= ColourLabels::kNearDistance
                                 ? fmt::format(", or --snap {} for slices that were smoothed,", farthest)
                                 : "";
    return fmt::format("give --label '{}={}'{}{} or add the colour to the table", format_colour(colour),
                       is_named ? materials[nearest.label].name : "NAME",
                       is_named ? "" : " with the material that it stands for", snap);
}

} // namespace

void refuse_unknown_colours(ColourUses const& unknown, CountedSlices counted, ColourLabels const& labels,
                            std::vector<Material> const& materials, VolumeSource const& source)
{
    std::vector<UnknownColour> list(unknown.begin(), unknown.end());
    std::ranges::sort(list, [](auto const& a, auto const& b) {
        return std::tie(a.second.z, a.second.index) < std::tie(b.second.z, b.second.index);
    });
    auto const& [colour, first] = list.front();
    std::string const where = describe_voxel_at(source, first.z, first.index);
    std::string what = fmt::format("the colour {} is of no material: {}", format_colour(colour),
                                   describe_use(list.front(), counted, labels, materials));
    if (list.size() > 1) {
        what = fmt::format("{}{} colours are of no material: ", counted == CountedSlices::all ? "" : "at least ",
                           list.size());
        for (std::size_t i = 0; i < std::min(list.size(), kToldColours); ++i)
            what += fmt::format("{}{} ({}, first at {})", i == 0 ? "" : "; ", format_colour(list[i].first),
                                describe_use(list[i], counted, labels, materials),
                                describe_voxel_at(source, list[i].second.z, list[i].second.index));
        if (list.size() > kToldColours) what += fmt::format("; and {} more", list.size() - kToldColours);
    }
    if ((colour & 0xffu) == 0)
        fail_input(what, where, "a transparent pixel is air, and the table has none",
                   "give --air NAME, or add a material with \"air\": true");
    fail_input(what, where, "colours are matched exactly; the table has " + list_known_colours(labels, materials),
               advise(list, labels, materials));
}

} // namespace volpt
