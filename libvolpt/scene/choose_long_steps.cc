// Measures the room that a scene's volume has for spheres.
#include "libvolpt/scene/choose_long_steps.h"

#include "libvolpt/scene/long_steps_tables.h"
#include "libvolpt/scene/render_scene.h"

namespace volpt {
namespace {

/// Smaller spheres cost about what they save.
constexpr float kWorthyRadius = 4; // mean free paths
constexpr double kWorthyShare = 0.1;

} // namespace

LongSteps choose_long_steps(Scene scene, PackedVolume const& volume)
{
    if (scene.majorant == MajorantKind::global) return LongSteps::off;
    scene.long_steps = LongSteps::off;
    scene.environment = {};
    RenderScene const plain(std::move(scene), volume, nullptr, 0);
    double const share = measure_roomy_share(volume.view(), plain.view(), kWorthyRadius);
    return share >= kWorthyShare ? LongSteps::on : LongSteps::off;
}

} // namespace volpt
