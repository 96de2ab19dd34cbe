// Emitters of every kind.
#pragma once

#include "libvolpt/volume/emitters/emitter.h"

#include <vector>

namespace volpt::test {

/// One of each kind and profile; the mesh is of the triangles 2 to 7 of make_sample_shapes.
inline std::vector<Emitter> make_sample_emitters()
{
    auto const make = [](EmitterKind kind, EmitterUnit unit) {
        Emitter emitter;
        emitter.kind = kind;
        emitter.unit = unit;
        emitter.amount = {2.5f};
        emitter.origin_world = {1, -2, 7.25};
        emitter.direction_world = {0, 0.5, -1};
        return emitter;
    };
    std::vector<Emitter> all;
    all.push_back(make(EmitterKind::point, EmitterUnit::power));
    all.push_back(make(EmitterKind::spot, EmitterUnit::intensity));
    all.back().angle_deg = 20;
    all.back().inner_angle_deg = 15;
    all.push_back(make(EmitterKind::sun, EmitterUnit::irradiance));
    all.back().angle_deg = 0.53;
    all.push_back(make(EmitterKind::rectangle, EmitterUnit::radiance));
    all.back().u_axis_mm = {2, 0, 0};
    all.back().v_axis_mm = {0, 1, 0.5};
    all.push_back(make(EmitterKind::disk, EmitterUnit::power));
    all.back().radius_mm = 0.75;
    all.push_back(make(EmitterKind::sphere, EmitterUnit::power));
    all.back().radius_mm = 0.3;
    all.push_back(make(EmitterKind::mesh, EmitterUnit::radiance));
    all.back().first_triangle = 2;
    all.back().triangle_count = 6;
    for (BeamProfile const profile :
         {BeamProfile::pencil, BeamProfile::disc, BeamProfile::gaussian, BeamProfile::slit, BeamProfile::rectangle}) {
        all.push_back(make(EmitterKind::beam, EmitterUnit::power));
        all.back().profile = profile;
        if (profile == BeamProfile::disc || profile == BeamProfile::gaussian) all.back().radius_mm = 1.5;
        if (profile == BeamProfile::slit || profile == BeamProfile::rectangle) all.back().u_axis_mm = {3, 0, 0};
        if (profile == BeamProfile::rectangle) all.back().v_axis_mm = {0, 2, 1};
    }
    return all;
}

} // namespace volpt::test
