#include "tools/volprep/print/print_size.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// A --size of one length is a square.
void check_face_size(std::array<double, 3> const& size_mm)
{
    if (size_mm[0] != size_mm[1] || size_mm[1] != size_mm[2])
        fail_usage("--size of three lengths has no meaning for a printed picture",
                   "give x,y; --core and --ink-depth, or --thickness, give the depth");
}

double find_core_mm(double thickness_mm, PictureOptions const& print)
{
    double const layer_mm = print.pitch_mm[2];
    double const ink_layers = std::max(1.0, std::round(print.ink_depth_mm / layer_mm));
    double const core_layers = std::round(thickness_mm / layer_mm) - ink_layers;
    if (core_layers < 1)
        fail_usage(fmt::format("--thickness {:g} mm leaves no core behind inks of {:g} mm, in layers of {:g} mm",
                               thickness_mm, ink_layers * layer_mm, layer_mm),
                   "give a larger --thickness or a smaller --ink-depth");
    return core_layers * layer_mm;
}

} // namespace

void check_print_size(VolprepOptions const& options)
{
    VolumeOptions const& volume = options.volume;
    bool const has_size = volume.face_size_mm || volume.size_mm;
    if (has_size && options.picture.width_mm)
        fail_usage("--width and --size both give the width of the print",
                   "give --width to keep the picture's aspect ratio, or --size to give both sides");
    if (!has_size && !options.picture.width_mm)
        fail_usage("--print needs a size", "give for example --width 50mm, or --size 50mm,50mm");
    if (options.picture.thickness_range_mm)
        fail_usage("--thickness of a print is one length", "give for example 3mm; two are for --lithophane");
    if (options.core.core_mm && options.picture.thickness_mm)
        fail_usage("--thickness and --core both give the thickness of the core",
                   "give --thickness for the whole print, or --core for what lies behind the inks");
    if (volume.size_mm) check_face_size(*volume.size_mm);
    if (!options.core.core_mm && !options.picture.thickness_mm)
        fail_usage("--print needs a core behind the inks", "give for example --thickness 3mm, or --core 9.5mm");
}

void set_print_size(PictureOptions& print, VolprepOptions const& options, Image const& picture)
{
    if (auto const width_mm = options.picture.width_mm)
        print.size_mm = {*width_mm, *width_mm * picture.height / picture.width};
    else if (options.volume.face_size_mm)
        print.size_mm = *options.volume.face_size_mm;
    else
        print.size_mm = {(*options.volume.size_mm)[0], (*options.volume.size_mm)[1]};
    auto const thickness_mm = options.picture.thickness_mm;
    print.core_mm = thickness_mm ? find_core_mm(*thickness_mm, print) : *options.core.core_mm;
}

} // namespace volpt
