// The enums of a scene, each with its words. Their numbers are part of the .vpf format.
#pragma once

#include "libvolpt/core/scene_view.hd.h"
#include "libvolpt/sys/text/enum_words.h"

namespace volpt {

enum class CameraKind : std::uint32_t { perspective = 0, orthographic = 1, probe = 2 };
template <>
inline constexpr auto kWords<CameraKind> = list_words<CameraKind>({{CameraKind::perspective, "perspective"},
                                                                   {CameraKind::orthographic, "orthographic"},
                                                                   {CameraKind::probe, "probe"}});

/// What a probe's film covers: a face of the volume's box, or the texture space of the mesh that bounds the volume, v
/// upwards, from 0 to 1.
enum class ProbeTarget : std::uint32_t { face = 0, texture = 1 };
template <>
inline constexpr auto kWords<ProbeTarget> = list_words<ProbeTarget>({{ProbeTarget::face, "face"},
                                                                     {ProbeTarget::texture, "texture"}});

/// What a probe measures of a texel: radiance along the surface's normal, or the cosine-weighted mean over all
/// directions.
enum class ProbeView : std::uint32_t { normal = 0, diffuse = 1 };
template <>
inline constexpr auto kWords<ProbeView> = list_words<ProbeView>({{ProbeView::normal, "normal"},
                                                                 {ProbeView::diffuse, "diffuse"}});

/// Whether paths without an event, which see the environment directly, have its radiance or none.
enum class Background : std::uint32_t { shown = 0, hidden = 1 };
template <>
inline constexpr auto kWords<Background> = list_words<Background>({{Background::shown, "shown"},
                                                                   {Background::hidden, "hidden"}});

using EnvironmentKind = LightKindView;
template <>
inline constexpr auto
    kWords<EnvironmentKind> = list_words<EnvironmentKind>({{EnvironmentKind::constant, "constant"},
                                                           {EnvironmentKind::hemispheres, "hemispheres"},
                                                           {EnvironmentKind::image, "image"}});

using BoundaryKind = BoundaryKindView;
template <>
inline constexpr auto kWords<BoundaryKind> = list_words<BoundaryKind>({{BoundaryKind::none, "none"},
                                                                       {BoundaryKind::smooth, "smooth"},
                                                                       {BoundaryKind::rough, "rough"}});

/// What happens to light that a facet of a rough boundary sends to another one: `single` loses it, `multiple` follows
/// it from facet to facet until it leaves.
using Microfacets = MicrofacetsView;
template <>
inline constexpr auto kWords<Microfacets> = list_words<Microfacets>({{Microfacets::multiple, "multiple"},
                                                                     {Microfacets::single, "single"}});

/// Whether light that the boundary reflects before it has entered counts.
enum class Specular : std::uint32_t { included = 0, excluded = 1 };
template <>
inline constexpr auto kWords<Specular> = list_words<Specular>({{Specular::included, "included"},
                                                               {Specular::excluded, "excluded"}});

/// What is behind the face opposite the probed one, beyond an air gap if there is a boundary: nothing that returns
/// light, a perfect diffuser, or a perfect mirror.
using Backing = BackingView;
template <>
inline constexpr auto kWords<Backing> =
    list_words<Backing>({{Backing::black, "black"}, {Backing::white, "white"}, {Backing::mirror, "mirror"}});

/// The four faces beside the probed one: boundaries like the others, or periodic (an endless slab).
enum class Sides : std::uint32_t { boundary = 0, periodic = 1 };
template <>
inline constexpr auto kWords<Sides> = list_words<Sides>({{Sides::boundary, "boundary"}, {Sides::periodic, "periodic"}});

/// Whether the film counts, by pixel, the samples that hit something.
enum class CoveragePlane : std::uint32_t { none = 0, counted = 1 };
template <>
inline constexpr auto kWords<CoveragePlane> = list_words<CoveragePlane>({{CoveragePlane::none, "none"},
                                                                         {CoveragePlane::counted, "counted"}});

enum class MajorantKind : std::uint32_t { global = 0, local = 1 };
template <>
inline constexpr auto kWords<MajorantKind> = list_words<MajorantKind>({{MajorantKind::local, "local"},
                                                                       {MajorantKind::global, "global"}});

/// What lies under the solid: nothing, or a plane without end that reflects diffusely, in one colour or two.
enum class GroundKind : std::uint32_t { none = 0, diffuse = 1, checker = 2 };
template <>
inline constexpr auto kWords<GroundKind> = list_words<GroundKind>({{GroundKind::none, "none"},
                                                                   {GroundKind::diffuse, "diffuse"},
                                                                   {GroundKind::checker, "checker"}});

/// Where paths begin: at the film, or at emitters, as particles of light; bdpt: at both, and they are joined; mlt: such
/// paths as states of Markov chains.
enum class Integrator : std::uint32_t { path = 0, light = 1, bdpt = 2, mlt = 3 };
template <>
inline constexpr auto kWords<Integrator> = list_words<Integrator>(
    {{Integrator::path, "path"}, {Integrator::light, "light"}, {Integrator::bdpt, "bdpt"}, {Integrator::mlt, "mlt"}});

/// Of the weights of bdpt's strategies (Veach 1997, 9.2). Heuristic::none has no word: no scene has it.
using MisHeuristic = Heuristic;
template <>
inline constexpr auto kWords<MisHeuristic> = list_words<MisHeuristic>({{MisHeuristic::balance, "balance"},
                                                                       {MisHeuristic::power, "power"}});

/// Whether particles are connected to the film, or are wanted for tallies and the balance of energy alone: in a box,
/// the film is then 0.
enum class ParticleFilm : std::uint32_t { connected = 0, none = 1 };
template <>
inline constexpr auto kWords<ParticleFilm> = list_words<ParticleFilm>({{ParticleFilm::connected, "connected"},
                                                                       {ParticleFilm::none, "none"}});

/// Whether paths from the film are connected to the environment (next-event estimation), which they find by chance in
/// any case. They are connected to emitters always.
enum class EnvironmentNee : std::uint32_t { off = 0, on = 1 };
template <>
inline constexpr auto kWords<EnvironmentNee> = list_words<EnvironmentNee>({{EnvironmentNee::on, "on"},
                                                                           {EnvironmentNee::off, "off"}});

/// Whether the volume's medium emits what its file says.
enum class MediumEmission : std::uint32_t { dark = 0, emits = 1 };
template <>
inline constexpr auto kWords<MediumEmission> = list_words<MediumEmission>({{MediumEmission::dark, "dark"},
                                                                           {MediumEmission::emits, "emits"}});

/// Whether paths take long steps (docs/design/long-steps.md): other samples of the same expectation.
using LongSteps = Steps;
template <>
inline constexpr auto kWords<LongSteps> =
    list_words<LongSteps>({{LongSteps::spheres, "on"}, {LongSteps::layers, "layers"}, {LongSteps::plain, "off"}});

/// Directions along axes, by number: probe_face and up_axis.
inline constexpr std::array<std::string_view, 6> kAxisNames{"+x", "-x", "+y", "-y", "+z", "-z"};

} // namespace volpt
