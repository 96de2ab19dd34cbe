// Writes DICOM files for tests: explicit VR, little endian, as PS3.5 7.1.2 and PS3.10 7.1 have them (no code of the
// reader).
#pragma once

#include <array>
#include <cstdint>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace volpt {

/// Elements by tag, group before element; a sequence is one element whose value are its items.
class DicomBytes {
public:
    /// VR of two letters; an odd value is padded.
    DicomBytes& set(std::uint32_t tag, std::string_view vr, std::string value)
    {
        if (value.size() % 2 != 0) value += vr == "UI" || vr == "OB" ? '\0' : ' ';
        elements_[tag] = std::string(vr) + value;
        return *this;
    }
    DicomBytes& set_word(std::uint32_t tag, unsigned value) { return set(tag, "US", little(value, 2)); }
    DicomBytes& set_numbers(std::uint32_t tag, std::vector<double> const& numbers)
    {
        return set(tag, "DS", fmt::format("{}", fmt::join(numbers, "\\")));
    }
    DicomBytes& set_items(std::uint32_t tag, std::vector<DicomBytes> const& items)
    {
        std::string value;
        for (DicomBytes const& item : items) {
            std::string const inside = item.encode();
            value += little(0xe000fffe, 4) + little(inside.size(), 4) + inside;
        }
        return set(tag, "SQ", value);
    }
    /// Pixel data in fragments, after an empty table of offsets.
    DicomBytes& set_fragments(std::vector<std::string> fragments)
    {
        std::string value = little(0xe000fffe, 4) + little(0, 4);
        for (std::string& fragment : fragments) {
            if (fragment.size() % 2 != 0) fragment += '\0';
            value += little(0xe000fffe, 4) + little(fragment.size(), 4) + fragment;
        }
        return set(0x7fe00010, "OB", value + little(0xe0ddfffe, 4) + little(0, 4));
    }
    DicomBytes& erase(std::uint32_t tag)
    {
        elements_.erase(tag);
        return *this;
    }

    std::string encode(bool has_fragments = false) const
    {
        std::string bytes;
        for (auto const& [tag, element] : elements_) {
            std::string const vr = element.substr(0, 2), value = element.substr(2);
            bytes += little(tag >> 16, 2) + little(tag & 0xffff, 2) + vr;
            bool const is_long = vr == "OB" || vr == "OW" || vr == "SQ" || vr == "UN";
            bool const is_open = has_fragments && tag == 0x7fe00010;
            bytes += is_long ? std::string(2, '\0') + little(is_open ? 0xffffffff : value.size(), 4)
                             : little(value.size(), 2);
            bytes += value;
        }
        return bytes;
    }

    /// A whole file.
    std::string write(std::string_view transfer_syntax = "1.2.840.10008.1.2.1") const
    {
        bool const is_encapsulated =
            transfer_syntax.starts_with("1.2.840.10008.1.2.4") || transfer_syntax == "1.2.840.10008.1.2.5";
        DicomBytes meta;
        meta.set(0x00020001, "OB", std::string("\0\1", 2));
        meta.set(0x00020002, "UI", elements_.at(0x00080016).substr(2));
        meta.set(0x00020003, "UI", elements_.at(0x00080018).substr(2));
        meta.set(0x00020010, "UI", std::string(transfer_syntax));
        meta.set(0x00020012, "UI", "1.2.826.0.1.3680043.10.1");
        std::string const rest = meta.encode();
        DicomBytes length;
        length.set(0x00020000, "UL", little(rest.size(), 4));
        std::string file(128, '\0');
        return file.append("DICM").append(length.encode()).append(rest).append(encode(is_encapsulated));
    }

    static std::string little(std::uint64_t value, int size_bytes)
    {
        std::string bytes;
        for (int i = 0; i < size_bytes; ++i) bytes += static_cast<char>(value >> (8 * i) & 0xff);
        return bytes;
    }

private:
    std::map<std::uint32_t, std::string> elements_;
};

inline constexpr std::array<int, 2> kDicomSize{5, 4}; ///< columns, rows

/// The number stored at a pixel: distinct, of 12 bits.
inline unsigned dicom_code(int slice, int pixel)
{
    return static_cast<unsigned>(slice * 1000 + pixel * 37 + 11) & 0xfffu;
}

inline std::string dicom_pixels(int slice)
{
    std::string pixels;
    for (int i = 0; i < kDicomSize[0] * kDicomSize[1]; ++i) pixels += DicomBytes::little(dicom_code(slice, i), 2);
    return pixels;
}

