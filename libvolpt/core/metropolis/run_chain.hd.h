// The evaluations of a Markov chain: which path is next, and what an ended one adds to the film.
//
// A chain first has one whole bidirectional path for each pixel of its share of the film. Of their light, only that
// with numbers of vertices that chains leave out counts. Then it has candidates for its first state; then its steps.
#pragma once

#include "libvolpt/core/bidirectional/start_bidirectional.hd.h"

namespace volpt {

/// Between the seeds of chains and of other paths (the square root of 2 in bits).
inline constexpr std::uint64_t kChainSeed = 0x6A09E667F3BCC908u;

/// The first of the pixels of chain `number`: pixels are dealt out evenly, in order.
VOLPT_HD std::uint32_t find_first_pixel(SceneView const& scene, std::uint32_t number)
{
    std::uint64_t const pixels = std::uint64_t{scene.width} * scene.height;
    return static_cast<std::uint32_t>((number * pixels + scene.metropolis.chains - 1u) / scene.metropolis.chains);
}

/// start_path_in for a chain, whose number in its pass is that of the pixel. Its first evaluation has yet to begin.
template <int bands, Surfaces surfaces>
VOLPT_HD auto start_path_with(EmitterMedium<bands, surfaces, Transport::metropolis>, SceneView const& scene, PathId id)
{
    PathOf<EmitterMedium<bands, surfaces, Transport::metropolis>> path{};
    path.stage = Stage::ended;
    path.band = id.band;
    path.id = id;
    ChainState<bands>& chain = path.chain;
    std::uint32_t const number = id.y * scene.width + id.x;
    std::uint64_t const key = scene.seed ^ kChainSeed;
    chain.id = {number,
                id.sample,
                bands > 1 ? 0u : scene.medium.band_number[id.band],
                {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)}};
    chain.first_pixel = find_first_pixel(scene, number);
    chain.pixel_count = find_first_pixel(scene, number + 1u) - chain.first_pixel;
    return path;
}

/// The number of vertices and the strategy of the path that is proposed. Small steps keep the number of vertices.
template <int bands, class Region>
VOLPT_HD void choose_strategy(SceneView const& scene, BidirectionalPath<bands, WithChain<bands, Region>>& path)
{
    ChainState<bands>& chain = path.chain;
    PrimaryNumbers& numbers = path.memory->numbers;
    chain.decision_bits =
        propose_numbers(chain.id, chain.evaluation, chain.proposal, chain.markov.state_set, kStrategyGroup, numbers)
            .word[3];
    std::uint32_t(&proposed)[3] = numbers.number[chain.markov.state_set ^ 1u][kStrategyGroup];
    if (chain.proposal == Proposal::small) proposed[0] = numbers.number[chain.markov.state_set][kStrategyGroup][0];
    chain.vertices = 1u + choose_below(proposed[0], scene.metropolis.longest);
    std::uint32_t const choice = choose_below(proposed[1], chain.vertices + 2u);
    chain.light_vertices = choice > 1u ? choice - 1u : 0u;
    chain.camera_vertices = chain.vertices - chain.light_vertices;
    chain.strategy = choice == 0u               ? Strategy::found
                     : choice == 1u             ? Strategy::emitter
                     : choice <= chain.vertices ? Strategy::joined
                                                : Strategy::shown;
}

/// Begins the path that the chain proposes.
template <class M, class Path>
VOLPT_HD void begin_proposal(M, SceneView const& scene, Path& path)
{
    clear_proposal(path.memory->numbers, path.chain.markov.state_set);
    choose_strategy(scene, path);
    if (path.chain.light_vertices == 0u) {
        begin_camera_subpath(M{}, scene, path);
        return;
    }
    ParticleNumbers numbers;
    draw_group(kParticlePlaceGroup, path);
    numbers.choice = path.rng.draw();
    for (std::uint32_t& bits : numbers.place) bits = path.rng.draw();
    draw_group(kParticleDirectionGroup, path);
    for (std::uint32_t& bits : numbers.direction) bits = path.rng.draw();
    numbers.part = path.rng.draw();
    begin_light_subpath(M{}, scene, sample_particle<M::kBands>(scene, path.band, numbers), path);
}

