// Metropolis light transport has the means of other integrators, from the first step of its chains on.
#include "libvolpt/core/light/transports.hd.h"
#include "libvolpt/core/metropolis/run_chain.hd.h"
#include "tests/statistical/lit_scenes.h"
#include "tests/support/make_nested_solids.h"

namespace volpt::test {
namespace {

std::vector<Measurement> measure_pixels(Film const& film, std::uint32_t band)
{
    std::vector<Measurement> pixels;
    visit_pixels(film, band, [&](std::size_t, PixelSums const& at, std::size_t) {
        pixels.push_back(
            {mean_of(at, film.sum_log2()), std::sqrt(variance_of_mean(at, film.sum_log2(), film.square_log2()))});
    });
    return pixels;
}

/// The mean over pixels `begin` to `end` of each row, of rows `first` to `last`.
struct FilmPart {
    std::uint32_t begin, end, first, last;
};

Measurement measure_part(Film const& film, std::uint32_t band, FilmPart const& part)
{
    std::vector<Measurement> const pixels = measure_pixels(film, band);
    double sum = 0, variance = 0;
    for (std::uint32_t y = part.first; y < part.last; ++y)
        for (std::uint32_t x = part.begin; x < part.end; ++x) {
            Measurement const& pixel = pixels[y * film.width() + x];
            sum += pixel.mean;
            variance += pixel.standard_error * pixel.standard_error;
        }
    double const count = (part.end - part.begin) * (part.last - part.first);
    return {sum / count, std::sqrt(variance) / count};
}

/// `passes` of mlt against `samples` of the other integrator, over the whole film and its quarters: all that a chain
/// adds to the film follows from its candidates, where it adds it from its steps.
void expect_metropolis(Scene scene, PackedVolume const& volume, std::uint32_t passes, std::uint32_t samples,
                       std::string const& what, Integrator truth = Integrator::path)
{
    constexpr std::uint32_t kSeeds = 24;
    scene.integrator = truth;
    Film const expected = render_scene(scene, volume, {0, samples / kHaste});
    scene.integrator = Integrator::mlt;
    std::vector<Film> films;
    for (std::uint32_t seed = 0; seed < kSeeds; ++seed)
        films.push_back(render_scene(scene, volume, {0, std::max(1u, passes / kSeeds / kHaste)}, {}, 100 + seed));
    std::uint32_t const w = scene.width, h = scene.height;
    FilmPart const parts[] = {
        {0, w, 0, h}, {0, w / 2, 0, h / 2}, {w / 2, w, 0, h / 2}, {0, w / 2, h / 2, h}, {w / 2, w, h / 2, h}};
    for (std::uint32_t band = 0; band < scene.bands; ++band)
        for (FilmPart const& part : parts) {
            std::vector<double> means;
            for (Film const& film : films) means.push_back(measure_part(film, band, part).mean);
            Measurement const of_path = measure_part(expected, band, part), of_chains = measure_mean(means);
            std::string const name =
                what + ", band " + std::to_string(band) + ", part " + std::to_string(&part - parts);
            double const haste = std::sqrt(kHaste);
            EXPECT_GT(of_path.mean * haste, 20 * of_path.standard_error) << name;
            EXPECT_GT(of_chains.mean * haste, (&part == parts ? 12 : 6) * of_chains.standard_error) << name;
            expect_equal_means(of_path, of_chains, name);
        }
}

/// As many candidates as steps: what chains add then varies little more by the former than by the latter.
constexpr MetropolisSpec kEvenChains{.mutations = 128, .bootstrap = 128, .chains = 0, .longest = 8};

Scene make_small_scene(PackedVolume const& volume)
{
    Scene scene = make_scene(volume, 8, 6);
    scene.mlt = kEvenChains;
    return scene;
}

TEST(MetropolisFilms, LampsOverAGround)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    Emitter spot = make_emitter(EmitterKind::spot, {1.5, 1.2, 5}, 3);
    spot.angle_deg = 30;
    spot.inner_angle_deg = 20;
    for (auto const& [lamp, what] : {std::pair{make_sized(EmitterKind::sphere, {1, 1, 4}, 0.5, 20), "sphere"},
                                     {make_point({1, 1, 4}, 1), "point"},
                                     {spot, "spot"}}) {
        Scene scene = make_small_scene(volume);
        scene.ground.kind = GroundKind::diffuse;
        scene.ground.albedo = {0.6f};
        add_emitter(scene, lamp);
        for (MisHeuristic const heuristic : {MisHeuristic::balance, MisHeuristic::power}) {
            scene.heuristic = heuristic;
            expect_metropolis(scene, volume, 480, 4800, what);
            if (lamp.kind != EmitterKind::sphere) break;
        }
    }
}

TEST(MetropolisFilms, DistantLightOnACloud)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_small_scene(cloud);
    scene.environment = {EnvironmentKind::hemispheres, {1.0f}, {0.25f}, {}, 4, 0};
    scene.mlt.longest = 12;
    expect_metropolis(scene, cloud, 960, 4800, "environment");
    scene = make_small_scene(cloud);
    add_emitter(scene, make_sun_emitter(5));
    expect_metropolis(scene, cloud, 960, 4800, "sun");
}

