// Material tables are read with all their digits, and mistakes are named with material and field.
#include "libvolpt/medium/materials.h"
#include "libvolpt/medium/air.h"
#include "tests/support/data_paths.h"
#include "tests/support/expect_error.h"
#include "tests/volume/volume_samples.h"

#include <fmt/format.h>

namespace volpt {
namespace {

using namespace test;

MaterialTable parse_text(std::string_view text)
{
    TempFolder const folder;
    return read_material_table(folder.write("inks.json", text));
}

TEST(MaterialTable, InksAreReadInOrder)
{
    auto const inks = parse_text(R"({"materials": [
        {"name": "C", "sigma_t": [9.0, 4.5, 7.5], "albedo": [0.05, 0.7, 0.98], "g": 0.4},
        {"name": "W", "sigma_t": [6, 9, 24], "one_minus_albedo": [0.0009, 0.0003, 0.001]}]})")
                          .materials;
    ASSERT_EQ(inks.size(), 2u);
    EXPECT_EQ(inks[0].name, "C");
    EXPECT_EQ(inks[0].sigma_t, (std::vector<float>{9.0f, 4.5f, 7.5f}));
    EXPECT_EQ(inks[0].g, 0.4f);
    EXPECT_EQ(inks[1].one_minus_albedo, (std::vector<float>{0.0009f, 0.0003f, 0.001f}));
    EXPECT_EQ(inks[1].g, 0.0f);
}

TEST(MaterialTable, AlbedoIsSubtractedInDouble)
{
    auto const inks = parse_text(R"({"materials": [{"name": "W", "sigma_t": [9], "albedo": [0.9997]}]})").materials;
    EXPECT_EQ(inks[0].one_minus_albedo[0], static_cast<float>(1.0 - 0.9997));
    EXPECT_NE(inks[0].one_minus_albedo[0], 1.0f - 0.9997f);
}

TEST(MaterialTable, IdsColoursBandsAndOneIorAreRead)
{
    auto const table = parse_text(R"({"source": "s", "bands": [400, 500.5], "materials": [
        {"name": "A", "id": 9, "colour": "#010203", "sigma_t": [1, 2], "albedo": [0, 1], "ior": 1.5},
        {"name": "B", "colour": "#0a0B0c80", "sigma_t": [1, 2], "albedo": [0, 1]},
        {"name": "C", "sigma_t": [1, 2], "albedo": [0, 1], "ior": 1.5}]})");
    EXPECT_EQ(table.ids, (std::vector<std::uint8_t>{9, 1, 2}));
    EXPECT_EQ(*table.colours[0], 0x010203ffu);
    EXPECT_EQ(format_colour(*table.colours[1]), "#0a0b0c80");
    EXPECT_FALSE(table.colours[2].has_value());
    EXPECT_EQ(table.wavelengths_nm, (std::vector<float>{400.0f, 500.5f}));
    EXPECT_TRUE(table.band_names.empty());
    EXPECT_EQ(*table.ior, 1.5);
    EXPECT_EQ(table.source, "s");
    EXPECT_EQ(find_material(table, "C", "t"), 2u);
}

TEST(MaterialTable, MaterialsMayHaveIndicesOfTheirOwn)
{
    auto const table = parse_text(R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "ior": 1.4},
        {"name": "M", "sigma_t": [1], "albedo": [1], "ior": 1.5}, {"name": "Y", "sigma_t": [1], "albedo": [1]}]})");
    EXPECT_EQ(table.iors, (std::map<std::string, double>{{"C", 1.4}, {"M", 1.5}}));
    EXPECT_FALSE(table.ior) << "there is no common one";
}

TEST(MaterialTable, DensitiesAreOptionalAndNotOfAir)
{
    auto const table = parse_text(R"({"materials": [
        {"name": "C", "sigma_t": [9], "albedo": [0.5], "density_g_per_cm3": 1.18}, {"name": "W", "sigma_t": [9], "albedo": [0.5]}]})");
    EXPECT_EQ(table.densities_g_per_cm3, (std::map<std::string, double>{{"C", 1.18}}));
    for (char const* const wrong : {"0", "-1", "1180", "\"1.18\""}) {
        std::string const text = fmt::format(
            R"({{"materials": [{{"name": "C", "sigma_t": [9], "albedo": [0.5], "density_g_per_cm3": {}}}]}})", wrong);
        expect_error(ExitStatus::input, {"density_g_per_cm3", "'C'"}, [&] { parse_text(text); });
    }
    expect_error(ExitStatus::input, {"air", "density_g_per_cm3"},
                 [] { parse_text(R"({"materials": [{"name": "void", "air": true, "density_g_per_cm3": 1}]})"); });
}

