#include "libvolpt/print/mesh/surface_colours.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/print/target_picture.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace volpt {
namespace {

using Linear = std::array<float, 3>;

std::uint32_t encode_colour(Linear const& linear)
{
    std::uint32_t colour = 0;
    for (float const value : linear) {
        double const coded = encode_srgb(std::clamp(static_cast<double>(value), 0.0, 1.0));
        colour = colour << 8 | static_cast<std::uint32_t>(std::lround(255 * coded));
    }
    return colour;
}

class ConstantColour final : public SurfaceColours {
public:
    explicit ConstantColour(std::uint32_t srgb) : srgb_(srgb) {}
    std::uint32_t find(NearestPoint const&) const override { return srgb_; }

private:
    std::uint32_t srgb_;
};

class CornerColours final : public SurfaceColours {
public:
    explicit CornerColours(std::vector<std::array<std::uint32_t, 3>> colours) : colours_(std::move(colours))
    {
        for (std::size_t code = 0; code < 256; ++code)
            linear_[code] = static_cast<float>(decode_srgb(static_cast<double>(code) / 255));
    }

    std::uint32_t find(NearestPoint const& point) const override
    {
        auto const& corners = colours_[point.triangle];
        if (corners[0] == corners[1] && corners[0] == corners[2]) return corners[0];
        std::array<double, 3> const weights{1 - point.weight_b - point.weight_c, point.weight_b, point.weight_c};
        Linear sum{};
        for (std::size_t corner = 0; corner < 3; ++corner)
            for (std::size_t channel = 0; channel < 3; ++channel)
                sum[channel] += static_cast<float>(weights[corner]) * decode(corners[corner], channel);
        return encode_colour(sum);
    }

    float decode(std::uint32_t colour, std::size_t channel) const
    {
        return linear_[colour >> (16 - 8 * channel) & 0xffu];
    }

private:
    std::vector<std::array<std::uint32_t, 3>> colours_;
    std::array<float, 256> linear_{};
};

/// Of half the width and height; where these are odd, the last texel is a mean of fewer.
std::vector<Linear> halve(std::vector<Linear> const& texels, int width, int height)
{
    int const half_width = (width + 1) / 2, half_height = (height + 1) / 2;
    std::vector<Linear> half;
    half.reserve(static_cast<std::size_t>(half_width) * static_cast<std::size_t>(half_height));
    for (int y = 0; y < half_height; ++y)
        for (int x = 0; x < half_width; ++x) {
            Linear sum{};
            float count = 0;
            for (int row = 2 * y; row < std::min(2 * y + 2, height); ++row)
                for (int column = 2 * x; column < std::min(2 * x + 2, width); ++column) {
                    auto const& texel = texels[static_cast<std::size_t>(row) * static_cast<std::size_t>(width) +
                                               static_cast<std::size_t>(column)];
                    for (std::size_t i = 0; i < 3; ++i) sum[i] += texel[i];
                    ++count;
                }
            half.push_back({sum[0] / count, sum[1] / count, sum[2] / count});
        }
    return half;
}

class TextureColours final : public SurfaceColours {
public:
    TextureColours(std::vector<std::vector<TextureLevel>> textures, TriangleMesh const& mesh,
                   std::array<float, 3> const& pitch_mm)
        : coordinates_(mesh.texture_coordinates), pictures_(mesh.pictures), textures_(std::move(textures))
    {
        auto const is_white = [](auto const& corners) {
            return std::ranges::all_of(corners, [](std::uint32_t colour) { return colour == kWhite; });
        };
        if (!std::ranges::all_of(mesh.colours, is_white)) factors_.emplace(mesh.colours);
        choose_levels(mesh, pitch_mm);
    }

    std::uint32_t find(NearestPoint const& point) const override
    {
        std::uint32_t const factor = factors_ ? factors_->find(point) : kWhite;
        std::uint16_t const picture = find_picture(point.triangle);
        if (picture == TriangleMesh::kNoPicture) return factor;
        std::uint32_t const texel = find_texel_colour(textures_[picture], point);
        if (factor == kWhite) return texel;
        Linear product{};
        for (std::size_t i = 0; i < 3; ++i) product[i] = factors_->decode(texel, i) * factors_->decode(factor, i);
        return encode_colour(product);
    }

private:
    static constexpr std::uint32_t kWhite = 0xffffff;

    std::uint16_t find_picture(std::size_t triangle) const { return pictures_.empty() ? 0 : pictures_[triangle]; }

    std::uint32_t find_texel_colour(std::vector<TextureLevel> const& levels, NearestPoint const& point) const
    {
        auto const& [a, b, c] = coordinates_[point.triangle];
        auto const mix = [&](float at_a, float at_b, float at_c) {
            return (1 - point.weight_b - point.weight_c) * static_cast<double>(at_a) +
                   point.weight_b * static_cast<double>(at_b) + point.weight_c * static_cast<double>(at_c);
        };
        auto const halvings = level_of_triangle_[point.triangle];
        TextureLevel const& level = levels[halvings];
        int const column = find_texel(mix(a.u, b.u, c.u), levels[0].width) >> halvings;
        int const row = find_texel(1 - mix(a.v, b.v, c.v), levels[0].height) >> halvings;
        return level.colours[static_cast<std::size_t>(row) * static_cast<std::size_t>(level.width) +
                             static_cast<std::size_t>(column)];
    }

