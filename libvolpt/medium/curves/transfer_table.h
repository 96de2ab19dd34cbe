// Piecewise-linear map from density to albedo (--transfer).
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace volpt {

class TransferTable {
public:
    struct Point {
        double density = 0;
        std::vector<double> albedo; ///< by band, 0..1; as many as in every other point
    };

    /// Densities strictly ascend. Error (input) names `where` and the point otherwise.
    TransferTable(std::vector<Point> points, std::string const& where);

    std::size_t bands() const noexcept { return points_.front().albedo.size(); }
    double first_density() const noexcept { return points_.front().density; }
    double last_density() const noexcept { return points_.back().density; }

    /// 1 - albedo at a density, all bands; the end points hold outside.
    void evaluate(float density, std::span<float> one_minus_albedo) const;

private:
    std::vector<Point> points_;
};

/// A preset's name, or a JSON file {"points": [{"density": 0.0, "albedo": [r, g, b]}, ...]}.
TransferTable read_transfer_table(std::string const& name_or_path);

/// "grey-red-blue, green-red-blue"
std::string list_transfer_presets();

} // namespace volpt
