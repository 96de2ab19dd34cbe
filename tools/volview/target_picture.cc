#include "tools/volview/target_picture.h"

#include "libvolpt/colour/delta_e.h"
#include "libvolpt/image/codecs/codecs.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/image/resample_area.h"

#include <array>
#include <vector>

namespace volpt {

TargetPicture::TargetPicture(std::filesystem::path const& path, NoticeSink const& notice) : picture_(read_image(path))
{
    for (std::string const& sentence : list_picture_notices(picture_, path.string())) notice(sentence);
    require_colours(picture_, "--target-picture");
    // What is printed is seen on white, as volprep --print has it.
    if (!is_opaque(picture_)) picture_ = display_over(picture_, {1, 1, 1});
}

std::shared_ptr<Image const> TargetPicture::resample(std::uint32_t width, std::uint32_t height) const
{
    std::lock_guard const lock(mutex_);
    int const columns = static_cast<int>(width), rows = static_cast<int>(height);
    if (!resampled_ || resampled_->width != columns || resampled_->height != rows)
        resampled_ = std::make_shared<Image const>(resample_area(picture_, columns, rows));
    return resampled_;
}

Triple TargetPicture::measure(PixelRectangle const& rectangle, std::uint32_t width, std::uint32_t height,
                              Illuminant illuminant) const
{
    auto const picture = resample(width, height);
    std::size_t const count = rectangle.x_end - rectangle.x_first;
    std::vector<float> red(count), green(count), blue(count);
    Triple mean_rgb{};
    for (std::uint32_t y = rectangle.y_first; y < rectangle.y_end; ++y) {
        load_linear_rgb(*picture, static_cast<int>(y), static_cast<int>(rectangle.x_first),
                        static_cast<int>(rectangle.x_end), {red.data(), green.data(), blue.data()});
        for (std::size_t i = 0; i < count; ++i) {
            mean_rgb[0] += static_cast<double>(red[i]);
            mean_rgb[1] += static_cast<double>(green[i]);
            mean_rgb[2] += static_cast<double>(blue[i]);
        }
    }
    double const pixels = static_cast<double>(count) * static_cast<double>(rectangle.y_end - rectangle.y_first);
    for (double& value : mean_rgb) value /= pixels;
    return to_lab(adapt_from_d65(illuminant) * (kRgbToRelativeXyz * mean_rgb));
}

double measure_difference(Triple const& lab, Triple const& reference_lab)
{
    std::array<float, 3> test{}, reference{};
    for (std::size_t i = 0; i < 3; ++i) {
        test[i] = static_cast<float>(lab[i]);
        reference[i] = static_cast<float>(reference_lab[i]);
    }
    float distance = 0;
    measure_de2000({&test[0], &test[1], &test[2]}, {&reference[0], &reference[1], &reference[2]}, 1, &distance);
    return static_cast<double>(distance);
}

} // namespace volpt