    static int find_texel(double at, int texels)
    {
        if (!(at >= -1e-6 && at <= 1 + 1e-6)) at -= std::floor(at); // repeated; the edges of 0..1 are its own
        return std::clamp(static_cast<int>(at * texels), 0, texels - 1);
    }

    void choose_levels(TriangleMesh const& mesh, std::array<float, 3> const& pitch_mm)
    {
        auto const x = static_cast<double>(pitch_mm[0]), y = static_cast<double>(pitch_mm[1]),
                   z = static_cast<double>(pitch_mm[2]);
        double const voxel_mm2 = std::pow(x * y * z, 2.0 / 3);
        for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
            std::uint16_t const picture = find_picture(i);
            if (picture == TriangleMesh::kNoPicture) {
                level_of_triangle_.push_back(0);
                continue;
            }
            auto const& levels = textures_[picture];
            double const texels = static_cast<double>(levels[0].width) * levels[0].height;
            auto const& [a, b, c] = coordinates_[i];
            double const chart = 0.5 * std::abs(static_cast<double>(b.u - a.u) * static_cast<double>(c.v - a.v) -
                                                static_cast<double>(b.v - a.v) * static_cast<double>(c.u - a.u));
            Vec3 const scale{pitch_mm[0], pitch_mm[1], pitch_mm[2]};
            auto const& t = mesh.triangles[i];
            Vec3 const normal = cross(scale * (mesh.positions_mm[t[1]] - mesh.positions_mm[t[0]]),
                                      scale * (mesh.positions_mm[t[2]] - mesh.positions_mm[t[0]]));
            double const area_mm2 = 0.5 * std::sqrt(static_cast<double>(dot(normal, normal)));
            double const texels_per_voxel = area_mm2 > 0 ? chart * texels / area_mm2 * voxel_mm2 : 0;
            // The edge of a mean is within a factor of sqrt(2) of that of a voxel.
            double const level = texels_per_voxel > 1 ? std::round(0.5 * std::log2(texels_per_voxel)) : 0;
            level_of_triangle_.push_back(
                static_cast<std::uint8_t>(std::min(level, static_cast<double>(levels.size() - 1))));
        }
    }

    std::vector<std::array<TextureCoordinates, 3>> coordinates_;
    std::vector<std::uint16_t> pictures_;
    std::vector<std::vector<TextureLevel>> textures_;
    std::optional<CornerColours> factors_; ///< none: all are white
    std::vector<std::uint8_t> level_of_triangle_;
};

} // namespace

std::vector<TextureLevel> make_texture_levels(StoredImage const& picture, std::string const& where)
{
    int width = picture.width(), height = picture.height();
    std::vector<Linear> texels = sample_target(picture, width, height, where);
    std::vector<TextureLevel> levels;
    for (;;) {
        TextureLevel& level = levels.emplace_back(TextureLevel{width, height, {}});
        level.colours.reserve(texels.size());
        for (Linear const& texel : texels) level.colours.push_back(encode_colour(texel));
        if (width == 1 && height == 1) return levels;
        texels = halve(texels, width, height);
        width = (width + 1) / 2;
        height = (height + 1) / 2;
    }
}

std::unique_ptr<SurfaceColours> make_constant_colour(std::uint32_t srgb)
{
    return std::make_unique<ConstantColour>(srgb);
}

std::unique_ptr<SurfaceColours> make_corner_colours(std::vector<std::array<std::uint32_t, 3>> colours)
{
    return std::make_unique<CornerColours>(std::move(colours));
}

std::unique_ptr<SurfaceColours> make_texture_colours(std::vector<std::vector<TextureLevel>> textures,
                                                     std::string const& where, TriangleMesh const& mesh_voxels,
                                                     std::array<float, 3> const& pitch_mm)
{
    if (mesh_voxels.texture_coordinates.size() != mesh_voxels.triangles.size())
        fail_input("the mesh has no texture coordinates", where, "they say where on the mesh a pixel lies",
                   "unwrap the mesh in a mesh editor, or give --colour");
    return std::make_unique<TextureColours>(std::move(textures), mesh_voxels, pitch_mm);
}

std::unique_ptr<SurfaceColours> make_texture_colours(StoredImage const& picture, std::string const& where,
                                                     TriangleMesh const& mesh_voxels,
                                                     std::array<float, 3> const& pitch_mm)
{
    return make_texture_colours({make_texture_levels(picture, where)}, where, mesh_voxels, pitch_mm);
}

} // namespace volpt
