#include "libvolpt/stats/metrics/colour_difference.h"

#include "libvolpt/colour/vector_clones.h"
#include "libvolpt/image/linear_rgb.h"
#include "libvolpt/stats/metrics/pool_map.h"

namespace volpt {
namespace {

/// Linear R, G, B in place. `adaptation` is that of relative values from D65 to the illuminant.
VOLPT_VECTOR_CLONES void turn_into_lab(ColourRow row, std::size_t count, Matrix3 const& adaptation)
{
    for (std::size_t i = 0; i < count; ++i) {
        Colour const lab = to_lab(apply(adaptation, to_relative_xyz(colour_at(row, i))));
        row.first[i] = lab[0];
        row.second[i] = lab[1];
        row.third[i] = lab[2];
    }
}

} // namespace

MetricResult measure_colours(std::string_view name, Image const& test, Image const& reference,
                             MetricSettings const& settings, ColourDistance distance)
{
    require_comparable(test, reference);
    require_colours(test, name);
    std::vector<float> map(test.pixel_count());
    Matrix3 const adaptation = adapt_from_d65(settings.illuminant);
    auto const width = static_cast<std::size_t>(test.width);
    for_each_rows(settings.threads, test.height, 16, [&](RowRange rows) {
        std::vector<float> buffer(6 * width);
        ColourRow const t{buffer.data(), buffer.data() + width, buffer.data() + 2 * width};
        ColourRow const r{buffer.data() + 3 * width, buffer.data() + 4 * width, buffer.data() + 5 * width};
        for (int y = rows.first; y < rows.end; ++y) {
            load_linear_rgb(test, y, 0, test.width, t);
            load_linear_rgb(reference, y, 0, test.width, r);
            for (ColourRow const row : {t, r}) turn_into_lab(row, width, adaptation);
            distance(t, r, width, map.data() + static_cast<std::size_t>(y) * width);
        }
    });
    MetricResult result{.values = pool_map(name, map, settings), .map = {}};
    if (settings.keep_map == KeepMap::yes) result.map = std::move(map);
    return result;
}

} // namespace volpt
