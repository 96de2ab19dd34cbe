#include "formats/tiff/picture.h"

#if VOLPT_WITH_libtiff

#include "formats/tiff/pixels.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/orientation.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <memory>
#include <string_view>
#include <unistd.h>

namespace volpt {
namespace {

/// Blank areas compress by 1000 and more.
constexpr SizeBound kTiffPictureBound{.floor_bytes = 64ull << 20, .ratio = 8192};
constexpr std::size_t kMostProfileBytes = kMaxMessage_bytes;
constexpr std::size_t kPixelPieceBytes = std::size_t{1} << 20;

enum TiffPictureMessage : std::uint32_t {
    kTiffPictureFacts = 1,   ///< a TiffPictureFacts
    kTiffPictureProfile = 2, ///< an ICC profile, or nothing
    kTiffPicturePixels = 3,  ///< a piece of the samples; pieces follow until they are complete
};

struct TiffPictureFacts {
    std::uint32_t width = 0;
    std::uint32_t height = 0;
    std::uint32_t colours = 0; ///< 1, 3, 4
    std::uint32_t extra = 0;   ///< samples of a pixel after its colours
    std::uint32_t bits = 0;    ///< 8, 16
    std::uint32_t orientation = 1;
    std::uint32_t alpha = 0;             ///< the kind of alpha that an extra sample is: EXTRASAMPLE_*; 0: none is
    std::uint32_t alpha_at = 0;          ///< which of the extra samples, from 0
    std::uint32_t is_white_zero = 0;     ///< of grey
    std::uint32_t has_palette = 0;       ///< samples sent are R G B of 16 bits
    std::uint32_t has_further_pages = 0; ///< of full size
    std::uint32_t channels() const { return colours + extra; }
    CodeDepth depth() const { return bits == 8 ? CodeDepth::bits_8 : CodeDepth::bits_16; }
    /// Values that are computed from the samples are floats.
    SampleForm find_form(SampleForm wanted) const
    {
        return is_white_zero != 0 || alpha == EXTRASAMPLE_ASSOCALPHA ? SampleForm::floats : wanted;
    }
};

struct TiffPictureDemand {
    PictureMemory const& memory;
    SampleForm form;
};

/// What two processes hold: values here, and a copy by channel while they are turned; the samples as they are stored
/// there. Sizes are any numbers yet.
void check_tiff_picture_size(TiffPictureFacts const& facts, std::size_t file_bytes, TiffPictureDemand const& demand,
                             std::string const& where)
{
    PictureMemory const& memory = demand.memory;
    std::size_t const value_bytes = count_value_bytes(facts.find_form(demand.form), facts.depth());
    PictureNeed need{facts.width, facts.height, facts.channels(), 0, value_bytes};
    check_decoded_size(need, file_bytes, kTiffPictureBound, memory, where);
    std::uint64_t const pixels = need.width * need.height;
    std::uint64_t const stored_bytes = facts.has_palette != 0 ? 1 : facts.channels() * (facts.bits / 8);
    need.further_bytes = pixels * (stored_bytes + (facts.orientation > 1 ? value_bytes : 0));
    check_picture_memory(need, file_bytes, memory, where);
}

[[noreturn]] void refuse_picture(std::string const& what, std::string const& where)
{
    fail_input(what, where, "TIFF pictures are read as grey, R G B or C M Y K of 8 or 16 bits",
               "save it so, or as PNG; " + suggest_conversion(where));
}

/// The file as libtiff reads it: from memory, whatever becomes of its path.
struct TiffBytes {
    std::span<std::byte const> bytes;
    std::uint64_t at = 0;

