// Renders a cloud of spheres from an array, then compares the film with one of other samples.
#include <volpt/volpt.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>

namespace {

/// Density of eight soft spheres in a box of `edge`^3 voxels.
std::vector<float> make_cloud(std::size_t edge)
{
    std::vector<float> density;
    density.reserve(edge * edge * edge);
    auto const at = [&](std::size_t i) { return (static_cast<float>(i) + 0.5f) / static_cast<float>(edge); };
    for (std::size_t z = 0; z < edge; ++z)
        for (std::size_t y = 0; y < edge; ++y)
            for (std::size_t x = 0; x < edge; ++x) {
                auto const fold = [](float u) { return std::abs(u - 0.5f) - 0.22f; };
                float const distance = std::hypot(fold(at(x)), fold(at(y)), fold(at(z)));
                density.push_back(std::max(0.0f, 1.0f - distance / 0.2f));
            }
    return density;
}

} // namespace

int main(int argc, char** argv)
try {
    std::filesystem::path const folder = argc > 1 ? argv[1] : ".";
    std::size_t const edge = 48;
    std::vector<float> const density = make_cloud(edge);
    volpt::Volume const cloud = volpt::pack({density, {edge, edge, edge}}, folder / "cloud.vpk",
                                            {{"pitch", "0.2,0.2,0.2"}, {"scale", "8"}, {"albedo", "0.99,0.97,0.9"}});

    volpt::Options options{{"resolution", "160x120"}, {"from", "-60,20"}, {"spp", "32"}};
    volpt::RenderResult const first = volpt::render(cloud, options);
    first.film.save(folder / "cloud.png");
    std::printf("volpt %s: film %s\n%s\n", volpt::version().c_str(), first.film.film_hash().c_str(),
                first.report.c_str());

    options.push_back({"seed", "1"});
    volpt::Film const second = volpt::render(cloud, options).film;
    volpt::Verdict const verdict = volpt::compare(first.film, second, {{"statistical"}});
    std::fputs(verdict.text.c_str(), stdout);
    return verdict.is_pass ? 0 : 1;
} catch (volpt::Error const& error) {
    std::fprintf(stderr, "noisy_cloud: %s\n", error.what());
    return static_cast<int>(error.status());
}
