#include "formats/slices/stack.h"

#include "formats/common/file_head.h"
#include "formats/slices/job_manifest.h"
#include "formats/slices/material_stacks.h"
#include "formats/tiff/reader.h"
#include "libvolpt/image/codecs/bmp_picture.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/codecs/png/png_check.h"
#include "libvolpt/image/codecs/png/png_indices.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <nlohmann/json.hpp>

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

/// From IHDR; the rest of the file is checked when it is decoded.
SliceFacts read_png_facts(std::span<std::byte const> head, std::string const& where)
{
    std::uint32_t const width = read_u32(head, 16);
    std::uint32_t const height = read_u32(head, 20);
    if (width < 1 || width > 65535 || height < 1 || height > 65535)
        fail_input(fmt::format("{} x {} pixels", width, height), where, "slices have 1 to 65535 along each side");
    PngHeader header;
    header.colour = static_cast<PngColour>(head[25]);
    int const channels = header.colour == PngColour::palette ? 3 : static_cast<int>(header.samples_per_pixel());
    bool const is_interlaced = std::to_integer<unsigned>(head[28]) != 0;
    return {static_cast<int>(width), static_cast<int>(height), channels,
            std::to_integer<unsigned>(head[24]) == 16 ? ElementType::u16 : ElementType::u8,
            header.colour == PngColour::palette && !is_interlaced};
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
        StoredImage const image = decode_picture(bytes, where);
        std::size_t const channels = image.channels.size();
        float const largest = is_wide ? 65535.0f : 255.0f;
        numbers.resize(image.pixel_count() * channels);
        auto const width = static_cast<std::size_t>(image.width());
        std::vector<float> row(width);
        for (std::size_t channel = 0; channel < channels; ++channel)
            for (std::size_t first = 0; first < image.pixel_count(); first += width) {
                image.channels[channel].read(first, row);
                for (std::size_t x = 0; x < width; ++x)
                    numbers[(first + x) * channels + channel] = std::round(row[x] * largest);
            }
        return {image.width(), image.height(), static_cast<int>(channels),
                is_wide ? ElementType::u16 : ElementType::u8};
    }

    bool is_concurrent() const override { return true; }

    Palette decode_indexed(std::size_t slice, SliceFacts const& size, std::span<std::uint8_t> indices) override
    {
        auto const bytes = files_->read(slice, kMaxSliceBytes);
        return decode_png_indices(
            bytes, files_->describe(slice),
            {static_cast<std::size_t>(size.width), static_cast<std::size_t>(size.height), indices});
    }

private:
    static StoredImage decode_picture(std::span<std::byte const> bytes, std::string const& where)
    {
        // A slice has passed check_layer_memory with its volume.
        constexpr std::uint64_t kAny = std::numeric_limits<std::uint64_t>::max();
        PictureMemory const memory{.given_bytes = kAny, .usable_bytes = kAny};
        if (is_bmp(bytes)) return decode_bmp(bytes, where, memory, SampleForm::stored);
        for (Codec const& codec : list_codecs())
            if (codec.name == "png" && codec.matches(bytes))
                return codec.decoder(bytes, where, memory, SampleForm::stored);
        refuse_kind(where);
    }

    std::unique_ptr<SliceFiles> files_;
};

bool is_code(ElementType element)
{
    return element == ElementType::u8 || element == ElementType::u16;
}

/// Slices of 8 bits among slices of 16 are scaled: 255 becomes 65535.
ElementType join_elements(ElementType one, ElementType other, std::string const& where)
{
    if (one == other) return one;
    if (!is_code(one) || !is_code(other))
        fail_input(fmt::format("has numbers of type {}, slices before it {}", element_name(other), element_name(one)),
                   where, "the slices of a stack have one type", "save all slices alike");
    return ElementType::u16;
}

struct StackFacts {
    SourceMeta meta;
    bool is_indexed = true; ///< all slices are
};

