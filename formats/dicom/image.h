// What the header of a DICOM file says, as far as a volume needs it; series.h and slices.h work on this, without GDCM.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace volpt {

/// Image Plane, Pixel Measures and Pixel Value Transformation of a frame. Places are mm in the patient's system, LPS.
struct DicomFrame {
    std::uint32_t number = 0;                         ///< in its file, from 0
    std::optional<std::uint32_t> tile;                ///< of a mosaic: row by row, from 0
    std::optional<std::array<double, 3>> position_mm; ///< centre of the first pixel
    std::optional<std::array<double, 6>> orientation; ///< direction of a row, then of a column; of length 1
    std::optional<std::array<double, 2>> pixel_mm;    ///< between columns (x), between rows (y)
    std::optional<double> depth_mm;                   ///< SpacingBetweenSlices, else SliceThickness
    double slope = 1;                                 ///< number = slope * stored + intercept
    double intercept = 0;
    std::optional<std::array<double, 2>> window; ///< LO and HI of the window to show it with
    std::map<std::string, std::string> phase;    ///< what tells frames at one place apart, by keyword
};

/// How the numbers of a file are stored.
struct DicomStorage {
    int columns = 0; ///< of a slice, 1 .. 65535
    int rows = 0;
    int tiles_along = 1;         ///< of a mosaic: slices side by side, and as many above each other
    unsigned allocated_bits = 0; ///< 8, 16 or 32
    unsigned stored_bits = 0;    ///< 1 .. allocated_bits; those above are not of the number
    bool is_signed = false;
    bool is_plain = false; ///< neither compressed nor deflated: frames lie one after the other
    bool is_big_endian = false;
    std::uint64_t first_byte = 0; ///< of the pixel data
};

struct DicomImage {
    std::uint32_t file = 0; ///< index of its path
    std::string path;
    std::string kind;         ///< name of the SOP class: "CT Image Storage"
    std::string refusal;      ///< why its pixels are no slices; empty if they are
    std::string instance_uid; ///< empty: unknown
    std::string series_uid;
    std::string series_number;
    std::string description;
    std::string modality;
    bool is_localizer = false;
    bool is_called_mosaic = false; ///< though its picture is one slice
    DicomStorage storage;
    std::map<std::string, std::string> keys; ///< for SourceMeta::metadata_json
    std::vector<DicomFrame> frames;
};

/// Reads one file's header, up to its pixel data. A file that holds no slices has a `refusal` instead of frames. Error
/// (input) names the file if it is damaged, or says what a volume cannot have.
DicomImage read_dicom_header(std::string const& path, std::uint32_t file);

} // namespace volpt