/// Most of the light has more vertices than the paths of chains, or none.
TEST(MetropolisFilms, WholePathsAddWhatChainsLeaveOut)
{
    PackedVolume const cloud = make_cloud();
    Scene scene = make_small_scene(cloud);
    scene.mlt.longest = 2;
    add_emitter(scene, make_sized(EmitterKind::sphere, {1, 1, 5}, 1, 20));
    scene.environment.radiance = {0.002f};
    expect_metropolis(scene, cloud, 2400, 4800, "paths of 2 vertices");
    Scene chains_alone = scene;
    chains_alone.depth_limit = 3;
    chains_alone.integrator = Integrator::path;
    EXPECT_LT(measure_radiance(chains_alone, cloud, 480 / kHaste)[0].mean,
              0.9 * measure_radiance(scene, cloud, 480 / kHaste)[0].mean)
        << "else whole paths do not matter";
}

TEST(MetropolisFilms, BandsThatDoNotTravelTogether)
{
    PackedVolume const inks = make_inks();
    Scene scene = make_small_scene(inks);
    add_emitter(scene, make_sized(EmitterKind::sphere, {-1.2, -3.1, 8.1}, 1.5, 20));
    expect_metropolis(scene, inks, 960, 4800, "inks");
    PackedVolume const colours = make_colour_cloud();
    scene = make_small_scene(colours);
    add_emitter(scene, make_sized(EmitterKind::sphere, {-1.2, -3.1, 8.1}, 1.5, 20));
    expect_metropolis(scene, colours, 960, 4800, "colours");
}

TEST(MetropolisFilms, ProbesSeenDiffusely)
{
    PackedVolume const cube = make_milk_cube();
    for (bool const refracts : {false, true}) {
        Scene scene = make_probe(cube, 4, 4);
        scene.camera.view = ProbeView::diffuse;
        scene.mlt = kEvenChains;
        if (!refracts) scene.boundary = {};
        add_emitter(scene, make_disc_beam({0.7, 0.6, 6}, 0.6, 2));
        expect_metropolis(scene, cube, 1440, 48000, refracts ? "probe, refracting" : "probe", Integrator::light);
    }
}

TEST(MetropolisFilms, LampBehindARefractingBoundary)
{
    PackedVolume const cube = make_milk_cube();
    Scene scene = make_small_scene(cube);
    scene.boundary = {BoundaryKind::smooth, 1.5, 1.0, 0};
    add_emitter(scene, make_sized(EmitterKind::sphere, {1, 1, 5}, 2, 20));
    expect_metropolis(scene, cube, 960, 24000, "smooth");
}

TEST(MetropolisFilms, SolidsInSolids)
{
    PackedVolume const matched = pack_solids(make_matched_nest(), 4);
    Scene scene = make_small_scene(matched);
    add_emitter(scene, make_sized(EmitterKind::sphere, {0, 0.5, 3}, 0.5, 20));
    expect_metropolis(scene, matched, 720, 4800, "index-matched");
    PackedVolume const refracting = pack_solids(make_nest(), 4);
    scene = make_small_scene(refracting);
    add_emitter(scene, make_sized(EmitterKind::sphere, {0, 0.5, 3}, 1.5, 20));
    expect_metropolis(scene, refracting, 720, 12000, "refracting");
}

/// A pass is one of the whole film, whatever the number of its file tiles.
TEST(MetropolisFilms, FilmsOfSeveralFileTiles)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    for (auto const& [width, height] : {std::pair{72u, 72u}, {100u, 70u}}) {
        Scene scene = make_scene(volume, width, height);
        scene.ground.kind = GroundKind::diffuse;
        scene.ground.albedo = {0.6f};
        scene.mlt = {.mutations = 64, .bootstrap = 64, .chains = 100, .longest = 8};
        add_emitter(scene, make_sized(EmitterKind::sphere, {1, 1, 4}, 0.5, 20));
        expect_metropolis(scene, volume, 72, 40, std::to_string(width) + " x " + std::to_string(height));
    }
}

