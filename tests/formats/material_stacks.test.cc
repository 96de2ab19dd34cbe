// Print jobs of one bitmap stack per material and a text.
#include "formats/slices/material_stacks.h"

#include "formats/slices/stack.h"
#include "libvolpt/sys/error.h"
#include "tests/formats/read_all.h"
#include "tests/formats/slice_samples.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_contains;
using test::expect_error;

char const* const kText =
    "[Build]\r\nFormat version = 1;\r\nLayer thickness = 0.03;\r\nNumber of slices = 2;\r\n"
    "[Resin Type]\r\nSupport = FullCure705;\r\nColor = VeroCyan;\r\nResin2 = Rubber;\r\n[Materials]\r\n"
    "Material1 = C:\\Voxels\\job\\Mat1\\Mat1_xxxx.bmp;\r\nMaterial2 = C:\\Voxels\\job\\Mat2\\II_xxxx.bmp\r\n";

class MaterialStacksTest : public testing::Test {
protected:
    void SetUp() override
    {
        text_ = folder_.write("print.txt", kText);
        write("Mat1/Mat1_0000", "\xff\0\0");
        write("Mat1/Mat1_0001", "\0\xff\0");
        write("Mat2/II_0001", "\0\0\xff"); // one series begins at 1
        write("Mat2/II_0002", "\xff\0\0");
    }

    void write(std::string const& name, char const* grey, std::uint32_t width = 3)
    {
        std::filesystem::create_directories((folder_ / name).parent_path());
        folder_.write(name + ".png", make_png(width, 1, 0, std::string(grey, width)));
    }

    std::unique_ptr<VolumeSource> open(std::filesystem::path const& path)
    {
        return open_slice_stack(path.string(), SliceAlpha::kept);
    }

    std::filesystem::path write_text(std::string_view what, std::string_view by)
    {
        std::string text = kText;
        text.replace(text.find(what), what.size(), by);
        return folder_.write("print.txt", text);
    }

    test::TempFolder folder_;
    std::filesystem::path text_;
};

TEST_F(MaterialStacksTest, PixelsHaveTheColourOfTheirMaterialOrAreTransparent)
{
    for (auto const& path : {text_, folder_ / ""}) {
        auto const source = open(path);
        ASSERT_TRUE(source->meta().job);
        auto const& job = *source->meta().job;
        ASSERT_EQ(job.materials.size(), 2u);
        EXPECT_EQ(job.materials[0].name, "VeroCyan");
        EXPECT_EQ(job.materials[0].colour, 0x005a9effu);
        EXPECT_EQ(job.materials[1].name, "Rubber");
        EXPECT_EQ(job.background, 0u);
        EXPECT_EQ(*source->meta().pitch_mm, (std::array{25.4 / 600, 25.4 / 300, 0.03}));
        expect_contains(source->meta().notices.front(), {"0.03 mm", "600 x 300"});
        std::vector<std::uint8_t> indices(6);
        std::vector<Palette> palettes(2);
        ASSERT_TRUE(source->is_indexed());
        source->read_indexed(0, 2, indices, palettes);
        EXPECT_EQ(indices, (std::vector<std::uint8_t>{1, 0, 2, 2, 1, 0}));
        auto const values = read_all(*source);
        ASSERT_EQ(values.size(), 24u);
        EXPECT_EQ(std::vector<float>(values.begin(), values.begin() + 8),
                  (std::vector<float>{0, 0x5a, 0x9e, 255, 0, 0, 0, 0}));
    }
}

TEST_F(MaterialStacksTest, MaterialsWithoutResinsHaveTheNamesOfTheirStacks)
{
    auto const source = open(write_text("Color = VeroCyan;\r\nResin2 = Rubber;", ""));
    EXPECT_EQ(source->meta().job->materials[1].name, "Material2");
    EXPECT_FALSE(source->meta().job->has_colours);
}

TEST_F(MaterialStacksTest, OtherNumberOfSlicesIsTold)
{
    auto const source = open(write_text("slices = 2", "slices = 3"));
    EXPECT_EQ(source->meta().dims[2], 2);
    expect_contains(source->meta().notices.back(), {"says 3 slices, there are 2"});
}

TEST_F(MaterialStacksTest, VoxelOfTwoMaterialsIsRefused)
{
    write("Mat2/II_0001", "\xff\0\0");
    expect_error(ExitStatus::input, {"II_0001.png", "pixel 0,0", "'Rubber'", "Mat1_0000.png", "'VeroCyan'"},
                 [&] { read_all(*open(text_)); });
}

TEST_F(MaterialStacksTest, FaultyTextsAreRefusedWithTheLine)
{
    auto const refused = [&](std::string_view what, std::string_view by,
                             std::initializer_list<std::string_view> parts) {
        auto const path = write_text(what, by);
        expect_error(ExitStatus::input, parts, [&] { open(path); });
    };
    refused("thickness = 0.03", "thickness = 30", {"print.txt", "'layer thickness' is '30'", "0.0001 to 10"});
    refused("thickness = 0.03", "thickness = x", {"'layer thickness' is 'x'"});
    refused("Layer thickness = 0.03;", "", {"no 'Layer thickness'"});
    refused("Material1 =", "Material3 =", {"no 'Material1'"});
    refused("Mat1_xxxx.bmp", "Mat1_0000.bmp", {"'VeroCyan'", "xxxx"});
    refused("Mat1\\Mat1_xxxx", "Mat7\\Mat7_xxxx", {"no bitmaps of 'VeroCyan'", "Mat7_xxxx.bmp", "beside the text"});
    refused("C:\\Voxels\\job\\Mat1", "..\\..\\Mat7", {"no bitmaps of 'VeroCyan'"});
}

TEST_F(MaterialStacksTest, StacksOfOtherSizeOrNumberAreRefused)
{
    write("Mat2/II_0002", "\xff\0\0\0", 4);
    expect_error(ExitStatus::input, {"II_0002.png", "4 x 1", "Mat1_0001.png", "3 x 1"}, [&] { open(text_); });
    std::filesystem::remove(folder_ / "Mat2/II_0002.png");
    expect_error(ExitStatus::input, {"1 bitmaps of 'Rubber'", "2 of 'VeroCyan'"}, [&] { open(text_); });
}

TEST_F(MaterialStacksTest, FolderOfTwoTextsIsRefusedAndOtherTextsAreNone)
{
    folder_.write("readme.txt", "[Build] your own");
    EXPECT_FALSE(is_material_stacks(folder_ / "readme.txt"));
    EXPECT_EQ(find_material_stacks(folder_ / ""), text_);
    folder_.write("b.txt", kText);
    expect_error(ExitStatus::input, {"b.txt and print.txt"}, [&] { find_material_stacks(folder_ / ""); });
}

} // namespace
} // namespace volpt
