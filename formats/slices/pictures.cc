// Decodes slices that are PNG or BMP files.
#include "formats/slices/pictures.h"

#include "libvolpt/image/codecs/bmp_picture.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/png_check.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kPngHeadBytes = 33; ///< signature and IHDR
constexpr std::size_t kMaxSliceBytes = std::size_t{1} << 30;

std::uint32_t read_u32(std::span<std::byte const> bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

/// What IHDR says; whether the file is sound is found out when it is decoded.
SliceFacts read_png_facts(std::span<std::byte const> head, std::string const& where)
{
    std::uint32_t const width = read_u32(head, 16);
    std::uint32_t const height = read_u32(head, 20);
    if (width < 1 || width > 65535 || height < 1 || height > 65535)
        fail_input(fmt::format("{} x {} pixels", width, height), where, "slices have 1 to 65535 along each side");
    PngHeader header;
    header.colour = static_cast<PngColour>(head[25]);
    int const channels = header.colour == PngColour::palette ? 3 : static_cast<int>(header.samples_per_pixel());
    return {static_cast<int>(width), static_cast<int>(height), channels,
            std::to_integer<unsigned>(head[24]) == 16 ? ElementType::u16 : ElementType::u8};
}

[[noreturn]] void refuse_kind(std::string const& where)
{
    fail_input("is no PNG or BMP file", where,
               "stacks are read from PNG, BMP or TIFF slices of one kind (TIFF not in archives)", "convert it to PNG");
}

class PictureFiles final : public SlicePictures {
public:
    explicit PictureFiles(std::unique_ptr<SliceFiles> files) : files_(std::move(files)) {}

    std::string const& where() const override { return files_->where(); }
    std::size_t count() const override { return files_->names().size(); }
    std::string describe(std::size_t slice) const override { return files_->describe(slice); }
    std::vector<std::string> const& notices() const override { return files_->notices(); }

    std::map<std::string, std::string> list_metadata() const override
    {
        auto const name = [](std::string const& path) { return std::filesystem::path(path).filename().string(); };
        return {{"first_slice", name(files_->names().front())}, {"last_slice", name(files_->names().back())}};
    }

    SliceFacts read_facts(std::size_t slice) override
    {
        auto const head = files_->read(slice, kBmpHeadBytes);
        std::string const where = files_->describe(slice);
        if (head.size() >= kPngHeadBytes && is_png(head)) return read_png_facts(head, where);
        if (!is_bmp(head)) refuse_kind(where);
        BmpHeader const header = read_bmp_header(head, where);
        return {header.width, header.height, header.channels, ElementType::u8};
    }

    SliceFacts decode(std::size_t slice, std::vector<float>& numbers) override
    {
        auto const bytes = files_->read(slice, kMaxSliceBytes);
        std::string const where = files_->describe(slice);
        bool const is_wide =
            bytes.size() >= kPngHeadBytes && is_png(bytes) && read_png_facts(bytes, where).element == ElementType::u16;
        Image const image = decode_picture(bytes, where);
        std::size_t const channels = image.channels.size();
        float const largest = is_wide ? 65535.0f : 255.0f;
        numbers.resize(image.pixel_count() * channels);
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (std::size_t i = 0; i < image.pixel_count(); ++i)
                numbers[i * channels + channel] = std::round(image.channels[channel].values[i] * largest);
        return {image.width, image.height, static_cast<int>(channels), is_wide ? ElementType::u16 : ElementType::u8};
    }

private:
    static Image decode_picture(std::span<std::byte const> bytes, std::string const& where)
    {
        if (is_bmp(bytes)) return decode_bmp(bytes, where);
        for (Codec const& codec : list_codecs())
            if (codec.name == "png" && codec.matches(bytes)) return codec.decode(bytes, where);
        refuse_kind(where);
    }

    std::unique_ptr<SliceFiles> files_;
};

} // namespace

std::unique_ptr<SlicePictures> make_picture_files(std::unique_ptr<SliceFiles> files)
{
    return std::make_unique<PictureFiles>(std::move(files));
}

} // namespace volpt
