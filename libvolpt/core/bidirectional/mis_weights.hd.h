// Weights of multiple importance sampling over all strategies that may make a path: E. Veach, Robust Monte Carlo
// Methods for Light Transport Simulation (1997), chapter 10. Each strategy joins the first s vertices from an emitter
// with the first t from the camera.
//
// A strategy's weight is its density over the sum of all, each raised to the heuristic's power. Ratios of densities
// along a subpath are summed up vertex by vertex (I. Georgiev, Implementing Vertex Connection and Merging, 2012, eq.
// 31 to 36), so that no earlier vertex is needed. Flights have no closed density where sigma_t varies: in its place
// stands `gather` times a transmittance that depends on the ends of the edge alone, in all strategies alike.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

namespace volpt {

/// Bounds ratios: a product of two may overflow to infinity, and is bounded before it is multiplied by what may be 0.
inline constexpr float kMostRatio = 0x1p100f;

/// A ratio of densities as the heuristic takes it.
VOLPT_HD float raise(Heuristic heuristic, float ratio)
{
    if (heuristic == Heuristic::none) return 0.0f;
    return exact::min(kMostRatio, heuristic == Heuristic::power ? ratio * ratio : ratio);
}

/// raise of 1 / `density`, which is not negative.
VOLPT_HD float raise_inverse(Heuristic heuristic, float density)
{
    return raise(heuristic, exact::reciprocal(exact::max(0x1p-60f, exact::min(density, 0x1p60f))));
}

/// The weight of a strategy, where `others` is the sum of the others' ratios to it.
VOLPT_HD float weigh_against(float others)
{
    return exact::reciprocal(1.0f + exact::min(kMostRatio, others));
}

/// Sums of ratios over the other strategies, Georgiev's d^VCM and d^VC.
struct SubpathWeights {
    float connected = 0; ///< of that which joins the last vertex to the one before
    float traced = 0;    ///< of those that join earlier ones
};

/// `weights` of a path that has left a vertex, at the next one. `gather` is sigma_t (1/mm) at a point of the medium,
/// the cosine on a surface.
VOLPT_HD SubpathWeights arrive(Heuristic heuristic, SubpathWeights weights, float distance2_mm2, float transmittance,
                               float gather)
{
    float const bounded2 = exact::max(0x1p-40f, exact::min(distance2_mm2, 0x1p50f)); // for exact::divide
    float const apart = exact::divide(bounded2, exact::max(0x1p-24f, gather * transmittance));
    return {exact::min(kMostRatio, weights.connected * raise(heuristic, apart)),
            exact::min(kMostRatio, weights.traced * raise_inverse(heuristic, gather))};
}

/// The sum of both, if the way back from the vertex has density `reverse`.
VOLPT_HD float add_traced(Heuristic heuristic, SubpathWeights weights, float reverse)
{
    return exact::min(kMostRatio, exact::fma(raise(heuristic, reverse), weights.traced, weights.connected));
}

/// After a scattering with density `forward` (1/sr), where `reverse` is that of the way back, and `gather` that of the
/// vertex as seen from the next one.
VOLPT_HD SubpathWeights leave(Heuristic heuristic, SubpathWeights weights, float forward, float reverse, float gather)
{
    float const kept = add_traced(heuristic, weights, reverse);
    float const inverse = raise_inverse(heuristic, forward);
    return {inverse, exact::min(kMostRatio, inverse * exact::min(kMostRatio, raise(heuristic, gather) * kept))};
}

/// After a mirror or a refracting surface, whose densities there and back are taken as equal; nothing connects to it.
VOLPT_HD SubpathWeights leave_specular(SubpathWeights weights)
{
    return {0.0f, weights.traced};
}

/// Sum of ratios over all strategies that join the subpath earlier, if its end is joined to a vertex from which it
/// would be reached with `density` (1/mm^2 or 1/mm^3), and which would be left for it with density `reverse`.
VOLPT_HD float sum_earlier(Heuristic heuristic, SubpathWeights weights, float density, float reverse)
{
    return raise(heuristic, density) * add_traced(heuristic, weights, reverse);
}

} // namespace volpt
