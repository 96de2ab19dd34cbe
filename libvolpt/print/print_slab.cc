// Resamples a texture onto one side of a slab and streams its albedo.
#include "libvolpt/print/print_slab.h"

#include "libvolpt/colour/srgb.h"
#include "libvolpt/image/displayed.h"
#include "libvolpt/print/target_picture.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <cmath>

namespace volpt {
namespace {

constexpr std::size_t kBands = 3;

/// How image columns (u) and rows (v, downwards) run through the volume when the side is seen from outside.
struct SideFrame {
    std::size_t u_axis;
    bool u_reversed;
    std::size_t v_axis;
    bool v_reversed;
    std::size_t depth_axis;
    bool ink_at_end;
};

SideFrame frame_of_side(std::uint32_t side_axis)
{
    constexpr SideFrame kFrames[6] = {
        {2, true, 1, true, 0, true},   {2, false, 1, true, 0, false}, // +x -x
        {0, false, 2, false, 1, true}, {0, false, 2, true, 1, false}, // +y -y
        {0, false, 1, true, 2, true},  {0, true, 1, true, 2, false},  // +z -z
    };
    return kFrames[side_axis];
}

/// Albedo of texels and bands, alpha blended in.
class TexelAlbedos {
public:
    TexelAlbedos(StoredImage const& texture, PrintOptions const& options)
        : texture_(texture), options_(options), alpha_(texture.find("A")),
          is_straight_(find_alpha_form(texture.description) == AlphaForm::straight)
    {
        StoredChannel const* const grey = texture.find("Y");
        char const* const names[kBands] = {"R", "G", "B"};
        for (std::size_t band = 0; band < kBands; ++band) {
            colours_[band] = grey != nullptr ? grey : texture.find(names[band]);
            if (colours_[band] == nullptr)
                fail_input("the texture has neither R, G, B nor Y", "--slab", {}, "give a colour or grey image");
        }
    }

    /// Of a row, bands fastest.
    void read(std::size_t row, std::vector<double>& albedos)
    {
        auto const width = static_cast<std::size_t>(texture_.width());
        albedos.resize(width * kBands);
        values_.resize(width);
        opacities_.assign(width, 1.0f);
        if (alpha_ != nullptr) alpha_->read(row * width, opacities_);
        for (std::size_t band = 0; band < kBands; ++band) {
            colours_[band]->read(row * width, values_);
            for (std::size_t x = 0; x < width; ++x) {
                double const v = std::clamp(static_cast<double>(values_[x]), 0.0, 1.0);
                double const ink = options_.transfer == TextureTransfer::srgb ? decode_srgb(v) : v;
                double const opacity = std::clamp(static_cast<double>(opacities_[x]), 0.0, 1.0);
                double const part = is_straight_ ? opacity * ink : std::min(ink, opacity);
                albedos[x * kBands + band] = part + (1 - opacity) * options_.base_albedo[band];
            }
        }
    }

private:
    StoredImage const& texture_;
    PrintOptions const& options_;
    StoredChannel const* alpha_;
    bool is_straight_;
    StoredChannel const* colours_[kBands]{};
    std::vector<float> values_, opacities_; ///< of a row
};

bool is_byte_value(double albedo)
{
    return std::abs(albedo * 255 - std::round(albedo * 255)) < 1e-4;
}

class PrintSlab final : public VoxelStream {
public:
    PrintSlab(StoredImage const& texture, PrintOptions options)
        : options_(std::move(options)), frame_(frame_of_side(options_.side_axis)), notices_(texture.description.notices)
    {
        if (options_.base_albedo.size() == 1) options_.base_albedo.resize(kBands, options_.base_albedo[0]);
        if (options_.base_albedo.size() != kBands)
            fail_usage("--base-albedo of a print has one value or three", "give A or R,G,B");
        resample(texture);
        int const depth = options_.dims[frame_.depth_axis];
        ink_layers_ = static_cast<int>(std::lround(options_.ink_share * depth));
        if (options_.ink_share > 0) ink_layers_ = std::max(ink_layers_, 1);
        fill_meta();
        convert_to_floats();
    }

    VoxelSlab read_slab(int z_first, int z_count) override
    {
        auto const [nx, ny, nz] = options_.dims;
        (void)nz;
        one_minus_albedo_.resize(static_cast<std::size_t>(nx) * static_cast<std::size_t>(ny) *
                                 static_cast<std::size_t>(z_count) * kBands);
        float* out = one_minus_albedo_.data();
        for (int z = z_first; z < z_first + z_count; ++z)
            for (int y = 0; y < ny; ++y)
                for (int x = 0; x < nx; ++x, out += kBands) {
                    float const* const source = find_voxel({x, y, z});
                    std::copy(source, source + kBands, out);
                }
        return {z_first, z_count, {}, one_minus_albedo_, {}};
    }

