// Names and colours of printers' resins.
#include "libvolpt/medium/resins.h"

#include "tests/support/data_paths.h"

#include <gtest/gtest.h>

namespace volpt {
namespace {

TEST(Resins, NamesThatAreExportedAreReadAsTheSameMaterial)
{
    MaterialTable table = read_material_table(test::tests_folder() / "../pipelines/data/materials/elek2017.json");
    add_material(table, make_clear_material(3), {}, "t");
    for (std::size_t i = 0; i < table.materials.size(); ++i) {
        auto const name = find_printer_name(table.materials[i].name);
        ASSERT_TRUE(name) << table.materials[i].name;
        auto const resin = find_resin(*name);
        ASSERT_TRUE(resin) << *name;
        EXPECT_EQ(find_resin_material(table, *resin), i) << *name;
        EXPECT_EQ(find_resin_of_colour(*find_vero_colour(*resin)), resin);
    }
    EXPECT_FALSE(find_printer_name("support"));
    EXPECT_FALSE(find_printer_name("skin"));
}

TEST(Resins, NamesAreComparedByLettersAndDigits)
{
    for (char const* const name : {"VeroCyan", "VeroCY-V", "VERO CY V", "verocyv"})
        EXPECT_EQ(find_resin(name), ResinColour::cyan) << name;
    EXPECT_EQ(find_resin("VeroMGT-V"), ResinColour::magenta);
    EXPECT_EQ(find_resin("VeroYL-V"), ResinColour::yellow);
    EXPECT_EQ(find_resin("VeroBlackPlus"), ResinColour::black);
    EXPECT_EQ(find_resin("VUltraWhite"), ResinColour::white);
    EXPECT_EQ(find_resin("DraftGrey"), ResinColour::grey);
    EXPECT_EQ(find_resin("FullCure705"), ResinColour::support);
    for (char const* const name : {"", "Vero", "Agilus30Clr", "C"}) EXPECT_FALSE(find_resin(name)) << name;
}

TEST(Resins, MaterialsAreFoundByNameThenByColour)
{
    MaterialTable table;
    auto const add = [&](char const* name, std::optional<std::uint32_t> colour) {
        Material material = make_clear_material(1, name);
        material.sigma_t = {1};
        add_material(table, material, colour, "t");
    };
    add("paper", 0xffffffffu);
    EXPECT_EQ(find_resin_material(table, ResinColour::white), 0u);
    add("W", {});
    EXPECT_EQ(find_resin_material(table, ResinColour::white), 1u);
    add("VeroWhitePlus", {});
    EXPECT_EQ(find_resin_material(table, ResinColour::white), 2u);
    EXPECT_FALSE(find_resin_material(table, ResinColour::grey));
    table.materials[0].sigma_t = {0};
    table.colours[0] = 0x000000ffu;
    EXPECT_FALSE(find_resin_material(table, ResinColour::black)) << "air is no resin";
}

} // namespace
} // namespace volpt
