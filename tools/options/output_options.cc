#include "tools/options/output_options.h"

#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/sys/error.h"
#include "tools/options/units.h"

#include <fmt/format.h>

namespace volpt {
namespace po = boost::program_options;

namespace {

constexpr double kLargestExposure = 1e9;

} // namespace

void FilmFileOptions::declare(po::options_description& options)
{
    auto add = options.add_options();
    add("output,o", repeatable_file("FILE", {.files = ".vpf " + list_image_extensions(ImageAccess::write)}),
        "film (.vpf) or image (.exr, .png, .jpg, ...), by its extension; may be repeated");
    add("exposure", text_value("FACTOR|auto"),
        "factor on the values of a .png or .jpg image; auto: so that 99 % of its pixels are shown below 0.9 of white, "
        "told in the picture as exposure (default 1)");
    add("illuminant", text_value(join_words<Illuminant>()), kIlluminantHelp);
    declare_provenance(options);
}

void FilmFileOptions::read(po::variables_map const& values)
{
    for (std::string const& name : given_texts(values, "output")) outputs.emplace_back(name);
    if (auto const text = given_text(values, "exposure"); text == "auto")
        how.exposure_choice = Exposure::of_picture;
    else if (text)
        how.exposure = static_cast<float>(parse_number("--exposure", *text, 0, kLargestExposure));
    if (auto const text = given_text(values, "illuminant")) how.illuminant = parse_illuminant(*text);
    provenance = read_provenance(values);
    if (provenance == ProvenanceDetail::none) how.keep_provenance = KeepProvenance::no;
}

Illuminant parse_illuminant(std::string const& text)
{
    return parse_word<Illuminant>("--illuminant", text);
}

float check_exposure(double exposure)
{
    if (!(exposure >= 0 && exposure <= kLargestExposure))
        fail_usage(fmt::format("the exposure is {}", exposure), "give a factor of 0 to 1e9");
    return static_cast<float>(exposure);
}

} // namespace volpt
