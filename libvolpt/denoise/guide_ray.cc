#include "libvolpt/denoise/guide_ray.h"

#include "libvolpt/core/surface/mesh_events.hd.h"
#include "libvolpt/core/surface/texel_start.hd.h"
#include "libvolpt/denoise/guides.h"
#include "libvolpt/denoise/vector_clones.h"
#include "libvolpt/denoise/walk_column.h"

namespace volpt {
namespace {

/// A ray passes so many surfaces that do not stop it.
constexpr int kMostPassed = 32;

/// Behind a smooth interface, `normal` on the side of `direction`'s origin; `direction` itself if nothing passes.
Vec3 refract_at(Vec3 direction, Vec3 normal, float ext_over_int)
{
    float const cosine = -dot(direction, normal);
    float const sine2 = ext_over_int * ext_over_int * (1.0f - cosine * cosine);
    if (!(cosine > 0.0f) || sine2 >= 1.0f) return direction;
    float const along = ext_over_int * cosine - exact::sqrt(1.0f - sine2);
    return normalize(move_along(ext_over_int * direction, along, normal));
}

class GuideRay {
public:
    /// Finds the first collision, too, unless it is null.
    GuideRay(MediumTable const& media, Ray const& ray, FirstCollision* first)
        : media_(media), scene_(media.scene()), bands_(scene_.bands), first_(first), open_(bands_)
    {
        path_.position = ray.origin;
        path_.direction = ray.direction;
        path_.stage = Stage::entering;
    }

    void cast()
    {
        if (scene_.texture_probe != nullptr)
            cast_from_texel();
        else if (scene_.surface.on != 0u)
            cast_among_surfaces();
        else
            cast_at_box();
        finish();
    }
    GuideSample const& sample() const { return sample_; }

private:
    float seen() const { return 1.0f - find_collision_share(open_, bands_); }

    /// What stops the ray, as far as the open medium before it lets it pass.
    void meet_surface(float t_mm, Vec3 normal)
    {
        float const share = seen();
        sample_.coverage += share;
        sample_.depth_mm += share * t_mm;
        if (first_ != nullptr) stop_all(t_mm);
        sample_.normal = sample_.normal + share * normal;
        stopped_ = true;
    }

    /// Of the first collision: the surface.
    void stop_all(float t_mm)
    {
        first_->depth_mm += first_->passes(bands_) * t_mm;
        for (std::uint32_t b = 0; b < bands_; ++b) first_->passed[b] = 0;
    }

    /// Along the ray from its place on, before a surface stops it or under that surface.
    void walk(float length_mm, float before_mm, ColumnSums& sums)
    {
        ColumnLine const line{path_.position, path_.direction, length_mm, before_mm};
        walk_column(media_, line, sums);
        if (first_ == nullptr) return;
        if (stopped_)
            find_label(media_, line, *first_);
        else
            find_collisions(media_, line, *first_);
    }

    /// The medium along the refracted ray.
    void look_beneath(float length_mm)
    {
        float const share = seen();
        ColumnSums column(bands_);
        walk(length_mm, 0.0f, column);
        for (std::uint32_t b = 0; b < bands_; ++b) {
            sample_.albedo[b] += share * column.albedo[b];
            sample_.beneath[b] += share * column.beneath[b];
        }
        sample_.thinness = find_thinness(column, bands_);
        sample_.emission += share * column.emission;
    }

    float measure_to_exit() const
    {
        Vec3 const velocity = path_.direction * scene_.medium.inv_pitch;
        Vec3 const size = scene_.medium.size_voxels;
        float const x = measure_exit(path_.position.x, velocity.x, size.x);
        float const y = measure_exit(path_.position.y, velocity.y, size.y);
        float const z = measure_exit(path_.position.z, velocity.z, size.z);
        return exact::min(x, exact::min(y, z));
    }

