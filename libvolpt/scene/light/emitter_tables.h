// The emitters of a scene in the form that core reads, and the film's scale under their light.
#pragma once

#include "libvolpt/core/light/lights_view.hd.h"
#include "libvolpt/scene/light/emitter_shapes.h"
#include "libvolpt/scene/light/environment_tables.h"

#include <span>
#include <vector>

namespace volpt {

struct SceneView;

/// Whether the environment is one of the emitters that are sampled.
enum class EnvironmentUse : std::uint32_t { unsampled = 0, sampled = 1 };

/// What the medium emits (EmissionTables); nothing if it is dark.
struct MediumPower {
    double power_w = 0;
    double largest_radiance = 0;
};

/// Radiances that the film's scale depends on.
struct LightLevels {
    double typical = 0; ///< of a white surface in the middle of the scene, lit by all emitters
    double visible = 0; ///< the largest that a path can meet
};

/// Owns what a LightsView points into.
class EmitterTables {
public:
    /// `view` has the environment, the boundary and the solids of the scene. An emitter is chosen in proportion to the
    /// power of its largest band; that of a sun or the environment is the power that crosses the disc of the scene's
    /// ball. `medium` is the emission of the medium, where particles begin in proportion to it.
    /// Error (usage) if an emitter is too strong or too weak for floats.
    void fill(std::span<Emitter const> emitters, LitShapes const& lit, VolumeMeta const& meta, SceneView const& view,
              EnvironmentUse use, MediumPower const& medium);

    /// Pointers into this object, which stay where they are.
    LightsView const& view() const { return view_; }
    /// By the light of all emitters, the environment included.
    LightLevels const& levels() const { return levels_; }
    /// Probability that a particle begins in the medium.
    float medium_choice() const { return medium_choice_; }

private:
    void fill_ball(SurroundingShapes const& shapes, VolumeMeta const& meta);
    void add_emitter(Emitter const& emitter, EmitterPlace const& place, SurroundingShapes const& shapes,
                     VolumeMeta const& meta);
    float add_triangles(EmitterPlace const& place, TriangleMesh const& mesh);
    void fill_amounts(Emitter const& emitter, EmitterView& view);
    void add_level(Emitter const& emitter, EmitterView const& view, VolumeMeta const& meta);
    void fill_choices(double environment_power);
    void choose_medium(double power_w);

    LightsView view_;
    LightLevels levels_;
    float medium_choice_ = 0;
    std::uint32_t bands_ = 0;
    std::vector<EmitterView> emitters_;
    std::vector<double> powers_; ///< by emitter, W, of its largest band
    std::vector<float> choice_cdf_;
    std::vector<EmitterTriangle> triangles_;
    std::vector<float> area_cdf_;
    std::vector<std::uint32_t> emitter_of_;
    EnvironmentTables environment_;
};

/// Fixed-point scale of the film of paths that are connected to emitters: 2^13 units for typical radiance, unless the
/// largest visible radiance would then exceed a sample. So samples up to 2^18 times the typical radiance keep their
/// value, as they occur next to a point light.
int choose_lit_sum_log2(LightLevels const& levels);
/// The same for particles, whose values depend on how small a part of the scene the film shows: 2^16 units for one that
/// is scattered isotropically where FilmPoint::gain is `gain`, unless the largest visible radiance would then exceed a
/// sample. If the gain is 0, the unit follows from the typical radiance times `pixels`.
int choose_particle_sum_log2(LightLevels const& levels, double gain, std::uint64_t pixels);

} // namespace volpt