TEST(MaterialTable, ThirtySixBandsAreTheMost)
{
    auto const with_bands = [](int count) {
        std::string ones = "1";
        for (int i = 1; i < count; ++i) ones += ",1";
        return R"({"materials": [{"name": "A", "sigma_t": [)" + ones + R"(], "albedo": [)" + ones + "]}]}";
    };
    EXPECT_EQ(parse_text(with_bands(36)).bands(), 36u);
    expect_error(ExitStatus::input, {"1 to 36"}, [&] { parse_text(with_bands(37)); });
}

TEST(MaterialTable, MistakesAreRefusedByName)
{
    struct Mistake {
        char const* text;
        char const* named;
    };
    for (
        Mistake const& mistake : {
            Mistake{"", "JSON"},
            Mistake{"{\"materials\": [", "line 1"},
            Mistake{"[]", "materials"},
            Mistake{R"({"materials": []})", "0 materials"},
            Mistake{R"({"materials": [3]})", "material 0"},
            Mistake{R"({"materials": [{"name": "C", "albedo": [1]}]})", "sigma_t"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1]}]})", "albedo"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "one_minus_albedo": [0]}]})",
                    "one of"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1, 2], "albedo": [1]}]})", "2 numbers"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [-1], "albedo": [1]}]})", "'C'), sigma_t"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1e300], "albedo": [1]}]})", "sigma_t"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": ["1"], "albedo": [1]}]})", "number"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1.1]}]})", "'C'), albedo"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "g": 1}]})", "g"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "G": 0}]})", "unknown key 'G'"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1]},
                                       {"name": "C", "sigma_t": [1], "albedo": [1]}]})",
                    "twice"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1]},
                                       {"name": "M", "sigma_t": [1, 2], "albedo": [1, 1]}]})",
                    "2 bands"},
            Mistake{R"({"materials": [{"name": "C", "sigma_T": [1], "albedo": [1]}]})", "sigma_t"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albdo": [1], "albedo": [1]}]})",
                    "nearest is 'albedo'"},
            Mistake{R"({"material": [], "materials": [{"name": "C", "sigma_t": [1], "albedo": [1]}]})",
                    "nearest is 'materials'"},
            Mistake{R"({"bands": ["R", "G"], "materials": [{"name": "C", "sigma_t": [1], "albedo": [1]}]})", "1 bands"},
            Mistake{R"({"bands": [299], "materials": [{"name": "C", "sigma_t": [1], "albedo": [1]}]})", "299"},
            Mistake{R"({"bands": [500, 400], "materials": [{"name": "C", "sigma_t": [1, 1], "albedo": [1, 1]}]})",
                    "does not ascend"},
            Mistake{R"({"bands": ["a", 400], "materials": [{"name": "C", "sigma_t": [1, 1], "albedo": [1, 1]}]})",
                    "mixed"},
            Mistake{
                R"({"bands": ["B", "G", "R"], "materials": [{"name": "C", "sigma_t": [1, 1, 1], "albedo": [1, 1, 1]}]})",
                "R, G, B"},
            Mistake{R"({"ior": 0.9, "materials": [{"name": "C", "sigma_t": [1], "albedo": [1]}]})", "ior"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "id": -1}]})", "id"},
            Mistake{R"({"materials": [{"name": "C", "sigma_t": [1], "albedo": [1], "id": 1},
                                       {"name": "M", "sigma_t": [1], "albedo": [1]}]})",
                    "'M' has the id 1 of 'C'"},
        }) {
        expect_error(ExitStatus::input, {mistake.named, "inks.json"}, [&] { parse_text(mistake.text); });
    }
}