    void cast_at_box()
    {
        MediumView const& medium = scene_.medium;
        BoxEntry const entry = enter_box({path_.position, path_.direction}, medium.inv_pitch, medium.size_voxels);
        if (entry.hits == 0u) return;
        Vec3 const moved = (entry.position - path_.position) *
                           Vec3{1 / medium.inv_pitch.x, 1 / medium.inv_pitch.y, 1 / medium.inv_pitch.z};
        float const t_mm = exact::sqrt(dot(moved, moved));
        path_.position = entry.position;
        if (scene_.boundary.kind == BoundaryKindView::none || entry.starts_inside != 0u) {
            walk(measure_to_exit(), t_mm, open_);
            return;
        }
        FaceHit const hit = find_entry(entry.position, path_.direction, medium.size_voxels);
        Vec3 const normal = with_axis(Vec3{}, hit.axis, hit.outward);
        meet_surface(t_mm, normal);
        path_.direction = refract_at(path_.direction, normal, scene_.boundary.ext_over_int);
        look_beneath(measure_to_exit());
    }

    void cast_from_texel()
    {
        SurfaceHit const hit = find_texel_triangle(scene_.texture_probe->charts, path_.position);
        if (hit.triangle == kNoTriangle) return;
        LeafTriangle const triangle = get_triangle(scene_.surface, hit.triangle);
        Vec3 const normal = find_normals(scene_.surface, hit, triangle, path_.direction, false).geometric;
        path_.direction = -normal;
        meet_mesh({0.0f, hit.triangle, hit.weight_b, hit.weight_c}, 0.0f);
    }

    void cast_among_surfaces()
    {
        float before_mm = 0;
        Vec3 const size = scene_.medium.size_voxels, p = path_.position;
        bool const is_within = p.x > 0 && p.y > 0 && p.z > 0 && p.x < size.x && p.y < size.y && p.z < size.z;
        if (is_within && !has_nested_solids(scene_) && starts_in_mesh(scene_, path_))
            before_mm += pass_through(before_mm);
        for (int i = 0; i < kMostPassed && !stopped_ && seen() > 1e-3f; ++i) {
            SurfaceHit const solid = find_way_in(scene_, path_);
            if (scene_.surroundings.on != 0u) {
                OutsideHit const other =
                    find_outside_hit(scene_, path_, solid.triangle != kNoTriangle ? solid.t : kFarAway_mm);
                if (other.primitive.triangle != kNoTriangle || other.ground_mm < kFarAway_mm) {
                    before_mm += meet_other(other, before_mm);
                    continue;
                }
            }
            if (solid.triangle == kNoTriangle) return;
            before_mm += meet_mesh(solid, before_mm);
        }
    }

    /// Goes on behind `t_mm`, a little beyond.
    void move(float t_mm, float beyond_mm)
    {
        path_.position = move_along(path_.position, t_mm + beyond_mm, path_.direction * scene_.medium.inv_pitch);
    }
    float margin_mm() const
    {
        float const pitch =
            exact::max(scene_.surface.pitch_mm.x, exact::max(scene_.surface.pitch_mm.y, scene_.surface.pitch_mm.z));
        return 2.0f * scene_.surface.margin_voxels * pitch;
    }

    /// From inside of the mesh to its next triangle; the way in mm.
    float pass_through(float before_mm)
    {
        SurfaceHit const out = find_way_out(scene_.surface, make_mesh_ray(scene_, path_));
        float const length_mm = out.triangle != kNoTriangle ? exact::max(out.t, 0.0f) : measure_to_exit();
        walk(length_mm, before_mm, open_);
        move(length_mm, margin_mm());
        return length_mm + margin_mm();
    }

    float meet_mesh(SurfaceHit const& hit, float before_mm)
    {
        LeafTriangle const triangle = get_triangle(scene_.surface, hit.triangle);
        SideNormals const normals = find_normals(scene_.surface, hit, triangle, path_.direction, false);
        BoundaryView const& boundary = find_boundary<Surfaces::surroundings>(scene_, hit.triangle);
        if (scene_.texture_probe != nullptr) {
            float const weight_a = 1.0f - hit.weight_b - hit.weight_c;
            path_.position =
                move_along(move_along(weight_a * triangle.a, hit.weight_b, triangle.b), hit.weight_c, triangle.c);
        } else {
            move(hit.t, 0.0f);
        }
        if (boundary.kind == BoundaryKindView::none && !has_nested_solids(scene_)) {
            move(0.0f, margin_mm());
            return hit.t + margin_mm() + pass_through(before_mm + hit.t);
        }
        meet_surface(before_mm + hit.t, normals.shading);
        if (has_nested_solids(scene_)) {
            // The medium of each solid does not vary, and lies at no place.
            std::uint32_t const region = find_region_behind(scene_.solids, hit.triangle);
            if (first_ != nullptr && !first_->label) first_->label = find_region_label(scene_, region);
            for (std::uint32_t b = 0; b < bands_; ++b) {
                float const albedo = 1.0f - read_nested_albedo(region, b);
                sample_.albedo[b] += seen() * albedo;
                sample_.beneath[b] += seen() * albedo;
            }
            return hit.t;
        }
        path_.direction = refract_at(path_.direction, normals.shading, boundary.ext_over_int);
        move(0.0f, margin_mm());
        SurfaceHit const out = find_way_out(scene_.surface, make_mesh_ray(scene_, path_));
        look_beneath(out.triangle != kNoTriangle ? exact::max(out.t, 0.0f) : 0.0f);
        return hit.t;
    }

