// What paths do per brick with local majorants, and what skipping empty bricks could save at most:
// bench_brick_steps VOLUME.vpk FILM.vpf prints counts per path of the film's scene as JSON.
#include "libvolpt/cpu/path_walk.h"
#include "libvolpt/film/film_io.h"
#include "libvolpt/scene/render_scene.h"

#include <cstdio>
#include <exception>

namespace volpt {
namespace {

constexpr std::uint32_t kPaths = 1 << 16;

struct StepCounts {
    double flights = 0;
    double tentative_collisions = 0;
    double bricks = 0;       ///< crossed or stopped in
    double empty_bricks = 0; ///< of them, with a majorant of 0
    double empty_runs = 0;   ///< empty bricks one after another, within and across flights, count once
};

class StepCounter {
public:
    StepCounter(MediumView const& medium, StepCounts& counts) : medium_(medium), counts_(counts) {}

    static bool wants_more() { return true; }

    /// Repeats the flight that comes next with a copy of the path.
    void begin_event(PathState<1> path)
    {
        if (path.stage != Stage::inside) {
            in_run_ = false;
            return;
        }
        std::int32_t const first = medium_.band[path.band].local_majorant_first;
        BrickFlight flight =
            begin_brick_flight(medium_, path.position, path.direction, to_optical_depth(path.rng.draw()));
        for (int i = 0; i < kMostBricks && flight.flies != 0u; ++i) {
            cross_brick(medium_, first, path.direction, flight);
            bool const empty = flight.majorant == 0.0f;
            counts_.bricks += 1;
            counts_.empty_bricks += empty ? 1 : 0;
            counts_.empty_runs += empty && !in_run_ ? 1 : 0;
            in_run_ = empty;
        }
    }

    void see_flight(Flight const& flight)
    {
        counts_.flights += 1;
        counts_.tentative_collisions += flight.tentative;
    }

    void end_event(PathState<1> const&) {}

private:
    MediumView const& medium_;
    StepCounts& counts_;
    bool in_run_ = false;
};

StepCounts count_steps(SceneView const& scene)
{
    StepCounts counts;
    with_medium<1>(scene, [&]<class M>(M) {
        if constexpr (kHasNulls<M>) // others draw a number before the flight's
            for (std::uint32_t i = 0; i < kPaths; ++i) {
                StepCounter counter(scene.medium, counts);
                walk_path<M>(scene, spread_path(scene, i, kPaths, i), counter);
            }
    });
    return counts;
}

void run(char const* volume_path, char const* film_path)
{
    PackedVolume const volume = PackedVolume::open(volume_path);
    Scene scene = read_film(film_path).scene();
    scene.majorant = MajorantKind::local;
    scene.environment = {};
    RenderScene const render(std::move(scene), volume, nullptr, 0);
    StepCounts const counts = count_steps(view_for_walk(render.view()));
    auto const per_path = [](double count) { return count / kPaths; };
    std::printf("{\"flights\": %.3f, \"tentative_collisions\": %.3f, \"bricks\": %.3f, \"empty_bricks\": %.3f, "
                "\"empty_runs\": %.3f}\n",
                per_path(counts.flights), per_path(counts.tentative_collisions), per_path(counts.bricks),
                per_path(counts.empty_bricks), per_path(counts.empty_runs));
}

} // namespace
} // namespace volpt

int main(int argument_count, char** arguments)
{
    if (argument_count != 3) {
        std::fputs("usage: bench_brick_steps VOLUME.vpk FILM.vpf\n", stderr);
        return 2;
    }
    try {
        volpt::run(arguments[1], arguments[2]);
        return 0;
    } catch (std::exception const& error) {
        std::fprintf(stderr, "bench_brick_steps: %s\n", error.what());
        return 3;
    }
}
