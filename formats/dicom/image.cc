#include "formats/dicom/image.h"

#include "formats/dicom/lengths.h"
#include "formats/dicom/mosaic.h"
#include "formats/dicom/values.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/files/file_state.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <gdcmByteValue.h>
#include <gdcmReader.h>
#include <gdcmUIDs.h>

namespace volpt {
namespace {

using gdcm::DataSet;
using gdcm::Tag;

Tag const kPixelData(0x7fe0, 0x0010);
constexpr double kMaxFrames = 65535;

/// GDCM's reader, stopped where the pixel data begin.
class HeaderReader : public gdcm::Reader {
public:
    /// Offset of the pixel data; none if the file has none.
    std::optional<std::uint64_t> read(std::string const& path)
    {
        check_dicom_lengths(path);
        SetFileName(path.c_str());
        if (!ReadUpToTag(kPixelData, {kPixelData})) {
            std::string const syntax = find_dicom_text(GetFile().GetHeader(), Tag(0x0002, 0x0010));
            if (!syntax.empty() && gdcm::TransferSyntax::GetTSType(syntax.c_str()) == gdcm::TransferSyntax::TS_END)
                fail_input(fmt::format("its transfer syntax {} is unknown to GDCM", syntax), path, {},
                           "convert it with another program");
            fail_input("its header is unreadable", path, {}, "the file is damaged; get a complete copy");
        }
        std::istream* const stream = GetStreamPtr();
        if (stream == nullptr || !stream->good()) return std::nullopt;
        auto const at = stream->tellg();
        if (at < 0 || stream->peek() == std::istream::traits_type::eof()) return std::nullopt;
        return static_cast<std::uint64_t>(at);
    }
};

/// The standard's name of a class or transfer syntax; the UID itself if it is a private one.
std::string name_uid(std::string const& uid)
{
    gdcm::UIDs known;
    if (uid.empty()) return "an unknown kind of object";
    return known.SetFromUID(uid.c_str()) && known.GetName() != nullptr ? known.GetName() : uid;
}

/// Where a frame's values may be: its own functional groups, those that all frames share, or the data set itself.
class FrameGroups {
public:
    FrameGroups(DataSet const& data) : data_(data), own_(list_dicom_items(data, Tag(0x5200, 0x9230))) // NOLINT
    {
        auto shared = list_dicom_items(data, Tag(0x5200, 0x9229));
        if (!shared.empty()) shared_ = std::move(shared.front());
    }

    std::size_t count_frames() const { return own_.size(); }