StackFacts describe_stack(SlicePictures& pictures, SourceMeta known, SliceAlpha alpha)
{
    StackFacts stack{std::move(known)};
    SourceMeta& meta = stack.meta;
    SliceFacts const first = pictures.read_facts(0);
    bool any_colour = false;
    bool any_alpha = false;
    meta.element = first.element;
    for (std::size_t slice = 0; slice < pictures.count(); ++slice) {
        SliceFacts const facts = pictures.read_facts(slice);
        if (facts.width != first.width || facts.height != first.height)
            fail_input(fmt::format("is {} x {} pixels, {} is {} x {}", facts.width, facts.height, pictures.describe(0),
                                   first.width, first.height),
                       pictures.describe(slice), "the slices of a stack have one size", "choose slices of one size");
        meta.element = join_elements(meta.element, facts.element, pictures.describe(slice));
        any_colour |= facts.channels > 2;
        any_alpha |= facts.channels == 4;
        stack.is_indexed &= facts.is_indexed;
    }
    meta.path = pictures.where();
    meta.kind = SourceKind::pictures;
    meta.dims = {first.width, first.height, static_cast<int>(pictures.count())};
    meta.channels = any_alpha && alpha == SliceAlpha::kept ? 4 : any_colour ? 3 : 1;
    if (meta.channels > 1) meta.natural_window = find_colour_range(meta.element);
    meta.notices.insert(meta.notices.end(), pictures.notices().begin(), pictures.notices().end());
    pictures.add_facts(meta);
    auto metadata = nlohmann::ordered_json::parse(meta.metadata_json);
    for (auto const& [key, value] : pictures.list_metadata()) metadata[key] = value;
    meta.metadata_json = metadata.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    return stack;
}

/// What slices may take together while they are decoded to numbers, if that is more than one.
constexpr std::uint64_t kDecodingBytes = std::uint64_t{512} << 20;

class SliceStack final : public VolumeSource {
public:
    SliceStack(std::unique_ptr<SlicePictures> pictures, StackFacts stack, SliceAlpha alpha)
        : VolumeSource(std::move(stack.meta)), pictures_(std::move(pictures)), is_indexed_(stack.is_indexed),
          alpha_(alpha), largest_code_(meta().element == ElementType::u16 ? 65535.0f : 255.0f)
    {
    }

    void use_threads(int threads) override { threads_ = pictures_->is_concurrent() ? std::max(1, threads) : 1; }
    bool is_indexed() const override { return is_indexed_; }

    void read_slab(int z_first, int z_count, std::span<float> values) override
    {
        auto const layer = values.size() / static_cast<std::size_t>(z_count);
        std::size_t const decoders = count_decoders(layer);
        if (numbers_.size() < decoders) numbers_.resize(decoders);
        parallel_for_joined(
            static_cast<int>(decoders), static_cast<std::size_t>(z_count), [&](std::size_t i, int decoder) {
                read_slice(static_cast<std::size_t>(z_first) + i, numbers_[static_cast<std::size_t>(decoder)],
                           values.subspan(i * layer, layer));
            });
    }

    void read_indexed(int z_first, int z_count, std::span<std::uint8_t> indices, std::span<Palette> palettes) override
    {
        auto const layer = indices.size() / static_cast<std::size_t>(z_count);
        parallel_for_joined(threads_, static_cast<std::size_t>(z_count), [&](std::size_t i, int) {
            auto const slice = static_cast<std::size_t>(z_first) + i;
            auto const part = indices.subspan(i * layer, layer);
            palettes[i] = pictures_->decode_indexed(slice, {meta().dims[0], meta().dims[1]}, part);
            if (alpha_ == SliceAlpha::kept || std::ranges::all_of(palettes[i], is_opaque)) return;
            for (std::size_t at = 0; at < part.size(); ++at)
                if (!is_opaque(palettes[i][part[at]])) refuse_transparent(slice, at);
        });
    }

    std::string describe_voxel(int x, int y, int z) const override
    {
        return fmt::format("{}: pixel {},{}", pictures_->describe(static_cast<std::size_t>(z)), x, y);
    }

private:
    /// Of slices of so many numbers.
    std::size_t count_decoders(std::size_t numbers) const
    {
        constexpr std::uint64_t kBytes = 2 + 2 + sizeof(float); // a number's: in the file, in the image, in numbers_
        std::uint64_t const most = kDecodingBytes / (kBytes * numbers);
        return static_cast<std::size_t>(std::clamp<std::uint64_t>(most, 1, static_cast<std::uint64_t>(threads_)));
    }

    void read_slice(std::size_t slice, std::vector<float>& numbers, std::span<float> values)
    {
        SliceFacts const facts = pictures_->decode(slice, numbers);
        std::string const where = pictures_->describe(slice);
        if (facts.width != meta().dims[0] || facts.height != meta().dims[1])
            fail_input("has changed its size while it was read", where, {}, "start again");
        auto const channels = static_cast<std::size_t>(meta().channels);
        auto const stored = static_cast<std::size_t>(facts.channels);
        if (channels == 1 && stored > 2) fail_input("is coloured, others are grey", where, {}, "save all slices alike");
        if (meta().element != facts.element)
            for (float& number : numbers) number *= 257;
        bool const has_alpha = stored % 2 == 0;
        std::size_t const pixels = numbers.size() / stored;
        for (std::size_t channel = 0; channel < channels; ++channel) {
            std::size_t const from = channel == 3 ? stored - 1 : stored > 2 ? channel : 0;
            bool const is_absent = channel == 3 && !has_alpha;
            for (std::size_t i = 0; i < pixels; ++i)
                values[i * channels + channel] = is_absent ? largest_code_ : numbers[i * stored + from];
        }
        if (!has_alpha || channels == 4) return;
        for (std::size_t i = 0; i < pixels; ++i)
            if (numbers[(i + 1) * stored - 1] != largest_code_) refuse_transparent(slice, i);
    }

