// The sandboxed process that reads DICOM files: finds the slices of a volume and sends their numbers.
#include "formats/common/part_choice.h"
#include "formats/dicom/image.h"
#include "formats/dicom/messages.h"
#include "formats/dicom/pixels.h"
#include "formats/dicom/slices.h"
#include "formats/dicom/volumes.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/element_type.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <gdcmTrace.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

using Json = nlohmann::ordered_json;

class DicomServer {
public:
    DicomServer(DicomTask const& task, SandboxPort& port) : task_(task), port_(port) {}

    void serve(SharedMemory& memory)
    {
        for (std::uint32_t file = 0; file < task_.paths.size(); ++file) {
            tell_file(file);
            images_.push_back(read_dicom_header(task_.paths[file], file));
        }
        tell_file(kNoDicomFile);
        DicomSeries series = choose_dicom_series(images_, task_.series, task_.part.missing, task_.where);
        DicomVolumes volumes = split_dicom_volumes(images_, std::move(series.slices));
        found_.path = task_.where;
        std::uint64_t const volume = choose_volume(task_.part, volumes.volumes.size(), volumes.names, found_);
        found_.series = series.choice;
        series.notices.insert(series.notices.end(), found_.notices.begin(), found_.notices.end());
        placement_ = place_dicom_slices(images_, std::move(volumes.volumes[volume]), task_.where);
        if (placement_.slices.size() > 65535)
            fail_input(fmt::format("{} slices", placement_.slices.size()), task_.where,
                       "a packed volume has at most 65535 voxels along an axis", "split the series");
        std::string const meta = describe(series.notices).dump(-1, ' ', false, Json::error_handler_t::replace);
        port_.send(kDicomMeta, std::as_bytes(std::span(meta)));
        auto const& storage = first_image().storage;
        std::size_t const layer = static_cast<std::size_t>(storage.columns) * static_cast<std::size_t>(storage.rows);
        // Scaling costs a few ns per voxel, decompression more, for which the files' sizes allow.
        port_.allow_more_cpu(60 + layer * placement_.slices.size() / 1'000'000);
        serve_slabs(port_, memory, layer, kDicomSlabEnd, [&](SlabRequest const& request, std::span<float> slab) {
            for (std::size_t i = 0; i < static_cast<std::size_t>(request.z_count); ++i)
                read_slice(static_cast<std::size_t>(request.z_first) + i, slab.subspan(i * layer, layer));
        });
    }

private:
    void tell_file(std::uint32_t file) { port_.send(kDicomFile, std::as_bytes(std::span(&file, 1))); }

    DicomImage const& image_of(DicomSlice const& slice) const { return images_[slice.image]; }
    DicomFrame const& frame_of(DicomSlice const& slice) const { return images_[slice.image].frames[slice.frame]; }
    /// From 1; 0 for the only one.
    std::uint32_t number_of(DicomSlice const& slice) const
    {
        return image_of(slice).frames.size() > 1 ? frame_of(slice).tile.value_or(frame_of(slice).number) + 1 : 0;
    }
    DicomImage const& first_image() const { return image_of(placement_.slices.front()); }

    void read_slice(std::size_t slice, std::span<float> numbers)
    {
        DicomSlice const& at = placement_.slices.at(slice);
        tell_file(image_of(at).file);
        pixels_.read(image_of(at), frame_of(at), numbers);
    }