    static TiffBytes& of(thandle_t handle) { return *static_cast<TiffBytes*>(handle); }
    static tmsize_t read(thandle_t handle, void* to, tmsize_t size)
    {
        TiffBytes& file = of(handle);
        std::uint64_t const left = file.at < file.bytes.size() ? file.bytes.size() - file.at : 0;
        auto const count = std::min<std::uint64_t>(left, static_cast<std::uint64_t>(size));
        if (count > 0) std::memcpy(to, file.bytes.data() + file.at, count);
        file.at += count;
        return static_cast<tmsize_t>(count);
    }
    static tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }
    static toff_t seek(thandle_t handle, toff_t offset, int from)
    {
        TiffBytes& file = of(handle);
        file.at = from == SEEK_CUR ? file.at + offset : from == SEEK_END ? file.bytes.size() + offset : offset;
        return file.at;
    }
    static int close(thandle_t) { return 0; }
    static toff_t size(thandle_t handle) { return of(handle).bytes.size(); }
};

struct CloseTiffPicture {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

/// In the child: the page that is the picture, and its facts.
class TiffPictureReader {
public:
    TiffPictureReader(std::span<std::byte const> file, std::string const& where, TiffPictureDemand const& demand)
        : bytes_{file}, where_(where)
    {
        // m: no memory mapping.
        tiff_.reset(TIFFClientOpen(where.c_str(), "rm", &bytes_, TiffBytes::read, TiffBytes::write, TiffBytes::seek,
                                   TiffBytes::close, TiffBytes::size, nullptr, nullptr));
        if (tiff_ == nullptr)
            fail_input("cannot be read as TIFF: " + last_tiff_error(), where, {}, "get a complete copy");
        find_page();
        read_facts();
        check_tiff_picture_size(facts_, file.size(), demand, where);
    }

    TiffPictureFacts const& facts() const { return facts_; }

    std::vector<std::byte> read_profile()
    {
        std::uint32_t size_bytes = 0;
        void* data = nullptr;
        if (TIFFGetField(tiff_.get(), TIFFTAG_ICCPROFILE, &size_bytes, &data) != 1 || data == nullptr) return {};
        if (size_bytes > kMostProfileBytes)
            fail_input(fmt::format("its colour profile has {} bytes", size_bytes), where_, {}, "convert the picture");
        auto const* const bytes = static_cast<std::byte const*>(data);
        return {bytes, bytes + size_bytes};
    }

    /// As they are stored.
    std::vector<std::byte> read_samples()
    {
        std::vector<std::byte> samples;
        std::uint32_t const stored = facts_.has_palette != 0 ? 1 : facts_.channels();
        std::size_t const sample_bytes = facts_.has_palette != 0 ? 1 : facts_.bits / 8;
        read_tiff_samples(tiff_.get(), {facts_.width, facts_.height, stored, sample_bytes}, where_, samples);
        return samples;
    }

