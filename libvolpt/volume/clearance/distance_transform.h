// Distance transform along the lines of a brick grid: squared distances from each brick to the nearest one outside its
// run.
//
// P. Felzenszwalb & D. Huttenlocher, Distance Transforms of Sampled Functions, Theory of Computing 8 (2012): the lower
// envelope of parabolas. Distances are gaps between boxes, so a parabola stands on the face of a brick instead of its
// centre.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace volpt {

enum class LineEnds : std::uint32_t { open = 0, wrapped = 1 };

/// One axis of the grid.
struct BrickLineShape {
    int voxels = 0;      ///< >= 1; the last brick may be partial
    float pitch_mm = 0;  ///< finite, > 0
    double reach_mm = 0; ///< subtracted from every gap; 0 to one voxel
    LineEnds ends = LineEnds::open;
};

/// One step of a separable transform, along lines of one shape. Buffers are reused for all lines.
class BrickLineTransform {
public:
    explicit BrickLineTransform(BrickLineShape const& shape);

    int bricks() const noexcept { return bricks_; }

    /// squares[k * stride], brick k of the line, in mm^2, infinity allowed, becomes the least
    ///   squares[j] + max(0, gap(k, j) - reach)^2  over bricks j of k's run, with 0 for squares[j] of the two bricks
    ///   that end it.
    /// A run is a stretch of bricks of which joins[k * stride] & join_bit says that k belongs together with the next
    /// one (of the last brick, on wrapped lines, with the first). Results are rounded down.
    void transform(float* squares, std::uint8_t const* joins, std::uint8_t join_bit, std::size_t stride);

private:
    struct Parabola {
        double centre_mm;
        double height_mm2;
        double from_mm; ///< the lowest of all from here to the next one's
    };
    /// Bricks [first, last) of the unrolled line; results are wanted of [wanted_first, wanted_last).
    struct Run {
        int first, last;
        bool has_end_before, has_end_after;
        int wanted_first, wanted_last;
    };

    void transform_run(Run const& run, float* squares, std::size_t stride);
    void add_parabola(double centre_mm, double height_mm2);
    void lower_results(Run const& run, std::vector<double> const& face_mm, double offset_mm);
    std::size_t unrolled(int brick) const { return static_cast<std::size_t>(brick + bricks_); }

    BrickLineShape shape_;
    int bricks_;
    std::vector<double> low_mm_; ///< faces of bricks -n .. 2 n - 1 of the unrolled line
    std::vector<double> high_mm_;
    std::vector<double> heights_; ///< of the run, with one brick before and one after
    std::vector<double> results_; ///< of the wanted bricks
    std::vector<Parabola> envelope_;
};

/// The largest float that is not above `value`, 0 or more; infinity stays.
float round_down(double value);

} // namespace volpt
