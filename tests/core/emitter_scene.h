// Scenes of emitters alone, for tests of how these are sampled.
#pragma once

#include "libvolpt/core/light/sample_light.hd.h"
#include "libvolpt/core/light/sample_particle.hd.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace volpt::test {

inline constexpr double kPiDouble = 3.14159265358979323846;
inline constexpr float kSceneRadius_mm = 8;

/// Not less than find_solid_angle_of_square anywhere in a texel, and little more in small ones. Where texels are chosen
/// by the largest radiance of lookups in them times this, no particle weighs more than 1.
inline double bound_solid_angle_of_square(std::uint32_t edge, std::uint32_t row, std::uint32_t column)
{
    double const a = (2.0 * column + 1) / edge - 1, b = (2.0 * (row % edge) + 1) / edge - 1;
    double const x = 0.5 * (a + b), y = 0.5 * (a - b);
    double const z = std::max(0.0, 1 - std::abs(x) - std::abs(y));
    // A texel's corners are 1 / edge from its centre in (x, y), and the point of the octahedron moves by at most
    // sqrt(3) of that; its length is not below 1 / sqrt(3).
    double const least = std::max(1 / std::sqrt(3.0), std::sqrt(x * x + y * y + z * z) - std::sqrt(3.0) / edge);
    return 2 / (least * least * least);
}

/// Emitters by hand: their amounts by band, and powers that say how often they are chosen.
class EmitterScene {
public:
    explicit EmitterScene(std::uint32_t bands = 1)
    {
        scene_.bands = bands;
        scene_.lights.scene_radius_mm = kSceneRadius_mm;
        scene_.environment.row[0] = {1, 0, 0};
        scene_.environment.row[1] = {0, 1, 0};
        scene_.environment.row[2] = {0, 0, 1};
    }

    /// `amount` and `power_w` by band.
    void add(EmitterView emitter, std::vector<double> const& amount, std::vector<double> const& power_w)
    {
        double const most = *std::max_element(power_w.begin(), power_w.end());
        for (std::size_t b = 0; b < amount.size(); ++b) {
            emitter.amount[b] = static_cast<float>(amount[b]);
            emitter.power_share[b] = static_cast<float>(power_w[b] / most);
        }
        emitters_.push_back(emitter);
        powers_.push_back(most);
    }

    /// The radiance of triangles, and their power.
    void add_triangles(std::vector<EmitterTriangle> const& triangles, double radiance)
    {
        EmitterView emitter;
        emitter.shape = EmitterShape::triangles;
        emitter.first_triangle = static_cast<std::uint32_t>(triangles_.size());
        emitter.first_primitive = emitter.first_triangle;
        emitter.triangle_count = static_cast<std::uint32_t>(triangles.size());
        double area = 0;
        std::vector<double> sums;
        for (EmitterTriangle const& t : triangles) {
            Vec3 const normal = cross(t.b - t.a, t.c - t.a);
            area += 0.5 * std::sqrt(static_cast<double>(dot(normal, normal)));
            sums.push_back(area);
        }
        for (double const sum : sums) area_cdf_.push_back(static_cast<float>(sum / area));
        triangles_.insert(triangles_.end(), triangles.begin(), triangles.end());
        emitter.area_mm2 = static_cast<float>(area);
        emitter_of_.resize(triangles_.size(), static_cast<std::uint32_t>(emitters_.size()) + 1);
        add(emitter, {radiance}, {kPiDouble * area * radiance});
    }

    /// After all triangles; its primitive is the last.
    void add_sphere(Vec3 centre, float radius, double radiance)
    {
        EmitterView emitter;
        emitter.shape = EmitterShape::sphere;
        emitter.position_mm = centre;
        emitter.radius_mm = radius;
        double const area = 4 * kPiDouble * static_cast<double>(radius * radius);
        emitter.area_mm2 = static_cast<float>(area);
        emitter.first_primitive = static_cast<std::uint32_t>(emitter_of_.size());
        emitter_of_.push_back(static_cast<std::uint32_t>(emitters_.size()) + 1);
        add(emitter, {radiance}, {kPiDouble * area * radiance});
    }

    /// An even environment.
    void set_environment(double radiance)
    {
        scene_.environment.above[0] = static_cast<float>(radiance);
        environment_power_ = 4 * kPiDouble * kPiDouble * kSceneRadius_mm * kSceneRadius_mm * radiance;
    }

    /// One band; texels[hemisphere][row][column], on axes that are turned.
    void set_environment_image(std::uint32_t edge, std::vector<float> texels)
    {
        texels_ = std::move(texels);
        EnvironmentView& light = scene_.environment;
        light.kind = LightKindView::image;
        light.edge = edge;
        light.texels = texels_.data();
        light.above[0] = 1;
        light.row[0] = {0, 0.6f, 0.8f};
        light.row[1] = {0, -0.8f, 0.6f};
        light.row[2] = {1, 0, 0};
        double total = 0;
        std::vector<double> rows, cells;
        for (std::uint32_t row = 0; row < 2 * edge; ++row) {
            double in_row = 0;
            for (std::uint32_t column = 0; column < edge; ++column) {
                in_row += bound_solid_angle_of_square(edge, row, column) *
                          static_cast<double>(find_brightest_about(edge, row, column));
                cells.push_back(in_row);
            }
            for (std::uint32_t i = 0; i < edge; ++i)
                cell_cdf_.push_back(in_row > 0 ? static_cast<float>(cells[row * edge + i] / in_row) : 1.0f);
            total += in_row;
            rows.push_back(total);
        }
        for (double const sum : rows) row_cdf_.push_back(static_cast<float>(sum / total));
        environment_power_ = kPiDouble * kSceneRadius_mm * kSceneRadius_mm * total / (edge * edge);
        scene_.lights.environment = {edge, row_cdf_.data(), cell_cdf_.data()};
    }

