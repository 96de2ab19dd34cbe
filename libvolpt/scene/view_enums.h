// The enums of scene.h as core has them: the same names under the same numbers, which scenes and volumes store.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/scene/scene.h"

namespace volpt {

template <class View, class Spec>
constexpr bool have_same_number(Spec spec, View view)
{
    return static_cast<std::uint32_t>(spec) == static_cast<std::uint32_t>(view);
}

static_assert(have_same_number(BoundaryKind::none, BoundaryKindView::none));
static_assert(have_same_number(BoundaryKind::smooth, BoundaryKindView::smooth));
static_assert(have_same_number(BoundaryKind::rough, BoundaryKindView::rough));
constexpr BoundaryKindView to_view(BoundaryKind kind)
{
    switch (kind) { // a new enumerator is a warning here, as in those below
    case BoundaryKind::none:
    case BoundaryKind::smooth:
    case BoundaryKind::rough:
        break;
    }
    return static_cast<BoundaryKindView>(kind);
}

static_assert(have_same_number(Microfacets::single, MicrofacetsView::single));
static_assert(have_same_number(Microfacets::multiple, MicrofacetsView::multiple));
constexpr MicrofacetsView to_view(Microfacets microfacets)
{
    switch (microfacets) {
    case Microfacets::single:
    case Microfacets::multiple:
        break;
    }
    return static_cast<MicrofacetsView>(microfacets);
}

static_assert(have_same_number(Backing::black, BackingView::black));
static_assert(have_same_number(Backing::white, BackingView::white));
static_assert(have_same_number(Backing::mirror, BackingView::mirror));
constexpr BackingView to_view(Backing backing)
{
    switch (backing) {
    case Backing::black:
    case Backing::white:
    case Backing::mirror:
        break;
    }
    return static_cast<BackingView>(backing);
}

static_assert(have_same_number(EnvironmentKind::constant, LightKindView::constant));
static_assert(have_same_number(EnvironmentKind::hemispheres, LightKindView::hemispheres));
static_assert(have_same_number(EnvironmentKind::image, LightKindView::image));
constexpr LightKindView to_view(EnvironmentKind kind)
{
    switch (kind) {
    case EnvironmentKind::constant:
    case EnvironmentKind::hemispheres:
    case EnvironmentKind::image:
        break;
    }
    return static_cast<LightKindView>(kind);
}

static_assert(have_same_number(MisHeuristic::balance, Heuristic::balance));
static_assert(have_same_number(MisHeuristic::power, Heuristic::power));
constexpr Heuristic to_view(MisHeuristic heuristic)
{
    switch (heuristic) {
    case MisHeuristic::balance:
    case MisHeuristic::power:
        break;
    }
    return static_cast<Heuristic>(heuristic);
}

static_assert(have_same_number(LongSteps::off, Steps::plain));
static_assert(have_same_number(LongSteps::on, Steps::spheres));
static_assert(have_same_number(LongSteps::layers, Steps::layers));
constexpr Steps to_view(LongSteps steps)
{
    switch (steps) {
    case LongSteps::off:
    case LongSteps::on:
    case LongSteps::layers:
        break;
    }
    return static_cast<Steps>(steps);
}

} // namespace volpt