    static bool is_opaque(std::uint32_t colour) { return (colour & 0xffu) == 0xffu; }

    [[noreturn]] void refuse_transparent(std::size_t slice, std::size_t pixel) const
    {
        auto const width = static_cast<std::size_t>(meta().dims[0]);
        fail_input(
            "the pixel is transparent",
            describe_voxel(static_cast<int>(pixel % width), static_cast<int>(pixel / width), static_cast<int>(slice)),
            "transparency has a meaning for materials alone",
            "give --materials TABLE, or save the slices without alpha");
    }

    std::unique_ptr<SlicePictures> pictures_;
    bool is_indexed_;
    SliceAlpha alpha_;
    int threads_ = 1;
    std::vector<std::vector<float>> numbers_; ///< of a slice, by thread
    float largest_code_;
};

/// The first slice's content decides for TIFF; slices of other formats beside it are refused when they are opened.
std::unique_ptr<SlicePictures> open_pictures(std::unique_ptr<SliceFiles> files, PartChoice const& part)
{
    auto const head = files->read(0, 4);
    if (!is_tiff_head({reinterpret_cast<char const*>(head.data()), head.size()}))
        return make_picture_files(std::move(files));
    return open_tiff_pictures(files->where(), files->names(), files->notices(), {}, part);
}

std::unique_ptr<VolumeSource> open_folder(std::filesystem::path const& folder, SliceAlpha alpha, PartChoice const& part)
{
    SourceMeta known = place_upright();
    auto const manifest_path = folder / kJobManifestName;
    std::error_code ignored;
    bool const has_manifest = std::filesystem::is_regular_file(manifest_path, ignored);
    if (auto const text = has_manifest ? std::filesystem::path() : find_material_stacks(folder); !text.empty())
        return open_material_stacks(text, alpha);
    if (!has_manifest)
        return make_slice_stack(open_pictures(list_folder_slices(folder), part), std::move(known), alpha);
    FileBytes const file(manifest_path);
    if (file.size_bytes() > kMaxJobManifestBytes)
        fail_input(fmt::format("has {} bytes", file.size_bytes()), manifest_path.string(),
                   fmt::format("a manifest has at most {} bytes", kMaxJobManifestBytes), "get the job's own manifest");
    std::vector<std::byte> text(static_cast<std::size_t>(file.size_bytes()));
    file.read_at(0, text);
    JobManifest const manifest = read_job_manifest(text, manifest_path.string());
    auto files = list_folder_slices(folder, manifest.prefix);
    check_job_slices(manifest, files->names(), manifest_path.string());
    known.job = manifest.job;
    known.pitch_mm = manifest.pitch_mm;
    known.metadata_json = manifest.metadata_json;
    auto stack = make_slice_stack(open_pictures(std::move(files), part), std::move(known), alpha);
    check_job_size(manifest, stack->meta(), manifest_path.string());
    return stack;
}

} // namespace

Palette SlicePictures::decode_indexed(std::size_t slice, SliceFacts const&, std::span<std::uint8_t>)
{
    fail_input("has no palette", describe(slice));
}

std::unique_ptr<SlicePictures> make_picture_files(std::unique_ptr<SliceFiles> files)
{
    return std::make_unique<PictureFiles>(std::move(files));
}

std::unique_ptr<VolumeSource> make_slice_stack(std::unique_ptr<SlicePictures> pictures, SourceMeta known,
                                               SliceAlpha alpha)
{
    StackFacts stack = describe_stack(*pictures, std::move(known), alpha);
    return std::make_unique<SliceStack>(std::move(pictures), std::move(stack), alpha);
}

std::unique_ptr<VolumeSource> open_slice_stack(std::string const& name, SliceAlpha alpha, PartChoice const& part)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(name, ignored)) return open_folder(name, alpha, part);
    if (is_slice_pattern(name))
        return make_slice_stack(open_pictures(list_pattern_slices(name), part), place_upright(), alpha);
    if (is_material_stacks(name)) return open_material_stacks(name, alpha);
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
