#include "libvolpt/denoise/aov/aov_planes.h"

#include "libvolpt/denoise/guide_ray.h"
#include "libvolpt/denoise/guides.h"
#include "libvolpt/film/film_image.h"
#include "libvolpt/scene/camera_view.h"
#include "libvolpt/scene/vectors.h"
#include "libvolpt/sys/parallel.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr int kRowsPerTask = 4;

bool has_aov(std::span<Aov const> aovs, Aov aov)
{
    return std::ranges::find(aovs, aov) != aovs.end();
}

/// Whether cast_guides has to run.
bool needs_guides(std::span<Aov const> aovs)
{
    return has_aov(aovs, Aov::normal) || has_aov(aovs, Aov::albedo);
}

/// Of the rays through the centres of pixels.
class CentreRays {
public:
    CentreRays(RenderScene const& scene, PackedVolume const& volume)
        : view_(scene.view()), media_(view_),
          start_mm_(static_cast<float>(find_ray_start_mm(scene.scene(), view_.camera, volume.meta())))
    {
    }

    void fill(Channel* depth, Channel* label, int threads) const
    {
        parallel_for_rows(threads, static_cast<int>(view_.height), kRowsPerTask, [&](RowRange rows) {
            for (std::size_t i = static_cast<std::size_t>(rows.first) * view_.width;
                 i < static_cast<std::size_t>(rows.end) * view_.width; ++i) {
                float const x = static_cast<float>(i % view_.width) + 0.5f,
                            y = static_cast<float>(i / view_.width) + 0.5f;
                FirstCollision const first = cast_collision_ray(media_, x, y);
                if (depth != nullptr) depth->values[i] = measure_depth_mm(first, x, y);
                if (label != nullptr) label->values[i] = first.label ? static_cast<float>(*first.label) : kNoLabel;
            }
        });
    }

private:
    float measure_depth_mm(FirstCollision const& first, float x, float y) const
    {
        float const stopped = 1.0f - first.passes(view_.bands);
        if (!(stopped > 0)) return kNoDepth_mm;
        float const along = dot(make_guide_ray(view_, x, y).direction, view_.camera.forward);
        return start_mm_ + along * (first.depth_mm / stopped);
    }

    SceneView const& view_;
    MediumTable media_;
    float start_mm_;
};

void add_normals(Guides const& guides, Placement const& placement, Image& image)
{
    for (std::size_t row = 0; row < 3; ++row) {
        std::vector<float>& values = image.add_channel(std::string("N.") + "XYZ"[row]).values;
        float const x = static_cast<float>(placement.rotation[3 * row]),
                    y = static_cast<float>(placement.rotation[3 * row + 1]),
                    z = static_cast<float>(placement.rotation[3 * row + 2]);
        for (std::size_t i = 0; i < values.size(); ++i)
            values[i] = x * guides.normal[0][i] + y * guides.normal[1][i] + z * guides.normal[2][i];
    }
}

void add_albedos(Guides& guides, Scene const& scene, Illuminant illuminant, Image& image)
{
    if (scene.wavelengths_nm.empty()) {
        std::vector<std::string> const names = name_bands(scene);
        for (std::size_t band = 0; band < names.size(); ++band)
            image.channels.push_back({"albedo." + names[band], std::move(guides.albedo[band])});
        return;
    }
    std::vector<Triple> const weights = make_band_weights(scene.bands, scene.wavelengths_nm, illuminant);
    Matrix3 const to_rgb = kRelativeXyzToRgb * adapt_to_d65(illuminant);
    for (std::size_t component = 0; component < 3; ++component) {
        std::vector<float>& values = image.add_channel(std::string("albedo.") + "RGB"[component]).values;
        for (std::size_t band = 0; band < weights.size(); ++band) {
            auto const weight = static_cast<float>((to_rgb * weights[band])[component]);
            for (std::size_t i = 0; i < values.size(); ++i) values[i] += weight * guides.albedo[band][i];
        }
    }
}

std::string spell_materials(PackedVolume const& volume)
{
    std::string text;
    for (std::size_t i = 0; i < volume.materials().size(); ++i)
        text += fmt::format("{}{} {}", i > 0 ? ", " : "", i, volume.materials()[i].name);
    return text;
}

} // namespace

std::string find_aov_problem(Aov aov, Scene const& scene, PackedVolume const& volume)
{
    if (aov == Aov::depth && scene.camera.kind == CameraKind::probe)
        return "a probe has no camera from which there is a depth";
    if (aov == Aov::label && volume.materials().empty())
        return "the volume has no materials, so that there is no label";
    return {};
}

std::uint64_t count_aov_bytes(std::span<Aov const> aovs, Scene const& scene)
{
    constexpr std::uint64_t kGuidePlanes = 7; // besides those by band
    std::uint64_t const bands = scene.bands, albedos = std::max<std::uint64_t>(bands, 3);
    std::uint64_t const of_rays = (has_aov(aovs, Aov::depth) ? 1 : 0) + (has_aov(aovs, Aov::label) ? 1 : 0);
    std::uint64_t const of_guides = (has_aov(aovs, Aov::normal) ? 3 : 0) + (has_aov(aovs, Aov::albedo) ? albedos : 0);
    std::uint64_t const guides = needs_guides(aovs) ? kGuidePlanes + 2 * bands : 0;
    return (2 * (of_rays + of_guides) + guides) * sizeof(float) * scene.width * scene.height;
}

Image make_aov_planes(std::span<Aov const> aovs, RenderScene const& scene, PackedVolume const& volume,
                      Illuminant illuminant, int threads)
{
    SceneView const& view = scene.view();
    Image image = make_image(static_cast<int>(view.width), static_cast<int>(view.height), Transfer::linear, {});
    bool const has_depth = has_aov(aovs, Aov::depth), has_label = has_aov(aovs, Aov::label);
    Channel depth{"depth.Z", {}}, label{"label.Y", {}};
    if (has_depth) depth.values.resize(image.pixel_count());
    if (has_label) label.values.resize(image.pixel_count());
    if (has_depth || has_label)
        CentreRays(scene, volume).fill(has_depth ? &depth : nullptr, has_label ? &label : nullptr, threads);
    if (has_depth) {
        image.channels.push_back(std::move(depth));
        image.metadata.emplace_back("aov.depth", "depth.Z: mm along the view from the plane of the camera");
    }
    if (needs_guides(aovs)) {
        Guides guides = cast_guides(view, GuideRays::grid, threads);
        if (has_aov(aovs, Aov::normal)) {
            add_normals(guides, volume.meta().placement, image);
            image.metadata.emplace_back("aov.normal", "N.X, N.Y, N.Z: in the world");
        }
        if (has_aov(aovs, Aov::albedo)) {
            add_albedos(guides, scene.scene(), illuminant, image);
            image.metadata.emplace_back("aov.albedo", "albedo.*: linear, of the surface or the first collision");
        }
    }
    if (has_label) {
        image.channels.push_back(std::move(label));
        image.metadata.emplace_back("aov.label", "label.Y: " + spell_materials(volume));
    }
    return image;
}

} // namespace volpt
