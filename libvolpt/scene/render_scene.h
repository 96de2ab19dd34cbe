// RenderScene: the views that core renders from, made from a scene, a volume and a light image.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/light/emission_tables.h"
#include "libvolpt/scene/light/emitter_tables.h"
#include "libvolpt/scene/long_steps_tables.h"
#include "libvolpt/scene/scene.h"
#include "libvolpt/scene/surfaces/solid_surface.h"
#include "libvolpt/scene/surfaces/surroundings.h"
#include "libvolpt/surface/texture_charts.h"
#include "libvolpt/volume/volume.h"

#include <optional>
#include <vector>

namespace volpt {

struct LightImage;

/// True if surfaces stand around the volume in this scene, emitters with an area among them.
bool has_objects_around(Scene const& scene, PackedVolume const& volume);

/// Owns the tables that depend on the scene (material sigma_t, long steps); `volume` and `light` must outlive it.
class RenderScene {
public:
    /// `light` is read only for an image environment. Error (usage) if the scene is not valid (find_scene_problem), or
    /// if it has a probe of a face or steps through layers and a mesh bounds the volume or something stands around it,
    /// or a probe of a texture and no mesh with texture coordinates bounds it, or something stands around it, or a
    /// boundary and the volume's solids have their own, or long steps or a probe of a texture and solids lie in others,
    /// or if it has interfaces between materials and the volume is no
    /// box of labels with an index each, or if its integrator cannot render its emitters (check_lights);
    /// Error (input) unless its checksums are those of this volume and this light and its estimator is kEstimator, or
    /// if extinction is so high that free paths are smaller than the rounding of positions.
    RenderScene(Scene scene, PackedVolume const& volume, LightImage const* light, std::uint64_t seed);

    RenderScene(RenderScene const&) = delete; // view() points into this object
    RenderScene& operator=(RenderScene const&) = delete;

    /// Whether all tables of this scene are those of `scene`, too: if nothing else differs than size, camera, light
    /// (not its image), roulette, depth limit, and, where no table depends on them, boundary and g. Never for probes.
    /// With emitters, not if the environment or the boundary differs.
    /// Errors are those of the constructor.
    bool shares_tables(Scene const& scene) const;
    /// Goes over to a scene that shares_tables: the pointers of view() stay as they are.
    void change_view(Scene scene);

    /// What particles add to from now on; its sums outlive this object.
    void attach_tally(TallyView const& tally) { view_.tally = tally; }

    Scene const& scene() const { return scene_; }
    /// PackedVolume::check_unchanged of the volume. The light is in memory.
    void check_inputs() const { volume_.check_unchanged(); }
    /// Pointers into this object, the volume and the light.
    SceneView const& view() const { return view_; }
    /// Fixed-point scale of the film (core/fixed_point.hd.h): a function of the scene and its light alone.
    int sum_log2() const { return sum_log2_; }
    /// Of a probe of a texture, else null.
    TextureCharts const* charts() const { return charts_ ? &*charts_ : nullptr; }

private:
    void check_valid(Scene const& scene) const;
    bool has_albedo_filter() const;
    void check_albedo_filter() const;
    void fill_view();
    void fill_boundary();
    void fill_phase_function(VolumeView const& volume);
    void fill_medium(VolumeView const& volume);
    void fill_majorants(VolumeView const& volume);
    void fill_materials(VolumeView const& volume);
    void fill_interfaces();
    void fill_faces();
    void fill_surface();
    void fill_solids();
    void fill_nesting();
    void fill_solid_labels();
    void fill_support();
    void show_solids();
    void fill_surroundings();
    void fill_texture();
    void wrap_lookups(std::uint32_t wrapped_axes);
    void fill_light(Placement const& placement);
    void fill_emitters();
    void fill_strategies();
    void fill_metropolis();
    void fill_film_scale();

    Scene scene_;
    PackedVolume const& volume_;
    LightImage const* light_; ///< may be null
    SceneView view_;
    std::vector<float> material_sigma_t_;
    std::vector<float> material_ior_;    ///< of interfaces between materials
    std::vector<float> local_majorants_; ///< of lookups that wrap
    LongStepsTables long_steps_;
    std::optional<SolidSurface> surface_; ///< of a volume that a mesh bounds, or of its box if something is around it
    std::vector<Emitter> emitters_;
    LitShapes lit_; ///< what stands around the volume, of scenes that connect emitters
    EmitterTables emitter_tables_;
    EmissionTables emission_tables_;
    std::vector<float> brick_means_; ///< StrategiesView::brick_sigma_t
    std::optional<Surroundings> surroundings_;
    std::vector<BoundaryView> solid_boundaries_; ///< of several solids, or of other faces and those under support
    std::vector<std::uint32_t> solid_of_;        ///< by triangle
    std::vector<std::uint32_t> solids_around_;   ///< SolidsView::around
    std::vector<float> region_indices_;
    std::vector<std::uint32_t> label_table_; ///< of solids, where some lie in others
    std::vector<std::uint32_t> label_words_;
    std::optional<TextureCharts> charts_;
    TextureProbeView texture_probe_;
    int sum_log2_ = 0;
};

} // namespace volpt
