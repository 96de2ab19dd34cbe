#include "libvolpt/print/target_picture.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

/// Rows of the picture as linear R G B over white.
class TargetRows {
public:
    TargetRows(StoredImage const& picture, std::string const& where)
        : picture_(picture), where_(where), alpha_(picture.find("A")),
          is_straight_(find_alpha_form(picture.description) == AlphaForm::straight),
          row_(static_cast<std::size_t>(picture.width()))
    {
        StoredChannel const* const grey = picture.find("Y");
        char const* const names[3] = {"R", "G", "B"};
        for (std::size_t i = 0; i < 3; ++i) {
            channels_[i] = grey != nullptr ? grey : picture.find(names[i]);
            if (channels_[i] == nullptr)
                fail_input("has neither R, G, B nor Y", where, "it is what the print is to show",
                           "give a colour or grey picture");
        }
    }

    /// One triple per pixel, as long as the picture is wide.
    void read(std::size_t y, std::vector<std::array<double, 3>>& rgb)
    {
        opacities_.assign(row_.size(), 1);
        if (alpha_ != nullptr) read_channel(*alpha_, y, [&](std::size_t x, double value) { opacities_[x] = value; });
        bool const is_coded = picture_.description.transfer == Transfer::srgb;
        auto const cover = [&](std::size_t x, double value) {
            double const colour = is_coded ? decode_srgb(value) : value, opacity = opacities_[x];
            return (is_straight_ ? opacity * colour : std::min(colour, opacity)) + (1 - opacity);
        };
        for (std::size_t i = 0; i < 3; ++i) {
            if (i > 0 && channels_[i] == channels_[0])
                for (auto& pixel : rgb) pixel[i] = pixel[0];
            else
                read_channel(*channels_[i], y, [&](std::size_t x, double value) { rgb[x][i] = cover(x, value); });
        }
    }

private:
    /// take(x, value), values clamped to 0..1.
    template <class Take>
    void read_channel(StoredChannel const& channel, std::size_t y, Take const& take)
    {
        channel.read(y * row_.size(), row_);
        for (std::size_t x = 0; x < row_.size(); ++x) {
            if (std::isnan(row_[x]))
                fail_input("is no number", fmt::format("{}: channel {}, pixel {},{}", where_, channel.name, x, y));
            take(x, std::clamp(static_cast<double>(row_[x]), 0.0, 1.0));
        }
    }

    StoredImage const& picture_;
    std::string const& where_;
    StoredChannel const* alpha_;
    bool is_straight_;
    StoredChannel const* channels_[3]{}; ///< of a grey picture, one channel three times
    std::vector<float> row_;
    std::vector<double> opacities_;
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

std::vector<std::array<float, 3>> sample_target(StoredImage const& picture, int columns, int rows,
                                                std::string const& where)
{
    TargetRows pixels(picture, where);
    auto const width = static_cast<std::size_t>(picture.width());
    auto const across = find_footprints(picture.width(), columns);
    auto const down = find_footprints(picture.height(), rows);
    std::vector<std::array<float, 3>> texels;
    texels.reserve(across.size() * down.size());
    std::vector<std::array<double, 3>> line(width), read(width); // weighted sum of the picture's rows, and one of them
    for (Footprint const& row : down) {
        std::ranges::fill(line, std::array<double, 3>{});
        for (std::size_t j = 0; j < row.weights.size(); ++j) {
            pixels.read(static_cast<std::size_t>(row.first) + j, read);
            for (std::size_t x = 0; x < width; ++x)
                for (std::size_t i = 0; i < 3; ++i) line[x][i] += row.weights[j] * read[x][i];
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
