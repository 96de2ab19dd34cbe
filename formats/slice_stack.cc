// Decodes slices one at a time, so that memory does not grow with their number.
#include "formats/slice_stack.h"

#include "libvolpt/image/codec.h"
#include "libvolpt/image/png_check.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

constexpr std::size_t kHeaderBytes = 33; ///< signature and IHDR
constexpr std::size_t kMaxSliceBytes = std::size_t{1} << 30;

/// What IHDR says; whether the file is sound is found out when it is decoded.
struct SliceHeader {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    unsigned bit_depth = 0;
    unsigned colour = 0;
};

std::uint32_t read_u32(std::span<std::byte const> bytes, std::size_t at)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i) value = value << 8 | std::to_integer<std::uint32_t>(bytes[at + i]);
    return value;
}

SliceHeader read_header(SliceFiles& files, std::size_t slice)
{
    auto const head = files.read(slice, kHeaderBytes);
    if (head.size() < kHeaderBytes || !is_png(head))
        fail_input("is no PNG file", files.describe(slice), "stacks are read from PNG slices", "convert it to PNG");
    SliceHeader const header{read_u32(head, 16), read_u32(head, 20), std::to_integer<unsigned>(head[24]),
                             std::to_integer<unsigned>(head[25])};
    if (header.width < 1 || header.width > 65535 || header.height < 1 || header.height > 65535)
        fail_input(fmt::format("{} x {} pixels", header.width, header.height), files.describe(slice),
                   "slices have 1 to 65535 along each side");
    return header;
}

SourceMeta describe_stack(SliceFiles& files, SourceMeta meta, SliceAlpha alpha)
{
    SliceHeader const first = read_header(files, 0);
    bool any_colour = false;
    bool any_alpha = false;
    bool any_wide = false;
    for (std::size_t slice = 0; slice < files.names().size(); ++slice) {
        SliceHeader const header = read_header(files, slice);
        if (header.width != first.width || header.height != first.height)
            fail_input(fmt::format("is {} x {} pixels, {} is {} x {}", header.width, header.height, files.names()[0],
                                   first.width, first.height),
                       files.describe(slice), "the slices of a stack have one size", "choose slices of one size");
        any_colour |= (header.colour & 2u) != 0; // RGB, palette, RGBA
        any_alpha |= header.colour == static_cast<unsigned>(PngColour::rgb_alpha);
        any_wide |= header.bit_depth == 16;
    }
    meta.path = files.where();
    meta.dims = {static_cast<int>(first.width), static_cast<int>(first.height), static_cast<int>(files.names().size())};
    meta.channels = any_alpha && alpha == SliceAlpha::kept ? 4 : any_colour ? 3 : 1;
    meta.element = any_wide ? ElementType::u16 : ElementType::u8;
    if (meta.channels > 1) meta.natural_window = find_colour_range(meta.element);
    meta.notices.insert(meta.notices.end(), files.notices().begin(), files.notices().end());
    auto metadata = nlohmann::ordered_json::parse(meta.metadata_json);
    metadata["first_slice"] = std::filesystem::path(files.names().front()).filename().string();
    metadata["last_slice"] = std::filesystem::path(files.names().back()).filename().string();
    meta.metadata_json = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return meta;
}

class SliceStack final : public VolumeSource {
public:
    SliceStack(std::unique_ptr<SliceFiles> files, SourceMeta meta)
        : VolumeSource(std::move(meta)), files_(std::move(files)),
          largest_code_(this->meta().element == ElementType::u16 ? 65535.0f : 255.0f)
    {
    }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto const layer = values.size() / static_cast<std::size_t>(z_count);
        for (int i = 0; i < z_count; ++i)
            read_slice(static_cast<std::size_t>(z_first + i),
                       values.subspan(static_cast<std::size_t>(i) * layer, layer));
    }

    std::string describe_voxel(int x, int y, int z) const override
    {
        return fmt::format("{}: pixel {},{}", files_->describe(static_cast<std::size_t>(z)), x, y);
    }

private:
    void read_slice(std::size_t slice, std::span<float> values)
    {
        std::string const where = files_->describe(slice);
        Image const image = decode(slice, where);
        if (image.width != meta().dims[0] || image.height != meta().dims[1])
            fail_input("has changed its size while it was read", where, {}, "start again");
        auto const channels = static_cast<std::size_t>(meta().channels);
        Channel const* const alpha = image.find("A");
        for (std::size_t channel = 0; channel < channels; ++channel) {
            static constexpr std::array kColours{"R", "G", "B", "A"};
            Channel const* source = channel == 3 ? alpha : image.find(channels == 1 ? "Y" : kColours[channel]);
            if (source == nullptr && channel < 3) source = image.find("Y");
            if (source == nullptr && channel < 3)
                fail_input("is coloured, others are grey", where, {}, "save all slices alike");
            for (std::size_t i = 0; i < image.pixel_count(); ++i)
                values[i * channels + channel] =
                    source == nullptr ? largest_code_ : std::round(source->values[i] * largest_code_);
        }
        if (alpha != nullptr && channels < 4) check_opaque(*alpha, slice);
    }

    Image decode(std::size_t slice, std::string const& where)
    {
        auto const bytes = files_->read(slice, kMaxSliceBytes);
        for (Codec const& codec : list_codecs())
            if (codec.name == "png" && codec.matches(bytes)) return codec.decode(bytes, where);
        fail_input("is no PNG file", where, "stacks are read from PNG slices", "convert it to PNG");
    }

    void check_opaque(Channel const& alpha, std::size_t slice) const
    {
        auto const found = std::find_if(alpha.values.begin(), alpha.values.end(), [](float a) { return a != 1.0f; });
        if (found == alpha.values.end()) return;
        auto const pixel = found - alpha.values.begin();
        fail_input("the pixel is transparent",
                   describe_voxel(static_cast<int>(pixel % meta().dims[0]), static_cast<int>(pixel / meta().dims[0]),
                                  static_cast<int>(slice)),
                   "transparency has a meaning in palettes alone (#rrggbbaa)", "save the slices without alpha");
    }

    std::unique_ptr<SliceFiles> files_;
    float largest_code_;
};

} // namespace

std::unique_ptr<VolumeSource> make_slice_stack(std::unique_ptr<SliceFiles> files, SourceMeta known, SliceAlpha alpha)
{
    SourceMeta meta = describe_stack(*files, std::move(known), alpha);
    return std::make_unique<SliceStack>(std::move(files), std::move(meta));
}

std::unique_ptr<VolumeSource> open_slice_stack(std::string const& name, SliceAlpha alpha)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(name, ignored))
        return make_slice_stack(list_folder_slices(name), place_upright(), alpha);
    if (is_slice_pattern(name)) return make_slice_stack(list_pattern_slices(name), place_upright(), alpha);
    return nullptr;
}

SourceMeta place_upright()
{
    SourceMeta meta;
    meta.missing_pitch = MissingPitch::refused;
    // Rows go down in a picture: a stack is seen upright and unmirrored from +z with +y up.
    meta.rotation = {1, 0, 0, 0, -1, 0, 0, 0, 1};
    return meta;
}

} // namespace volpt
