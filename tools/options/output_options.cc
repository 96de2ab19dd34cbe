#include "tools/options/output_options.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

namespace {

/// Linear values in 8 bits would be taken for sRGB.
std::vector<std::string> list_picture_tones()
{
    return {to_word(Tone::srgb), to_word(Tone::filmic)};
}

} // namespace

void FilmFileOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("output,o", repeatable_file("FILE", {.files = ".vpf " + list_image_extensions(ImageAccess::write)}),
        "film (.vpf) or image (.exr, .png, .jpg, ...), by its extension; may be repeated");
    add("exposure", text_value("FACTOR|auto"),
        "factor on the values of a .png or .jpg image; auto: so that 99 % of its pixels are shown below 0.9 of white, "
        "told in the picture as exposure (default 1; of --light in lumens and the like, what shows white as half of "
        "white)");
    add("tone", text_value("srgb|filmic", {.words = list_picture_tones()}),
        "how a .png or .jpg image shows light: srgb: as it is, clamped at white; filmic: by a curve with a toe and a "
        "shoulder that shows light up to 10 times white, and leaves 0.18 as it is; told in the picture as tone "
        "(default "
        "srgb)");
    add("illuminant", text_value(join_words<Illuminant>()), kIlluminantHelp);
    declare_provenance(options);
}

void FilmFileOptions::read(po::variables_map const& values)
{
    for (std::string const& name : given_texts(values, "output")) outputs.emplace_back(name);
    names_exposure = given_text(values, "exposure").has_value();
    if (auto const text = given_text(values, "exposure"); text == "auto")
        how.exposure_choice = Exposure::of_picture;
    else if (text)
        how.exposure = static_cast<float>(parse_number("--exposure", *text, 0, kLargestExposure));
    if (auto const text = given_text(values, "tone")) how.tone = parse_tone(*text);
    if (auto const text = given_text(values, "illuminant")) how.illuminant = parse_illuminant(*text);
    provenance = read_provenance(values);
    if (provenance == ProvenanceDetail::none) how.keep_provenance = KeepProvenance::no;
}

Illuminant parse_illuminant(std::string const& text)
{
    return parse_word<Illuminant>("--illuminant", text);
}

Tone parse_tone(std::string const& text)
{
    return *find_word<Tone>(parse_choice("--tone", text, list_picture_tones()));
}

float check_exposure(double exposure)
{
    if (!(exposure >= 0 && exposure <= kLargestExposure))
        fail_usage(fmt::format("the exposure is {}", exposure), "give a factor of 0 to 1e12");
    return static_cast<float>(exposure);
}

} // namespace volpt