TEST(MaterialTable, AirHasNoExtinctionInTheBandsOfTheOthers)
{
    auto const table = parse_text(R"({"materials": [{"name": "outside", "air": true, "colour": "#000000"},
        {"name": "W", "sigma_t": [6, 9, 24], "albedo": [1, 1, 1]}, {"name": "X", "air": false, "sigma_t": [1, 1, 1], "albedo": [1, 1, 1]}]})");
    EXPECT_EQ(table.bands(), 3u);
    EXPECT_EQ(table.materials[0].sigma_t, (std::vector<float>{0, 0, 0}));
    EXPECT_EQ(table.materials[0].one_minus_albedo.size(), 3u);
    expect_error(ExitStatus::input, {"'A'", "air", "g"},
                 [] { parse_text(R"({"materials": [{"name": "A", "air": true, "g": 0.4}]})"); });
    expect_error(ExitStatus::input, {"all materials are air"},
                 [] { parse_text(R"({"materials": [{"name": "A", "air": true}]})"); });
}

TEST(MakeAir, ANameOrAColourOfPicturesBecomesAir)
{
    auto const read = [] {
        return parse_text(R"({"materials": [{"name": "K", "colour": "#000000", "sigma_t": [5], "albedo": [0.3]},
                                            {"name": "W", "colour": "#ffffff", "sigma_t": [9], "albedo": [1]}]})");
    };
    for (char const* const text : {"black", "0,0,0", "#000000", "0,0,0,255"}) {
        auto table = read();
        EXPECT_NE(make_air(table, text, "t").find("not 'K'"), std::string::npos);
        EXPECT_EQ(table.materials.size(), 2u);
        EXPECT_EQ(table.materials[0].name, "air");
        EXPECT_EQ(table.materials[0].sigma_t[0], 0);
        EXPECT_EQ(table.materials[1].sigma_t[0], 9);
    }
    auto named = read();
    make_air(named, "W", "t");
    EXPECT_EQ(named.materials[1].name, "W");
    EXPECT_EQ(named.materials[1].sigma_t[0], 0);
    auto grey = read();
    make_air(grey, "128,128,128,0", "t");
    ASSERT_EQ(grey.materials.size(), 3u);
    EXPECT_EQ(*grey.colours[2], 0x80808000u);
    EXPECT_EQ(grey.ids[2], 2);
    drop_air(grey);
    EXPECT_EQ(grey.materials.size(), 2u);
    for (char const* const text : {"Q", "0,0", "0,0,256", "0,0,0,0,0", "#12", "0,0,0,"}) {
        auto table = read();
        expect_error(ExitStatus::usage, {"neither a material", "K, W"}, [&] { make_air(table, text, "t"); });
    }
}

TEST(MaterialTable, SupportIsAirAndClearIsSolid)
{
    auto const table = parse_text(R"({"materials": [
        {"name": "SUP", "support": true, "colour": "#808000"},
        {"name": "glass", "clear": true},
        {"name": "air", "air": true},
        {"name": "tinted", "clear": true, "sigma_t": [0.1, 0.2], "albedo": [0, 0]}]})");
    EXPECT_EQ(table.support, std::vector<std::string>{"SUP"});
    EXPECT_EQ(table.materials[0].sigma_t, (std::vector<float>{0, 0}));
    EXPECT_EQ(table.materials[1].sigma_t, (std::vector<float>{kClearExtinction, kClearExtinction}));
    EXPECT_EQ(table.materials[1].one_minus_albedo, (std::vector<float>{1, 1}));
    EXPECT_EQ(*find_air(table), 2u) << "support is no background";
    auto const refused = [](std::string_view entry, std::initializer_list<std::string_view> parts) {
        std::string const text = R"({"materials": [{"name": "W", "sigma_t": [1], "albedo": [0.5]}, {"name": "A", )" +
                                 std::string(entry) + "}]}";
        expect_error(ExitStatus::input, parts, [&] { parse_text(text); });
    };
    refused(R"("support": 1)", {"'A'", "support", "true or false"});
    refused(R"("support": true, "g": 0.5)", {"it is support and has g"});
    refused(R"("clear": true, "air": true)", {"it is clear, and air or support"});
}

