#include "formats/dicom/volumes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <set>

namespace volpt {
namespace {

using VolumeKey = std::array<std::string, 2>;

/// Fields that tell volumes apart, the more telling first.
constexpr char const* kVolumeFields[] = {
    "TemporalPositionIdentifier", "TemporalPositionIndex", "EchoNumbers", "EchoTime",          "DiffusionBValue",
    "FrameReferenceTime",         "TriggerTime",           "StackID",     "AcquisitionNumber", "ImageType",
    "ConvolutionKernel"};

/// Slices by place, along the normal.
std::vector<std::vector<DicomSlice>> group_by_place(std::vector<DicomImage> const& images,
                                                    std::vector<DicomSlice> const& slices)
{
    auto const& o = *images[slices[0].image].frames[slices[0].frame].orientation;
    std::array const normal{o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
    std::vector<std::pair<double, DicomSlice>> depths;
    for (DicomSlice const& slice : slices) {
        auto const& p = *images[slice.image].frames[slice.frame].position_mm;
        depths.emplace_back(p[0] * normal[0] + p[1] * normal[1] + p[2] * normal[2], slice);
    }
    std::ranges::stable_sort(depths, {}, &std::pair<double, DicomSlice>::first);
    double const mean_gap = (depths.back().first - depths.front().first) / static_cast<double>(depths.size());
    double const same = std::max(1e-4, 1e-2 * mean_gap);
    std::vector<std::vector<DicomSlice>> groups;
    for (std::size_t i = 0; i < depths.size(); ++i) {
        if (i == 0 || depths[i].first - depths[i - 1].first > same) groups.emplace_back();
        groups.back().push_back(depths[i].second);
    }
    return groups;
}

/// Numbers before texts.
bool is_less(std::string const& a, std::string const& b)
{
    double x = 0, y = 0;
    auto const read = [](std::string const& text, double& number) {
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        return error == std::errc{} && end == text.data() + text.size() && std::isfinite(number);
    };
    bool const has_x = read(a, x), has_y = read(b, y);
    if (has_x && has_y && x != y) return x < y;
    return has_x != has_y ? has_x : a < b;
}

struct VolumeKeyOrder {
    bool operator()(VolumeKey const& a, VolumeKey const& b) const
    {
        return a[0] == b[0] ? is_less(a[1], b[1]) : is_less(a[0], b[0]);
    }
};

class VolumeSplitter {
public:
    VolumeSplitter(std::vector<DicomImage> const& images, std::vector<std::vector<DicomSlice>> const& places)
        : images_(images), places_(places)
    {
    }

    /// Empty if the fields do not tell the slices apart. `second` may be null.
    DicomVolumes split(char const* first, char const* second) const
    {
        std::map<VolumeKey, std::vector<DicomSlice>, VolumeKeyOrder> found;
        for (auto const& place : places_) {
            std::set<VolumeKey> seen;
            for (DicomSlice const& slice : place) {
                VolumeKey const key{value_of(slice, first), second != nullptr ? value_of(slice, second) : ""};
                if (!seen.insert(key).second) return {};
                found[key].push_back(slice);
            }
        }
        if (found.size() != places_.front().size()) return {};
        DicomVolumes volumes;
        for (auto& [key, slices] : found) {
            volumes.names.push_back(second != nullptr ? fmt::format("{} {}, {} {}", first, key[0], second, key[1])
                                                      : fmt::format("{} {}", first, key[0]));
            volumes.volumes.push_back(std::move(slices));
        }
        return volumes;
    }

private:
    std::string value_of(DicomSlice const& slice, char const* field) const
    {
        auto const& phase = images_[slice.image].frames[slice.frame].phase;
        auto const found = phase.find(field);
        return found == phase.end() ? "" : found->second;
    }

    std::vector<DicomImage> const& images_;
    std::vector<std::vector<DicomSlice>> const& places_;
};

} // namespace

DicomVolumes split_dicom_volumes(std::vector<DicomImage> const& images, std::vector<DicomSlice> slices)
{
    auto const is_placed = [&](DicomSlice const& slice) {
        DicomFrame const& frame = images[slice.image].frames[slice.frame];
        return frame.position_mm && frame.orientation;
    };
    if (std::ranges::all_of(slices, is_placed)) {
        auto const places = group_by_place(images, slices);
        std::size_t const count = places.front().size();
        bool const are_alike = std::ranges::all_of(places, [&](auto const& place) { return place.size() == count; });
        if (count > 1 && are_alike) {
            VolumeSplitter const splitter(images, places);
            for (char const* const field : kVolumeFields)
                if (auto volumes = splitter.split(field, nullptr); !volumes.volumes.empty()) return volumes;
            for (auto first = std::begin(kVolumeFields); first != std::end(kVolumeFields); ++first)
                for (auto second = first + 1; second != std::end(kVolumeFields); ++second)
                    if (auto volumes = splitter.split(*first, *second); !volumes.volumes.empty()) return volumes;
        }
    }
    return {{std::move(slices)}, {""}};
}

} // namespace volpt
