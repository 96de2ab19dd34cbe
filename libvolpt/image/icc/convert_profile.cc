#include "libvolpt/image/icc/convert_profile.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/image/icc/icc_profile.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <memory>
#include <string_view>
#include <utility>
#if VOLPT_WITH_LCMS2
#include <lcms2.h>
#endif

namespace volpt {
namespace {

enum class ColourModel { grey, rgb, cmyk };

std::vector<std::string> list_model_channels(ColourModel model)
{
    switch (model) {
    case ColourModel::grey:
        return {"Y"};
    case ColourModel::rgb:
        return {"R", "G", "B"};
    case ColourModel::cmyk:
        break;
    }
    return {"C", "M", "Y", "K"};
}

template <class Picture>
bool has_model(Picture const& image, ColourModel model)
{
    return std::ranges::all_of(list_model_channels(model), [&](auto const& name) { return image.find(name); });
}

/// Of coded values; linear ones, whose channels may have any names, have no profile.
template <class Picture>
std::optional<ColourModel> find_model(Picture const& image, Image const& description)
{
    if (description.transfer == Transfer::linear && !description.profile) return std::nullopt;
    for (ColourModel const model : {ColourModel::cmyk, ColourModel::rgb, ColourModel::grey})
        if (has_model(image, model)) return model;
    return std::nullopt;
}

/// A profile is of no use; the text continues "the profile ..".
struct ProfileFault {
    std::string text;
};

#if VOLPT_WITH_LCMS2

/// Profiles of presses have up to some 10 MB.
constexpr std::size_t kMostProfileBytes = std::size_t{32} << 20;

struct CloseContext {
    void operator()(cmsContext context) const { cmsDeleteContext(context); }
};
struct CloseProfile {
    void operator()(cmsHPROFILE profile) const { cmsCloseProfile(profile); }
};
struct CloseTransform {
    void operator()(cmsHTRANSFORM transform) const { cmsDeleteTransform(transform); }
};
using Context = std::unique_ptr<std::remove_pointer_t<cmsContext>, CloseContext>;
using Profile = std::unique_ptr<void, CloseProfile>;
using Transform = std::unique_ptr<void, CloseTransform>;

/// The default handler of a context, which the library calls before it returns null, does nothing.
Profile open_profile(cmsContext context, std::vector<std::byte> const& bytes, ColourModel model)
{
    if (bytes.size() > kMostProfileBytes) throw ProfileFault{fmt::format("has {} bytes", bytes.size())};
    Profile profile(cmsOpenProfileFromMemTHR(context, bytes.data(), static_cast<cmsUInt32Number>(bytes.size())));
    constexpr std::size_t kHeaderBytes = 128;
    if (profile == nullptr || bytes.size() < kHeaderBytes) throw ProfileFault{"is damaged"};
    // Read here, as any number may stand where the library's enumerations have few: ICC.1:2022, section 7.2.
    std::string_view const header(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    std::string_view const kind = header.substr(12, 4), space = header.substr(16, 4);
    constexpr std::array<std::string_view, 3> kSpaces{"GRAY", "RGB ", "CMYK"};
    if (space != kSpaces[static_cast<std::size_t>(model)]) throw ProfileFault{"is for another kind of colours"};
    if (kind != "scnr" && kind != "mntr" && kind != "prtr" && kind != "spac")
        throw ProfileFault{"does not say what colours are"};
    return profile;
}

Profile make_linear_srgb(cmsContext context)
{
    cmsCIExyY const white{0.3127, 0.3290, 1};
    cmsCIExyYTRIPLE const primaries{{0.64, 0.33, 1}, {0.30, 0.60, 1}, {0.15, 0.06, 1}};
    std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)> const line(cmsBuildGamma(context, 1.0),
                                                                          cmsFreeToneCurve);
    std::array<cmsToneCurve*, 3> const curves{line.get(), line.get(), line.get()};
    Profile profile(cmsCreateRGBProfileTHR(context, &white, &primaries, curves.data()));
    if (profile == nullptr) fail_system("Little CMS made no profile of sRGB", "colour conversion");
    return profile;
}

/// Rows of a picture, pixel by pixel as the library wants them, to linear R G B.
class ColourConverter {
public:
    ColourConverter(std::vector<std::byte> const& profile_bytes, ColourModel model)
        : context_(cmsCreateContext(nullptr, nullptr))
    {
        if (context_ == nullptr) fail_system("Little CMS did not start", "colour conversion");
        Profile const from = open_profile(context_.get(), profile_bytes, model);
        Profile const to = make_linear_srgb(context_.get());
        constexpr std::array<cmsUInt32Number, 3> kFormats{TYPE_GRAY_FLT, TYPE_RGB_FLT, TYPE_CMYK_FLT};
        // Float on both sides: nothing is clamped or rounded. No black point compensation.
        transform_.reset(cmsCreateTransformTHR(context_.get(), from.get(), kFormats[static_cast<std::size_t>(model)],
                                               to.get(), TYPE_RGB_FLT, INTENT_RELATIVE_COLORIMETRIC, 0));
        if (transform_ == nullptr) throw ProfileFault{"lacks the tables or curves of its kind"};
    }