    /// The item of a functional group's sequence.
    DataSet find(std::uint32_t frame, Tag sequence) const
    {
        if (frame < own_.size())
            if (auto items = list_dicom_items(own_[frame], sequence); !items.empty()) return std::move(items.front());
        if (shared_)
            if (auto items = list_dicom_items(*shared_, sequence); !items.empty()) return std::move(items.front());
        return data_;
    }

private:
    DataSet const& data_;
    std::vector<DataSet> own_;
    std::optional<DataSet> shared_;
};

template <std::size_t Count>
std::optional<std::array<double, Count>> find_vector(DataSet const& data, Tag tag, char const* keyword,
                                                     std::string const& where)
{
    auto const numbers = find_dicom_numbers(data, tag, keyword, where);
    if (numbers.empty()) return std::nullopt;
    if (numbers.size() != Count)
        fail_input(fmt::format("{} has {} numbers", keyword, numbers.size()), where,
                   fmt::format("{} are expected", Count), "the file is damaged");
    std::array<double, Count> vector{};
    std::ranges::copy(numbers, vector.begin());
    for (double const number : vector)
        if (!(std::abs(number) < 1e9))
            fail_input(fmt::format("{} = {}", keyword, number), where, "it is not below 1e9", "the file is damaged");
    return vector;
}

std::optional<std::array<double, 6>> find_orientation(DataSet const& data, std::string const& where)
{
    auto axes = find_vector<6>(data, Tag(0x0020, 0x0037), "ImageOrientationPatient", where);
    if (!axes) return std::nullopt;
    for (std::size_t axis = 0; axis < 6; axis += 3) {
        double const length = std::hypot((*axes)[axis], (*axes)[axis + 1], (*axes)[axis + 2]);
        if (!(std::abs(length - 1) < 1e-2))
            fail_input(fmt::format("ImageOrientationPatient has a direction of length {:.4g}", length), where,
                       "directions have length 1", "correct the header");
        for (std::size_t i = axis; i < axis + 3; ++i) (*axes)[i] /= length;
    }
    return axes;
}

/// PixelSpacing, or what plays its part in projections and screenshots. The first of its numbers is between rows.
std::optional<std::array<double, 2>> find_pixel_mm(DataSet const& measures, DataSet const& data,
                                                   std::string const& where)
{
    auto spacing = find_vector<2>(measures, Tag(0x0028, 0x0030), "PixelSpacing", where);
    if (!spacing) spacing = find_vector<2>(data, Tag(0x0018, 0x1164), "ImagerPixelSpacing", where);
    if (!spacing) spacing = find_vector<2>(data, Tag(0x0018, 0x2010), "NominalScannedPixelSpacing", where);
    if (!spacing) return std::nullopt;
    for (double const mm : *spacing)
        if (!(mm > 1e-9))
            fail_input(fmt::format("PixelSpacing = {}", mm), where, "pixels have a size", "correct the header");
    return std::array{(*spacing)[1], (*spacing)[0]};
}

/// PS3.3 C.11.2.1.2 and C.11.2.1.3.2: the numbers that are shown as black and white.
std::optional<std::array<double, 2>> find_window(DataSet const& data, std::string const& where)
{
    auto const centre = find_dicom_number(data, Tag(0x0028, 0x1050), "WindowCenter", where);
    auto const width = find_dicom_number(data, Tag(0x0028, 0x1051), "WindowWidth", where);
    if (!centre || !width) return std::nullopt;
    bool const is_exact = find_dicom_text(data, Tag(0x0028, 0x1056)) == "LINEAR_EXACT";
    double const middle = is_exact ? *centre : *centre - 0.5;
    double const half = (is_exact ? *width : *width - 1) / 2;
    if (!(half > 0 && std::abs(middle) + half < 1e9)) return std::nullopt;
    return std::array{middle - half, middle + half};
}

/// What differs between frames of several volumes at one place.
std::map<std::string, std::string> find_phase(DataSet const& data, DataSet const& content)
{
    std::map<std::string, std::string> phase;
    for (auto const& [tag, keyword] :
         {std::pair{Tag(0x0008, 0x0008), "ImageType"}, std::pair{Tag(0x0018, 0x0086), "EchoNumbers"},
          std::pair{Tag(0x0018, 0x0081), "EchoTime"}, std::pair{Tag(0x0018, 0x1060), "TriggerTime"},
          std::pair{Tag(0x0018, 0x9087), "DiffusionBValue"}, std::pair{Tag(0x0020, 0x0012), "AcquisitionNumber"},
          std::pair{Tag(0x0020, 0x0100), "TemporalPositionIdentifier"},
          std::pair{Tag(0x0054, 0x1300), "FrameReferenceTime"}, std::pair{Tag(0x0018, 0x1210), "ConvolutionKernel"}})
        phase[keyword] = find_dicom_text(data, tag);
    phase["StackID"] = find_dicom_text(content, Tag(0x0020, 0x9056));
    if (auto const* const time = content.FindDataElement(Tag(0x0020, 0x9128))
                                     ? content.GetDataElement(Tag(0x0020, 0x9128)).GetByteValue()
                                     : nullptr;
        time != nullptr && time->GetLength() >= 4) {
        std::uint32_t index = 0; // UL
        std::memcpy(&index, time->GetPointer(), sizeof index);
        phase["TemporalPositionIndex"] = std::to_string(index);
    }
    return phase;
}

/// Header of a file on its way into a DicomImage.
class Header {
public:
    Header(std::string const& path, std::uint32_t file) : where_(path)
    {
        image_.file = file;
        image_.path = path;
        first_byte_ = reader_.read(path);
    }

