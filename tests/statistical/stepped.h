// Renders with long steps for the tests that measure them.
//
// Standard errors of stepped films include what is known of their banks' (libvolpt/film/film_banks.h).
#pragma once

#include "libvolpt/cpu/outcomes/outcome_banks.h"
#include "tests/statistical/ink_slabs.h"

namespace volpt::test {

/// `samples` of each of `banks` banks; in hasty builds of one.
inline Film render_banks(Scene scene, PackedVolume const& volume, std::uint32_t banks, std::uint32_t samples,
                         LongSteps long_steps = LongSteps::spheres)
{
    scene.long_steps = long_steps;
    RenderScene const built(scene, volume, nullptr, 7);
    Film film = make_film(built, 7);
    for (std::uint32_t bank = 0; bank < (kHaste == 1 ? banks : 1); ++bank)
        render_film(built, film, {std::uint64_t{bank} * kBankSamples, std::max(1u, samples / kHaste)}, {});
    return film;
}

/// The same number of samples without long steps, by another seed.
inline Film render_plain(Scene const& scene, PackedVolume const& volume, std::uint32_t samples)
{
    return render_scene(scene, volume, {0, std::max(1u, samples / kHaste)}, {}, 8);
}

/// Counts of the whole picture, a sample at a time: `samples` of each of `banks` banks; in hasty builds of one.
inline std::vector<PathCounts> count_stepped(Scene scene, PackedVolume const& volume, std::uint32_t banks,
                                             std::uint32_t samples)
{
    scene.long_steps = LongSteps::spheres;
    RenderScene const built(scene, volume, nullptr, 7);
    SceneView view = built.view();
    TileSums sums(std::size_t{scene.width} * scene.height * scene.bands);
    std::vector<PathCounts> counts;
    for (std::uint32_t bank = 0; bank < (kHaste == 1 ? banks : 1); ++bank) {
        std::vector<Outcome> const outcomes = make_bank(view, bank, 1);
        view.long_steps.bank.outcomes = outcomes.data();
        for (std::uint32_t i = 0; i < samples; ++i)
            list_cpu_kernels().front().render(view, {0, 0, scene.width, scene.height, bank * kBankSamples + i, 1},
                                              sums.view(), counts.emplace_back(), {});
    }
    return counts;
}

inline double count_per_path(std::uint64_t count, Film const& film)
{
    return static_cast<double>(count) / static_cast<double>(film.statistics.paths);
}

inline Scene probe_endless(PackedVolume const& volume, std::uint32_t edge, ProbeView view = ProbeView::normal)
{
    Scene scene = make_probe(volume, edge, edge);
    scene.boundary.sides = Sides::periodic;
    scene.camera.view = view;
    return scene;
}

/// In hasty builds one: making banks is what takes the time.
inline std::vector<float> list_anisotropies()
{
    return kHaste == 1 ? std::vector<float>{-0.5f, 0.0f, 0.4f, 0.9f} : std::vector<float>{0.4f};
}

} // namespace volpt::test