TEST(MetropolisFilms, SurfacesAroundTheSolidSeenThroughALens)
{
    SurroundingShapes shapes;
    add_mesh(shapes, make_box({-4, 3, 0}, {5, 3.5f, 3}), make_bsdf(BsdfKind::diffuse, 0.7f));
    add_sphere(shapes, {{-2, 1, 1.4f}, 1.0f}, make_bsdf(BsdfKind::dielectric));
    PackedVolume const volume = make_cube_among(shapes, 2, 0.1f);
    Scene scene = make_surrounded_picture(volume);
    scene.width = 8;
    scene.height = 6;
    scene.mlt = kEvenChains;
    scene.boundary = {};
    scene.camera.lens_radius_mm = 0.3;
    scene.camera.focus_distance_mm = 12;
    add_emitter(scene, make_sized(EmitterKind::sphere, {2, -3, 5}, 1, 20));
    expect_metropolis(scene, volume, 2880, 24000, "lens");
}

/// A ground from above, of 8 x 6 pixels: a narrow spot of much light on a pixel or two, and little on all.
Scene make_spotted_ground(PackedVolume const& volume)
{
    Scene scene = look_down(volume, 8, 8);
    scene.height = 6;
    scene.ground.kind = GroundKind::diffuse;
    scene.ground.albedo = {0.6f};
    Emitter spot = make_emitter(EmitterKind::spot, {-1.5, 2.5, 4}, 40);
    spot.unit = EmitterUnit::intensity;
    spot.angle_deg = 6;
    spot.inner_angle_deg = 5;
    add_emitter(scene, spot);
    add_emitter(scene, make_point({2, -2, 8}, 1));
    return scene;
}

/// Pixels that hold the most light, and so far more than their share.
std::vector<bool> find_bright_pixels(std::vector<Measurement> const& pixels)
{
    double mean = 0;
    for (Measurement const& pixel : pixels) mean += pixel.mean / static_cast<double>(pixels.size());
    std::vector<bool> is_bright;
    for (Measurement const& pixel : pixels) is_bright.push_back(pixel.mean > 3 * mean);
    return is_bright;
}

struct ChainDeposits {
    double bright = 0;   ///< at bright pixels
    double own_mean = 0; ///< of the candidates' importance
};

/// A chain as cpu/run_chains.h runs it, with deposits that are not rounded.
template <class M>
ChainDeposits run_chain(SceneView const& scene, PathId id, std::vector<bool> const& is_bright,
                        PathMemory<PathOf<M>>& memory)
{
    ChainDeposits deposits;
    PathCounts counts;
    PathOf<M> path = start_path_in<M>(scene, id);
    path.memory = &memory;
    auto const add = [&] {
        if (path.slot != kNoSlot && is_bright[path.slot]) deposits.bright += static_cast<double>(path.throughput[0]);
    };
    while (begin_evaluation(M{}, scene, path)) {
        while (path.stage != Stage::ended) extend_path<M>(scene, path, counts);
        end_evaluation(scene, path);
        add();
        if (take_splat(path)) add();
    }
    deposits.own_mean = static_cast<double>(path.chain.markov.candidate_total) / scene.metropolis.bootstrap;
    return deposits;
}

/// Of all chains of `passes` passes.
std::vector<ChainDeposits> run_chains(SceneView const& scene, std::uint32_t passes, std::vector<bool> const& is_bright)
{
    return with_bidirectional_medium<1, Transport::metropolis>(scene, [&](auto medium) {
        using M = decltype(medium);
        PathMemory<PathOf<M>> memory;
        std::vector<ChainDeposits> chains;
        for (std::uint32_t sample = 0; sample < passes; ++sample)
            for (std::uint32_t chain = 0; chain < scene.metropolis.chains; ++chain)
                chains.push_back(
                    run_chain<M>(scene, {chain % scene.width, chain / scene.width, sample, 0, 0}, is_bright, memory));
        return chains;
    });
}