    DicomImage read()
    {
        read_identity();
        mosaic_ = find_siemens_mosaic(data(), where_);
        image_.is_called_mosaic = !mosaic_ && find_mosaic_word(data()) == MosaicWord::of_slice;
        image_.refusal = find_refusal();
        if (!image_.refusal.empty()) return std::move(image_);
        read_storage();
        read_frames();
        if (mosaic_ && mosaic_->slices > 1) split_siemens_mosaic(image_, *mosaic_);
        read_keys();
        return std::move(image_);
    }

private:
    DataSet const& data() const { return reader_.GetFile().GetDataSet(); }
    gdcm::TransferSyntax syntax() const { return reader_.GetFile().GetHeader().GetDataSetTransferSyntax(); }
    std::string text(std::uint16_t group, std::uint16_t element) const
    {
        return find_dicom_text(data(), Tag(group, element));
    }
    unsigned word(std::uint16_t element, unsigned otherwise) const
    {
        return find_dicom_word(data(), Tag(0x0028, element)).value_or(otherwise);
    }

    void read_identity()
    {
        std::string class_uid = text(0x0008, 0x0016);
        if (class_uid.empty()) class_uid = find_dicom_text(reader_.GetFile().GetHeader(), Tag(0x0002, 0x0002));
        image_.kind = name_uid(class_uid);
        image_.instance_uid = text(0x0008, 0x0018);
        image_.series_uid = text(0x0020, 0x000e);
        image_.series_number = text(0x0020, 0x0011);
        image_.description = text(0x0008, 0x103e);
        image_.modality = text(0x0008, 0x0060);
        image_.is_localizer = text(0x0008, 0x0008).find("LOCALIZER") != std::string::npos;
    }

    std::string find_refusal() const
    {
        if (data().FindDataElement(Tag(0x7fe0, 0x0008)) || data().FindDataElement(Tag(0x7fe0, 0x0009)))
            return image_.kind + " with pixels of floating point";
        if (word(0x0010, 0) == 0 || word(0x0011, 0) == 0 || !first_byte_) return image_.kind + ", no slices";
        std::string const photometric = text(0x0028, 0x0004);
        if (word(0x0002, 1) != 1 || (!photometric.empty() && !photometric.starts_with("MONOCHROME")))
            return fmt::format("{} in colour ({})", image_.kind, photometric);
        if (word(0x0100, 0) == 1) return image_.kind + " of 1 bit per pixel";
        if (double const slices = find_uih_grid(data(), where_).value_or(1); slices > 1)
            return fmt::format("{}: a grid of {} slices in one picture (United Imaging), which is not split",
                               image_.kind, slices);
        if (!mosaic_ && find_mosaic_word(data()) == MosaicWord::of_mosaic)
            return fmt::format("{}: a mosaic, slices side by side in one picture, without the number of its slices "
                               "(NumberOfImagesInMosaic)",
                               image_.kind);
        return {};
    }

    void read_storage()
    {
        DicomStorage& storage = image_.storage;
        storage.rows = static_cast<int>(word(0x0010, 0));
        storage.columns = static_cast<int>(word(0x0011, 0));
        storage.allocated_bits = word(0x0100, 0);
        storage.stored_bits = word(0x0101, storage.allocated_bits);
        storage.is_signed = word(0x0103, 0) == 1;
        unsigned const allocated = storage.allocated_bits, stored = storage.stored_bits;
        unsigned const high = word(0x0102, stored - 1);
        if ((allocated != 8 && allocated != 16 && allocated != 32) || stored < 1 || stored > allocated ||
            high != stored - 1)
            fail_input(fmt::format("BitsAllocated = {}, BitsStored = {}, HighBit = {}", allocated, stored, high),
                       where_, "read are 8, 16 and 32 bits, of which the lowest are stored", "convert the file");
        if (data().FindDataElement(Tag(0x0028, 0x3000)))
            fail_input("has a ModalityLUTSequence", where_, "numbers are read with RescaleSlope and RescaleIntercept",
                       "apply the table first");
        bool const is_deflated = syntax() == gdcm::TransferSyntax::DeflatedExplicitVRLittleEndian;
        storage.is_plain = !syntax().IsEncapsulated() && !is_deflated;
        storage.is_big_endian = syntax() == gdcm::TransferSyntax::ExplicitVRBigEndian;
        storage.first_byte = *first_byte_;
    }

