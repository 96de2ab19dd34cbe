// Shapes of MCX's inputs, voxel by voxel.
#include "formats/mcx/shapes.h"
#include "tests/support/expect_error.h"

#include <algorithm>
#include <cmath>

namespace volpt::test {
namespace {

/// What shapes draw into 10 x 8 x 6 voxels of medium 1, in the order of x, y, z.
std::vector<std::uint8_t> draw(std::string const& shapes, double origin = 0)
{
    auto const json = nlohmann::json::parse(R"([{"Grid": {"Tag": 1, "Size": [10, 8, 6]}}, )" + shapes + "]");
    McxDrawing const drawing = read_mcx_shapes(McxNode(json, "in.json", "Shapes"), {0, 0, 0}, 5, origin);
    std::vector<std::uint8_t> labels(480);
    std::vector<std::uint64_t> drawn(drawing.shapes.size());
    for (int z = 0; z < 6; ++z)
        draw_mcx_layers(drawing, z, 1, std::span(labels).subspan(80u * static_cast<unsigned>(z), 80), drawn);
    return labels;
}

/// The voxels of medium 2 are those for whose centres `is_in` holds.
template <typename IsIn>
void expect_drawn(std::string const& shape, IsIn const& is_in, double origin = 0)
{
    SCOPED_TRACE(shape);
    auto const labels = draw(shape, origin);
    std::size_t at = 0, count = 0;
    for (int z = 0; z < 6; ++z)
        for (int y = 0; y < 8; ++y)
            for (int x = 0; x < 10; ++x, ++at) {
                bool const is_drawn = is_in(x + 0.5, y + 0.5, z + 0.5);
                count += is_drawn ? 1 : 0;
                ASSERT_EQ(labels[at], is_drawn ? 2 : 1) << x << "," << y << "," << z;
            }
    EXPECT_GT(count, 0u);
    EXPECT_LT(count, 480u);
}

TEST(McxShapes, BoxesHoldTheCentresBetweenTheirCorners)
{
    auto const is_in = [](double x, double y, double z) { return x > 1 && x < 4 && y > 2 && y < 4 && z > 0 && z < 5; };
    expect_drawn(R"({"Box": {"Tag": 2, "O": [1, 2, 0], "Size": [3, 2, 5]}})", is_in);
    expect_drawn(R"({"Box": {"Tag": 2, "O": [2, 3, 1], "Size": [3, 2, 5]}})", is_in, 1);
    expect_drawn(R"({"Origin": [1, 0, 0]}, {"Box": {"Tag": 2, "O": [2, 2, 0], "Size": [3, 2, 5]}})", is_in);
}

TEST(McxShapes, SubgridsCountFromOneAndHoldBothEnds)
{
    expect_drawn(R"({"Subgrid": {"Tag": 2, "O": [2, 3, 1], "Size": [3, 2, 4]}})",
                 [](double x, double y, double z) { return x > 1 && x < 5 && y > 2 && y < 5 && z > 0 && z < 5; });
}

TEST(McxShapes, SpheresAndCylindersHoldCentresWithinTheirRadius)
{
    expect_drawn(R"({"Sphere": {"Tag": 2, "O": [4, 4, 3], "R": 2.5}})", [](double x, double y, double z) {
        return (x - 4) * (x - 4) + (y - 4) * (y - 4) + (z - 3) * (z - 3) <= 6.25;
    });
    expect_drawn(
        R"({"Cylinder": {"Tag": 2, "C0": [1, 4, 3], "C1": [7, 4, 3], "R": 2}})",
        [](double x, double y, double z) { return x >= 1 && x <= 7 && (y - 4) * (y - 4) + (z - 3) * (z - 3) <= 4; });
}

TEST(McxShapes, LayersAndSlabsCountFromOneAndHoldBothEnds)
{
    auto const along_y = [](double, double y, double) { return (y > 1 && y < 3) || y > 6; };
    expect_drawn(R"({"YLayers": [[2, 3, 2], [7, 99, 2]]})", along_y);
    expect_drawn(R"({"YSlabs": {"Tag": 2, "Bound": [[2, 3], [7, 8]]}})", along_y);
    expect_drawn(R"({"XLayers": [3, 3, 2]})", [](double x, double, double) { return x > 2 && x < 3; });
    expect_drawn(R"({"ZSlabs": {"Tag": 2, "Bound": [1, 2]}})", [](double, double, double z) { return z < 2; });
    expect_drawn(R"({"UpperSpace": {"Tag": 2, "Coef": [1, -1, 0, 2]}})",
                 [](double x, double y, double) { return x - y > 2; });
}

TEST(McxShapes, LaterShapesCoverEarlierOnesAndAGridAllOfThem)
{
    auto const labels = draw(R"({"XLayers": [1, 4, 3]}, {"XLayers": [4, 6, 2]})");
    EXPECT_EQ((std::vector<int>(labels.begin(), labels.begin() + 10)),
              (std::vector<int>{3, 3, 3, 2, 2, 2, 1, 1, 1, 1}));
    auto const redrawn = draw(R"({"XLayers": [1, 4, 3]}, {"Grid": {"Tag": 4, "Size": [10, 8, 6]}})");
    EXPECT_EQ(std::ranges::count(redrawn, 4), 480);
}

TEST(McxShapes, WrongShapesAreToldWithTheirField)
{
    expect_error(ExitStatus::input, {"Shapes[1].Sphere", "'R'"},
                 [] { draw(R"({"Sphere": {"Tag": 2, "O": [1, 2, 3]}})"); });
    expect_error(ExitStatus::input, {"Shapes[1].ZLayers[1]", "no medium 9"},
                 [] { draw(R"({"ZLayers": [[1, 2, 1], [3, 4, 9]]})"); });
    expect_error(ExitStatus::input, {"Shapes[1].Cylinder", "the same"},
                 [] { draw(R"({"Cylinder": {"Tag": 2, "C0": [1, 1, 1], "C1": [1, 1, 1], "R": 2}})"); });
    expect_error(ExitStatus::input, {"Shapes[1].XSlabs.Bound", "2 numbers"},
                 [] { draw(R"({"XSlabs": {"Tag": 2, "Bound": [1, 2, 3]}})"); });
}

} // namespace
} // namespace volpt::test
