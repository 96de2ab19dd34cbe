#pragma once

#include "libvolpt/surface/bvh.h"

namespace volpt {

/// How often oriented triangles, closed or not, surround a point: the sum of their signed solid angles over 4 pi
/// (A. Jacobson, L. Kavan, O. Sorkine-Hornung, Robust Inside-Outside Segmentation using Generalized Winding Numbers,
/// ACM TOG 32(4), 2013). Inside of a closed mesh whose front is outside it is 1.
class WindingNumber {
public:
    using Point = std::array<double, 3>;

    /// `scale` times the positions are in the unit of the points. Error (input) as build_bvh. The same bits for any
    /// number of threads.
    WindingNumber(TriangleMesh const& mesh, Point const& scale, int threads);

    /// Triangles near the point exactly (A. van Oosterom, J. Strackee, The Solid Angle of a Plane Triangle, IEEE
    /// Transactions on Biomedical Engineering 30(2), 1983), groups farther than twice their radius by the expansion to
    /// the second order (G. Barill et al., Fast Winding Numbers for Soups and Clouds, ACM TOG 37(4), 2018). Within 0.01
    /// of the sum; on a triangle either of the two values beside it, or their mean.
    double evaluate(Point const& point) const;

private:
    /// Of the dipoles of a group of triangles about its centre.
    struct Expansion {
        Point centre{};
        double radius = 0;               ///< around the centre, of all corners
        Point dipole{};                  ///< the sum of area * normal
        double trace = 0;                ///< of the first moments n_i d_j, d from the centre
        std::array<double, 6> first{};   ///< n_i d_j x_i x_j: xx yy zz xy xz yz
        Point second_trace{};            ///< 2 n_i d_i d_k + n_k d_i d_i
        std::array<double, 10> second{}; ///< n_i d_j d_k x_i x_j x_k: xxx yyy zzz xxy xxz xyy yyz xzz yzz xyz
    };
    struct Corners {
        Point a, b, c;
    };
    struct Range {
        std::uint32_t first, end;
    };

    Range expand(std::uint32_t node);
    void sum_up(Expansion& expansion, Range const& range) const;
    static double evaluate_far(Expansion const& expansion, Point const& from_point);
    static double measure_solid_angle(Corners const& triangle, Point const& point);

    std::vector<BvhNode> nodes_;
    std::uint32_t root_ = 0;
    std::vector<Corners> triangles_; ///< in the order of leaves
    std::vector<Expansion> expansions_;
};

} // namespace volpt
