#include "formats/dicom/series.h"

#include "formats/common/text.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>

namespace volpt {
namespace {

constexpr std::size_t kMostNames = 8;
constexpr std::size_t kMostLocalizers = 3; ///< slices of another orientation or size that are left out of a series
constexpr double kLargestTurn = 1e-3;      ///< of a component of a direction

/// All images of one series, those that are slices first.
struct Candidate {
    std::vector<std::size_t> images;
    std::vector<std::size_t> refused;
};

std::size_t count_frames(std::vector<DicomImage> const& images, Candidate const& candidate)
{
    std::size_t frames = 0;
    for (std::size_t const i : candidate.images) frames += images[i].frames.size();
    return frames;
}

std::string name_file(DicomImage const& image)
{
    return std::filesystem::path(image.path).filename().string();
}

/// `3 "Thorax 1.0" (CT, 120 files, 512 x 512, UID 1.2.3)`
std::string describe_series(std::vector<DicomImage> const& images, Candidate const& candidate)
{
    DicomImage const& first = images[candidate.images.front()];
    std::size_t const frames = count_frames(images, candidate);
    std::string const many = frames > candidate.images.size() ? fmt::format(", {} frames", frames) : "";
    return fmt::format("{} \"{}\" ({}, {} file{}{}, {} x {}, UID {})",
                       first.series_number.empty() ? "-" : first.series_number, first.description, first.modality,
                       candidate.images.size(), candidate.images.size() == 1 ? "" : "s", many, first.storage.columns,
                       first.storage.rows, first.series_uid);
}

/// By UID, those with slices first. A file without UID is a series of its own.
std::vector<Candidate> list_series(std::vector<DicomImage> const& images)
{
    std::vector<Candidate> all;
    std::map<std::string, std::size_t> places;
    for (std::size_t i = 0; i < images.size(); ++i) {
        std::string const key = images[i].series_uid.empty() ? "file " + images[i].path : images[i].series_uid;
        auto const [place, is_new] = places.try_emplace(key, all.size());
        if (is_new) all.emplace_back();
        (images[i].refusal.empty() ? all[place->second].images : all[place->second].refused).push_back(i);
    }
    std::ranges::stable_sort(
        all, [&](Candidate const& a, Candidate const& b) { return count_frames(images, a) > count_frames(images, b); });
    return all;
}

bool is_wanted(DicomImage const& image, std::string const& wanted, int rule)
{
    if (rule == 0) return image.series_uid == wanted;
    if (rule == 1) return image.series_number == wanted;
    return to_lower(image.description).find(to_lower(wanted)) != std::string::npos;
}

/// The first of UID, number and description that fits any.
std::vector<Candidate> find_wanted(std::vector<DicomImage> const& images, std::vector<Candidate> const& all,
                                   std::string const& wanted)
{
    std::vector<Candidate> found;
    for (int rule = 0; rule < 3 && found.empty(); ++rule)
        for (Candidate const& candidate : all)
            if (is_wanted(images[candidate.images.front()], wanted, rule)) found.push_back(candidate);
    return found;
}

/// What chooses the series. Its UID only if nothing else does: commands are stored in volumes, UIDs are to stay out.
std::string name_choice(std::vector<DicomImage> const& images, std::vector<Candidate> const& all,
                        Candidate const& series)
{
    DicomImage const& image = images[series.images.front()];
    for (std::string const& name : {image.series_number, image.description})
        if (!name.empty() && find_wanted(images, all, name).size() == 1) return name;
    return image.series_uid;
}

[[noreturn]] void refuse_objects(std::vector<DicomImage> const& images, std::string const& where)
{
    std::set<std::string> kinds;
    for (DicomImage const& image : images) kinds.insert(image.refusal);
    bool const is_directory = kinds.size() == 1 && kinds.begin()->starts_with("Media Storage Directory");
    fail_input(images.empty() ? "holds no DICOM file" : fmt::format("holds {}", fmt::join(kinds, "; ")), where,
               "a volume is made of slices in grey (CT, MR, PET, ..)",
               is_directory ? "give the folder in which the medium has its images" : "give other files");
}

/// `all` begins with the one of most slices.
Candidate choose(std::vector<DicomImage> const& images, std::vector<Candidate> const& all, std::string const& wanted,
                 MissingChoice missing, std::string const& where, std::vector<std::string>& notices)
{
    if (all.empty()) refuse_objects(images, where);
    auto const found = wanted.empty() ? all : find_wanted(images, all, wanted);
    if (found.size() == 1) return found.front();
    std::vector<std::string> names;
    for (Candidate const& candidate : found.empty() ? all : found) names.push_back(describe_series(images, candidate));
    std::string const what = wanted.empty()  ? fmt::format("holds {} series", found.size())
                             : found.empty() ? fmt::format("has no series \"{}\"", wanted)
                                             : fmt::format("has {} series \"{}\"", found.size(), wanted);
    std::string const listed = fmt::format("{}", fmt::join(names, "; "));
    if (wanted.empty() && missing == MissingChoice::first) {
        notices.push_back(fmt::format("{}: {}: {}: the first one is read; --series chooses", where, what, listed));
        return found.front();
    }
    fail_input(what, where, listed, "choose one by --series UID, --series NUMBER or --series PART_OF_THE_DESCRIPTION");
}

/// Without copies of slices that were there before.
std::vector<std::size_t> drop_copies(std::vector<DicomImage> const& images, Candidate const& candidate,
                                     std::vector<std::string>& notices)
{
    std::set<std::string> seen;
    std::vector<std::size_t> kept;
    std::vector<std::string> copies;
    for (std::size_t const i : candidate.images)
        if (images[i].instance_uid.empty() || seen.insert(images[i].instance_uid).second)
            kept.push_back(i);
        else
            copies.push_back(name_file(images[i]));
    if (!copies.empty())
        notices.push_back(fmt::format("{} by SOPInstanceUID: left out: {}",
                                      copies.size() == 1 ? "1 file is a copy of another"
                                                         : fmt::format("{} files are copies of others", copies.size()),
                                      list_some_names(copies)));
    return kept;
}

bool are_alike(DicomImage const& a, DicomFrame const& first, DicomImage const& b, DicomFrame const& second)
{
    if (a.storage.columns != b.storage.columns || a.storage.rows != b.storage.rows) return false;
    if (first.orientation.has_value() != second.orientation.has_value() ||
        first.position_mm.has_value() != second.position_mm.has_value() ||
        first.pixel_mm.has_value() != second.pixel_mm.has_value())
        return false;
    for (std::size_t i = 0; i < 6 && first.orientation; ++i)
        if (!(std::abs((*first.orientation)[i] - (*second.orientation)[i]) <= kLargestTurn)) return false;
    for (std::size_t i = 0; i < 2 && first.pixel_mm; ++i)
        if (!(std::abs((*first.pixel_mm)[i] / (*second.pixel_mm)[i] - 1) <= 1e-3)) return false;
    return true;
}

using Slices = std::vector<DicomSlice>;

/// "2 of 256 x 256 pixels in the directions 1,0,0 and 0,0,-1"
std::string describe_kind(std::vector<DicomImage> const& images, Slices const& slices)
{
    DicomImage const& image = images[slices.front().image];
    auto const& orientation = image.frames[slices.front().frame].orientation;
    auto const spell = [&](std::size_t axis) {
        auto const& o = *orientation;
        return fmt::format("{:.3g},{:.3g},{:.3g}", o[axis], o[axis + 1], o[axis + 2]);
    };
    std::string const directions =
        orientation ? fmt::format(" in the directions {} and {}", spell(0), spell(3)) : " without orientation";
    return fmt::format("{} of {} x {} pixels{} ({})", slices.size(), image.storage.columns, image.storage.rows,
                       directions, describe_dicom_slice(images, slices.front()));
}

/// By size and orientation, the most frequent first; localizers last.
std::vector<Slices> list_kinds(std::vector<DicomImage> const& images, std::vector<std::size_t> const& chosen)
{
    std::vector<Slices> kinds;
    auto const image_of = [&](Slices const& kind) -> DicomImage const& { return images[kind.front().image]; };
    for (std::size_t const i : chosen)
        for (std::size_t frame = 0; frame < images[i].frames.size(); ++frame) {
            auto const fits = [&](Slices const& kind) {
                DicomImage const& other = image_of(kind);
                return other.is_localizer == images[i].is_localizer &&
                       are_alike(other, other.frames[kind.front().frame], images[i], images[i].frames[frame]);
            };
            auto const found = std::ranges::find_if(kinds, fits);
            (found == kinds.end() ? kinds.emplace_back() : *found).push_back({i, frame});
        }
    std::ranges::stable_sort(kinds, [&](Slices const& a, Slices const& b) {
        if (image_of(a).is_localizer != image_of(b).is_localizer) return image_of(b).is_localizer;
        return a.size() > b.size();
    });
    return kinds;
}

Slices choose_kind(std::vector<DicomImage> const& images, std::vector<std::size_t> const& chosen,
                   std::vector<std::string>& notices, std::string const& where)
{
    auto const kinds = list_kinds(images, chosen);
    Slices const& main = kinds.front();
    for (std::size_t i = 1; i < kinds.size(); ++i) {
        bool const is_localizer = images[kinds[i].front().image].is_localizer;
        if (!is_localizer && (kinds[i].size() > kMostLocalizers || main.size() <= 2 * kinds[i].size())) {
            std::vector<std::string> names;
            for (Slices const& kind : kinds) names.push_back(describe_kind(images, kind));
            fail_input("the series holds slices of several kinds", where, fmt::format("{}", fmt::join(names, "; ")),
                       "put the slices of one kind into a folder of their own");
        }
        std::vector<std::string> names;
        for (DicomSlice const& slice : kinds[i])
            names.push_back(std::filesystem::path(describe_dicom_slice(images, slice)).filename().string());
        notices.push_back(fmt::format("{} of another {}: left out: {}",
                                      kinds[i].size() == 1 ? "1 slice" : fmt::format("{} slices", kinds[i].size()),
                                      is_localizer ? "kind (localizers)" : "size or orientation",
                                      list_some_names(names)));
    }
    return main;
}

void note_refused(std::vector<DicomImage> const& images, std::vector<std::size_t> const& refused,
                  std::vector<std::string>& notices)
{
    std::map<std::string, std::vector<std::string>> kinds;
    for (std::size_t const i : refused)
        if (!images[i].kind.starts_with("Media Storage Directory"))
            kinds[images[i].refusal].push_back(name_file(images[i]));
    for (auto const& [refusal, names] : kinds)
        notices.push_back(fmt::format("{}: left out: {}", refusal, list_some_names(names)));
}

} // namespace

std::string describe_dicom_slice(DicomImage const& image, DicomFrame const& frame)
{
    if (frame.tile) return fmt::format("{}: slice {} of its mosaic", image.path, *frame.tile + 1);
    return image.frames.size() > 1 ? fmt::format("{}: frame {}", image.path, frame.number + 1) : image.path;
}

std::string describe_dicom_slice(std::vector<DicomImage> const& images, DicomSlice slice)
{
    return describe_dicom_slice(images[slice.image], images[slice.image].frames[slice.frame]);
}

std::string list_some_names(std::vector<std::string> const& names)
{
    std::size_t const shown = std::min(names.size(), kMostNames);
    std::string const more = names.size() > shown ? fmt::format(" and {} more", names.size() - shown) : "";
    return fmt::format("{}{}", fmt::join(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                       more);
}

DicomSeries choose_dicom_series(std::vector<DicomImage> const& images, std::string const& wanted, MissingChoice missing,
                                std::string const& where)
{
    auto all = list_series(images);
    DicomSeries series;
    std::vector<std::size_t> refused;
    for (Candidate const& candidate : all)
        refused.insert(refused.end(), candidate.refused.begin(), candidate.refused.end());
    note_refused(images, refused, series.notices);
    std::erase_if(all, [](Candidate const& candidate) { return candidate.images.empty(); });
    Candidate const chosen = choose(images, all, wanted, missing, where, series.notices);
    if (all.size() > 1) series.choice = name_choice(images, all, chosen);
    series.slices = choose_kind(images, drop_copies(images, chosen, series.notices), series.notices, where);
    return series;
}

} // namespace volpt