    std::uint32_t count_frames() const
    {
        double const count = find_dicom_number(data(), Tag(0x0028, 0x0008), "NumberOfFrames", where_).value_or(1);
        if (!(count >= 1 && count <= kMaxFrames && count == std::floor(count)))
            fail_input(fmt::format("NumberOfFrames = {}", count), where_, "1 to 65535 frames are read",
                       "the file is damaged");
        return static_cast<std::uint32_t>(count);
    }

    void check_length(std::uint32_t frames) const
    {
        DicomStorage const& storage = image_.storage;
        std::uint64_t const needed = std::uint64_t{frames} * static_cast<std::uint64_t>(storage.rows) *
                                     static_cast<std::uint64_t>(storage.columns) * (storage.allocated_bits / 8);
        std::uint64_t const held = find_file_bytes(image_.path) - storage.first_byte;
        if (storage.is_plain && held < needed)
            fail_input(fmt::format("holds {} bytes of pixels, {} frames of {} x {} ask for {}", held, frames,
                                   storage.columns, storage.rows, needed),
                       where_, "the file is cut short or the header wrong", "get a complete copy");
        // Blank slices compress a thousandfold; higher ratios are refused if the file claims much.
        if (!storage.is_plain && needed > (std::uint64_t{64} << 20) && needed / 8192 > held)
            fail_input(fmt::format("{} bytes of pixels are announced in {}", needed, held), where_, {},
                       "get a complete copy");
    }

    void read_frames()
    {
        std::uint32_t const count = count_frames();
        check_length(count);
        FrameGroups const groups(data());
        if (groups.count_frames() > 0 && groups.count_frames() != count)
            fail_input(fmt::format("has functional groups of {} frames, but {} frames", groups.count_frames(), count),
                       where_, {}, "the file is damaged");
        if (groups.count_frames() == 0) {
            image_.frames.assign(count, read_frame(groups, 0));
            if (count > 1) place_frames();
        }
        for (std::uint32_t i = 0; i < count; ++i) {
            if (groups.count_frames() > 0) image_.frames.push_back(read_frame(groups, i));
            image_.frames[i].number = i;
        }
    }

    DicomFrame read_frame(FrameGroups const& groups, std::uint32_t i) const
    {
        DicomFrame frame;
        DataSet const measures = groups.find(i, Tag(0x0028, 0x9110));
        DataSet const scale = groups.find(i, Tag(0x0028, 0x9145));
        frame.position_mm =
            find_vector<3>(groups.find(i, Tag(0x0020, 0x9113)), Tag(0x0020, 0x0032), "ImagePositionPatient", where_);
        frame.orientation = find_orientation(groups.find(i, Tag(0x0020, 0x9116)), where_);
        if (auto const detectors = list_dicom_items(data(), Tag(0x0054, 0x0022)); !detectors.empty()) {
            // Nuclear medicine, C.8.4.10
            if (!frame.orientation) frame.orientation = find_orientation(detectors.front(), where_);
            if (!frame.position_mm)
                frame.position_mm =
                    find_vector<3>(detectors.front(), Tag(0x0020, 0x0032), "ImagePositionPatient", where_);
        }
        frame.pixel_mm = find_pixel_mm(measures, data(), where_);
        frame.depth_mm = find_dicom_number(measures, Tag(0x0018, 0x0088), "SpacingBetweenSlices", where_);
        if (!frame.depth_mm || *frame.depth_mm == 0)
            frame.depth_mm = find_dicom_number(measures, Tag(0x0018, 0x0050), "SliceThickness", where_);
        frame.slope = find_dicom_number(scale, Tag(0x0028, 0x1053), "RescaleSlope", where_).value_or(1);
        frame.intercept = find_dicom_number(scale, Tag(0x0028, 0x1052), "RescaleIntercept", where_).value_or(0);
        if (auto const dose = find_dicom_number(data(), Tag(0x3004, 0x000e), "DoseGridScaling", where_))
            frame.slope = *dose;
        if (frame.slope == 0)
            fail_input("RescaleSlope = 0", where_, "all numbers would be equal", "correct the header");
        frame.window = find_window(groups.find(i, Tag(0x0028, 0x9132)), where_);
        frame.phase = find_phase(data(), groups.find(i, Tag(0x0020, 0x9111)));
        return frame;
    }

