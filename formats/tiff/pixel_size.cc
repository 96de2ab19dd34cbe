#include "formats/tiff/pixel_size.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

using PixelSizes = std::array<std::optional<double>, 3>;

void set_pitch(PixelSizes const& mm, std::string const& origin, SourceMeta& meta)
{
    if (!mm[0] || !mm[1]) return;
    if (!mm[2]) {
        meta.pitch_advice = fmt::format("{} say {:g} x {:g} mm a pixel, and nothing says how far apart slices are",
                                        origin, *mm[0], *mm[1]);
        return;
    }
    std::array<double, 3> const pitch{*mm[0], *mm[1], *mm[2]};
    if (!std::ranges::all_of(pitch, [](double size) { return size >= 1e-9 && size <= 1e9; })) {
        meta.pitch_advice = fmt::format("{} say {:g},{:g},{:g} mm, voxels are between 1e-9 and 1e9 mm large", origin,
                                        pitch[0], pitch[1], pitch[2]);
        return;
    }
    meta.pitch_mm = pitch;
    meta.pitch_origin = origin;
}

PixelSizes find_tag_sizes(TiffPage const& page, double unit_mm)
{
    if (!(page.x_per_unit > 0 && page.y_per_unit > 0)) return {};
    return {unit_mm / page.x_per_unit, unit_mm / page.y_per_unit, {}};
}

} // namespace

void set_pitch_of_tags(TiffPage const& page, SourceMeta& meta)
{
    constexpr std::uint32_t kInch = 2, kCentimetre = 3; // RESUNIT_*
    if (page.resolution_unit != kInch && page.resolution_unit != kCentimetre) return;
    set_pitch(find_tag_sizes(page, page.resolution_unit == kInch ? 25.4 : 10), "the tags XResolution and YResolution",
              meta);
}

void set_pitch_of_imagej(ImagejText const& text, TiffPage const& page, SourceMeta& meta)
{
    if (!text.unit_mm) {
        if (!text.unit.empty())
            meta.pitch_advice = fmt::format("ImageJ's unit '{}' is no length", text.unit.substr(0, 40));
        return set_pitch_of_tags(page, meta);
    }
    auto sizes = find_tag_sizes(page, *text.unit_mm);
    if (text.spacing) sizes[2] = *text.spacing * text.depth_unit_mm.value_or(*text.unit_mm);
    set_pitch(sizes, "ImageJ's pixel width, height and spacing", meta);
}

void set_pitch_of_ome(OmeImage const& image, TiffPage const& page, SourceMeta& meta)
{
    if (!image.unknown_unit.empty())
        meta.pitch_advice =
            fmt::format("the unit '{}' of OME's PhysicalSize is no length", image.unknown_unit.substr(0, 40));
    else if (image.pixel_mm[0] || image.pixel_mm[1] || image.pixel_mm[2])
        set_pitch(image.pixel_mm, "OME's PhysicalSizeX, Y and Z", meta);
    else
        set_pitch_of_tags(page, meta);
}

} // namespace volpt
