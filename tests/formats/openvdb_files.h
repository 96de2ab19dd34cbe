// OpenVDB files for tests, described without OpenVDB's headers.
#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace volpt {

enum class VdbType { half, float32, float64, int32, int64, boolean, vec3s, vec3d, mask };
enum class VdbClass { fog_volume, level_set };

/// All of one number.
struct VdbTileSample {
    std::array<int, 3> low;
    std::array<int, 3> high;
    double value;
};

struct VdbGridSample {
    std::string name = "density";
    VdbType type = VdbType::float32;
    VdbClass grid_class = VdbClass::fog_volume;
    double background = 0;
    std::array<int, 3> low{};  ///< index box whose voxels are active
    std::array<int, 3> dims{}; ///< none: only tiles
    std::function<double(int x, int y, int z, int channel)> value = [](int, int, int, int) { return 1.0; };
    std::vector<VdbTileSample> tiles = {};
    /// world = rows[3] + i * rows[0] + j * rows[1] + k * rows[2]
    std::array<std::array<double, 3>, 4> rows{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}}};
    bool is_frustum = false;
};

/// Errors of OpenVDB come as they are.
void write_vdb(std::filesystem::path const& path, std::vector<VdbGridSample> const& samples);

} // namespace volpt
