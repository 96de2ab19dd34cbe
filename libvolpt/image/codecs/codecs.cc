// The registry of codecs, reading and writing of files, and the checks that several codecs share.
#include "libvolpt/image/codecs/codecs.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/icc/convert_profile.h"
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"
#include "libvolpt/sys/parallel.h"
#include "libvolpt/sys/text/lfs_pointer.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <fmt/format.h>
#include <set>

namespace volpt {

#define VOLPT_CODEC(name) extern Codec const name##_codec;
#include "libvolpt/image/codecs/codecs.def"
#undef VOLPT_CODEC

namespace {

std::string lower_extension(std::filesystem::path const& path)
{
    std::string extension = path.extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    return extension;
}

Codec const* find_by_extension(std::filesystem::path const& path)
{
    auto const codecs = list_codecs();
    std::string const extension = lower_extension(path);
    auto const found = std::ranges::find_if(codecs, [&](Codec const& codec) {
        std::string const list = fmt::format(" {} ", codec.extensions);
        return !extension.empty() && list.find(fmt::format(" {} ", extension)) != list.npos;
    });
    return found == codecs.end() ? nullptr : &*found;
}

/// The name of a picture format that is known and not read; empty: none.
std::string_view name_foreign_picture(std::span<std::byte const> file)
{
    using namespace std::string_view_literals;
    constexpr std::pair<std::string_view, std::string_view> kHeads[] = {
        {"II*\0"sv, "a TIFF picture"},       {"MM\0*"sv, "a TIFF picture"},
        {"II+\0"sv, "a TIFF picture"},       {"MM\0+"sv, "a TIFF picture"},
        {"8BPS"sv, "a Photoshop picture"},   {"GIF8"sv, "a GIF picture"},
        {"\xff\x0a"sv, "a JPEG XL picture"}, {"\0\0\0\x0cjP"sv, "a JPEG 2000 picture"}};
    std::string_view const text(reinterpret_cast<char const*>(file.data()), file.size());
    for (auto const& [head, name] : kHeads)
        if (text.starts_with(head)) return name;
    if (text.starts_with("RIFF") && text.substr(0, 12).ends_with("WEBP")) return "a WebP picture";
    return text.substr(std::min<std::size_t>(4, text.size()), 4) == "ftyp" ? "a HEIF or AVIF picture" : "";
}

std::vector<Codec>& all_codecs()
{
#define VOLPT_CODEC(name) name##_codec,
    static std::vector<Codec> codecs{
#include "libvolpt/image/codecs/codecs.def"
    };
#undef VOLPT_CODEC
    return codecs;
}

struct DecodeChoice {
    ProfileUse use;
    SampleForm form;
};

StoredImage decode_picture(std::span<std::byte const> file, std::string const& where, FallbackProfile const& fallback,
                           DecodeChoice const& choice, PictureMemory const& memory)
{
    if (file.empty()) fail_input("the file is empty", where, "an image was expected");
    refuse_lfs_pointer(file, where);
    auto const codecs = list_codecs();
    auto const found = std::ranges::find_if(codecs, [&](Codec const& codec) { return codec.matches(file); });
    if (auto const name = name_foreign_picture(file); found == codecs.end() && !name.empty())
        fail_input(fmt::format("is {}, which is not read here", name), where,
                   "known are " + list_image_extensions(ImageAccess::read),
                   "convert it to an sRGB PNG, for example with ImageMagick: " + suggest_conversion(where) +
                       " (as light, which is linear: -colorspace RGB, into a .pfm)");
    Codec const* const codec = found == codecs.end() ? find_by_extension(where) : &*found;
    if (codec == nullptr)
        fail_input("is no image of a known format", where, "neither its content nor its extension is that of one",
                   "known are " + list_image_extensions(ImageAccess::read));
    StoredImage image = codec->decoder(file, where, memory, choice.form);
    if (choice.use == ProfileUse::applied) apply_profile(image, file.size(), where, fallback, memory);
    return image;
}

/// decode(bytes, name) of a file.
template <class Decode>
auto read_picture(std::filesystem::path const& path, Decode const& decode)
{
    MappedFile const file(path);
    auto image = decode(file.bytes(), path.string());
    file.check_unchanged();
    return image;
}

} // namespace

std::string suggest_conversion(std::string const& where)
{
    std::filesystem::path const path(where);
    auto const quote = [](std::string const& name) {
        std::string quoted = "'";
        for (char const letter : name) quoted += letter == '\'' ? std::string("'\\''") : std::string(1, letter);
        return quoted + "'";
    };
    // Ghostscript, which ImageMagick's packages recommend, brings the profile. -colorspace is for CMYK without one.
    return fmt::format("convert {} -auto-orient -profile /usr/share/color/icc/ghostscript/srgb.icc -colorspace sRGB {}",
                       quote(where), quote((path.parent_path() / path.stem()).string() + "_srgb.png"));
}

std::span<Codec const> list_codecs()
{
    return all_codecs();
}

void add_codec(Codec const& codec)
{
    if (std::ranges::find(all_codecs(), codec.name, &Codec::name) == all_codecs().end()) all_codecs().push_back(codec);
}

std::vector<std::byte> Codec::encode(Image const& image, int threads) const
{
    if (encoder == nullptr)
        fail_usage(fmt::format("{} pictures are read, not written", name),
                   "use one of " + list_image_extensions(ImageAccess::write));
    return encoder(image, threads);
}

std::string list_image_extensions(ImageAccess access)
{
    std::string list;
    for (Codec const& codec : list_codecs()) {
        if (access == ImageAccess::write && codec.encoder == nullptr) continue;
        if (!list.empty()) list += ' ';
        list += codec.extensions;
    }
    return list;
}

Image decode_image(std::span<std::byte const> file, std::string const& where, FallbackProfile const& fallback,
                   ProfileUse use, PictureMemory const& memory)
{
    return to_floats(decode_picture(file, where, fallback, {use, SampleForm::floats}, memory));
}

StoredImage decode_stored_image(std::span<std::byte const> file, std::string const& where,
                                FallbackProfile const& fallback, PictureMemory const& memory)
{
    return decode_picture(file, where, fallback, {ProfileUse::applied, SampleForm::stored}, memory);
}

Image read_image(std::filesystem::path const& path, FallbackProfile const& fallback, ProfileUse use,
                 PictureMemory const& memory)
{
    return read_picture(path,
                        [&](auto file, auto const& where) { return decode_image(file, where, fallback, use, memory); });
}

StoredImage read_stored_image(std::filesystem::path const& path, FallbackProfile const& fallback)
{
    return read_picture(path, [&](auto file, auto const& where) { return decode_stored_image(file, where, fallback); });
}

std::vector<std::string> list_picture_notices(Image const& image, std::string const& where)
{
    std::vector<std::string> notices = image.notices;
    if (image.transfer == Transfer::srgb && image.transfer_source == TransferSource::assumption)
        notices.push_back(fmt::format("{} has no colour profile: its values are taken as sRGB", where));
    return notices;
}

std::vector<std::byte> encode_image(Image const& image, std::string const& extension, int threads)
{
    Codec const* const codec = find_by_extension("picture" + extension);
    if (codec == nullptr)
        fail_usage(fmt::format("no image format is known for the extension '{}'", extension),
                   "known are " + list_image_extensions(ImageAccess::write));
    check_image(image);
    return codec->encode(image, threads);
}

void write_image(std::filesystem::path const& path, Image const& image, int threads)
{
    std::vector<std::byte> bytes;
    try {
        bytes = encode_image(image, path.extension().string(), threads);
    } catch (Error const& error) {
        throw error.within("writing " + path.string());
    }
    write_file_atomically(path, bytes);
}

bool is_writable_image(std::filesystem::path const& path)
{
    Codec const* const codec = find_by_extension(path);
    return codec != nullptr && codec->encoder != nullptr;
}

bool is_display_image(std::filesystem::path const& path)
{
    Codec const* const codec = find_by_extension(path);
    return codec != nullptr && codec->encoder != nullptr && codec->display_transfer == Transfer::srgb;
}

void check_image(Image const& image)
{
    if (image.width < 1 || image.height < 1)
        fail_usage(fmt::format("an image of {} x {} pixels has nothing to write", image.width, image.height));
    if (image.channels.empty()) fail_usage("an image without channels has nothing to write");
    std::set<std::string_view> names;
    for (Channel const& channel : image.channels) {
        if (!names.insert(channel.name).second) fail_usage(fmt::format("channel {} occurs twice", channel.name));
        if (channel.values.size() != image.pixel_count())
            fail_usage(fmt::format("channel {} has {} values for {} x {} pixels", channel.name, channel.values.size(),
                                   image.width, image.height));
    }
}

std::vector<std::string> colour_channel_names(int count)
{
    switch (count) {
    case 1:
        return {"Y"};
    case 2:
        return {"Y", "A"};
    case 3:
        return {"R", "G", "B"};
    default:
        return {"R", "G", "B", "A"};
    }
}

std::vector<Channel const*> pick_colour_channels(Image const& image, std::string_view format)
{
    std::vector<Channel const*> picked;
    std::size_t const count = image.channels.size();
    if (count >= 1 && count <= 4)
        for (std::string const& name : colour_channel_names(static_cast<int>(count)))
            picked.push_back(image.find(name));
    if (picked.empty() || std::ranges::find(picked, nullptr) != picked.end()) {
        std::string names;
        for (Channel const& channel : image.channels) names += " " + channel.name;
        fail_usage(
            fmt::format("{} holds the channels R G B or Y, with or without A, but the image has{}", format, names),
            "write .exr, which keeps any channels");
    }
    return picked;
}

std::vector<std::byte> quantise_to_bytes(Image const& image, std::span<Channel const* const> channels, int threads)
{
    constexpr int kRowsPerPiece = 64;
    std::size_t const stride = channels.size(), width = static_cast<std::size_t>(image.width);
    std::vector<std::byte> samples(image.pixel_count() * stride);
    parallel_for_rows(threads, image.height, kRowsPerPiece, [&](RowRange rows) {
        for (std::size_t i = static_cast<std::size_t>(rows.first) * width;
             i < static_cast<std::size_t>(rows.end) * width; ++i)
            for (std::size_t channel = 0; channel < stride; ++channel) {
                float const value = channels[channel]->values[i];
                if (std::isnan(value))
                    fail_usage(fmt::format("channel {} is no number at pixel {},{}", channels[channel]->name, i % width,
                                           i / width),
                               "write .exr, which keeps NaN");
                // Rounded; the sum is exact.
                auto const level = static_cast<double>(std::clamp(value, 0.0f, 1.0f) * 255.0f);
                samples[i * stride + channel] = static_cast<std::byte>(static_cast<int>(level + 0.5));
            }
    });
    return samples;
}

void require_linear(Image const& image, std::string_view format)
{
    if (image.transfer != Transfer::linear)
        fail_usage(fmt::format("{} holds linear values, but the image is sRGB-coded", format), "write .png");
}

void check_decoded_size(PictureNeed const& size, std::size_t file_bytes, SizeBound bound, PictureMemory const& memory,
                        std::string const& where)
{
    if (size.width < 1 || size.height < 1 || size.channels < 1)
        fail_input(fmt::format("header claims {} x {} pixels of {} channels", size.width, size.height, size.channels),
                   where, "an image has at least one pixel", "save the file again");
    constexpr std::uint64_t kLargestEdge = 1u << 24;
    std::uint64_t const limit = std::max(bound.floor_bytes, bound.ratio * file_bytes) / sizeof(float);
    bool const fits = size.width <= kLargestEdge && size.height <= kLargestEdge && size.channels <= 65536 &&
                      size.width * size.height <= limit / size.channels;
    if (!fits)
        fail_input(fmt::format("header claims {} x {} pixels of {} channels, but the file has only {} bytes",
                               size.width, size.height, size.channels, file_bytes),
                   where, "no encoder compresses that much", "save the file again, or in tiles");
    check_picture_memory(size, file_bytes, memory, where);
}

} // namespace volpt