Measurement add_errors(std::vector<Measurement> const& pixels, std::vector<bool> const& is_bright)
{
    double mean = 0, variance = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i) {
        if (!is_bright[i]) continue;
        mean += pixels[i].mean;
        variance += pixels[i].standard_error * pixels[i].standard_error;
    }
    return {mean, std::sqrt(variance)};
}

/// A million short chains with few candidates: what one begins with matters as much as what it tends to.
TEST(MetropolisFilms, ShortChainsHaveNoStartUpBias)
{
    PackedVolume const volume = make_object_medium(2, 0.1f);
    Scene scene = make_spotted_ground(volume);
    std::vector<Measurement> const truth = measure_pixels(render_scene(scene, volume, {0, 40000 / kHaste}), 0);
    std::vector<bool> const is_bright = find_bright_pixels(truth);
    Measurement const bright = add_errors(truth, is_bright);
    std::vector<bool> const all(truth.size(), true);
    Measurement const total = add_errors(truth, all);
    EXPECT_GT(bright.mean, 0.3 * total.mean);
    EXPECT_LT(std::ranges::count(is_bright, true), 4);

    scene.integrator = Integrator::mlt;
    scene.mlt = {.mutations = 10, .bootstrap = 16, .chains = 48, .longest = 8};
    constexpr std::uint32_t kChains = 1'000'000 / kHaste;
    Measurement const film = measure_by_seeds(scene, volume, kChains / 48)[0];
    double const pixels = static_cast<double>(truth.size());
    EXPECT_NEAR(film.mean, total.mean / pixels, 3 * std::hypot(film.standard_error, total.standard_error / pixels));
    EXPECT_LT(film.standard_error, 0.01 * std::sqrt(kHaste) * film.mean);

    // Chains alone, in blocks: as they are, and as if each that has begun counted alike.
    constexpr std::uint32_t kBlocks = 24;
    RenderScene const built(scene, volume, nullptr, 11);
    std::vector<ChainDeposits> const chains = run_chains(built.view(), kChains / 480, is_bright);
    double global_mean = 0, begun = 0;
    for (ChainDeposits const& chain : chains) {
        global_mean += chain.own_mean / static_cast<double>(chains.size());
        begun += chain.own_mean > 0 ? 1 : 0;
    }
    std::vector<double> weighted(kBlocks), unweighted(kBlocks);
    for (std::size_t i = 0; i < chains.size(); ++i) {
        std::size_t const block = i * kBlocks / chains.size();
        double const share = kBlocks * 48.0 / static_cast<double>(chains.size());
        weighted[block] += share * chains[i].bright;
        if (chains[i].own_mean > 0)
            unweighted[block] += share * static_cast<double>(chains.size()) / begun * chains[i].bright * global_mean /
                                 chains[i].own_mean;
    }
    Measurement const as_is = measure_mean(weighted), biased = measure_mean(unweighted);
    expect_equal_means(bright, as_is, "bright pixels");
    EXPECT_GT(std::abs(biased.mean - bright.mean), 10 * std::hypot(biased.standard_error, bright.standard_error));
}

/// Predicted variances of pixels, whose samples are passes, against the spread of renders of different seeds.
TEST(MetropolisFilms, ErrorsOfPixelsAreThoseOfTheirSpread)
{
    PackedVolume const cube = make_milk_cube();
    Scene scene = make_probe(cube, 4, 4);
    scene.camera.view = ProbeView::diffuse;
    scene.integrator = Integrator::mlt;
    scene.mlt = {.mutations = 24, .bootstrap = 8, .chains = 4, .longest = 8};
    add_emitter(scene, make_disc_beam({1, 1, 6}, 2, 2));
    std::uint32_t const seeds = 400 / kHaste, samples = 12;
    std::vector<double> sums(16), squares(16);
    double predicted = 0;
    for (std::uint32_t seed = 0; seed < seeds; ++seed) {
        Film const film = render_scene(scene, cube, {0, samples}, {}, 1000 + seed);
        std::vector<Measurement> const pixels = measure_pixels(film, 0);
        for (std::size_t i = 0; i < pixels.size(); ++i) {
            sums[i] += pixels[i].mean;
            squares[i] += pixels[i].mean * pixels[i].mean;
            predicted += pixels[i].standard_error * pixels[i].standard_error / seeds;
        }
    }
    double spread = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) spread += (squares[i] - sums[i] * sums[i] / seeds) / (seeds - 1);
    EXPECT_NEAR(predicted / spread, 1, kHaste == 1 ? 0.1 : 0.4);
}

} // namespace
} // namespace volpt::test
