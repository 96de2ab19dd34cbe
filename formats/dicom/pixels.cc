#include "formats/dicom/pixels.h"

#include "formats/dicom/series.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <gdcmImageReader.h>
#include <gdcmSequenceOfFragments.h>
#include <gdcmUIDs.h>

namespace volpt {
namespace {

/// How GDCM gives the numbers of a frame: mostly as the header says, but decoders may know better.
struct CodeLayout {
    unsigned allocated_bits = 0;
    unsigned stored_bits = 0;
    bool is_signed = false;
    bool is_big_endian = false;
};

template <typename Code>
void scale_codes(std::span<std::byte const> bytes, CodeLayout const& layout, DicomFrame const& frame,
                 std::span<float> numbers)
{
    // What lies above the stored bits is not of the number: overlays, or anything.
    std::uint32_t const mask = layout.stored_bits == 32 ? ~0u : (1u << layout.stored_bits) - 1;
    std::uint32_t const sign = layout.is_signed ? 1u << (layout.stored_bits - 1) : 0;
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        std::array<std::byte, sizeof(Code)> raw;
        std::memcpy(raw.data(), bytes.data() + i * sizeof(Code), sizeof(Code));
        if (layout.is_big_endian) std::ranges::reverse(raw);
        Code code = 0;
        std::memcpy(&code, raw.data(), sizeof code);
        std::uint32_t const stored = code & mask;
        double const value = static_cast<double>(stored) - ((stored & sign) != 0 ? 2.0 * sign : 0.0);
        numbers[i] = static_cast<float>(frame.slope * value + frame.intercept);
    }
}

void scale(std::span<std::byte const> bytes, CodeLayout const& layout, DicomFrame const& frame,
           std::span<float> numbers)
{
    if (layout.allocated_bits == 8)
        scale_codes<std::uint8_t>(bytes, layout, frame, numbers);
    else if (layout.allocated_bits == 16)
        scale_codes<std::uint16_t>(bytes, layout, frame, numbers);
    else
        scale_codes<std::uint32_t>(bytes, layout, frame, numbers);
}

void read_plain(DicomImage const& image, DicomFrame const& frame, std::span<float> numbers)
{
    DicomStorage const& storage = image.storage;
    std::vector<std::byte> bytes(numbers.size() * (storage.allocated_bits / 8));
    FileBytes const file(image.path);
    file.read_at(storage.first_byte + std::uint64_t{frame.number} * bytes.size(), bytes);
    scale(bytes, {storage.allocated_bits, storage.stored_bits, storage.is_signed, storage.is_big_endian}, frame,
          numbers);
}

} // namespace

/// A compressed file, opened by GDCM.
class DicomFile {
public:
    explicit DicomFile(DicomImage const& image) : path(image.path), image_(image)
    {
        reader_.SetFileName(path.c_str());
        if (!reader_.Read()) fail("is damaged, or GDCM cannot read it");
        gdcm::Image const& all = reader_.GetImage();
        auto const& storage = image.storage;
        if (all.GetColumns() != static_cast<unsigned>(storage.columns * storage.tiles_along) ||
            all.GetRows() != static_cast<unsigned>(storage.rows * storage.tiles_along))
            fail("has changed its size while it was read");
        if (auto const* fragments = all.GetDataElement().GetSequenceOfFragments())
            frames_ = split_fragments(*fragments);
    }

    void read(DicomFrame const& frame, std::span<float> numbers)
    {
        gdcm::PixelFormat const& format = reader_.GetImage().GetPixelFormat();
        unsigned const allocated = format.GetBitsAllocated();
        std::size_t const frame_bytes = numbers.size() * (allocated / 8);
        if ((allocated != 8 && allocated != 16 && allocated != 32) || format.GetSamplesPerPixel() != 1 ||
            format.GetBitsStored() < 1 || format.GetBitsStored() > allocated)
            fail("holds other numbers than its header says");
        std::span<std::byte const> bytes;
        if (frames_.empty()) {
            if (bytes_.empty()) bytes_ = decode(reader_.GetImage(), frame_bytes * count_frames());
            bytes = std::span<std::byte const>(bytes_).subspan(frame.number * frame_bytes, frame_bytes);
        } else {
            bytes_ = decode(make_frame(frame.number), frame_bytes);
            bytes = bytes_;
        }
        scale(bytes, {allocated, format.GetBitsStored(), format.GetPixelRepresentation() == 1, false}, frame, numbers);
    }

    std::string const path;

private:
    std::size_t count_frames() const { return image_.storage.tiles_along > 1 ? 1 : image_.frames.size(); }

    struct FragmentRange {
        std::size_t first = 0;
        std::size_t end = 0;
    };

