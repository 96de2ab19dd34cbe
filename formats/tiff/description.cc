// Looks for the counts of ImageJ ("images=40") and OME-XML (SizeC="2").
#include "formats/tiff/description.h"

#include "libvolpt/sys/error.h"

#include <charconv>
#include <fmt/format.h>

namespace volpt {
namespace {

/// The number behind `key`, or 1.
std::size_t find_count(std::string const& text, std::string const& key)
{
    std::size_t const at = text.find(key);
    std::size_t count = 1;
    if (at != std::string::npos) std::from_chars(text.data() + at + key.size(), text.data() + text.size(), count);
    return count;
}

void refuse_series(std::size_t channels, std::size_t times, std::string const& where)
{
    if (channels < 2 && times < 2) return;
    fail_input(fmt::format("its pages are {} channels at {} times in turn", channels, times), where,
               "a volume is one channel at one time", "split the stack and save one of them");
}

} // namespace

void check_tiff_description(std::string const& description, std::size_t pages, int channels, std::string const& where)
{
    if (description.starts_with("ImageJ=")) {
        // Stacks above 4 GiB have one page, behind which the other slices lie.
        if (std::size_t const images = find_count(description, "\nimages="); images > pages)
            fail_input(fmt::format("has {} pages, ImageJ's description says {} images", pages, images), where,
                       "the others lie outside of TIFF's pages",
                       "save it from ImageJ as an image sequence or as .nrrd");
        refuse_series(find_count(description, "\nchannels="), find_count(description, "\nframes="), where);
    }
    if (description.find("<OME ") != std::string::npos)
        refuse_series(channels > 2 ? 1 : find_count(description, " SizeC=\""), find_count(description, " SizeT=\""),
                      where);
}

} // namespace volpt
