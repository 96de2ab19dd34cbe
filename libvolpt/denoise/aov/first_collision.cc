// J. Amanatides & A. Woo, A Fast Voxel Traversal Algorithm for Ray Tracing, Eurographics 1987.
#include "libvolpt/denoise/aov/first_collision.h"

#include "libvolpt/core/surface/nested_solids.hd.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace volpt {
namespace {

/// The voxels of a line, one after another.
class VoxelLine {
public:
    VoxelLine(MediumView const& medium, ColumnLine const& line)
    {
        Vec3 const velocity = line.direction * medium.inv_pitch;
        for (int axis = 0; axis < 3; ++axis) {
            float const start = get_axis(line.start, axis), speed = get_axis(velocity, axis);
            size_[axis] = static_cast<std::int32_t>(get_axis(medium.size_voxels, axis));
            step_[axis] = speed < 0 ? -1 : 1;
            // On a face, the voxel that the line enters.
            float const cell = speed < 0 ? std::ceil(start) - 1 : std::floor(start);
            cell_[axis] = std::clamp(static_cast<std::int32_t>(cell), 0, size_[axis] - 1);
            float const face = static_cast<float>(cell_[axis] + (speed < 0 ? 0 : 1));
            bool const moves = std::abs(speed) > 1e-20f;
            face_mm_[axis] = moves ? (face - start) / speed : std::numeric_limits<float>::infinity();
            voxel_mm_[axis] = moves ? std::abs(1 / speed) : 0;
        }
    }

    /// False behind the last one. `face_mm` becomes where the next one begins.
    bool go_on(float& face_mm)
    {
        int axis = face_mm_[1] < face_mm_[0] ? 1 : 0;
        if (face_mm_[2] < face_mm_[axis]) axis = 2;
        face_mm = face_mm_[axis];
        face_mm_[axis] += voxel_mm_[axis];
        cell_[axis] += step_[axis];
        return cell_[axis] >= 0 && cell_[axis] < size_[axis];
    }
    VoxelRef find_voxel(MediumView const& medium) const { return make_voxel_ref(medium, cell_[0], cell_[1], cell_[2]); }

private:
    std::int32_t cell_[3] = {}, size_[3] = {}, step_[3] = {};
    float face_mm_[3] = {}, voxel_mm_[3] = {};
};

constexpr float kOpaquePart = 1e-6f; // of light, below which nothing is seen

/// visit(medium, from_mm, to_mm, label), which returns whether it goes on.
template <class Visit>
void visit_voxels(MediumTable const& media, ColumnLine const& line, Visit const& visit)
{
    MediumView const& medium = media.scene().medium;
    bool const has_label = medium.label.table != nullptr;
    MediumReader reader(media);
    if (medium.extinction == Extinction::bare) {
        reader.enter(0);
        visit(reader.read(0), 0.0f, line.length_mm, std::optional<std::uint32_t>());
        return;
    }
    VoxelLine voxels(medium, line);
    std::int32_t known_brick = -1;
    bool goes_on = true;
    for (float from_mm = 0, to_mm = 0; goes_on && from_mm < line.length_mm; from_mm = to_mm) {
        VoxelRef const voxel = voxels.find_voxel(medium);
        if (voxel.brick != known_brick) reader.enter(voxel.brick);
        known_brick = voxel.brick;
        std::optional<std::uint32_t> label;
        if (has_label) label = static_cast<std::uint32_t>(read_label(medium.label, voxel));
        bool const is_last = !voxels.go_on(to_mm);
        to_mm = std::max(from_mm, std::min(to_mm, line.length_mm));
        goes_on = visit(reader.read(voxel.morton), from_mm, to_mm, label) && !is_last;
    }
}

/// A voxel's part of the line. Between its faces the probability density of the depth is an exponential.
void add_voxel(VoxelMedium const& medium, std::uint32_t bands, float from_mm, float length_mm, FirstCollision& found)
{
    float const per_band = 1.0f / static_cast<float>(bands);
    for (std::uint32_t b = 0; b < bands; ++b) {
        float const sigma_t = medium.sigma_t[b];
        if (!(sigma_t > 0)) continue;
        float const passes = exact::exp_neg(std::min(sigma_t * length_mm, 80.0f)), share = 1.0f - passes;
        float const mean = share * (from_mm + 1.0f / sigma_t) - length_mm * passes;
        // Of few collisions the terms cancel; they lie in the middle.
        bool const is_thin = sigma_t * length_mm < 1e-2f;
        found.depth_mm += per_band * found.passed[b] * (is_thin ? share * (from_mm + 0.5f * length_mm) : mean);
        found.passed[b] *= passes;
    }
}

bool is_stopped(FirstCollision const& found, std::uint32_t bands)
{
    return std::all_of(found.passed, found.passed + bands, [](float part) { return part < kOpaquePart; });
}

} // namespace

float FirstCollision::passes(std::uint32_t bands) const
{
    float sum = 0;
    for (std::uint32_t b = 0; b < bands; ++b) sum += passed[b];
    return sum / static_cast<float>(bands);
}

void find_collisions(MediumTable const& media, ColumnLine const& line, FirstCollision& found)
{
    std::uint32_t const bands = media.scene().bands;
    visit_voxels(media, line, [&](VoxelMedium const& medium, float from_mm, float to_mm, auto const& label) {
        if (medium.is_clear) return true;
        if (!found.label) found.label = label;
        add_voxel(medium, bands, line.before_mm + from_mm, to_mm - from_mm, found);
        return !is_stopped(found, bands);
    });
}

void find_label(MediumTable const& media, ColumnLine const& line, FirstCollision& found)
{
    if (found.label || media.scene().medium.label.table == nullptr) return;
    visit_voxels(media, line, [&](VoxelMedium const& medium, float, float, auto const& label) {
        if (!medium.is_clear) found.label = label;
        return medium.is_clear;
    });
}

std::optional<std::uint32_t> find_region_label(SceneView const& scene, std::uint32_t region)
{
    if (scene.medium.label.table == nullptr) return std::nullopt;
    return static_cast<std::uint32_t>(read_label(scene.medium.label, find_region_voxel(region)));
}

} // namespace volpt