    void convert(std::vector<float> const& from, std::vector<float>& to, std::size_t pixels) const
    {
        cmsDoTransform(transform_.get(), from.data(), to.data(), static_cast<cmsUInt32Number>(pixels));
    }

private:
    Context context_;
    Transform transform_;
};

/// Whether a second picture of `channels` fits beside one.
enum class CopyRoom { some, none };

/// Converts row by row; what is written into may be what is read, as a row is read first.
class PixelConversion {
public:
    PixelConversion(Image const& image, ColourModel model, std::vector<std::byte> const& profile)
        : image_(image), converter_(profile, model), scale_(model == ColourModel::cmyk ? 100.0f : 1.0f),
          names_(list_model_channels(model == ColourModel::grey ? ColourModel::grey : ColourModel::rgb))
    {
        for (std::string const& name : list_model_channels(model)) inputs_.push_back(image.find(name));
    }

    /// Of R G B, or Y.
    std::vector<std::string> const& names() const { return names_; }

    /// Throws ProfileFault for values that are no numbers.
    void check() const
    {
        convert([](std::size_t, std::size_t, double) {});
    }

    /// Share of pixels beyond sRGB by more than half an 8-bit code.
    double write(std::vector<Channel*> const& outputs) const
    {
        constexpr double kTolerance = 0.5 / 255;
        std::size_t outside = 0, last = image_.pixel_count();
        convert([&](std::size_t channel, std::size_t pixel, double coded) {
            outputs[channel]->values[pixel] = static_cast<float>(coded);
            if ((coded >= -kTolerance && coded <= 1 + kTolerance) || pixel == last) return;
            last = pixel;
            ++outside;
        });
        return static_cast<double>(outside) / static_cast<double>(image_.pixel_count());
    }

private:
    /// Calls take(channel, pixel, value), all channels of a pixel in turn.
    template <typename Take>
    void convert(Take const& take) const
    {
        auto const width = static_cast<std::size_t>(image_.width);
        std::vector<float> from(width * inputs_.size()), to(width * 3);
        for (std::size_t first = 0; first < image_.pixel_count(); first += width) {
            for (std::size_t i = 0; i < from.size(); ++i)
                from[i] = scale_ * inputs_[i % inputs_.size()]->values[first + i / inputs_.size()];
            converter_.convert(from, to, width);
            for (std::size_t x = 0; x < width; ++x)
                for (std::size_t c = 0; c < names_.size(); ++c) {
                    double const coded = encode_srgb(static_cast<double>(to[3 * x + c]));
                    if (!std::isfinite(coded)) throw ProfileFault{"gives values that are no numbers"};
                    take(c, first + x, coded);
                }
        }
    }