    /// R G B of palette indices.
    std::vector<std::byte> look_up(std::span<std::byte const> indices) const
    {
        std::array<std::uint16_t*, 3> maps{};
        if (TIFFGetField(tiff_.get(), TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1)
            fail_input("has no palette", where_, {}, "get a complete copy");
        std::vector<std::byte> colours(indices.size() * 6);
        for (std::size_t i = 0; i < indices.size(); ++i)
            for (std::size_t c = 0; c < 3; ++c)
                std::memcpy(colours.data() + 6 * i + 2 * c, maps[c] + std::to_integer<std::size_t>(indices[i]), 2);
        return colours;
    }

private:
    template <typename Value>
    Value get(std::uint32_t tag, Value fallback) const
    {
        Value value{};
        return TIFFGetFieldDefaulted(tiff_.get(), tag, &value) == 1 ? value : fallback;
    }

    bool is_full_page() const
    {
        return (get<std::uint32_t>(TIFFTAG_SUBFILETYPE, 0) & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) == 0;
    }

    void find_page()
    {
        constexpr int kPagesTried = 64;
        int found = 0;
        std::uint64_t offset = 0;
        for (int page = 0; page < kPagesTried && found < 2; ++page) {
            if (is_full_page() && ++found == 1) offset = TIFFCurrentDirOffset(tiff_.get());
            if (TIFFReadDirectory(tiff_.get()) != 1) break;
        }
        if (found == 0) fail_input("has no page of full size", where_, {}, "save it again");
        facts_.has_further_pages = found > 1 ? 1 : 0;
        if (TIFFSetSubDirectory(tiff_.get(), offset) != 1) fail_damaged_tiff(where_);
    }

    void read_facts()
    {
        facts_.width = get<std::uint32_t>(TIFFTAG_IMAGEWIDTH, 0);
        facts_.height = get<std::uint32_t>(TIFFTAG_IMAGELENGTH, 0);
        std::uint32_t const samples = get<std::uint16_t>(TIFFTAG_SAMPLESPERPIXEL, 1);
        facts_.bits = get<std::uint16_t>(TIFFTAG_BITSPERSAMPLE, 1);
        unsigned const format = get<std::uint16_t>(TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT);
        if ((facts_.bits != 8 && facts_.bits != 16) || format != SAMPLEFORMAT_UINT)
            refuse_picture(fmt::format("its numbers have {} bits in sample format {}", facts_.bits, format), where_);
        unsigned const compression = get<std::uint16_t>(TIFFTAG_COMPRESSION, COMPRESSION_NONE);
        if (TIFFIsCODECConfigured(static_cast<std::uint16_t>(compression)) != 1)
            refuse_picture(fmt::format("its compression {} is unknown to libtiff here", compression), where_);
        facts_.colours = count_colours(compression);
        if (samples < facts_.colours || samples > facts_.colours + 8)
            refuse_picture(fmt::format("{} samples per pixel", samples), where_);
        facts_.extra = samples - facts_.colours;
        if (facts_.has_palette != 0) {
            if (facts_.bits != 8 || samples != 1) refuse_picture("a palette of another kind than 8 bits", where_);
            facts_.colours = 3;
            facts_.bits = 16;
        }
        read_alpha();
        facts_.orientation = get<std::uint16_t>(TIFFTAG_ORIENTATION, ORIENTATION_TOPLEFT);
    }

    std::uint32_t count_colours(unsigned compression)
    {
        unsigned const photometric = get<std::uint16_t>(TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_MINISBLACK);
        switch (photometric) {
        case PHOTOMETRIC_MINISWHITE:
            facts_.is_white_zero = 1;
            return 1;
        case PHOTOMETRIC_MINISBLACK:
            return 1;
        case PHOTOMETRIC_PALETTE:
            facts_.has_palette = 1;
            return 1;
        case PHOTOMETRIC_RGB:
            return 3;
        case PHOTOMETRIC_YCBCR:
            if (compression != COMPRESSION_JPEG) break;
            TIFFSetField(tiff_.get(), TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB);
            return 3;
        case PHOTOMETRIC_SEPARATED:
            if (get<std::uint16_t>(TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK)
                refuse_picture("its inks are others than C M Y K", where_);
            return 4;
        default:
            break;
        }
        refuse_picture(fmt::format("photometric interpretation {}", photometric), where_);
    }

    void read_alpha()
    {
        std::uint16_t count = 0;
        std::uint16_t* kinds = nullptr;
        if (facts_.extra > 0 && TIFFGetFieldDefaulted(tiff_.get(), TIFFTAG_EXTRASAMPLES, &count, &kinds) == 1 &&
            kinds != nullptr)
            for (std::uint32_t i = 0; i < std::min<std::uint32_t>(count, facts_.extra) && facts_.alpha == 0; ++i)
                if (kinds[i] == EXTRASAMPLE_ASSOCALPHA || kinds[i] == EXTRASAMPLE_UNASSALPHA) {
                    facts_.alpha = kinds[i];
                    facts_.alpha_at = i;
                }
    }

    TiffBytes bytes_;
    std::string const& where_;
    std::unique_ptr<TIFF, CloseTiffPicture> tiff_;
    TiffPictureFacts facts_;
};

void serve_tiff_picture(std::span<std::byte const> file, std::string const& where, TiffPictureDemand const& demand,
                        SandboxPort& port)
{
    keep_tiff_errors();
    TiffPictureReader reader(file, where, demand);
    port.send(kTiffPictureFacts, std::as_bytes(std::span(&reader.facts(), 1)));
    port.send(kTiffPictureProfile, reader.read_profile());
    std::vector<std::byte> const samples = reader.read_samples();
    for (std::size_t at = 0; at < samples.size(); at += kPixelPieceBytes) {
        auto const piece = std::span(samples).subspan(at, std::min(kPixelPieceBytes, samples.size() - at));
        if (reader.facts().has_palette != 0)
            port.send(kTiffPicturePixels, reader.look_up(piece));
        else
            port.send(kTiffPicturePixels, piece);
    }
}

/// The child begins with the address space of this process, so what that has counts in its limit.
SandboxLimits find_picture_limits(std::size_t file_bytes)
{
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    std::uint64_t const own_bytes = pages * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE));
    return {own_bytes + (std::uint64_t{1} << 30) + 64 * std::uint64_t{file_bytes}, 60 + (file_bytes >> 20)};
}

/// What arrives may come from a process under the control of a malicious file.
class TiffPictureReceiver {
public:
    TiffPictureReceiver(Sandbox& sandbox, std::size_t file_bytes, TiffPictureDemand const& demand,
                        std::string const& where)
        : sandbox_(sandbox), where_(where), wanted_(demand.form)
    {
        std::vector<std::byte> const bytes = receive(kTiffPictureFacts);
        if (bytes.size() != sizeof facts_) fail();
        std::memcpy(&facts_, bytes.data(), sizeof facts_);
        bool const is_sound = (facts_.colours == 1 || facts_.colours == 3 || facts_.colours == 4) &&
                              facts_.extra <= 8 && (facts_.alpha == 0 || facts_.alpha_at < facts_.extra) &&
                              (facts_.bits == 8 || facts_.bits == 16);
        if (!is_sound) fail();
        check_tiff_picture_size(facts_, file_bytes, demand, where);
    }

