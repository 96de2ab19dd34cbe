// Computes the densities of synthetic volumes.
#include "libvolpt/print/make_volume.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr int kCheckerCell = 8;
constexpr int kNoiseCell = 8;

bool is_homogeneous(MadeShape shape)
{
    return shape == MadeShape::cube || shape == MadeShape::slab;
}

/// A fixed integer hash (Wellons' triple32 shape): the noise is part of tests, so it may never change.
double hash_to_unit(int x, int y, int z)
{
    auto h = static_cast<std::uint32_t>(x) * 0x9e3779b1u ^ static_cast<std::uint32_t>(y) * 0x85ebca77u ^
             static_cast<std::uint32_t>(z) * 0xc2b2ae3du;
    h = (h ^ (h >> 17)) * 0xed5ad4bbu;
    h = (h ^ (h >> 11)) * 0xac4c1b51u;
    h = (h ^ (h >> 15)) * 0x31848babu;
    h ^= h >> 14;
    return static_cast<double>(h) / 4294967295.0;
}

/// Trilinear interpolation of random lattice values, eased so that no lattice plane shows.
double value_noise(double x, double y, double z)
{
    double const p[3] = {x, y, z};
    int cell[3];
    double ease[3];
    for (int i = 0; i < 3; ++i) {
        cell[i] = static_cast<int>(std::floor(p[i]));
        double const t = p[i] - cell[i];
        ease[i] = t * t * (3 - 2 * t);
    }
    double sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        double weight = 1;
        int at[3];
        for (int i = 0; i < 3; ++i) {
            int const bit = (corner >> i) & 1;
            at[i] = cell[i] + bit;
            weight *= bit != 0 ? ease[i] : 1 - ease[i];
        }
        sum += weight * hash_to_unit(at[0], at[1], at[2]);
    }
    return sum;
}

class MadeVolume final : public VoxelStream {
public:
    explicit MadeVolume(MakeOptions options) : options_(std::move(options))
    {
        std::size_t const bands = std::max(options_.one_minus_albedo.size(), options_.sigma_t.size());
        if (options_.one_minus_albedo.size() == 1)
            options_.one_minus_albedo.resize(bands, options_.one_minus_albedo[0]);
        if (options_.one_minus_albedo.size() != bands ||
            (options_.sigma_t.size() != 1 && options_.sigma_t.size() != bands))
            fail_usage("--sigma-t and --albedo have different numbers of bands", "give one value or one a band");
        if (!is_homogeneous(options_.shape) && options_.sigma_t.size() != 1)
            fail_usage("--sigma-t by band needs a homogeneous volume", "use --make cube or slab, or give one value");
        fill_meta(bands);
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        if (is_homogeneous(options_.shape)) return {z_first, z_count, {}, {}, {}};
        density_.clear();
        for (int z = z_first; z < z_first + z_count; ++z)
            for (int y = 0; y < meta_.dims[1]; ++y)
                for (int x = 0; x < meta_.dims[0]; ++x) density_.push_back(compute_density(x, y, z));
        return {z_first, z_count, density_, {}, {}};
    }

private:
    float compute_density(int x, int y, int z) const
    {
        if (options_.shape == MadeShape::checker)
            return (x / kCheckerCell + y / kCheckerCell + z / kCheckerCell) % 2 == 0 ? 1.0f : 0.0f;
        if (options_.shape == MadeShape::noise) {
            double const noise = value_noise((x + 0.5) / kNoiseCell, (y + 0.5) / kNoiseCell, (z + 0.5) / kNoiseCell);
            // A multiple of the stored step: the packed volume holds these numbers exactly.
            return static_cast<float>(std::round(noise * 255)) * (1.0f / 255.0f);
        }
        double const position[3] = {x + 0.5, y + 0.5, z + 0.5};
        double radius_squared = 0;
        for (std::size_t i = 0; i < 3; ++i) {
            double const half = 0.5 * meta_.dims[i];
            radius_squared += (position[i] - half) * (position[i] - half) / (half * half);
        }
        return radius_squared <= 1 ? 1.0f : 0.0f;
    }

    void fill_meta(std::size_t bands)
    {
        scene_hints_json_ = options_.scene_hints_json;
        source_metadata_json_ = options_.source_metadata_json;
        meta_.wavelengths_nm = options_.wavelengths_nm;
        bool const homogeneous = is_homogeneous(options_.shape);
        meta_.dims = options_.dims;
        meta_.pitch_mm = options_.pitch_mm;
        meta_.placement = place_in_middle(options_.dims, options_.pitch_mm);
        meta_.filter = options_.filter;
        meta_.g = options_.g;
        meta_.band_numbers.clear();
        meta_.constant_one_minus_albedo.clear();
        for (std::size_t band = 0; band < bands; ++band) {
            meta_.band_numbers.push_back(static_cast<std::uint32_t>(band));
            meta_.constant_one_minus_albedo.push_back(static_cast<float>(options_.one_minus_albedo[band]));
        }
        meta_.constant_extinction.assign(bands, 1.0f);
        // A grey extinction lies in the scale, where a scene can change it; one by band has to lie in the constants.
        meta_.scale = options_.sigma_t.size() == 1 ? static_cast<float>(options_.sigma_t[0]) : 1.0f;
        for (std::size_t band = 0; options_.sigma_t.size() > 1 && band < bands; ++band)
            meta_.constant_extinction[band] = static_cast<float>(options_.sigma_t[band]);
        meta_.extinction = homogeneous ? Source::constant : Source::plane;
        meta_.density_encoding = options_.encoding;
        if (options_.encoding == Encoding::u8) meta_.density_value_scale = 1.0f / 255.0f;
        if (options_.encoding == Encoding::u16) meta_.density_value_scale = 1.0f / 65535.0f;
        if (options_.shape != MadeShape::noise && options_.encoding != Encoding::f16) meta_.density_value_scale = 1.0f;
    }

    MakeOptions options_;
    std::vector<float> density_;
};

} // namespace

std::unique_ptr<VoxelStream> make_volume(MakeOptions options)
{
    return std::make_unique<MadeVolume>(std::move(options));
}

} // namespace volpt