/// Begins the chain's next evaluation; false after its last one. The path has memory.
template <class M>
VOLPT_HD bool begin_evaluation(M, SceneView const& scene, PathOf<M>& path)
{
    ChainState<M::kBands>& chain = path.chain;
    MetropolisView const& metropolis = scene.metropolis;
    std::uint32_t const candidates_end = chain.pixel_count + metropolis.bootstrap;
    if (chain.evaluation == candidates_end + metropolis.mutations) return false;
    if (chain.evaluation == candidates_end && !(chain.markov.state.importance > 0.0f)) return false;
    path.depth = path.bounces = path.has_turned = path.vertex_count = path.rays = 0u;
    path.splat_total = 0.0f;
    path.slot = path.splat_slot = kNoSlot;
    path.weights = {};
    for (float& radiance : path.radiance) radiance = 0.0f;
    chain.order = chain.way_events = chain.drawn = chain.ends = 0u;
    if (chain.evaluation < chain.pixel_count) {
        std::uint32_t const pixel = chain.first_pixel + chain.evaluation;
        path.id.y = pixel / scene.width;
        path.id.x = pixel - path.id.y * scene.width;
        path.rng = seed_particle<M::kBands>(scene, path.id);
        chain.kind = Evaluation::whole_path;
        begin_light_subpath(M{}, scene, sample_particle<M::kBands>(scene, path.band, path.rng), path);
        return true;
    }
    chain.kind = chain.evaluation < candidates_end ? Evaluation::candidate : Evaluation::proposal;
    chain.proposal = Proposal::large;
    if (chain.kind == Evaluation::proposal) {
        constexpr float kLargeSteps = 0.15f; // at a door ajar .1 to .2 are the best; .3 has 7 % more variance
        std::uint32_t const bits = draw_fresh(chain.id, chain.evaluation, kNoGroup).word[0];
        if (to_unit(bits) >= kLargeSteps) chain.proposal = Proposal::small;
    }
    begin_proposal(M{}, scene, path);
    return true;
}

/// The sample that an ended path of a chain stands for: its light divided by the probability of its strategy and its
/// number of vertices.
template <int bands, class Region>
VOLPT_HD ChainSample<bands> read_sample(SceneView const& scene,
                                        BidirectionalPath<bands, WithChain<bands, Region>> const& path)
{
    ChainSample<bands> sample;
    bool const is_shown = path.chain.strategy == Strategy::shown;
    sample.slot = is_shown ? path.splat_slot : path.slot;
    if (sample.slot == kNoSlot) return sample;
    float const choices = static_cast<float>(scene.metropolis.longest * (path.chain.vertices + 2u));
    for (int b = 0; b < bands; ++b)
        sample.value[b] = choices * (is_shown ? path.splat_total * path.splat.weight[b] : path.radiance[b]);
    sample.importance = find_importance(sample.value, scene.sum_scale);
    return sample;
}

/// Counts an evaluation whose path has ended. What the chain adds to the film by then is left in the path as that of an
/// ended one: `throughput` for `slot`, and what take_splat exchanges it for; kNoSlot where there is nothing.
template <int bands, class Region>
VOLPT_HD void end_evaluation(SceneView const& scene, BidirectionalPath<bands, WithChain<bands, Region>>& path)
{
    ChainState<bands>& chain = path.chain;
    MetropolisView const& metropolis = scene.metropolis;
    std::uint32_t const number = chain.evaluation++;
    if (chain.kind == Evaluation::whole_path) return;
    ChainSample<bands> const sample = read_sample(scene, path);
    path.slot = path.splat_slot = kNoSlot;
    if (chain.kind == Evaluation::candidate) {
        offer_candidate(sample, chain.decision_bits, chain.markov);
        return;
    }
    float const gain =
        exact::divide(chain.markov.candidate_total, static_cast<float>(metropolis.bootstrap)) * metropolis.chain_share;
    WeightedSample<bands> const left = take_step(sample, chain.decision_bits, chain.markov);
    if (left.weight > 0.0f && left.sample.importance > 0.0f) {
        path.slot = left.sample.slot;
        float const weight = left.weight * exact::divide(gain, left.sample.importance);
        for (int b = 0; b < bands; ++b) path.throughput[b] = weight * left.sample.value[b];
    }
    bool const is_last = number + 1u == chain.pixel_count + metropolis.bootstrap + metropolis.mutations;
    if (!is_last || !(chain.markov.weight > 0.0f)) return;
    path.splat_slot = chain.markov.state.slot;
    path.splat_total = chain.markov.weight * exact::divide(gain, chain.markov.state.importance);
    for (int b = 0; b < bands; ++b) path.splat.weight[b] = chain.markov.state.value[b];
}

} // namespace volpt