    /// Frames without functional groups: by GridFrameOffsetVector (C.8.8.3.2), else by their distance along the normal.
    void place_frames()
    {
        std::size_t const count = image_.frames.size();
        auto const slices = find_dicom_word(data(), Tag(0x0054, 0x0081)).value_or(0);
        if (slices > 0 && slices != count)
            fail_input(fmt::format("has {} frames of {} slices", count, slices), where_,
                       "several volumes are in one file (phases, energy windows)", "extract one volume first");
        auto offsets = find_dicom_numbers(data(), Tag(0x3004, 0x000c), "GridFrameOffsetVector", where_);
        DicomFrame const first = image_.frames.front();
        if (!offsets.empty() && offsets.size() != count)
            fail_input(fmt::format("has {} frames, but {} numbers in GridFrameOffsetVector", count, offsets.size()),
                       where_, {}, "the file is damaged");
        if (offsets.empty() && first.depth_mm)
            for (std::size_t i = 0; i < count; ++i) offsets.push_back(static_cast<double>(i) * *first.depth_mm);
        bool const is_placed = first.position_mm && first.orientation && !offsets.empty();
        for (std::size_t i = 0; i < count; ++i) {
            DicomFrame& frame = image_.frames[i];
            if (!is_placed) {
                frame.position_mm.reset();
                continue;
            }
            auto const& o = *first.orientation;
            std::array const normal{o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
            for (std::size_t j = 0; j < 3; ++j) (*frame.position_mm)[j] += (offsets[i] - offsets[0]) * normal[j];
        }
    }

    void keep(char const* key, std::string value)
    {
        if (!value.empty()) image_.keys[key] = std::move(value);
    }

    /// Nothing of the patient, of people, places or times, and no UIDs of the study.
    void read_keys()
    {
        keep("modality", image_.modality);
        keep("series_description", image_.description);
        keep("series_number", image_.series_number);
        keep("sop_class", image_.kind);
        char const* const syntax_uid = syntax().GetString();
        keep("transfer_syntax", name_uid(syntax_uid != nullptr ? syntax_uid : ""));
        keep("photometric_interpretation", text(0x0028, 0x0004));
        keep("bits_stored", std::to_string(image_.storage.stored_bits));
        keep("pixel_representation", image_.storage.is_signed ? "signed" : "unsigned");
        keep("rescale_type", text(0x0028, 0x1054));
        keep("units", text(0x0054, 0x1001).empty() ? text(0x3004, 0x0002) : text(0x0054, 0x1001));
        keep("slice_thickness", text(0x0018, 0x0050));
        keep("gantry_detector_tilt", text(0x0018, 0x1120));
        keep("lossy_image_compression", text(0x0028, 0x2110));
        if (auto const padding = find_dicom_word(data(), Tag(0x0028, 0x0120))) {
            int const value = image_.storage.is_signed && *padding > 32767 ? static_cast<int>(*padding) - 65536
                                                                           : static_cast<int>(*padding);
            keep("pixel_padding_value", std::to_string(value));
        }
    }

    std::string const& where_;
    HeaderReader reader_;
    std::optional<std::uint64_t> first_byte_;
    std::optional<SiemensMosaic> mosaic_;
    DicomImage image_;
};

} // namespace

DicomImage read_dicom_header(std::string const& path, std::uint32_t file)
{
    return Header(path, file).read();
}

} // namespace volpt