    std::vector<std::string> list_notices() const override { return notices_; }

private:
    /// One minus albedo of a voxel: a texel of the resampled texture, or the base.
    float const* find_voxel(std::array<int, 3> const& at) const
    {
        int const depth = at[frame_.depth_axis];
        int const layers = options_.dims[frame_.depth_axis];
        bool const is_ink = frame_.ink_at_end ? depth >= layers - ink_layers_ : depth < ink_layers_;
        if (!is_ink) return base_.data();
        int const width = options_.dims[frame_.u_axis];
        int const height = options_.dims[frame_.v_axis];
        int const u = frame_.u_reversed ? width - 1 - at[frame_.u_axis] : at[frame_.u_axis];
        int const v = frame_.v_reversed ? height - 1 - at[frame_.v_axis] : at[frame_.v_axis];
        return ink_.data() +
               (static_cast<std::size_t>(v) * static_cast<std::size_t>(width) + static_cast<std::size_t>(u)) * kBands;
    }

    void resample(StoredImage const& texture)
    {
        TexelAlbedos texels(texture, options_);
        auto const columns = find_footprints(texture.width(), options_.dims[frame_.u_axis]);
        auto const rows = find_footprints(texture.height(), options_.dims[frame_.v_axis]);
        albedos_.reserve(columns.size() * rows.size() * kBands);
        std::vector<double> row_texels;
        for (auto const& row : rows) {
            std::size_t const first = albedos_.size();
            albedos_.resize(first + columns.size() * kBands, 0.0);
            for (std::size_t j = 0; j < row.weights.size(); ++j) {
                texels.read(static_cast<std::size_t>(row.first) + j, row_texels);
                double* sum = albedos_.data() + first;
                for (auto const& column : columns)
                    for (std::size_t band = 0; band < kBands; ++band)
                        add_row(row_texels, column, row.weights[j], band, *sum++);
            }
        }
    }

    static void add_row(std::vector<double> const& texels, Footprint const& column, double weight, std::size_t band,
                        double& sum)
    {
        for (std::size_t i = 0; i < column.weights.size(); ++i)
            sum += weight * column.weights[i] * texels[(static_cast<std::size_t>(column.first) + i) * kBands + band];
    }

    void fill_meta()
    {
        bool const bytes = std::all_of(albedos_.begin(), albedos_.end(), is_byte_value) &&
                           std::all_of(options_.base_albedo.begin(), options_.base_albedo.end(), is_byte_value);
        meta_.dims = options_.dims;
        meta_.pitch_mm = options_.pitch_mm;
        meta_.placement = place_in_middle(options_.dims, options_.pitch_mm);
        meta_.filter = options_.filter;
        meta_.band_numbers = {0, 1, 2};
        meta_.scale = static_cast<float>(options_.sigma_t);
        meta_.constant_extinction.assign(kBands, 1.0f);
        meta_.constant_one_minus_albedo.assign(kBands, 0.0f);
        meta_.g = options_.g;
        meta_.albedo = Source::plane;
        meta_.albedo_encoding = options_.albedo_encoding.value_or(bytes ? Encoding::u8 : Encoding::f16);
    }

    float to_one_minus(double albedo) const
    {
        // The very float that the code decodes to, so that 8-bit textures are stored without error.
        if (meta_.albedo_encoding == Encoding::u8 && is_byte_value(albedo))
            return static_cast<float>(255 - std::round(albedo * 255)) * (1.0f / 255.0f);
        return static_cast<float>(std::clamp(1 - albedo, 0.0, 1.0));
    }

    void convert_to_floats()
    {
        for (std::size_t band = 0; band < kBands; ++band) base_[band] = to_one_minus(options_.base_albedo[band]);
        ink_.reserve(albedos_.size());
        for (double const albedo : albedos_) ink_.push_back(to_one_minus(albedo));
        albedos_ = {};
    }

    PrintOptions options_;
    SideFrame frame_;
    std::vector<std::string> notices_;
    int ink_layers_ = 0;
    std::vector<double> albedos_; ///< of the resampled texture, rows downwards, bands fastest
    std::vector<float> ink_;
    std::array<float, kBands> base_{};
    std::vector<float> one_minus_albedo_;
};

} // namespace

std::unique_ptr<VoxelStream> make_print_slab(StoredImage const& texture, PrintOptions options)
{
    return std::make_unique<PrintSlab>(texture, std::move(options));
}

} // namespace volpt