    /// The smallest type that holds all numbers of all slices, whatever their codes.
    ElementType choose_element() const
    {
        double low = INFINITY, high = -INFINITY;
        bool are_integers = true, are_short = true;
        for (DicomSlice const& slice : placement_.slices) {
            DicomStorage const& storage = image_of(slice).storage;
            DicomFrame const& frame = frame_of(slice);
            double const codes = std::exp2(storage.stored_bits);
            double const first = storage.is_signed ? -codes / 2 : 0;
            for (double const code : {first, first + codes - 1}) {
                low = std::min(low, frame.slope * code + frame.intercept);
                high = std::max(high, frame.slope * code + frame.intercept);
            }
            are_integers &= frame.slope == std::floor(frame.slope) && frame.intercept == std::floor(frame.intercept);
            are_short &= storage.stored_bits <= 24;
        }
        if (are_integers) {
            for (auto const& [type, least, most] :
                 {std::tuple{ElementType::u8, 0.0, 255.0}, std::tuple{ElementType::i8, -128.0, 127.0},
                  std::tuple{ElementType::u16, 0.0, 65535.0}, std::tuple{ElementType::i16, -32768.0, 32767.0}})
                if (low >= least && high <= most) return type;
        }
        return are_short ? ElementType::f32 : ElementType::f64;
    }

    /// One value if all slices have it, else the least and the largest.
    template <typename Get>
    std::string describe_range(Get get) const
    {
        double low = INFINITY, high = -INFINITY;
        for (DicomSlice const& slice : placement_.slices) {
            low = std::min(low, get(frame_of(slice)));
            high = std::max(high, get(frame_of(slice)));
        }
        return low == high ? fmt::format("{}", low) : fmt::format("{} to {}, by slice", low, high);
    }

    std::vector<std::string> list_notices(std::vector<std::string> notices) const
    {
        notices.insert(notices.end(), placement_.notices.begin(), placement_.notices.end());
        auto const& keys = first_image().keys;
        auto const has = [&](char const* key, std::string_view value) {
            auto const found = keys.find(key);
            return found != keys.end() && found->second == value;
        };
        if (has("photometric_interpretation", "MONOCHROME1"))
            notices.push_back(
                fmt::format("{}: MONOCHROME1, its smallest numbers are meant to be shown white; they stay as they are",
                            task_.where));
        if (first_image().is_called_mosaic)
            notices.push_back(fmt::format("{}: ImageType says MOSAIC, but nothing says that its picture holds several "
                                          "slices: it is read as one",
                                          task_.where));
        if (has("lossy_image_compression", "01"))
            notices.push_back(fmt::format("{}: its numbers were compressed with losses", task_.where));
        return notices;
    }

    Json describe(std::vector<std::string> const& notices) const
    {
        DicomImage const& first = first_image();
        Json keys = Json::object();
        for (auto const& [key, value] : first.keys) keys[key] = value;
        keys["rescale_slope"] = describe_range([](DicomFrame const& frame) { return frame.slope; });
        keys["rescale_intercept"] = describe_range([](DicomFrame const& frame) { return frame.intercept; });
        Json slices = Json::array();
        for (DicomSlice const& slice : placement_.slices) slices.push_back({image_of(slice).file, number_of(slice)});
        // Windows may differ from slice to slice: the middle is where most is to be seen.
        auto const& window = frame_of(placement_.slices[placement_.slices.size() / 2]).window;
        auto const optional = [](auto const& value) { return value ? Json(*value) : Json(nullptr); };
        return {{"dims", {first.storage.columns, first.storage.rows, placement_.slices.size()}},
                {"pitch_mm", optional(placement_.pitch_mm)},
                {"rotation", placement_.rotation},
                {"first_voxel_world_mm", optional(placement_.first_voxel_world_mm)},
                {"series", found_.series},
                {"volumes", found_.volume_count},
                {"volume", found_.volume},
                {"element", element_name(choose_element())},
                {"display_window", optional(window)},
                {"keys", keys},
                {"notices", list_notices(notices)},
                {"slices", slices}};
    }

    DicomTask const& task_;
    SandboxPort& port_;
    std::vector<DicomImage> images_;
    DicomPlacement placement_;
    SourceMeta found_; ///< the volume that was chosen
    DicomPixels pixels_;
};

} // namespace

void serve_dicom(DicomTask const& task, SharedMemory& memory, SandboxPort& port)
{
    gdcm::Trace::SetDebug(false);
    gdcm::Trace::SetWarning(false);
    gdcm::Trace::SetError(false);
    DicomServer(task, port).serve(memory);
}

} // namespace volpt