    Image const& image_;
    ColourConverter converter_;
    float scale_; ///< the library counts ink in percent
    std::vector<std::string> names_;
    std::vector<Channel const*> inputs_;
};

/// Share of pixels beyond sRGB. Leaves the image as it was if it throws.
double convert_pixels(Image& image, ColourModel model, std::vector<std::byte> const& profile, CopyRoom room)
{
    PixelConversion const conversion(image, model, profile);
    std::vector<Channel> copies;
    if (room == CopyRoom::some)
        for (std::string const& name : conversion.names())
            copies.push_back({name, std::vector<float>(image.pixel_count())});
    else
        conversion.check();
    std::vector<Channel*> outputs; // in place: those of grey or R G B, or the first three inks
    auto const inputs = list_model_channels(model);
    for (std::size_t c = 0; c < conversion.names().size(); ++c) {
        auto const found = std::ranges::find(image.channels, inputs[c], &Channel::name);
        outputs.push_back(room == CopyRoom::some ? &copies[c] : &*found);
    }
    double const outside = conversion.write(outputs);
    std::vector<Channel> converted;
    for (std::size_t c = 0; c < outputs.size(); ++c)
        converted.push_back({conversion.names()[c], std::move(outputs[c]->values)});
    auto const alpha = std::ranges::find(image.channels, std::string_view("A"), &Channel::name);
    if (alpha != image.channels.end()) converted.push_back(std::move(*alpha));
    image.channels = std::move(converted);
    return outside;
}

#else

enum class CopyRoom { some, none };

double convert_pixels(Image&, ColourModel, std::vector<std::byte> const&, CopyRoom)
{
    throw ProfileFault{"needs Little CMS, which this build lacks (-DVOLPT_WITH_LCMS2=ON)"};
}

#endif

ColourProfile read_profile(std::filesystem::path const& path)
{
    MappedFile const file(path);
    ColourProfile profile{path.filename().string(), {file.bytes().begin(), file.bytes().end()}};
    file.check_unchanged();
    return profile;
}

[[noreturn]] void refuse_inks(std::string what, std::string const& where)
{
    fail_input(std::move(what), where, "the colours of its inks depend on the press, and only its profile states them",
               "embed the profile, name it (volprep --print, --print-mesh: --picture-profile PRESS.icc), or convert "
               "the picture: convert "
               "PICTURE -profile PRESS.icc -profile /usr/share/color/icc/ghostscript/srgb.icc PICTURE_srgb.png");
}

/// A conversion that a picture needs.
struct Conversion {
    ColourModel model;
    ColourProfile profile;
    std::string name;                              ///< of the profile
    std::optional<std::filesystem::path> fallback; ///< the file of the profile, if it is not the picture's own
};

/// Takes the profile out of the description. None: the values are sRGB or linear as they are.
template <class Picture>
std::optional<Conversion> find_conversion(Picture const& image, Image& description, std::string const& where,
                                          std::optional<std::filesystem::path> const& fallback)
{
    auto const model = find_model(image, description);
    if (!model) return std::nullopt;
    bool const is_fallback =
        !description.profile && fallback && description.transfer_source == TransferSource::assumption;
    std::optional<ColourProfile> profile =
        is_fallback ? std::optional(read_profile(*fallback)) : std::exchange(description.profile, std::nullopt);
    if (!profile) {
        if (model == ColourModel::cmyk) refuse_inks("is in CMYK and has no colour profile", where);
        return std::nullopt;
    }
    IccSummary const summary = read_icc_profile(profile->bytes);
    std::string const name = summary.description.empty() ? profile->name : summary.description;
    description.transfer_source = TransferSource::file;
    if (summary.is_srgb && model != ColourModel::cmyk) return std::nullopt;
    return Conversion{*model, std::move(*profile), name, is_fallback ? fallback : std::nullopt};
}

void convert_image(Image& image, Conversion const& conversion, std::string const& where, PictureMemory const& memory)
{
    auto const& [model, profile, name, fallback] = conversion;
    try {
        std::uint64_t const bytes_with_copy = image.pixel_count() * (image.channels.size() + 3) * sizeof(float);
        CopyRoom const room = bytes_with_copy <= memory.most_bytes(0) ? CopyRoom::some : CopyRoom::none;
        double const outside = convert_pixels(image, model, profile.bytes, room);
        image.transfer = Transfer::srgb;
        image.notices.push_back(fmt::format("{} is converted to sRGB from the colour profile '{}'{}", where, name,
                                            outside > 0 ? fmt::format("; {:.3g} % of its pixels have colours "
                                                                      "outside sRGB",
                                                                      100 * outside)
                                                        : ""));
    } catch (ProfileFault const& fault) {
        if (fallback)
            fail_input("cannot be used for " + where + ": the profile " + fault.text, fallback->string(), {},
                       "give a profile of the picture's kind of colours");
        if (model == ColourModel::cmyk)
            refuse_inks(fmt::format("is in CMYK, and its colour profile '{}' {}", name, fault.text), where);
        image.notices.push_back(fmt::format("{} has the colour profile '{}', which is ignored because it {}: its "
                                            "values are taken as sRGB; convert it first, for example with "
                                            "ImageMagick: {}",
                                            where, name, fault.text, suggest_conversion(where)));
    }
}

} // namespace

void apply_profile(Image& image, std::string const& where, std::optional<std::filesystem::path> const& fallback,
                   PictureMemory const& memory)
{
    if (auto const conversion = find_conversion(image, image, where, fallback))
        convert_image(image, *conversion, where, memory);
}

void apply_profile(StoredImage& image, std::uint64_t file_bytes, std::string const& where,
                   std::optional<std::filesystem::path> const& fallback, PictureMemory const& memory)
{
    auto const conversion = find_conversion(image, image.description, where, fallback);
    if (!conversion) return;
    // One channel is held twice at a time.
    std::size_t const stored_bytes = image.channels.front().value_bytes();
    if (stored_bytes < sizeof(float))
        check_picture_memory({static_cast<std::uint64_t>(image.width()), static_cast<std::uint64_t>(image.height()),
                              image.channels.size(), image.pixel_count() * stored_bytes},
                             file_bytes, memory, where);
    Image floats = to_floats(std::move(image));
    convert_image(floats, *conversion, where, memory);
    image = std::move(floats);
}

} // namespace volpt
