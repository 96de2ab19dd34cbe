#include "formats/dicom/mosaic.h"

#include "formats/dicom/values.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <gdcmByteValue.h>

namespace volpt {
namespace {

/// The largest number of rows or columns that were acquired; 0 if AcquisitionMatrix is absent.
double find_acquired_size(gdcm::DataSet const& data)
{
    gdcm::Tag const tag(0x0018, 0x1310);
    auto const* const bytes = data.FindDataElement(tag) ? data.GetDataElement(tag).GetByteValue() : nullptr;
    double largest = 0;
    for (std::size_t i = 0; bytes != nullptr && i + 2 <= bytes->GetLength(); i += 2) {
        std::uint16_t size = 0;
        std::memcpy(&size, bytes->GetPointer() + i, sizeof size);
        largest = std::max<double>(largest, size);
    }
    return largest;
}

/// From a slice to the next: along the normal, with the sign of the CSA header.
std::array<double, 3> find_step(DicomFrame const& frame, SiemensMosaic const& mosaic, std::string const& where)
{
    auto const& o = *frame.orientation;
    std::array<double, 3> step{o[1] * o[5] - o[2] * o[4], o[2] * o[3] - o[0] * o[5], o[0] * o[4] - o[1] * o[3]};
    double cosine = 0;
    for (std::size_t j = 0; mosaic.normal && j < 3; ++j) cosine += step[j] * (*mosaic.normal)[j];
    if (mosaic.normal && !(std::abs(std::abs(cosine) - 1) < 1e-3))
        fail_input("SliceNormalVector of the CSA header is not perpendicular to ImageOrientationPatient", where,
                   "it says which way the slices follow each other", "get a copy that was not changed");
    for (double& component : step) component *= (cosine < 0 ? -1 : 1) * std::abs(*frame.depth_mm);
    return step;
}

} // namespace

MosaicWord find_mosaic_word(gdcm::DataSet const& data)
{
    if (find_dicom_text(data, gdcm::Tag(0x0008, 0x0008)).find("MOSAIC") == std::string::npos) return MosaicWord::absent;
    double const whole = std::max(find_dicom_word(data, gdcm::Tag(0x0028, 0x0010)).value_or(0),
                                  find_dicom_word(data, gdcm::Tag(0x0028, 0x0011)).value_or(0));
    // "syngo MR XA30"; the whole picture was acquired; frames have places of their own.
    bool const is_slice = find_dicom_text(data, gdcm::Tag(0x0018, 0x1020)).find("XA") != std::string::npos ||
                          find_acquired_size(data) >= whole || data.FindDataElement(gdcm::Tag(0x5200, 0x9230));
    return is_slice ? MosaicWord::of_slice : MosaicWord::of_mosaic;
}

void split_siemens_mosaic(DicomImage& image, SiemensMosaic const& mosaic)
{
    DicomStorage& storage = image.storage;
    auto const along = static_cast<int>(std::ceil(std::sqrt(static_cast<double>(mosaic.slices))));
    if (image.frames.size() > 1 || storage.columns % along != 0 || storage.rows % along != 0)
        fail_input(fmt::format("NumberOfImagesInMosaic is {}, which {} frames of {} x {} pixels cannot hold as {} x {} "
                               "tiles",
                               mosaic.slices, image.frames.size(), storage.columns, storage.rows, along, along),
                   image.path, "they contradict each other", "get a copy that was not changed");
    DicomFrame whole = image.frames.front();
    storage.tiles_along = along;
    storage.columns /= along;
    storage.rows /= along;
    bool const is_placed = whole.position_mm && whole.orientation && whole.pixel_mm && whole.depth_mm;
    std::array<double, 3> step{};
    if (is_placed) {
        step = find_step(whole, mosaic, image.path);
        // The position is that of a slice as large as the mosaic around the same centre (nibabel's MosaicWrapper).
        auto const& o = *whole.orientation;
        for (std::size_t j = 0; j < 3; ++j)
            (*whole.position_mm)[j] +=
                0.5 * (along - 1) *
                (storage.columns * (*whole.pixel_mm)[0] * o[j] + storage.rows * (*whole.pixel_mm)[1] * o[3 + j]);
    } else {
        whole.position_mm.reset();
    }
    image.frames.assign(mosaic.slices, whole);
    for (std::uint32_t i = 0; i < mosaic.slices; ++i) {
        image.frames[i].tile = i;
        for (std::size_t j = 0; is_placed && j < 3; ++j) (*image.frames[i].position_mm)[j] += i * step[j];
    }
    image.keys["number_of_images_in_mosaic"] = std::to_string(mosaic.slices);
}

} // namespace volpt
