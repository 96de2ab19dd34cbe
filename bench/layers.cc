// What layers would do to a path: events, reflectance and error of a bank, beside long steps through spheres.
//
//     bench_layers [PATHS [BANKS [LOG2_SIZE]]]      paths per bank; 100000, 16 and 8
//
// The white ink W (Elek et al. 2017), normal view, smooth faces of IOR 1.5: slabs, and 10 mm of it in green under
// colour layers of the same extinction, in which no step is taken. Means are over all banks. The last column is the
// relative error of one bank: the spread over banks less the paths' own; it falls as the root of the bank's size.
#include "libvolpt/core/boundary/microsurface.hd.h"
#include "libvolpt/core/layers/make_layer_outcome.hd.h"
#include "libvolpt/core/make_outcome.hd.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace volpt {
namespace {

constexpr float kG = 0.4f;
constexpr std::int32_t kLevels = 8 * kLevelsInOctave + 1;

enum class Shape { sphere, layer };

struct Stack {
    char const* name;
    float colour_mfp, colour_albedo, core_mfp, core_albedo;
};
constexpr Stack kStacks[] = {{"W red, 10 mm", 0, 1, 60, 0.9991f},         {"W green, 10 mm", 0, 1, 90, 0.9997f},
                             {"W blue, 10 mm", 0, 1, 240, 0.999f},        {"W green, 2 mm", 0, 1, 18, 0.9997f},
                             {"colour 0.5, W", 0.5f, 0.95f, 90, 0.9997f}, {"colour 1, W", 1, 0.95f, 90, 0.9997f},
                             {"colour 2, W", 2, 0.95f, 90, 0.9997f},      {"colour 4, W", 4, 0.95f, 90, 0.9997f}};

struct Banks {
    std::vector<Outcome> spheres;
    std::vector<Outcome> layers;
    BankView sphere_view;
    BankView layer_view;
};

/// `seconds` grow by the times of making spheres and layers.
Banks make_banks(std::uint32_t number, std::uint32_t log2_size, double (&seconds)[2])
{
    Banks banks;
    std::uint32_t const size = 1u << log2_size;
    banks.spheres.resize(std::size_t{kLevels} * size);
    banks.layers.resize(std::size_t{kLevels} * kLayerNodes * size);
    banks.sphere_view = {banks.spheres.data(), log2_size, kLevels};
    banks.layer_view = {banks.layers.data(), log2_size, kLevels};
    using Clock = std::chrono::steady_clock;
    auto const start = Clock::now();
    for (std::int32_t level = 0; level < kLevels; ++level)
        for (std::uint32_t i = 0; i < size; ++i)
            banks.spheres[find_outcome(banks.sphere_view, static_cast<std::uint32_t>(level), i)] = make_outcome(
                banks.sphere_view, level, i, kG, seed_rng(7, i, number, static_cast<std::uint32_t>(level)));
    auto const middle = Clock::now();
    for (std::int32_t level = 0; level < kLevels; ++level)
        for (std::uint32_t node = 0; node < kLayerNodes; ++node)
            for (std::uint32_t i = 0; i < size; ++i)
                banks.layers[find_layer_outcome(banks.layer_view, level, node, i)] =
                    make_bank_layer_outcome(banks.layer_view, 7, number, 0, kG, level, node, i);
    seconds[0] += std::chrono::duration<double>(middle - start).count();
    seconds[1] += std::chrono::duration<double>(Clock::now() - middle).count();
    return banks;
}

struct Sums {
    double value = 0, squares = 0, offset = 0, offset2 = 0, steps = 0, flights = 0, faces = 0;
};

/// A step of the path if one fits, lengths in mean free paths; returns its collisions, negative if none fits.
float take_step(Banks const& banks, Shape shape, Stack const& stack, Vec3& position, Vec3& direction, Rng& rng)
{
    float const up = position.z - stack.colour_mfp;
    float const down = stack.colour_mfp + stack.core_mfp - position.z;
    if (up < 0.0f) return -1.0f;
    float const safe = 0.99999f * (shape == Shape::sphere ? std::min(up, down) : direction.z > 0.0f ? down : up);
    std::int32_t const level = find_level(std::max(0.0f, safe), kLevels - 1);
    if (level < 0) return -1.0f;
    std::uint32_t const choice = rng.counter;
    std::uint32_t const bits = rng.draw();
    if (shape == Shape::layer) {
        LayerWalk const walk = walk_layer(banks.layer_view, level, 2, direction, choice, bits);
        position = position + walk.step.offset;
        direction = walk.step.direction;
        return walk.collisions;
    }
    BankView const& bank = banks.sphere_view;
    SphereExit const exit = decode_exit(bank.outcomes[find_outcome(bank, static_cast<std::uint32_t>(level), choice)]);
    SphereStep const step = place_exit(direction, exit, bits);
    position = move_along(position, sphere_radius(level), step.offset);
    direction = step.direction;
    return exit.collisions;
}

/// Follows path number `path`, with the roulette of 1/2 that renders have.
void follow(Banks const& banks, Shape shape, Stack const& stack, std::uint32_t path, Sums& sums)
{
    Rng rng = seed_rng(11, path, 0, 0);
    WalkInLayer walk;
    float const end = stack.colour_mfp + stack.core_mfp;
    double weight = 1;
    double contribution = 1;
    bool inside = to_unit(rng.draw()) >= compute_fresnel(1.0f, 1.5f).reflectance;
    if (inside) contribution = 0;
    sums.faces += 1;
    while (inside) {
        float const stepped = take_step(banks, shape, stack, walk.position, walk.direction, rng);
        if (stepped >= 0.0f) {
            sums.steps += 1;
            weight *= std::pow(static_cast<double>(stack.core_albedo), static_cast<double>(stepped));
        }
        sums.flights += 1;
        bool const at_face = fly_in_layer(walk, end, kG, rng);
        float const albedo = walk.position.z >= stack.colour_mfp ? stack.core_albedo : stack.colour_albedo;
        if (!at_face) weight *= static_cast<double>(albedo);
        if (weight < 0.5) {
            if (static_cast<double>(to_unit(rng.draw())) >= 2 * weight) return;
            weight = 0.5;
        }
        if (!at_face) continue;
        sums.faces += 1;
        inside = to_unit(rng.draw()) < compute_fresnel(std::abs(walk.direction.z), 1 / 1.5f).reflectance;
        if (!inside && walk.position.z == 0.0f) contribution = weight;
        walk.direction.z = -walk.direction.z;
    }
    double const offset2 = static_cast<double>(dot(walk.position, walk.position)); // at depth 0 where it counts
    sums.value += contribution;
    sums.squares += contribution * contribution;
    sums.offset += contribution * std::sqrt(offset2);
    sums.offset2 += contribution * offset2;
}

void print_stack(std::vector<Banks> const& all, Shape shape, Stack const& stack, std::uint32_t paths)
{
    Sums total;
    double means = 0, mean_squares = 0;
    std::uint32_t first = 0;
    for (Banks const& banks : all) {
        Sums const before = total;
        for (std::uint32_t i = 0; i < paths; ++i) follow(banks, shape, stack, first + i, total);
        first += paths;
        double const mean = (total.value - before.value) / paths;
        means += mean;
        mean_squares += mean * mean;
    }
    double const n = static_cast<double>(all.size()), count = n * paths, mean = means / n;
    double const spread2 = (mean_squares / n - mean * mean) * n / (n - 1);
    double const path2 = (total.squares / count - mean * mean) / paths;
    std::printf("%-14s %-7s R %.4f +- %.4f  offset %.3f %6.1f  steps %5.2f  flights %5.2f  faces %.2f  bank %.1e\n",
                stack.name, shape == Shape::sphere ? "spheres" : "layers", mean, std::sqrt(spread2 / n),
                total.offset / total.value, total.offset2 / total.value, total.steps / count, total.flights / count,
                total.faces / count, std::sqrt(std::max(0.0, spread2 - path2)) / mean);
}

void run(std::uint32_t paths, std::uint32_t count, std::uint32_t log2_size)
{
    double seconds[2] = {};
    std::vector<Banks> banks;
    for (std::uint32_t b = 0; b < count; ++b) banks.push_back(make_banks(b, log2_size, seconds));
    std::printf("a bank of 2^%u outcomes, %d levels: spheres %.3f s, layers %.3f s\n", log2_size, kLevels,
                seconds[0] / count, seconds[1] / count);
    for (Stack const& stack : kStacks)
        for (Shape const shape : {Shape::sphere, Shape::layer}) print_stack(banks, shape, stack, paths);
}

} // namespace
} // namespace volpt

int main(int argc, char** argv)
{
    auto const number = [&](int i, int otherwise) {
        return static_cast<std::uint32_t>(argc > i ? std::atoi(argv[i]) : otherwise);
    };
    volpt::run(number(1, 100000), number(2, 16), number(3, 8));
}