    /// Valid as long as this is, and not added to.
    SceneView const& finish()
    {
        double total = environment_power_, sum = 0;
        for (double const power : powers_) total += power;
        choice_cdf_.clear();
        for (std::size_t i = 0; i < powers_.size(); ++i) {
            emitters_[i].choice = static_cast<float>(powers_[i] / total);
            sum += powers_[i];
            choice_cdf_.push_back(static_cast<float>(sum / total));
        }
        LightsView& lights = scene_.lights;
        lights.count = static_cast<std::uint32_t>(emitters_.size());
        lights.environment_choice = static_cast<float>(environment_power_ / total);
        lights.emitters = emitters_.data();
        lights.choice_cdf = choice_cdf_.data();
        lights.triangles = triangles_.data();
        lights.area_cdf = area_cdf_.data();
        lights.emitter_of = emitter_of_.data();
        lights.reference_power_w = static_cast<float>(total);
        return scene_;
    }

private:
    /// Bilinear lookups in a texel read its neighbours.
    float find_brightest_about(std::uint32_t edge, std::uint32_t row, std::uint32_t column) const
    {
        std::uint32_t const first = row / edge * edge, last = first + edge - 1;
        float most = 0;
        for (std::uint32_t r = row > first ? row - 1 : row; r <= std::min(row + 1, last); ++r)
            for (std::uint32_t c = column > 0 ? column - 1 : column; c <= std::min(column + 1, edge - 1); ++c)
                most = std::max(most, texels_[r * edge + c]);
        return most;
    }

    SceneView scene_;
    double environment_power_ = 0;
    std::vector<double> powers_;
    std::vector<EmitterView> emitters_;
    std::vector<EmitterTriangle> triangles_;
    std::vector<float> area_cdf_, choice_cdf_, row_cdf_, cell_cdf_, texels_;
    std::vector<std::uint32_t> emitter_of_;
};

inline EmitterView make_point(Vec3 position)
{
    EmitterView emitter;
    emitter.position_mm = position;
    return emitter;
}

inline EmitterView make_spot(Vec3 position, Vec3 direction, float one_minus_cosine, float one_minus_inner_cosine)
{
    EmitterView emitter = make_point(position);
    emitter.shape = EmitterShape::spot;
    emitter.direction = direction;
    emitter.one_minus_cosine = one_minus_cosine;
    emitter.one_minus_inner_cosine = one_minus_inner_cosine;
    return emitter;
}

inline EmitterView make_sun(Vec3 direction, float one_minus_cosine)
{
    EmitterView emitter;
    emitter.shape = EmitterShape::sun;
    emitter.direction = direction;
    emitter.one_minus_cosine = one_minus_cosine;
    return emitter;
}

inline EmitterView make_beam(BeamProfile profile, Vec3 position, Vec3 direction, float radius)
{
    EmitterView emitter = make_point(position);
    emitter.shape = EmitterShape::beam;
    emitter.profile = profile;
    emitter.direction = direction;
    emitter.radius_mm = radius;
    return emitter;
}

/// Two triangles whose front is where u x v points.
inline std::vector<EmitterTriangle> make_rectangle(Vec3 centre, Vec3 u, Vec3 v)
{
    Vec3 const a = centre - u - v, b = centre + u - v, c = centre + u + v, d = centre - u + v;
    return {{a, b, c}, {a, c, d}};
}

/// A fan with the area of the disc; its front is +z.
inline std::vector<EmitterTriangle> make_disc(Vec3 centre, double radius)
{
    int const count = 128;
    double const turn = 2 * kPiDouble / count;
    double const corner = radius * std::sqrt(turn / std::sin(turn));
    auto const place = [&](int i) {
        return centre + Vec3{static_cast<float>(corner * std::cos(turn * i)),
                             static_cast<float>(corner * std::sin(turn * i)), 0};
    };
    std::vector<EmitterTriangle> fan;
    for (int i = 0; i < count; ++i) fan.push_back({centre, place(i), place(i + 1)});
    return fan;
}

/// Sums of a random quantity: `mean` is within a few `error` of its expectation.
struct RunningMean {
    double sum = 0, squares = 0;
    int count = 0;

    void add(double x)
    {
        sum += x;
        squares += x * x;
        ++count;
    }
    double mean() const { return sum / count; }
    double error() const { return std::sqrt(std::max(0.0, squares / count - mean() * mean()) / count); }
};

} // namespace volpt::test
