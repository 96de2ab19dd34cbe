// Tables for choosing directions of an environment in proportion to its radiance.
#pragma once

#include "libvolpt/core/scene_view.hd.h"

#include <vector>

namespace volpt {

/// By band: the integral of the environment's radiance over all directions.
std::vector<double> integrate_environment(EnvironmentView const& environment, std::uint32_t bands);

/// Owns what an EnvironmentSamplerView points into.
class EnvironmentTables {
public:
    /// For an image, in proportion to the largest of the bands; else directions are chosen uniformly, without tables.
    void fill(EnvironmentView const& environment, std::uint32_t bands);

    EnvironmentSamplerView view() const;

private:
    std::uint32_t edge_ = 0;
    std::vector<float> row_cdf_;
    std::vector<float> cell_cdf_;
};

} // namespace volpt