    float read_nested_albedo(std::uint32_t region, std::uint32_t band) const
    {
        VoxelRef const voxel = find_region_voxel(region);
        if (scene_.medium.albedo == Source::material)
            return read_one_minus_albedo<Source::material>(scene_.medium, voxel, band);
        if (scene_.medium.albedo == Source::plane)
            return read_one_minus_albedo<Source::plane>(scene_.medium, voxel, band);
        return read_one_minus_albedo<Source::constant>(scene_.medium, voxel, band);
    }

    float meet_other(OutsideHit const& hit, float before_mm)
    {
        SurfaceHit const& met = hit.primitive;
        SurfacePoint point{};
        float t_mm = met.t;
        if (met.triangle == kNoTriangle) {
            t_mm = hit.ground_mm;
            point = locate_on_ground(scene_, path_, t_mm);
        } else if (met.triangle >= scene_.surroundings.triangle_count) {
            point = locate_on_sphere(scene_, path_, met);
        } else {
            point = locate_on_triangle(scene_, path_, met);
        }
        BsdfView const& bsdf = scene_.surroundings.bsdfs[point.bsdf];
        if (bsdf.kind == BsdfKind::null) {
            move(t_mm, 2.0f * point.offset_mm);
            return t_mm + 2.0f * point.offset_mm;
        }
        bool const from_behind = dot(point.geometric, path_.direction) > 0.0f;
        meet_surface(before_mm + t_mm, from_behind ? -point.shading : point.shading);
        bool const is_clear = bsdf.kind == BsdfKind::dielectric || bsdf.kind == BsdfKind::thin_dielectric;
        for (std::uint32_t b = 0; b < bands_; ++b) {
            float const colour = is_clear ? 1.0f : read_texture(bsdf.diffuse, bands_, b, point.u, point.v);
            sample_.albedo[b] += seen() * colour;
            sample_.beneath[b] += seen() * colour;
        }
        sample_.thinness = 0;
        return t_mm;
    }

    /// Adds the open medium, in which surfaces may have been met.
    void finish()
    {
        sample_.coverage += find_collision_share(open_, bands_);
        sample_.depth_mm += open_.scattered_depth_mm;
        for (std::uint32_t b = 0; b < bands_; ++b) {
            sample_.albedo[b] += open_.albedo[b];
            sample_.beneath[b] += open_.beneath[b];
        }
        sample_.emission += open_.emission;
        if (!stopped_) sample_.thinness = find_thinness(open_, bands_);
    }

    MediumTable const& media_;
    SceneView const& scene_;
    std::uint32_t bands_;
    FirstCollision* first_;
    PathState<1> path_{};
    GuideSample sample_;
    ColumnSums open_; ///< of media without a surface
    bool stopped_ = false;
};

} // namespace

Ray make_guide_ray(SceneView const& scene, float px, float py)
{
    return scene.camera.aim == Aim::lens ? make_lens_ray(scene, px, py, {0.0f, 0.0f}) : make_camera_ray(scene, px, py);
}

VOLPT_VECTOR_CLONES GuideSample cast_guide_ray(MediumTable const& media, float px, float py)
{
    GuideRay ray(media, make_guide_ray(media.scene(), px, py), nullptr);
    ray.cast();
    return ray.sample();
}

FirstCollision cast_collision_ray(MediumTable const& media, float px, float py)
{
    FirstCollision first(media.scene().bands);
    GuideRay ray(media, make_guide_ray(media.scene(), px, py), &first);
    ray.cast();
    return first;
}

} // namespace volpt