    StoredImage take()
    {
        std::vector<std::byte> profile = receive(kTiffPictureProfile);
        std::vector<std::string> names = facts_.colours == 4 ? std::vector<std::string>{"C", "M", "Y", "K"}
                                                             : colour_channel_names(static_cast<int>(facts_.colours));
        bool const has_alpha = facts_.alpha != 0;
        if (has_alpha) names.emplace_back("A");
        StoredImage image(static_cast<int>(facts_.width), static_cast<int>(facts_.height), names,
                          facts_.find_form(wanted_), facts_.depth());
        Image& description = image.description;
        for (StoredChannel& channel : image.channels) channel.resize(image.pixel_count());
        if (!profile.empty()) description.profile = {"", std::move(profile)};
        take_samples(image);
        if (facts_.is_white_zero != 0)
            for (float& value : floats_of(image.channels[0])) value = 1 - value;
        if (has_alpha && facts_.alpha == EXTRASAMPLE_ASSOCALPHA) divide_by_alpha(image);
        if (facts_.extra > (has_alpha ? 1u : 0u))
            description.notices.push_back(
                fmt::format("{} has {} more samples per pixel, not said to be alpha: they are "
                            "left out",
                            where_, facts_.extra - (has_alpha ? 1 : 0)));
        if (facts_.has_further_pages != 0)
            description.notices.push_back(fmt::format("{} has several pages: the first is read", where_));
        apply_orientation(image, static_cast<int>(std::min(facts_.orientation, 9u)));
        return image;
    }

private:
    [[noreturn]] void fail() const
    {
        fail_input("its description is unreadable", where_, {}, "the file is damaged: get a complete copy");
    }

