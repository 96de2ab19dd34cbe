#include "libvolpt/scene/light/cube_image.h"

#include "libvolpt/scene/exact_trig.h"
#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>

namespace volpt {
namespace {

enum Face : std::size_t { kRight, kLeft, kUp, kDown, kFront, kBack };

/// Where each face lies: its square's place in squares, and whether it is turned by 180 degrees.
struct FacePlan {
    int columns, rows; ///< of squares in the picture
    std::array<std::array<int, 2>, 6> place;
    bool back_is_turned = false;
};

constexpr FacePlan kHorizontalCross{4, 3, {{{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {3, 1}}}};
constexpr FacePlan kVerticalCross{3, 4, {{{2, 1}, {0, 1}, {1, 0}, {1, 2}, {1, 1}, {1, 3}}}, true};
constexpr FacePlan kHorizontalStrip{6, 1, {{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}}};
constexpr FacePlan kVerticalStrip{1, 6, {{{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}}};

bool has_size_of(Image const& image, FacePlan const& plan)
{
    return image.width % plan.columns == 0 && image.height % plan.rows == 0 &&
           image.width / plan.columns == image.height / plan.rows;
}

bool has_one_value(Channel const& channel, Image const& image, int x0, int y0, int edge)
{
    auto const at = [&](int x, int y) {
        return channel
            .values[static_cast<std::size_t>(y) * static_cast<std::size_t>(image.width) + static_cast<std::size_t>(x)];
    };
    for (int y = y0; y < y0 + edge; ++y)
        for (int x = x0; x < x0 + edge; ++x)
            if (at(x, y) != at(x0, y0)) return false;
    return true;
}

/// True if no square without a face shows anything.
bool has_blank_corners(Image const& image, FacePlan const& plan)
{
    int const edge = image.width / plan.columns;
    for (int row = 0; row < plan.rows; ++row)
        for (int column = 0; column < plan.columns; ++column) {
            if (std::ranges::find(plan.place, std::array{column, row}) != plan.place.end()) continue;
            for (Channel const& channel : image.channels)
                if (!has_one_value(channel, image, column * edge, row * edge, edge)) return false;
        }
    return true;
}

/// Null: lat-long.
FacePlan const* find_plan(Image const& image, LightLayout layout, std::string const& where)
{
    if (layout == LightLayout::latlong) return nullptr;
    if (layout != LightLayout::cross)
        for (FacePlan const* const strip : {&kHorizontalStrip, &kVerticalStrip})
            if (has_size_of(image, *strip)) return strip;
    if (layout != LightLayout::strip)
        for (FacePlan const* const cross : {&kHorizontalCross, &kVerticalCross})
            if (has_size_of(image, *cross) && (layout == LightLayout::cross || has_blank_corners(image, *cross)))
                return cross;
    if (layout == LightLayout::automatic) return nullptr;
    bool const is_cross = layout == LightLayout::cross;
    fail_usage(fmt::format("{}: {} x {} pixels are no {} of six squares", where, image.width, image.height,
                           is_cross ? "cross" : "strip"),
               is_cross ? "a cross is 4 by 3 or 3 by 4 squares" : "a strip is 6 by 1 or 1 by 6 squares");
}

/// The channels that a light is made of, checked.
std::vector<Channel const*> pick_channels(Image const& image, std::string const& where)
{
    std::vector<Channel const*> picked;
    if (image.find("Y") != nullptr)
        picked.push_back(&require_radiance(image, "Y", where));
    else
        for (char const* const name : {"R", "G", "B"}) picked.push_back(&require_radiance(image, name, where));
    return picked;
}

/// Walks the meridians of a cube map from pole to pole and integrates over z what lies in each row of a lat-long
/// picture.
class MeridianWalk {
public:
    MeridianWalk(Image const& image, FacePlan const& plan, std::vector<Channel const*> channels, int rows)
        : plan_(plan), channels_(std::move(channels)), width_(static_cast<std::size_t>(image.width)),
          edge_(image.width / plan.columns), row_z_(static_cast<std::size_t>(rows) + 1),
          sums_(static_cast<std::size_t>(rows) * channels_.size())
    {
        for (std::size_t row = 0; row < row_z_.size(); ++row)
            row_z_[row] = sine_cosine_of_degrees(180.0 * static_cast<double>(row) / rows).cosine;
    }

    void clear() { std::ranges::fill(sums_, 0.0); }

    /// Adds the meridian at the angle from front whose cosine and sine are `forward` and `right`, neither 0.
    void add(double forward, double right, double weight)
    {
        weight_ = weight;
        double const largest = std::max(std::abs(forward), std::abs(right));
        begin(Half::upper);
        walk_pole_face(kUp, forward, right, largest);
        walk_side_face(forward, right, largest);
        begin(Half::lower);
        walk_pole_face(kDown, -forward, right, largest);
    }

    /// The mean over a row, if the weights of the meridians add up to 1.
    float mean(std::size_t row, std::size_t channel) const
    {
        return static_cast<float>(sums_[row * channels_.size() + channel] / (row_z_[row] - row_z_[row + 1]));
    }

private:
    enum class Half { upper, lower };

    void begin(Half half)
    {
        half_ = half;
        row_ = 0;
        z_ = 1;
    }

    /// Goes down (in the lower half: up) to z in one texel.
    void go_to(double z, std::size_t texel)
    {
        std::size_t const last = row_z_.size() - 2;
        for (;;) {
            double const end = std::max(z, row_z_[row_ + 1]);
            std::size_t const row = half_ == Half::upper ? row_ : last - row_;
            double const height = weight_ * std::max(0.0, z_ - end);
            for (std::size_t c = 0; c < channels_.size(); ++c)
                sums_[row * channels_.size() + c] += height * static_cast<double>(channels_[c]->values[texel]);
            z_ = std::min(z_, end);
            if (z >= row_z_[row_ + 1] || row_ == last) return;
            ++row_;
        }
    }

    std::size_t find_texel(Face face, int column, int row) const
    {
        if (face == kBack && plan_.back_is_turned) {
            column = edge_ - 1 - column;
            row = edge_ - 1 - row;
        }
        auto const x = static_cast<std::size_t>(plan_.place[face][0] * edge_ + column);
        auto const y = static_cast<std::size_t>(plan_.place[face][1] * edge_ + row);
        return y * width_ + x;
    }

    /// From the middle of the face along (right, down), the horizontal direction in its picture, to its edge.
    void walk_pole_face(Face face, double down, double right, double largest)
    {
        auto const begin_at = [&](double along) { return along > 0 ? edge_ / 2 : (edge_ - 1) / 2; };
        // Distance from the middle, at height 1, of the line that bounds a texel towards `along`.
        auto const find_line = [&](int texel, double along) {
            double const line = 2.0 * (along > 0 ? texel + 1 : texel) / edge_ - 1;
            return line / along;
        };
        int column = begin_at(right), row = begin_at(down);
        double const last = 1 / largest;
        for (;;) {
            double const next_column = find_line(column, right), next_row = find_line(row, down);
            double const next = std::min({next_column, next_row, last});
            go_to(1 / std::sqrt(1 + next * next), find_texel(face, column, row));
            bool const leaves_column = next_column <= next_row;
            (leaves_column ? column : row) += (leaves_column ? right : down) > 0 ? 1 : -1;
            if (next >= last || std::min(column, row) < 0 || std::max(column, row) >= edge_) return;
        }
    }

    void walk_side_face(double forward, double right, double largest)
    {
        bool const along_forward = std::abs(forward) == largest;
        Face const face = along_forward ? (forward > 0 ? kFront : kBack) : (right > 0 ? kRight : kLeft);
        double const rightwards[6] = {-forward, forward, 0, 0, right, -right};
        double const s = rightwards[face] / largest;
        int const column = std::clamp(static_cast<int>(0.5 * (s + 1) * edge_), 0, edge_ - 1);
        for (int row = 0; row < edge_; ++row) {
            double const height = (1 - 2.0 * (row + 1) / edge_) * largest;
            go_to(height / std::sqrt(1 + height * height), find_texel(face, column, row));
        }
    }

    FacePlan const& plan_;
    std::vector<Channel const*> channels_;
    std::size_t width_;
    int edge_; ///< of a face, in texels
    std::vector<double> row_z_;
    std::vector<double> sums_; ///< [row][channel]
    double weight_ = 1;
    Half half_ = Half::upper;
    std::size_t row_ = 0; ///< counted from the pole of the half
    double z_ = 1;        ///< where the walk is; in the lower half, with its sign turned
};

/// Where columns of pixels or of the side faces' texels end, in columns of pixels from the left of the lat-long
/// picture; ascending. Between two of them, what meridians cut out of a side's texels is a smooth function of the
/// angle.
std::vector<double> list_column_ends(int columns, int edge)
{
    std::vector<double> ends;
    for (int x = 0; x <= columns; ++x) ends.push_back(x);
    double const quarter = 0.25 * columns;
    for (int side = 0; side <= 4; ++side) // the back face is at both ends
        for (int texel = 1; texel < edge; ++texel) {
            double const turn = arc_tangent2(2.0 * texel / edge - 1, 1) / (2 * kPi);
            double const end = side * quarter + turn * columns;
            if (end > 0 && end < columns) ends.push_back(end);
        }
    std::ranges::sort(ends);
    return ends;
}

/// Gauss-Legendre of order 3 on both halves of [0, 1]: up and down have kinks that list_column_ends leaves out.
constexpr double kMeridianNodes[6] = {0.05635083268962915574, 0.25, 0.44364916731037084426,
                                      0.55635083268962915574, 0.75, 0.94364916731037084426};
constexpr double kMeridianWeights[6] = {5.0 / 36, 8.0 / 36, 5.0 / 36, 5.0 / 36, 8.0 / 36, 5.0 / 36};

} // namespace

Image arrange_as_latlong(Image image, LightLayout layout, std::string const& where)
{
    FacePlan const* const plan = find_plan(image, layout, where);
    if (plan == nullptr) return image;
    int const edge = image.width / plan->columns;
    // A pixel is then as large as the texels around the middle of a face. Small faces keep their shape.
    int const rows = 2 * std::max(edge + edge % 2, 64), columns = 2 * rows;
    std::vector<Channel const*> const channels = pick_channels(image, where);
    Image latlong = make_image(columns, rows, image.transfer, {});
    for (Channel const* const channel : channels) latlong.add_channel(channel->name);
    MeridianWalk walk(image, *plan, channels, rows);
    std::vector<double> const ends = list_column_ends(columns, edge);
    auto low = ends.begin();
    for (int x = 0; x < columns; ++x) {
        walk.clear();
        for (; *low < x + 1; ++low)
            for (int k = 0; k < 6; ++k) {
                double const length = low[1] - *low;
                double const turn = (*low + kMeridianNodes[k] * length) / columns - 0.5; // to the right of front
                SineCosineDouble const angle = sine_cosine_of_degrees(360 * turn);
                if (length > 1e-9) walk.add(angle.cosine, angle.sine, kMeridianWeights[k] * length);
            }
        for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row)
            for (std::size_t c = 0; c < channels.size(); ++c)
                latlong.channels[c].values[row * static_cast<std::size_t>(columns) + static_cast<std::size_t>(x)] =
                    walk.mean(row, c);
    }
    return latlong;
}

} // namespace volpt
