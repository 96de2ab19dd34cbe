// Sources of light as scenes describe them: in --light, in a .vpk, in files of other programs.
#pragma once

#include "libvolpt/core/light/lights_view.hd.h"
#include "libvolpt/sys/text/enum_words.h"

#include <array>
#include <cstdint>
#include <vector>

namespace volpt {

enum class EmitterKind : std::uint32_t {
    point = 0,     ///< the same in all directions
    spot = 1,      ///< within a cone about `direction`, fading from `inner_angle_deg` on
    sun = 2,       ///< along `direction` everywhere, from a disc of the sky of `angle_deg`
    rectangle = 3, ///< origin +- u_axis_mm +- v_axis_mm; its front is where u x v points
    disk = 4,      ///< about `origin`; its front is where `direction` points
    sphere = 5,    ///< outwards
    mesh = 6,      ///< triangles of the surroundings, from their fronts
    beam = 7,      ///< along `direction`, collimated
};
template <>
inline constexpr auto kWords<EmitterKind> = list_words<EmitterKind>({{EmitterKind::point, "point"},
                                                                     {EmitterKind::spot, "spot"},
                                                                     {EmitterKind::sun, "sun"},
                                                                     {EmitterKind::rectangle, "rectangle"},
                                                                     {EmitterKind::disk, "disk"},
                                                                     {EmitterKind::sphere, "sphere"},
                                                                     {EmitterKind::mesh, "mesh"},
                                                                     {EmitterKind::beam, "beam"}});

/// What `amount` is. Lengths of a scene are in mm, and so are these.
enum class EmitterUnit : std::uint32_t {
    power = 0,      ///< W, all that the emitter sends out; not of a sun
    radiance = 1,   ///< W/(mm^2 sr): rectangle, disk, sphere, mesh, a sun of angle_deg > 0
    intensity = 2,  ///< W/sr: point; spot, along its axis
    irradiance = 3, ///< W/mm^2 on a surface that faces the sun
};
template <>
inline constexpr auto kWords<EmitterUnit> = list_words<EmitterUnit>({{EmitterUnit::power, "power"},
                                                                     {EmitterUnit::radiance, "radiance"},
                                                                     {EmitterUnit::intensity, "intensity"},
                                                                     {EmitterUnit::irradiance, "irradiance"}});

struct Emitter {
    EmitterKind kind = EmitterKind::point;
    EmitterUnit unit = EmitterUnit::power;
    BeamProfile profile = BeamProfile::pencil; ///< beam
    std::vector<float> amount{1.0f};           ///< by band or one for all, not negative
    std::array<double, 3> origin_world{0, 0,
                                       0}; ///< mm: position, centre; of a beam a point of its axis, where it begins
    std::array<double, 3> direction_world{0, 0, -1}; ///< of the light, any length: spot, sun, beam; normal of a disk
    std::array<double, 3> u_axis_mm{0, 0, 0};        ///< of the world: half edge of a rectangle, half length of a slit
    std::array<double, 3> v_axis_mm{0, 0, 0};        ///< half edge of a rectangle, of a rectangular beam too
    double radius_mm = 0; ///< disk, sphere, beam: of the disc, or of a Gaussian where it has fallen to 1/e^2
    double angle_deg =
        0; ///< spot: from the axis to the edge of the cone; sun: full angular diameter, 0: parallel light
    double inner_angle_deg = 0;       ///< spot: from the axis to where it begins to fade
    std::uint32_t first_triangle = 0; ///< mesh: of the volume's surrounding shapes
    std::uint32_t triangle_count = 0; ///< mesh
    /// K: the one amount is the luminance of a black body's light, which has yet to get its bands; 0: of `amount`.
    double temperature_k = 0;

    bool operator==(Emitter const&) const = default;
};

} // namespace volpt
