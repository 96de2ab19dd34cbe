#include "libvolpt/stats/maps/colour_differences.h"

#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/sys/parallel.h"

namespace volpt {
namespace {

/// From linear R, G, B, in place. `adaptation` is that of relative values from D65 to the illuminant.
VOLPT_VECTOR_CLONES void convert_to_lab(ColourRow row, std::size_t count, Matrix3 const& adaptation)
{
    for (std::size_t i = 0; i < count; ++i) {
        Colour const lab = to_lab(apply(adaptation, to_relative_xyz(colour_at(row, i))));
        row.first[i] = lab[0];
        row.second[i] = lab[1];
        row.third[i] = lab[2];
    }
}

} // namespace

std::vector<float> map_colour_differences(Image const& test, Image const& reference, ColourDistance distance,
                                          Illuminant illuminant, int threads)
{
    std::vector<float> map(test.pixel_count());
    Matrix3 const adaptation = adapt_from_d65(illuminant);
    auto const width = static_cast<std::size_t>(test.width);
    parallel_for_rows(threads, test.height, 16, [&](RowRange rows) {
        std::vector<float> buffer(6 * width);
        ColourRow const t{buffer.data(), buffer.data() + width, buffer.data() + 2 * width};
        ColourRow const r{buffer.data() + 3 * width, buffer.data() + 4 * width, buffer.data() + 5 * width};
        for (int y = rows.first; y < rows.end; ++y) {
            load_linear_rgb(test, y, 0, test.width, t);
            load_linear_rgb(reference, y, 0, test.width, r);
            for (ColourRow const row : {t, r}) convert_to_lab(row, width, adaptation);
            distance(t, r, width, map.data() + static_cast<std::size_t>(y) * width);
        }
    });
    return map;
}

} // namespace volpt
