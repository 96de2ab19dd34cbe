#include "libvolpt/medium/unknown_colours.h"

#include "libvolpt/medium/resins.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>
#include <string>
#include <tuple>

namespace volpt {
namespace {

constexpr std::size_t kToldColours = 8;
constexpr std::size_t kAdvisedColours = 32; ///< more are those of a picture

using UnknownColour = std::pair<std::uint32_t, ColourUse>;

class UnknownColours {
public:
    UnknownColours(ColourUses const& unknown, CountedSlices counted, ColourLabels const& labels,
                   MaterialTable const& table, VolumeSource const& source)
        : list_(unknown.begin(), unknown.end()), is_complete_(counted == CountedSlices::all), labels_(labels),
          table_(table), source_(source), has_colours_(!source.meta().job || source.meta().job->has_colours)
    {
        std::ranges::sort(list_, [](auto const& a, auto const& b) {
            return std::tie(a.second.z, a.second.index) < std::tie(b.second.z, b.second.index);
        });
    }

    [[noreturn]] void refuse() const
    {
        auto const& [colour, first] = list_.front();
        std::string const where = describe_voxel_at(source_, first.z, first.index);
        std::string const what = describe();
        if ((colour & 0xffu) == 0)
            fail_input(what, where, "a transparent pixel is air, and the table has none",
                       "give --air NAME, or add a material with \"air\": true");
        fail_input(what, where,
                   has_colours_ ? "colours are matched exactly; the table has " + list_known_colours()
                                : "the job does not say what its materials are",
                   advise());
    }

private:
    std::string describe() const
    {
        if (!has_colours_) return describe_stacks();
        if (list_.size() == 1)
            return fmt::format("the colour {} is of no material: {}", format_colour(list_.front().first),
                               describe_use(list_.front()));
        std::string what =
            fmt::format("{}{} colours are of no material: ", is_complete_ ? "" : "at least ", list_.size());
        for (std::size_t i = 0; i < std::min(list_.size(), kToldColours); ++i)
            what += fmt::format("{}{} ({}, first at {})", i == 0 ? "" : "; ", format_colour(list_[i].first),
                                describe_use(list_[i]),
                                describe_voxel_at(source_, list_[i].second.z, list_[i].second.index));
        if (list_.size() > kToldColours) what += fmt::format("; and {} more", list_.size() - kToldColours);
        return what;
    }

    /// "12 pixels, 'DraftGrey' in the job, nearest C at a distance of 3".
    std::string describe_use(UnknownColour const& unknown) const
    {
        auto const& [colour, use] = unknown;
        std::string text =
            fmt::format("{}{} pixel{}", is_complete_ ? "" : "at least ", use.pixels, use.pixels == 1 ? "" : "s");
        if (auto const* const material = find_in_job(colour)) text += fmt::format(", '{}' in the job", material->name);
        auto const nearest = labels_.find_nearest_of_hue(colour);
        if (nearest.kind == ColourLabels::Kind::unknown) return text + ", of no hue in the table";
        return fmt::format("{}, nearest {} at a distance of {}", text, table_.materials[nearest.label].name,
                           nearest.distance);
    }

    std::string list_names() const
    {
        std::string names;
        for (Material const& material : table_.materials) names += material.name + ", ";
        return names + "air, support or clear";
    }

    std::string list_known_colours() const
    {
        std::string known;
        auto const list = labels_.list();
        for (std::size_t i = 0; i < std::min(list.size(), kToldColours); ++i)
            known += fmt::format("{}{} {}", i == 0 ? "" : ", ", table_.materials[list[i].label].name,
                                 format_colour(list[i].colour));
        return known;
    }

    PrintJob::Material const* find_in_job(std::uint32_t colour) const
    {
        auto const& job = source_.meta().job;
        if (!job) return nullptr;
        auto const found = std::ranges::find(job->materials, colour, &PrintJob::Material::colour);
        return found == job->materials.end() ? nullptr : &*found;
    }

    /// "'Material1' (4800 pixels), 'Material2' (12 pixels) are of no material of the table".
    std::string describe_stacks() const
    {
        std::string names;
        for (auto const& [colour, use] : list_) {
            auto const* const material = find_in_job(colour);
            names += fmt::format("{}'{}' ({} pixels)", names.empty() ? "" : ", ",
                                 material == nullptr ? format_colour(colour) : material->name, use.pixels);
        }
        return fmt::format("{} {} of no material of the table", names, list_.size() == 1 ? "is" : "are");
    }

    std::optional<ResinColour> find_resin_of(std::uint32_t colour) const
    {
        auto const* const named = find_in_job(colour);
        auto const resin = named == nullptr ? std::nullopt : find_resin(named->name);
        return resin ? resin : find_resin_of_colour(colour);
    }

    /// What --label may say of the colour; empty if nothing tells. By its hue it is never an ink of another one, and a
    /// grey is white or black only if it is near.
    std::string guess_material(std::uint32_t colour) const
    {
        constexpr int kMostGrey = 64;
        auto const resin = find_resin_of(colour);
        if (resin == ResinColour::clear) return "clear";
        if (resin == ResinColour::support) return "support";
        if (resin == ResinColour::grey || !has_colours_) return {}; // the table has no grey
        auto const nearest = labels_.find_nearest_of_hue(colour);
        bool const is_known = nearest.kind != ColourLabels::Kind::unknown && !is_clear(table_, nearest.label) &&
                              (!is_grey(colour) || nearest.distance <= kMostGrey);
        return is_known ? table_.materials[nearest.label].name : std::string();
    }

    std::string advise() const
    {
        std::string line;
        bool is_guessed = true, is_smoothed = true;
        int farthest = 1;
        for (std::size_t i = 0; i < list_.size(); ++i) {
            std::uint32_t const colour = list_[i].first;
            farthest = std::max(farthest, labels_.find_nearest(colour).distance);
            is_smoothed = is_smoothed && !find_resin_of(colour); // a resin is no other one's neighbour
            if (i >= kAdvisedColours) continue;
            std::string const name = guess_material(colour);
            is_guessed = is_guessed && !name.empty();
            auto const* const named = has_colours_ ? nullptr : find_in_job(colour);
            line += fmt::format("{}--label '{}={}'", i == 0 ? "" : " ",
                                named == nullptr ? format_colour(colour) : named->name, name.empty() ? "NAME" : name);
        }
        if (!has_colours_) return fmt::format("give {} with the material that each of them is: {}", line, list_names());
        std::string const snap = is_smoothed && farthest <= ColourLabels::kNearDistance
                                     ? fmt::format(", or --snap {} for slices that were smoothed,", farthest)
                                     : "";
        return fmt::format("give {}{}{} or add the colour{} to the table", line,
                           is_guessed ? "" : " with the material that it stands for", snap,
                           list_.size() == 1 ? "" : "s");
    }

    std::vector<UnknownColour> list_;
    bool is_complete_;
    ColourLabels const& labels_;
    MaterialTable const& table_;
    VolumeSource const& source_;
    bool has_colours_; ///< that tell something; else materials are told apart by the job's names
};

} // namespace

void refuse_unknown_colours(ColourUses const& unknown, CountedSlices counted, ColourLabels const& labels,
                            MaterialTable const& table, VolumeSource const& source)
{
    UnknownColours(unknown, counted, labels, table, source).refuse();
}

} // namespace volpt