    std::vector<std::byte> receive(std::uint32_t kind)
    {
        SandboxMessage const& message = sandbox_.receive();
        if (message.kind != kind) fail();
        return message.bytes;
    }

    /// Pieces may end anywhere in a pixel; samples have the byte order of this machine.
    void take_samples(StoredImage& image)
    {
        std::size_t const sample_bytes = facts_.bits / 8, stride = facts_.channels();
        std::size_t const pixel_bytes = stride * sample_bytes, size_bytes = image.pixel_count() * pixel_bytes;
        std::vector<std::size_t> offsets; // of each channel's sample in its pixel
        for (std::size_t c = 0; c < image.channels.size(); ++c)
            offsets.push_back((c < facts_.colours ? c : c + facts_.alpha_at) * sample_bytes);
        std::vector<std::byte> left;
        std::size_t pixel = 0;
        for (std::size_t taken = 0; taken < size_bytes;) {
            std::vector<std::byte> const piece = receive(kTiffPicturePixels);
            if (piece.empty() || piece.size() > size_bytes - taken) fail();
            taken += piece.size();
            left.insert(left.end(), piece.begin(), piece.end());
            std::size_t const whole = left.size() / pixel_bytes;
            for (std::size_t c = 0; c < image.channels.size(); ++c)
                image.channels[c].put(pixel, 1, whole, facts_.depth(), [&](std::size_t i) {
                    return read_code(left.data() + i * pixel_bytes + offsets[c]);
                });
            pixel += whole;
            left.erase(left.begin(), left.begin() + static_cast<std::ptrdiff_t>(whole * pixel_bytes));
        }
    }

    unsigned read_code(std::byte const* at) const
    {
        if (facts_.bits == 8) return std::to_integer<unsigned>(*at);
        std::uint16_t code = 0;
        std::memcpy(&code, at, sizeof code);
        return code;
    }

    static std::vector<float>& floats_of(StoredChannel& channel)
    {
        return std::get<std::vector<float>>(channel.values);
    }

    static void divide_by_alpha(StoredImage& image)
    {
        std::vector<float> const& alpha = floats_of(image.channels.back());
        for (std::size_t c = 0; c + 1 < image.channels.size(); ++c) {
            std::vector<float>& values = floats_of(image.channels[c]);
            for (std::size_t i = 0; i < alpha.size(); ++i)
                if (alpha[i] > 0) values[i] = std::min(1.0f, values[i] / alpha[i]);
        }
    }

    Sandbox& sandbox_;
    std::string const& where_;
    SampleForm wanted_;
    TiffPictureFacts facts_;
};

bool is_tiff_picture(std::span<std::byte const> file)
{
    using namespace std::string_view_literals;
    std::string_view const text(reinterpret_cast<char const*>(file.data()), file.size());
    return text.starts_with("II*\0"sv) || text.starts_with("MM\0*"sv) || text.starts_with("II+\0"sv) ||
           text.starts_with("MM\0+"sv);
}

StoredImage decode_with_own_limits(std::span<std::byte const> file, std::string const& where,
                                   PictureMemory const& memory, SampleForm form)
{
    return decode_tiff_picture(file, where, {}, memory, form);
}

} // namespace

StoredImage decode_tiff_picture(std::span<std::byte const> file, std::string const& where,
                                std::optional<SandboxLimits> limits, PictureMemory const& memory, SampleForm form)
{
    TiffPictureDemand const demand{memory, form};
    Sandbox sandbox(where, limits ? *limits : find_picture_limits(file.size()),
                    [&](SandboxPort& port) { serve_tiff_picture(file, where, demand, port); });
    return TiffPictureReceiver(sandbox, file.size(), demand, where).take();
}

void add_tiff_pictures()
{
    add_codec({"tiff", ".tif .tiff", is_tiff_picture, decode_with_own_limits, nullptr, Transfer::srgb});
}

} // namespace volpt

#else

namespace volpt {

void add_tiff_pictures() {}

} // namespace volpt

#endif
