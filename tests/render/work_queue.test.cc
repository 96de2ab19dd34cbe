// Units of work hold no more samples than the sums of a renderer.
#include "libvolpt/render/pool/work_queue.h"

#include <gtest/gtest.h>

namespace volpt::test {
namespace {

TEST(WorkQueue, UnitsEndWhereSquaresOfSumsWouldNotFit)
{
    for (Integrator const integrator : {Integrator::light, Integrator::mlt}) {
        Scene scene;
        scene.width = scene.height = 8;
        scene.bands = 1;
        scene.integrator = integrator;
        Film const film(scene, 0, 0);
        constexpr std::uint64_t kSamples = std::uint64_t{1} << 20;
        WorkQueue queue(film, UnitArea::whole_film, 1, 1, 0);
        queue.add({0}, {{0, kSamples}});
        std::uint64_t next = 0, units = 0;
        while (auto const unit = queue.take(UINT64_MAX)) {
            EXPECT_EQ(unit->block.first_sample, next);
            EXPECT_LE(unit->block.sample_count, find_renderer_limit(scene));
            next += unit->block.sample_count;
            ++units;
        }
        EXPECT_EQ(next, kSamples);
        EXPECT_EQ(units, integrator == Integrator::mlt ? kSamples / find_renderer_limit(scene) : 1u);
    }
}

} // namespace
} // namespace volpt::test
