#include "libvolpt/print/target_picture.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

class TargetPixels {
public:
    TargetPixels(Image const& picture, std::string const& where)
        : picture_(picture), where_(where), alpha_(picture.find("A")),
          is_straight_(find_alpha_form(picture) == AlphaForm::straight)
    {
        Channel const* const grey = picture.find("Y");
        char const* const names[3] = {"R", "G", "B"};
        for (std::size_t i = 0; i < 3; ++i) {
            channels_[i] = grey != nullptr ? grey : picture.find(names[i]);
            if (channels_[i] == nullptr)
                fail_input("has neither R, G, B nor Y", where, "it is what the print is to show",
                           "give a colour or grey picture");
        }
    }

    std::array<double, 3> read(std::size_t pixel) const
    {
        double const opacity = alpha_ == nullptr ? 1 : std::clamp(to_number(*alpha_, pixel), 0.0, 1.0);
        std::array<double, 3> rgb;
        for (std::size_t i = 0; i < 3; ++i) {
            double const value = std::clamp(to_number(*channels_[i], pixel), 0.0, 1.0);
            double const colour = picture_.transfer == Transfer::srgb ? decode_srgb(value) : value;
            rgb[i] = (is_straight_ ? opacity * colour : std::min(colour, opacity)) + (1 - opacity);
        }
        return rgb;
    }

private:
    double to_number(Channel const& channel, std::size_t pixel) const
    {
        float const value = channel.values[pixel];
        if (std::isnan(value))
            fail_input("is no number", fmt::format("{}: channel {}, pixel {},{}", where_, channel.name,
                                                   pixel % static_cast<std::size_t>(picture_.width),
                                                   pixel / static_cast<std::size_t>(picture_.width)));
        return static_cast<double>(value);
    }

    Image const& picture_;
    std::string const& where_;
    Channel const* alpha_;
    bool is_straight_;
    Channel const* channels_[3]{};
};

} // namespace

std::vector<Footprint> find_footprints(int texels, int voxels)
{
    std::vector<Footprint> footprints(static_cast<std::size_t>(voxels));
    double const ratio = static_cast<double>(texels) / voxels;
    for (int i = 0; i < voxels; ++i) {
        Footprint& footprint = footprints[static_cast<std::size_t>(i)];
        if (texels <= voxels) {
            footprint.first = std::min(texels - 1, static_cast<int>((i + 0.5) * ratio));
            footprint.weights = {1};
            continue;
        }
        double const begin = i * ratio;
        double const end = (i + 1) * ratio;
        footprint.first = static_cast<int>(begin);
        for (int t = footprint.first; t < texels && t < end; ++t)
            footprint.weights.push_back((std::min<double>(t + 1, end) - std::max<double>(t, begin)) / ratio);
    }
    return footprints;
}

std::vector<std::array<float, 3>> sample_target(Image const& picture, int columns, int rows, std::string const& where)
{
    TargetPixels const pixels(picture, where);
    auto const width = static_cast<std::size_t>(picture.width);
    auto const across = find_footprints(picture.width, columns);
    auto const down = find_footprints(picture.height, rows);
    std::vector<std::array<float, 3>> texels;
    texels.reserve(across.size() * down.size());
    std::vector<std::array<double, 3>> line(width); // weighted sum of the picture's rows
    for (Footprint const& row : down) {
        std::ranges::fill(line, std::array<double, 3>{});
        for (std::size_t j = 0; j < row.weights.size(); ++j)
            for (std::size_t x = 0; x < width; ++x) {
                auto const rgb = pixels.read((static_cast<std::size_t>(row.first) + j) * width + x);
                for (std::size_t i = 0; i < 3; ++i) line[x][i] += row.weights[j] * rgb[i];
            }
        for (Footprint const& column : across) {
            std::array<double, 3> sum{};
            for (std::size_t k = 0; k < column.weights.size(); ++k)
                for (std::size_t i = 0; i < 3; ++i)
                    sum[i] += column.weights[k] * line[static_cast<std::size_t>(column.first) + k][i];
            texels.push_back({static_cast<float>(std::min(1.0, sum[0])), static_cast<float>(std::min(1.0, sum[1])),
                              static_cast<float>(std::min(1.0, sum[2]))});
        }
    }
    return texels;
}

} // namespace volpt
