// One request after the other: light, ground.
#include "libvolpt/job/light_request.h"

#include "libvolpt/scene/light_image.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/meta.h"

namespace volpt {

void LightRequest::check() const
{
    if (image_path && below) fail_usage("--env-below needs a constant --env, not an image", "leave one of the two out");
}

void LightRequest::apply(Scene& scene, LightImage const* image) const
{
    check();
    EnvironmentSpec& light = scene.environment;
    if (radiance) {
        // The lower hemisphere of a resumed film stays as it is.
        if (light.kind == EnvironmentKind::image) light.kind = EnvironmentKind::constant;
        light.radiance = *radiance;
    }
    if (below) {
        light.kind = EnvironmentKind::hemispheres;
        light.below = *below;
    }
    if (image != nullptr) {
        light.kind = EnvironmentKind::image;
        light.radiance = {1.0f};
        light.image_checksum = image->checksum;
    }
    if (hides_background) {
        if (scene.camera.kind == CameraKind::probe)
            fail_usage("--transparent needs a camera, not a probe", "leave one of the two out");
        light.background = Background::hidden;
        scene.coverage = CoveragePlane::counted;
    }
    if (up_axis) light.up_axis = *up_axis;
    if (rotate_deg) light.rotate_deg = *rotate_deg;
}

void GroundRequest::apply(Scene& scene, VolumeMeta const& meta) const
{
    GroundSpec& ground = scene.ground;
    if (kind) {
        ground.kind = *kind;
        ground.check_mm = check_mm.value_or(find_longest_side_mm(meta) / 4);
    }
    if (albedo) ground.albedo = *albedo;
    if (other_albedo) ground.other_albedo = *other_albedo;
    if (up_axis) ground.up_axis = *up_axis;
    if (ground.kind == GroundKind::none) {
        if (up_axis) fail_usage("--ground-up needs a ground", "give --ground, or leave it out");
    } else if (scene.camera.kind == CameraKind::probe) {
        fail_usage("a probe has its own view and light, but --ground is given", "leave one of the two out");
    }
}

} // namespace volpt