/// A slice of a CT at z = 5 + 2 slice mm: axial, 0.25 mm between columns, 0.5 mm between rows, 12 bits, Hounsfield
/// units.
inline DicomBytes make_dicom_slice(int slice)
{
    DicomBytes file;
    file.set(0x00080008, "CS", "ORIGINAL\\PRIMARY\\AXIAL");
    file.set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2");
    file.set(0x00080018, "UI", fmt::format("1.2.826.0.1.3680043.10.1.7.{}", slice + 1));
    file.set(0x00080060, "CS", "CT");
    file.set(0x0008103e, "LO", "Thorax 1.0");
    file.set(0x00100010, "PN", "Doe^Jane");
    file.set(0x00100020, "LO", "PID-4711");
    file.set(0x00180050, "DS", "2");
    file.set(0x0020000d, "UI", "1.2.826.0.1.3680043.10.1.5");
    file.set(0x0020000e, "UI", "1.2.826.0.1.3680043.10.1.6");
    file.set(0x00200011, "IS", "3");
    file.set_numbers(0x00200032, {-10, -20, 5.0 + 2 * slice});
    file.set_numbers(0x00200037, {1, 0, 0, 0, 1, 0});
    file.set_word(0x00280002, 1);
    file.set(0x00280004, "CS", "MONOCHROME2");
    file.set_word(0x00280010, static_cast<unsigned>(kDicomSize[1]));
    file.set_word(0x00280011, static_cast<unsigned>(kDicomSize[0]));
    file.set_numbers(0x00280030, {0.5, 0.25});
    file.set_word(0x00280100, 16).set_word(0x00280101, 12).set_word(0x00280102, 11).set_word(0x00280103, 0);
    file.set(0x00281050, "DS", "40").set(0x00281051, "DS", "400");
    file.set(0x00281052, "DS", "-1024").set(0x00281053, "DS", "1").set(0x00281054, "LO", "HU");
    file.set(0x7fe00010, "OW", dicom_pixels(slice));
    return file;
}

/// An enhanced CT of `frames` frames: places in the functional groups of each, the last first.
inline DicomBytes make_enhanced_dicom(int frames)
{
    DicomBytes file = make_dicom_slice(0);
    std::string pixels;
    std::vector<DicomBytes> groups;
    for (int i = 0; i < frames; ++i) {
        pixels += dicom_pixels(i);
        DicomBytes position, group;
        position.set_numbers(0x00200032, {-10, -20, 5.0 - 2 * i});
        group.set_items(0x00209113, {position});
        groups.push_back(group);
    }
    DicomBytes orientation, measures, scale, shared;
    orientation.set_numbers(0x00200037, {1, 0, 0, 0, 1, 0});
    measures.set_numbers(0x00280030, {0.5, 0.25});
    scale.set(0x00281052, "DS", "-1000").set(0x00281053, "DS", "0.5").set(0x00281054, "LO", "HU");
    shared.set_items(0x00209116, {orientation}).set_items(0x00289110, {measures}).set_items(0x00289145, {scale});
    for (std::uint32_t const tag : {0x00200032u, 0x00200037u, 0x00280030u, 0x00281052u, 0x00281053u, 0x00281054u})
        file.erase(tag);
    file.set(0x00080016, "UI", "1.2.840.10008.5.1.4.1.1.2.1");
    file.set(0x00280008, "IS", std::to_string(frames));
    file.set_items(0x52009229, {shared}).set_items(0x52009230, groups);
    file.set(0x7fe00010, "OW", pixels);
    return file;
}

/// Pixels of 16 bits by RLE (PS3.5 annex G) as literal runs: the high bytes, then the low ones.
inline std::string encode_dicom_rle(std::string const& pixels)
{
    std::string segments[2];
    for (std::size_t high = 0; high < 2; ++high) {
        std::string plane;
        for (std::size_t i = 0; i < pixels.size() / 2; ++i) plane += pixels[2 * i + 1 - high];
        for (std::size_t at = 0; at < plane.size(); at += 128) {
            std::string const run = plane.substr(at, 128);
            segments[high] += static_cast<char>(run.size() - 1);
            segments[high] += run;
        }
        if (segments[high].size() % 2 != 0) segments[high] += '\0';
    }
    std::string header =
        DicomBytes::little(2, 4) + DicomBytes::little(64, 4) + DicomBytes::little(64 + segments[0].size(), 4);
    header.resize(64, '\0');
    return header + segments[0] + segments[1];
}

} // namespace volpt
