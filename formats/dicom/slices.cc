#include "formats/dicom/slices.h"

#include "formats/common/header_parts.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <numbers>
#include <set>

namespace volpt {
namespace {

using Vector = std::array<double, 3>;

constexpr double kSamePlace = 1e-2;  ///< of the mean gap
constexpr double kRounding = 1e-2;   ///< of the median gap
constexpr double kUnevenness = 1e-1; ///< of the median gap: more is refused
constexpr double kSidewaysPixels = 0.05;
constexpr double kSidewaysShare = 1e-3; ///< of the distance between two slices; split_axes straightens as much

double dot(Vector const& a, Vector const& b)
{
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

class Placer {
public:
    Placer(std::vector<DicomImage> const& images, std::vector<DicomSlice> slices, std::string const& where)
        : images_(images), where_(where)
    {
        placement_.slices = std::move(slices);
    }

    DicomPlacement place()
    {
        DicomFrame const& any = frame(0);
        if (any.position_mm && any.orientation)
            place_in_patient();
        else
            leave_in_file_order();
        return std::move(placement_);
    }

private:
    DicomFrame const& frame(std::size_t slice) const
    {
        DicomSlice const& at = placement_.slices[slice];
        return images_[at.image].frames[at.frame];
    }
    std::string name(std::size_t slice) const { return describe_dicom_slice(images_, placement_.slices[slice]); }
    std::size_t count() const { return placement_.slices.size(); }

    void leave_in_file_order()
    {
        DicomFrame const& any = frame(0);
        bool const is_one_file = placement_.slices.front().image == placement_.slices.back().image;
        if (!is_one_file)
            fail_input("the slices have no ImagePositionPatient and ImageOrientationPatient", where_,
                       "they are ordered by their places", "convert them to a stack of pictures in order");
        if (any.pixel_mm && any.depth_mm && *any.depth_mm > 0)
            placement_.pitch_mm = {(*any.pixel_mm)[0], (*any.pixel_mm)[1], *any.depth_mm};
        if (count() > 1)
            placement_.notices.push_back(fmt::format(
                "{}: no place in the patient: frames in the order of the file, centred at the origin", where_));
    }

    void place_in_patient()
    {
        auto const& o = *frame(0).orientation;
        row_ = {o[0], o[1], o[2]};
        column_ = {o[3], o[4], o[5]};
        normal_ = {o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
        std::ranges::stable_sort(placement_.slices, [&](DicomSlice const& a, DicomSlice const& b) {
            return find_depth(images_[a.image].frames[a.frame]) < find_depth(images_[b.image].frames[b.frame]);
        });
        double depth_mm = 0;
        if (count() > 1) {
            double const gap_mm =
                (find_depth(frame(count() - 1)) - find_depth(frame(0))) / static_cast<double>(count() - 1);
            refuse_same_places(gap_mm);
            check_gaps();
            check_sideways();
            depth_mm = gap_mm;
        } else {
            depth_mm = find_depth_of_one();
        }
        placement_.first_voxel_world_mm = frame(0).position_mm;
        set_axes(depth_mm);
    }

    double find_depth(DicomFrame const& of) const { return dot(*of.position_mm, normal_); }
    double gap_before(std::size_t slice) const { return find_depth(frame(slice)) - find_depth(frame(slice - 1)); }

    double find_depth_of_one()
    {
        DicomFrame const& one = frame(0);
        if (one.depth_mm && std::abs(*one.depth_mm) > 0) return std::abs(*one.depth_mm);
        if (!one.pixel_mm) return 1;
        placement_.notices.push_back(
            fmt::format("{}: a single slice without SliceThickness: as thick as its pixels are wide", name(0)));
        return (*one.pixel_mm)[0];
    }

    void set_axes(double depth_mm)
    {
        std::array<double, 2> const pixel_mm = frame(0).pixel_mm.value_or(std::array{1.0, 1.0});
        std::array<Vector, 3> steps{row_, column_, normal_};
        for (std::size_t i = 0; i < 3; ++i) {
            steps[0][i] *= pixel_mm[0];
            steps[1][i] *= pixel_mm[1];
            steps[2][i] *= depth_mm;
        }
        auto const axes = split_axes(steps, name(0), "ImageOrientationPatient");
        placement_.rotation = axes.rotation;
        if (frame(0).pixel_mm) placement_.pitch_mm = axes.pitch_mm;
    }

    /// "EchoNumbers (1, 2), AcquisitionNumber (1, 2)"
    std::string list_differences(std::size_t first, std::size_t end) const
    {
        std::vector<std::string> differences;
        for (auto const& [keyword, value] : frame(first).phase) {
            std::set<std::string> values;
            for (std::size_t i = first; i < end; ++i)
                if (auto const found = frame(i).phase.find(keyword); found != frame(i).phase.end())
                    values.insert(found->second);
            if (values.size() < 2) continue;
            std::vector<std::string> const shown(values.begin(), values.end());
            differences.push_back(fmt::format("{} ({})", keyword, list_some_names(shown)));
        }
        return differences.empty() ? "" : fmt::format("; they differ in {}", fmt::join(differences, ", "));
    }

    void refuse_same_places(double mean_gap_mm) const
    {
        for (std::size_t i = 1; i < count(); ++i) {
            if (gap_before(i) > kSamePlace * mean_gap_mm && mean_gap_mm > 1e-9) continue;
            std::size_t end = i + 1;
            while (end < count() && gap_before(end) <= kSamePlace * mean_gap_mm) ++end;
            fail_input(fmt::format("{} slices are at one place: {}, {}{}", end - i + 1, name(i - 1), name(i),
                                   end > i + 1 ? ", .." : ""),
                       where_,
                       "the series holds several volumes, such as phases, echoes or diffusion weights" +
                           list_differences(i - 1, end),
                       "put the slices of one volume into a folder of their own");
        }
    }

    void check_gaps()
    {
        std::vector<double> gaps;
        for (std::size_t i = 1; i < count(); ++i) gaps.push_back(gap_before(i));
        std::ranges::sort(gaps);
        double const median = gaps[(gaps.size() - 1) / 2];
        for (std::size_t i = 1; i < count(); ++i) {
            double const ratio = gap_before(i) / median;
            if (std::abs(ratio - 1) <= kUnevenness) continue;
            double const whole = std::round(ratio);
            std::string const what = whole >= 2 && std::abs(ratio - whole) <= kUnevenness
                                         ? fmt::format("{:.0f} slice{} missing between {} and {}", whole - 1,
                                                       whole > 2 ? "s are" : " is", name(i - 1), name(i))
                                         : fmt::format("{} and {} are {:.6g} mm apart, most others {:.6g} mm",
                                                       name(i - 1), name(i), gap_before(i), median);
            fail_input(what, where_, "slices are equally spaced", "get a complete copy, or resample the series");
        }
        if (gaps.back() > (1 + kRounding) * median || gaps.front() < (1 - kRounding) * median)
            placement_.notices.push_back(
                fmt::format("{}: slices are from {:.6g} to {:.6g} mm apart; their mean distance is taken for all",
                            where_, gaps.front(), gaps.back()));
    }

    void check_sideways() const
    {
        auto const pixel_mm = frame(0).pixel_mm.value_or(std::array{1.0, 1.0});
        for (std::size_t i = 1; i < count(); ++i) {
            Vector step = *frame(i).position_mm;
            for (std::size_t j = 0; j < 3; ++j) step[j] -= (*frame(0).position_mm)[j];
            double const along = dot(step, normal_);
            for (std::size_t j = 0; j < 3; ++j) step[j] -= along * normal_[j];
            double const sideways = std::sqrt(dot(step, step));
            if (sideways <= std::max(kSidewaysShare * along, kSidewaysPixels * std::min(pixel_mm[0], pixel_mm[1])))
                continue;
            fail_input(fmt::format("{} is shifted by {:.4g} mm sideways against {}, {:.4g} mm away", name(i), sideways,
                                   name(0), along),
                       where_,
                       fmt::format("the gantry was tilted, or the table moved: {:.3g} degrees; a sheared volume has no "
                                   "placement",
                                   std::atan2(sideways, along) * 180 / std::numbers::pi),
                       "resample the series onto straight axes");
        }
    }

    std::vector<DicomImage> const& images_;
    std::string const& where_;
    DicomPlacement placement_;
    Vector row_{}, column_{}, normal_{};
};

} // namespace

DicomPlacement place_dicom_slices(std::vector<DicomImage> const& images, std::vector<DicomSlice> slices,
                                  std::string const& where)
{
    return Placer(images, std::move(slices), where).place();
}

} // namespace volpt