TEST(MaterialTable, ClearResinsAreTakenWithTheirNumbersAndColours)
{
    MaterialTable table = parse_text(R"({"materials": [
        {"name": "W", "sigma_t": [6, 9], "albedo": [0.9, 0.9], "colour": "#d0e8ff"},
        {"name": "VeroClear", "clear": true, "sigma_t": [0.1, 0.2], "albedo": [0, 0], "colour": "#102030"},
        {"name": "outside", "air": true}]})");
    MaterialTable inks = table;
    keep_inks(inks, "");
    ASSERT_EQ(inks.materials.size(), 1u);
    EXPECT_EQ(inks.materials[0].name, "W");
    keep_inks(table, "VeroClear");
    ASSERT_EQ(table.materials.size(), 2u);
    TakenMaterial const taken = take_clear(table);
    EXPECT_EQ(taken.material.name, "VeroClear");
    EXPECT_EQ(taken.material.sigma_t, (std::vector<float>{0.1f, 0.2f}));
    EXPECT_EQ(taken.colour, 0x102030ffu);
    TakenMaterial const made = take_clear(table);
    EXPECT_EQ(made.material.name, "clear");
    EXPECT_EQ(made.colour, 0xd0e8feffu) << "#d0e8ff is that of W";
}

TEST(MaterialTable, MaterialsHaveOriginsOfTheirOwn)
{
    MaterialTable const table = parse_text(R"({"materials": [
        {"name": "A", "sigma_t": [1], "albedo": [0.9], "ior": 1.3, "source": "S", "uncertainty": "U", "estimated": true},
        {"name": "B", "sigma_t": [2], "albedo": [0.9], "ior": 1.5}]})");
    ASSERT_EQ(table.origins.size(), 1u);
    EXPECT_EQ(table.origins.at("A").source, "S");
    EXPECT_EQ(table.origins.at("A").uncertainty, "U");
    EXPECT_TRUE(table.origins.at("A").is_estimated);
    for (std::size_t i : {0u, 1u}) {
        MaterialTable const kept = keep_material(table, i);
        ASSERT_EQ(kept.materials.size(), 1u);
        EXPECT_EQ(kept.materials[0].name, table.materials[i].name);
        EXPECT_EQ(*kept.ior, i == 0 ? 1.3 : 1.5);
    }
    expect_error(ExitStatus::input, {"source", "a text is expected"},
                 [] { parse_text(R"({"materials": [{"name": "A", "sigma_t": [1], "albedo": [0.9], "source": 1}]})"); });
}

TEST(MaterialTable, UnknownMaterialIsToldWithTheNearest)
{
    MaterialTable const table = parse_text(R"({"materials": [
        {"name": "pla-white", "sigma_t": [1], "albedo": [0.9]}, {"name": "wax", "sigma_t": [2], "albedo": [0.9]}]})");
    expect_error(ExitStatus::input,
                 {"t.json: there is no material 'PLA white'; did you mean 'pla-white'? choose among"},
                 [&] { find_material(table, "PLA white", "t.json"); });
    expect_error(ExitStatus::input, {"no material 'concrete'; choose among pla-white, wax"},
                 [&] { find_material(table, "concrete", "t.json"); });
}

/// Of a half space under diffuse light, by the diffusion approximation (Jensen et al. 2001, equation 15 and
/// section 2.3).
double find_diffuse_reflectance(double albedo, double ior)
{
    double const fresnel = -1.440 / (ior * ior) + 0.710 / ior + 0.668 + 0.0636 * ior;
    double const a = (1 + fresnel) / (1 - fresnel), root = std::sqrt(3 * (1 - albedo));
    return albedo / 2 * (1 + std::exp(-4.0 / 3 * a * root)) * std::exp(-root);
}

TEST(MaterialTable, SolidsOfJensenHaveTheDiffuseReflectanceOfTheirPaper)
{
    MaterialTable const table = read_material_table(test::tests_folder() / "../pipelines/data/materials/solids.json");
    auto const check = [&](char const* name, std::array<double, 3> published) {
        Material const& material = table.materials[find_material(table, name, "solids")];
        for (std::size_t band = 0; band < 3; ++band)
            EXPECT_NEAR(
                find_diffuse_reflectance(1 - static_cast<double>(material.one_minus_albedo[band]), table.iors.at(name)),
                published[band], 0.01)
                << name << " band " << band;
    };
    check("marble", {0.83, 0.79, 0.75});
    check("skin", {0.44, 0.22, 0.13});
}

} // namespace
} // namespace volpt
