// Printers are read with their limits, and a job that exceeds some is told all of them.
#include "libvolpt/medium/printer.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/support/temp_folder.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

using test::expect_error;

Printer parse(std::string_view text)
{
    test::TempFolder const folder;
    return read_printer(folder.write("p.json", text));
}

TEST(Printer, InstalledOnesAreRead)
{
    auto const folder = test::tests_folder() / "../pipelines/data/printers";
    Printer const j850 = read_printer(folder / "j850.json");
    EXPECT_EQ(j850.pitch_mm(), (std::array{25.4 / 600, 25.4 / 300, 0.027}));
    EXPECT_EQ(*j850.materials_max, 6);
    EXPECT_EQ(*j850.slices_min, 30);
    EXPECT_EQ((*j850.tray_mm)[2], 200);
    EXPECT_TRUE(read_printer(folder / "j750.json").has_source);
    Printer const j55 = read_printer(folder / "j55.json");
    EXPECT_FALSE(j55.has_source || j55.materials_max || j55.slices_min || j55.tray_mm);
}

TEST(Printer, ExceededLimitsAreAllNamed)
{
    Printer const printer = parse(R"({"name": "P", "dpi": [600, 300], "layers_um": [27, 14], "source": "s",
        "limits": {"materials_max": 2, "slices_min": 3, "tray_mm": [10, 10, 1]}})");
    PrintJobSize job{{0.0423, 0.0847, 0.014}, {100, 100, 3}, 2};
    EXPECT_NO_THROW(check_printable(printer, job, "v.vpk"));
    job = {{0.05, 0.0847, 0.02}, {201, 100, 2}, 3};
    expect_error(ExitStatus::input,
                 {"v.vpk", "P does not print this job", "0.05 mm along x", "600 dots", "layers of 0.02 mm",
                  "0.027 or 0.014", "3 materials, it takes 2", "2 slices, it needs 3",
                  "10.05 mm along x, its tray has 10"},
                 [&] { check_printable(printer, job, "v.vpk"); });
}

TEST(Printer, FiguresWithoutSourceAreNotChecked)
{
    Printer const printer = parse(R"({"dpi": 300, "layers_um": 20})");
    EXPECT_EQ(printer.pitch_mm(), (std::array{25.4 / 300, 25.4 / 300, 0.02}));
    EXPECT_NO_THROW(check_printable(printer, {{1, 1, 1}, {1, 1, 1}, 99}, "v.vpk"));
}

TEST(Printer, WrongFilesAreRefusedWithTheKey)
{
    auto const refused = [](std::string_view text, std::initializer_list<std::string_view> parts) {
        expect_error(ExitStatus::input, parts, [&] { parse(text); });
    };
    refused("[]", {"p.json", "object"});
    refused(R"({"layers_um": 20})", {"'dpi' is missing"});
    refused(R"({"dpi": [0], "layers_um": 20})", {"'dpi'"});
    refused(R"({"dpi": [1, 2, 3], "layers_um": 20})", {"'dpi' holds 3"});
    refused(R"({"dpi": 1, "layers_um": 20, "limit": {}})", {"unknown key 'limit'", "nearest is 'limits'"});
    refused(R"({"dpi": 1, "layers_um": 20, "limits": {"materials_max": 1.5}})", {"limits, materials_max"});
    refused(R"({"dpi": 1, "layers_um": 20, "limits": {"tray_mm": [1, 2]}})", {"three lengths"});
    expect_error(ExitStatus::input, {"no such printer", "j9"}, [] { open_printer("j9"); });
}

} // namespace
} // namespace volpt
