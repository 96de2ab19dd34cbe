// Surfaces of Mitsuba scenes: kinds, defaults, ranges, textures.
#include "libvolpt/image/codecs/codecs.h"
#include "tests/formats/mitsuba_scene.h"

namespace volpt {
namespace {

using test::expect_contains;

class MitsubaBsdfs : public test::MitsubaSurroundingsTest {
protected:
    /// Two pixels, one above the other: red and 0.5 grey, coded as `extension` needs it.
    void write_picture(std::string const& name, Transfer transfer)
    {
        Image image = make_image(1, 2, transfer, {"R", "G", "B"});
        image.channels[0].values = {1.0f, 0.5f};
        image.channels[1].values = {0.0f, 0.5f};
        image.channels[2].values = {0.0f, 0.5f};
        write_image(folder_ / name, image);
    }
    static std::string make_bitmap(std::string const& file, std::string const& more = "")
    {
        return "<bsdf type='diffuse'><texture type='bitmap' name='reflectance'><string name='filename' value='" + file +
               "'/>" + more + "</texture></bsdf>";
    }
};

TEST_F(MitsubaBsdfs, DiffuseHasItsReflectanceAndOneSideUnlessTwoSided)
{
    BsdfView const one = read_bsdf("<bsdf type='diffuse'><float name='reflectance' value='.3'/></bsdf>");
    EXPECT_EQ(one.kind, BsdfKind::diffuse);
    EXPECT_EQ(one.diffuse.colour[0][0], 0.3f);
    EXPECT_EQ(one.two_sided, 0u);
    EXPECT_EQ(stream_->meta().bands(), 1u);
    EXPECT_EQ(read_bsdf("<bsdf type='diffuse'/>").diffuse.colour[0][0], 0.5f);
}

TEST_F(MitsubaBsdfs, SharedBsdfsAreOne)
{
    auto const stream =
        open("<bsdf type='twosided' id='two'><ref id='d'/></bsdf><bsdf type='diffuse' id='d'>"
             "<float name='reflectance' value='.7'/></bsdf><shape type='cube'><ref id='d'/><transform "
             "name='to_world'><translate x='5'/></transform></shape><shape type='sphere'><ref id='two'/>"
             "<point name='center' x='9' y='0' z='0'/></shape><shape type='sphere'><ref id='d'/><point "
             "name='center' x='-9' y='0' z='0'/></shape>");
    auto const& shapes = stream->surroundings();
    ASSERT_EQ(shapes.bsdfs.size(), 2u);
    EXPECT_EQ(shapes.bsdf_of_sphere, (std::vector<std::uint32_t>{1, 0}));
    EXPECT_EQ(shapes.bsdfs[0].two_sided, 0u);
    EXPECT_EQ(shapes.bsdfs[1].two_sided, 1u);
    EXPECT_EQ(shapes.bsdfs[1].diffuse.colour[0][0], 0.7f);
}

TEST_F(MitsubaBsdfs, TwoSidedIsMarked)
{
    EXPECT_EQ(read_bsdf("<bsdf type='twosided'><bsdf type='diffuse'/></bsdf>").two_sided, 1u);
    expect_left_out("<bsdf type='twosided'><bsdf type='diffuse'/><bsdf type='diffuse'/></bsdf>", "different sides");
    expect_left_out("<bsdf type='twosided'><bsdf type='dielectric'/></bsdf>", "two sides");
    expect_refused("<shape type='cube'><bsdf type='twosided'/></shape>", {"without a bsdf", "at offset"});
}

TEST_F(MitsubaBsdfs, ColoursGiveThreeBands)
{
    BsdfView const bsdf = read_bsdf("<bsdf type='diffuse'><rgb name='reflectance' value='.1, .2, .3'/></bsdf>");
    EXPECT_EQ(stream_->meta().bands(), 3u);
    EXPECT_EQ(bsdf.diffuse.colour[0][0], 0.1f);
    EXPECT_EQ(bsdf.diffuse.colour[0][2], 0.3f);
}

TEST_F(MitsubaBsdfs, PhongHasItsDefaultsAndNoWeightAboveOne)
{
    BsdfView const plain = read_bsdf("<bsdf type='phong'/>", "0.6.0");
    EXPECT_EQ(plain.kind, BsdfKind::phong);
    EXPECT_EQ(plain.diffuse.colour[0][0], 0.5f);
    EXPECT_EQ(plain.specular[0], 0.2f);
    EXPECT_EQ(plain.exponent, 30.0f);
    double const lobe = 0.2 * 32 / 31;
    EXPECT_NEAR(static_cast<double>(plain.specular_share), lobe / (0.5 + lobe), 1e-6);
    EXPECT_EQ(notices(*stream_).find("divided"), std::string::npos);
    BsdfView const bright =
        read_bsdf("<bsdf type='phong'><float name='diffuseReflectance' value='.9'/><float "
                  "name='specularReflectance' value='.6'/><float name='exponent' value='4'/></bsdf>",
                  "0.6.0");
    double const sum = 0.9 + 0.6 * 6 / 5;
    EXPECT_NEAR(static_cast<double>(bright.diffuse.colour[0][0]), 0.9 / sum, 1e-6);
    EXPECT_NEAR(static_cast<double>(bright.specular[0]), 0.6 / sum, 1e-6);
    // The weights of both lobes, at their largest.
    EXPECT_LE(bright.diffuse.colour[0][0] / (1 - bright.specular_share), 1 + 1e-6f);
    EXPECT_LE(bright.specular[0] * 6 / 5 / bright.specular_share, 1 + 1e-6f);
    expect_contains(notices(*stream_), {"bsdf phong", "1.62", "divided"});
    expect_refused("<shape type='cube'><bsdf type='phong'><float name='exponent' value='-1'/></bsdf></shape>",
                   {"exponent is -1", "at offset"});
}

TEST_F(MitsubaBsdfs, ConductorsByNumberByNameAndAsMirrors)
{
    BsdfView const mirror = read_bsdf("<bsdf type='conductor'><float name='specular_reflectance' value='.8'/></bsdf>");
    EXPECT_EQ(mirror.kind, BsdfKind::conductor);
    EXPECT_EQ(mirror.has_fresnel, 0u);
    EXPECT_EQ(mirror.diffuse.colour[0][0], 0.8f);
    BsdfView const metal = read_bsdf("<bsdf type='conductor'><float name='eta' value='1.5'/><rgb name='k' value='3 4 "
                                     "5'/></bsdf>");
    EXPECT_EQ(metal.has_fresnel, 1u);
    EXPECT_EQ(metal.diffuse.colour[0][0], 1.0f);
    EXPECT_EQ(metal.eta[2], 1.5f);
    EXPECT_EQ(metal.extinction[2], 5.0f);
    BsdfView const gold = read_bsdf("<bsdf type='conductor'><string name='material' value='Au'/></bsdf>");
    EXPECT_EQ(gold.eta[0], 0.14f);
    EXPECT_EQ(gold.extinction[2], 1.914f);
    expect_contains(notices(*stream_), {"Johnson and Christy"});
    EXPECT_EQ(read_bsdf("<bsdf type='conductor'/>", "0.6.0").extinction[0], 3.747f) << "copper, the default of 0.6";
    expect_refused("<shape type='cube'><bsdf type='conductor'><string name='material' value='Cr'/></bsdf></shape>",
                   {"'Cr'", "Au, Ag, Cu, Al", "at offset"});
}

TEST_F(MitsubaBsdfs, DielectricsHaveTheIndicesOfTheirSides)
{
    BsdfView const glass = read_bsdf("<bsdf type='dielectric'><float name='int_ior' value='1.5'/><string "
                                     "name='ext_ior' value='vacuum'/></bsdf>");
    EXPECT_EQ(glass.kind, BsdfKind::dielectric);
    EXPECT_EQ(glass.boundary.kind, BoundaryKindView::smooth);
    EXPECT_EQ(glass.boundary.int_over_ext, 1.5f);
    EXPECT_EQ(glass.boundary.ext_over_int, 1 / 1.5f);
    BsdfView const rough = read_bsdf("<bsdf type='roughdielectric'><string name='distribution' value='ggx'/><float "
                                     "name='alpha' value='.25'/></bsdf>");
    EXPECT_EQ(rough.kind, BsdfKind::dielectric);
    EXPECT_EQ(rough.boundary.kind, BoundaryKindView::rough);
    EXPECT_EQ(rough.boundary.alpha, 0.25f);
    EXPECT_EQ(rough.boundary.microfacets, MicrofacetsView::single) << "as in Mitsuba";
    BsdfView const pane = read_bsdf("<bsdf type='thindielectric'/>");
    EXPECT_EQ(pane.kind, BsdfKind::thin_dielectric);
    EXPECT_FLOAT_EQ(pane.boundary.int_over_ext, 1.5046f / 1.000277f);
    EXPECT_EQ(read_bsdf("<bsdf type='null'/>").kind, BsdfKind::null);
}

TEST_F(MitsubaBsdfs, CheckerboardsHaveTwoSquaresPerUnit)
{
    BsdfView const bsdf = read_bsdf("<bsdf type='diffuse'><texture type='checkerboard' name='reflectance'><float "
                                    "name='color1' value='.9'/><transform name='to_uv'><scale x='3' y='5'/></transform>"
                                    "</texture></bsdf>");
    EXPECT_EQ(bsdf.diffuse.colour[0][0], 0.4f);
    EXPECT_EQ(bsdf.diffuse.colour[1][0], 0.9f);
    EXPECT_EQ(bsdf.diffuse.checks_u, 2.0f);
    EXPECT_EQ(bsdf.diffuse.checks_v, 2.0f);
    TextureCoordinates const last = stream_->surroundings().mesh_mm.texture_coordinates[0][2];
    EXPECT_EQ(last.u, 3.0f);
    EXPECT_EQ(last.v, 5.0f);
    read_bsdf("<bsdf type='diffuse'><texture type='checkerboard' name='reflectance'><float name='uscale' value='4'/>"
              "<float name='voffset' value='.5'/></texture></bsdf>",
              "0.6.0");
    EXPECT_EQ(stream_->surroundings().mesh_mm.texture_coordinates[0][2].u, 4.0f);
    EXPECT_EQ(stream_->surroundings().mesh_mm.texture_coordinates[0][2].v, 1.5f);
}

TEST_F(MitsubaBsdfs, BitmapsAreDecodedAndBeginAtTheTop)
{
    write_picture("p.png", Transfer::srgb);
    BsdfView const bsdf = read_bsdf(make_bitmap("p.png"));
    EXPECT_EQ(stream_->meta().bands(), 3u);
    EXPECT_EQ(bsdf.diffuse.width, 1u);
    EXPECT_EQ(bsdf.diffuse.height, 2u);
    auto const& texels = stream_->surroundings().texels[0];
    ASSERT_EQ(texels.size(), 6u);
    EXPECT_EQ(texels[0], 1.0f);
    EXPECT_EQ(texels[1], 0.0f);
    EXPECT_NEAR(static_cast<double>(texels[3]), 0.2159, 1e-3) << "code 128 of sRGB";
    // The first row lies at v = 0 in Mitsuba, at v = 1 in the renderer; the rectangle's first corner has v = 0.
    auto const& uv = stream_->surroundings().mesh_mm.texture_coordinates[0];
    EXPECT_EQ(uv[0].v, 1.0f);
    EXPECT_EQ(uv[2].v, 0.0f);
    read_bsdf(make_bitmap("p.png", "<boolean name='raw' value='true'/>"));
    EXPECT_NEAR(static_cast<double>(stream_->surroundings().texels[0][3]), 0.5, 3e-3);
}

TEST_F(MitsubaBsdfs, OffsetsAndModesOfBitmapsAreHeededOrTold)
{
    write_picture("p.pfm", Transfer::linear);
    read_bsdf(make_bitmap("p.pfm", "<transform name='to_uv'><scale x='2'/><translate y='.25'/></transform><string "
                                   "name='wrap_mode' value='clamp'/><string name='filter_type' value='nearest'/>"));
    EXPECT_EQ(stream_->surroundings().texels[0][3], 0.5f);
    auto const& uv = stream_->surroundings().mesh_mm.texture_coordinates[0];
    EXPECT_EQ(uv[2].u, 2.0f);
    EXPECT_EQ(uv[2].v, -0.25f); // 1 - (1 + .25)
    expect_contains(notices(*stream_), {"wrap_mode clamp", "filter_type nearest"});
}

TEST_F(MitsubaBsdfs, GreyPicturesKeepOneBandAndBrightOnesAreClamped)
{
    Image image = make_image(1, 1, Transfer::linear, {"Y"});
    image.channels[0].values = {3.0f};
    write_image(folder_ / "bright.pfm", image);
    read_bsdf(make_bitmap("bright.pfm"));
    EXPECT_EQ(stream_->meta().bands(), 1u);
    EXPECT_EQ(stream_->surroundings().texels[0], (std::vector<float>{1.0f}));
    expect_contains(notices(*stream_), {"clamped"});
    image.channels[0].values = {NAN};
    write_image(folder_ / "nan.pfm", image);
    expect_refused("<shape type='cube'>" + make_bitmap("nan.pfm") + "</shape>", {"nan.pfm", "row 0"});
}

TEST_F(MitsubaBsdfs, WhatIsNotSupportedIsNamed)
{
    expect_left_out("<bsdf type='plastic' id='toy'/>", "bsdf plastic 'toy' is not supported");
    expect_left_out("<bsdf type='mask'><bsdf type='diffuse'/></bsdf>", "bsdf mask");
    expect_left_out("<bsdf type='bumpmap'><bsdf type='diffuse'/></bsdf>", "bsdf bumpmap");
    expect_left_out("<bsdf type='diffuse'><texture type='wood' name='reflectance'/></bsdf>", "texture wood");
    expect_left_out("<bsdf type='diffuse'><spectrum name='reflectance' value='400:.1, 700:.9'/></bsdf>", "<rgb>");
    expect_left_out("<bsdf type='phong'><texture type='bitmap' name='specular_reflectance'/></bsdf>", "<texture>");
    read_bsdf("<bsdf type='dielectric'><float name='specular_transmittance' value='.5'/></bsdf>");
    expect_contains(notices(*stream_), {"specular_transmittance"});
}

TEST_F(MitsubaBsdfs, BadValuesAreRefusedWithPlace)
{
    auto const in_cube = [](std::string const& bsdf) { return "<shape type='cube'>" + bsdf + "</shape>"; };
    expect_refused(in_cube("<bsdf type='diffuse'><float name='reflectance' value='1.5'/></bsdf>"),
                   {"reflectance is 1.5", "between 0 and 1", "at offset"});
    expect_refused(in_cube("<bsdf type='conductor'><float name='eta' value='-1'/></bsdf>"), {"eta is -1", "at offset"});
    expect_refused(in_cube("<bsdf type='dielectric'><string name='int_ior' value='cheese'/></bsdf>"),
                   {"cheese", "at offset"});
    expect_refused(in_cube(make_bitmap("gone.png")), {"gone.png"});
    expect_refused(in_cube("<bsdf type='diffuse'><texture type='bitmap' name='reflectance'/></bsdf>"),
                   {"no filename", "at offset"});
    folder_.write("bad.png", "\x89PNG\r\n\x1a\n");
    expect_refused(in_cube(make_bitmap("bad.png")), {"bad.png"});
}

} // namespace
} // namespace volpt
