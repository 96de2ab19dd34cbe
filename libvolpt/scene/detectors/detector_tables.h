// Detectors in the form that particles read, and their places on the surface.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/light/tally_sums.h"
#include "libvolpt/volume/emitters/detector.h"
#include "libvolpt/volume/volume.h"

#include <span>
#include <string>
#include <vector>

namespace volpt {

/// Each particle that leaves is compared with each detector.
inline constexpr std::size_t kMostDetectors = 1024;
inline constexpr std::uint32_t kMostRings = 65535;
inline constexpr std::uint32_t kMostDetectorCells = 1u << 30;

class DetectorTables {
public:
    /// `scene` is one of particles in `volume`; `tally` gives the gates of detectors without their own. Error (usage)
    /// names the detector by its number if it has no extent, does not touch the surface, or has no centre in a scene
    /// whose light is not one beam that meets the surface. Error (usage) too if there are too many, or if the particles
    /// have no film (TallyPath).
    DetectorTables(std::span<DetectorSpec const> specs, SceneView const& scene, PackedVolume const& volume,
                   TallySpec const& tally, TallyIndices indices);
    DetectorTables(DetectorTables const&) = delete; // view() points into this object
    DetectorTables& operator=(DetectorTables const&) = delete;

    DetectorsView view() const;
    std::vector<DetectorSpec> const& specs() const { return specs_; } ///< with centres, directions and gates
    std::vector<std::string> const& materials() const { return materials_; }

private:
    void add(DetectorSpec const& spec, SceneView const& scene, Placement const& placement, TallyIndices indices);
    void name_materials(std::vector<Material> const& materials);

    std::vector<DetectorSpec> specs_;
    std::vector<DetectorView> detectors_;
    std::vector<std::string> materials_;
    std::uint32_t cells_ = 0;
    float length_scale_ = 1;
};

} // namespace volpt