    [[noreturn]] void fail(std::string const& what) const
    {
        auto const found = image_.keys.find("transfer_syntax");
        std::string const syntax = found == image_.keys.end() ? "unknown" : found->second;
        fail_input(what, path, "its transfer syntax is " + syntax, "get a complete copy, or decompress it");
    }

    /// A fragment for each frame, or several, which the offset table tells apart.
    std::vector<FragmentRange> split_fragments(gdcm::SequenceOfFragments const& fragments) const
    {
        std::size_t const count = fragments.GetNumberOfFragments();
        std::size_t const frames = count_frames();
        std::vector<FragmentRange> ranges;
        if (frames == 1) return {{0, count}};
        if (count == frames) {
            for (std::size_t i = 0; i < count; ++i) ranges.push_back({i, i + 1});
            return ranges;
        }
        auto const* const table = fragments.GetTable().GetByteValue();
        if (table == nullptr || table->GetLength() != 4 * frames)
            fail(fmt::format("has {} compressed parts for {} frames, and no table of them", count, frames));
        std::uint64_t at = 0;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t next = 0;
            if (ranges.size() < frames) std::memcpy(&next, table->GetPointer() + 4 * ranges.size(), 4);
            if (ranges.size() < frames && next == at) ranges.push_back({i, i});
            if (ranges.empty()) break;
            ranges.back().end = i + 1;
            at += 8 + static_cast<std::uint64_t>(static_cast<std::uint32_t>(fragments.GetFragment(i).GetVL()));
        }
        if (ranges.size() != frames) fail("has a wrong table of its frames");
        return ranges;
    }

    gdcm::Image make_frame(std::size_t number) const
    {
        gdcm::Image const& all = reader_.GetImage();
        gdcm::Image one;
        one.SetNumberOfDimensions(2);
        one.SetDimension(0, all.GetColumns());
        one.SetDimension(1, all.GetRows());
        one.SetPixelFormat(all.GetPixelFormat());
        one.SetPhotometricInterpretation(all.GetPhotometricInterpretation());
        one.SetTransferSyntax(all.GetTransferSyntax());
        one.SetNeedByteSwap(all.GetNeedByteSwap());
        auto const* const fragments = all.GetDataElement().GetSequenceOfFragments();
        gdcm::SmartPointer<gdcm::SequenceOfFragments> const own = new gdcm::SequenceOfFragments;
        for (std::size_t i = frames_[number].first; i < frames_[number].end; ++i)
            own->AddFragment(fragments->GetFragment(i));
        gdcm::DataElement data(gdcm::Tag(0x7fe0, 0x0010));
        data.SetVR(gdcm::VR::OB);
        data.SetValue(*own);
        one.SetDataElement(data);
        return one;
    }

    std::vector<std::byte> decode(gdcm::Image const& image, std::size_t size_bytes) const
    {
        if (image.GetBufferLength() != size_bytes) fail("holds other numbers than its header says");
        std::vector<std::byte> bytes(size_bytes);
        if (!image.GetBuffer(reinterpret_cast<char*>(bytes.data())))
            fail("cannot be decompressed: it is damaged, or GDCM has no decoder for it");
        return bytes;
    }

    DicomImage const& image_;
    gdcm::ImageReader reader_;
    std::vector<FragmentRange> frames_; ///< empty: one piece of data for all frames (deflated files)
    std::vector<std::byte> bytes_;
};

DicomPixels::DicomPixels() = default;
DicomPixels::~DicomPixels() = default;

void DicomPixels::read(DicomImage const& image, DicomFrame const& frame, std::span<float> numbers)
{
    if (!frame.tile) return read_picture(image, frame, numbers);
    auto const along = static_cast<std::size_t>(image.storage.tiles_along);
    if (mosaic_path_ != image.path) {
        mosaic_path_.clear();
        mosaic_.resize(numbers.size() * along * along);
        read_picture(image, frame, mosaic_);
        mosaic_path_ = image.path;
    }
    auto const columns = static_cast<std::size_t>(image.storage.columns);
    auto const rows = static_cast<std::size_t>(image.storage.rows);
    std::size_t const column = *frame.tile % along * columns, row = *frame.tile / along * rows;
    for (std::size_t y = 0; y < rows; ++y)
        std::copy_n(mosaic_.begin() + static_cast<std::ptrdiff_t>((row + y) * along * columns + column), columns,
                    numbers.begin() + static_cast<std::ptrdiff_t>(y * columns));
}

void DicomPixels::read_picture(DicomImage const& image, DicomFrame const& frame, std::span<float> numbers)
{
    if (image.storage.is_plain) return read_plain(image, frame, numbers);
    if (file_ == nullptr || file_->path != image.path) {
        file_.reset();
        file_ = std::make_unique<DicomFile>(image);
    }
    file_->read(frame, numbers);
}

} // namespace volpt
