// OpenEXR: layers, attributes, windows, pixel types, tiles, headers that lie.
#include "libvolpt/image/displayed.h"
#include "tests/image/image_fixtures.h"

#if VOLPT_TEST_OPENEXR
#include <OpenEXR/ImfArray.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFloatAttribute.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfIntAttribute.h>
#include <OpenEXR/ImfMultiPartOutputFile.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfOutputPart.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfStandardAttributes.h>
#include <OpenEXR/ImfTiledOutputFile.h>
#include <OpenEXR/ImfTiledOutputPart.h>
#include <fmt/ranges.h>
#include <half.h>

namespace volpt::test {
namespace {

TEST(ExrCodec, LayersAndLongMetadataSurviveBitForBit)
{
    Image image = make_picture(33, 18, {"R", "G", "B", "sample_count", "standard_error.R"});
    image.channels[0].values[3] = std::nanf("");
    image.channels[1].values[4] = HUGE_VALF;
    image.metadata = {{"command_line", std::string(100000, 'c')},
                      {"tool", "volrender"},
                      {"volpt.a_name_longer_than_thirty_one_letters", "\xc3\xa9\nsecond line"}};
    Image const again = find_codec("exr").decode(find_codec("exr").encode(image), "a.exr");
    ASSERT_EQ(again.channels.size(), image.channels.size());
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
        EXPECT_EQ(again.channels[c].name, image.channels[c].name);
        for (std::size_t i = 0; i < image.pixel_count(); ++i)
            ASSERT_EQ(std::bit_cast<std::uint32_t>(again.channels[c].values[i]),
                      std::bit_cast<std::uint32_t>(image.channels[c].values[i]));
    }
    EXPECT_EQ(again.metadata, image.metadata);
}

TEST(ExrCodec, MatricesAreThoseOfTheFormat)
{
    Image image = make_picture(4, 3, {"Y"});
    std::array<float, 16> matrix;
    for (std::size_t i = 0; i < matrix.size(); ++i) matrix[i] = static_cast<float>(i) / 3 - 7.5f;
    image.metadata = {{"worldToCamera", fmt::format("{}", fmt::join(matrix, ","))}};
    TempFolder const folder;
    write_image(folder / "a.exr", image);
    EXPECT_EQ(read_image(folder / "a.exr").metadata, image.metadata);
    Imf::InputFile const input((folder / "a.exr").c_str());
    Imath::V3f const through = Imath::V3f(1, 2, 3) * Imf::worldToCamera(input.header());
    auto const sum = [&](std::size_t j) { return matrix[j] + 2 * matrix[4 + j] + 3 * matrix[8 + j] + matrix[12 + j]; };
    EXPECT_FLOAT_EQ(through.x, sum(0) / sum(3));
    EXPECT_FLOAT_EQ(through.z, sum(2) / sum(3));
    for (char const* const text :
         {"", "1,2,3", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1,2", "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,x"}) {
        image.metadata = {{"worldToNDC", text}};
        expect_error(ExitStatus::usage, {"worldToNDC"}, [&] { find_codec("exr").encode(image); });
    }
}

TEST(ExrCodec, MetadataUnderTheFormatsOwnNamesIsRefused)
{
    Image image = make_picture(2, 2, {"Y"});
    image.metadata = {{"compression", "none"}};
    expect_error(ExitStatus::usage, {}, [&] { find_codec("exr").encode(image); });
}

/// Two channels, half and uint, in a data window inside or outside of a 8 x 6 display window.
void write_windowed(std::filesystem::path const& path, Imath::Box2i data, std::uint32_t id = 70000)
{
    Imf::Header header(Imath::Box2i({0, 0}, {7, 5}), data);
    header.channels().insert("Y", Imf::Channel(Imf::HALF));
    header.channels().insert("id", Imf::Channel(Imf::UINT));
    header.compression() = Imf::PIZ_COMPRESSION;
    auto const width = static_cast<std::size_t>(data.max.x - data.min.x + 1);
    auto const height = static_cast<std::size_t>(data.max.y - data.min.y + 1);
    std::vector<half> halves(width * height, half(id == 0 ? 0.0f : 0.5f));
    std::vector<std::uint32_t> ids(width * height, id);
    Imf::FrameBuffer frame;
    frame.insert("Y", Imf::Slice::Make(Imf::HALF, halves.data(), data));
    frame.insert("id", Imf::Slice::Make(Imf::UINT, ids.data(), data));
    Imf::OutputFile file(path.c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(static_cast<int>(height));
}

TEST(ExrCodec, AttributesThatAreNumbersAreMetadata)
{
    TempFolder const folder;
    Imf::Header header(1, 1);
    header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
    header.insert("samplesPerPixel", Imf::IntAttribute(64)); // of pbrt-v4, as the next
    header.insert("renderTimeSeconds", Imf::FloatAttribute(1.5f));
    float const value = 1;
    Imf::FrameBuffer frame;
    frame.insert("Y", Imf::Slice::Make(Imf::FLOAT, &value, header.dataWindow()));
    {
        Imf::OutputFile file((folder / "a.exr").c_str(), header);
        file.setFrameBuffer(frame);
        file.writePixels(1);
    }
    EXPECT_EQ(read_image(folder / "a.exr").metadata, (std::vector<std::pair<std::string, std::string>>{
                                                         {"renderTimeSeconds", "1.5"}, {"samplesPerPixel", "64"}}));
}

TEST(ExrCodec, HalfAndUintInsideTheDisplayWindowArePlacedThere)
{
    TempFolder const folder;
    write_windowed(folder / "a.exr", Imath::Box2i({2, 1}, {4, 3}));
    Image const image = read_image(folder / "a.exr");
    ASSERT_EQ(image.width, 8);
    ASSERT_EQ(image.height, 6);
    for (std::size_t y = 0; y < 6; ++y)
        for (std::size_t x = 0; x < 8; ++x) {
            bool const inside = x >= 2 && x <= 4 && y >= 1 && y <= 3;
            EXPECT_EQ(image.find("Y")->values[y * 8 + x], inside ? 0.5f : 0.0f);
            EXPECT_EQ(image.find("id")->values[y * 8 + x], inside ? 70000.0f : 0.0f);
        }
}

/// "Y" over the data window, i + 1 at its pixel i, in tiles or lines.
void write_ramp(std::filesystem::path const& path, Imath::Box2i data, Imath::Box2i display, bool is_tiled)
{
    Imf::Header header(display, data);
    header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
    std::vector<float> values(static_cast<std::size_t>(data.max.x - data.min.x + 1) *
                              static_cast<std::size_t>(data.max.y - data.min.y + 1));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i + 1);
    Imf::FrameBuffer frame;
    frame.insert("Y", Imf::Slice::Make(Imf::FLOAT, values.data(), data));
    if (is_tiled) {
        header.setTileDescription(Imf::TileDescription(4, 4));
        Imf::TiledOutputFile file(path.c_str(), header);
        file.setFrameBuffer(frame);
        file.writeTiles(0, file.numXTiles() - 1, 0, file.numYTiles() - 1);
        return;
    }
    Imf::OutputFile file(path.c_str(), header);
    file.setFrameBuffer(frame);
    file.writePixels(data.max.y - data.min.y + 1);
}

TEST(ExrCodec, PictureIsTheDisplayWindowWhereverTheDataLie)
{
    TempFolder const folder;
    Imath::Box2i const display({10, -5}, {17, 0}); // 8 x 6
    struct Place {
        Imath::Box2i data;
        char const* notice; ///< part of it; empty: none
    };
    Place const places[] = {{display, ""},
                            {{{12, -4}, {14, -2}}, ""},                                       // inside
                            {{{8, -7}, {19, 3}}, "84 pixels outside of its display window"},  // overscan on all sides
                            {{{13, -3}, {20, 2}}, "28 pixels outside of its display window"}, // shifted
                            {{{10, -5}, {17, 1}}, "8 pixels outside"},                        // one row more
                            {{{30, 30}, {33, 31}}, "8 pixels outside of its display window, all that it has"},
                            {{{-3, -9}, {5, -6}}, "36 pixels outside of its display window, all that it has"}};
    for (Place const& place : places)
        for (bool const is_tiled : {false, true}) {
            write_ramp(folder / "a.exr", place.data, display, is_tiled);
            Image const image = read_image(folder / "a.exr");
            ASSERT_EQ(image.width, 8);
            ASSERT_EQ(image.height, 6);
            for (int y = 0; y < 6; ++y)
                for (int x = 0; x < 8; ++x) {
                    int const column = x + 10 - place.data.min.x, row = y - 5 - place.data.min.y;
                    int const width = place.data.max.x - place.data.min.x + 1;
                    bool const has_data =
                        column >= 0 && column < width && row >= 0 && row <= place.data.max.y - place.data.min.y;
                    ASSERT_EQ(image.channels[0].values[static_cast<std::size_t>(y * 8 + x)],
                              has_data ? static_cast<float>(row * width + column + 1) : 0.0f)
                        << place.notice << " at " << x << "," << y;
                }
            bool const leaves = *place.notice != '\0';
            ASSERT_EQ(image.notices.size(), leaves ? 1u : 0u);
            if (leaves) {
                EXPECT_NE(image.notices[0].find(place.notice), std::string::npos) << image.notices[0];
            }
            EXPECT_EQ(image.metadata.empty(), !leaves) << kOverscanAttribute;
        }
}

TEST(ExrCodec, OverscanIsToldApartByItsValues)
{
    TempFolder const folder;
    auto const read_hash = [&](Imath::Box2i data, Imath::Box2i display) {
        write_ramp(folder / "a.exr", data, display, false);
        auto const metadata = read_image(folder / "a.exr").metadata;
        return metadata.empty() ? std::string() : metadata.front().second;
    };
    std::string const one = read_hash({{-1, 0}, {4, 3}}, {{0, 0}, {4, 3}});
    EXPECT_EQ(one.size(), 32u);
    EXPECT_EQ(read_hash({{9, 10}, {14, 13}}, {{10, 10}, {14, 13}}), one) << "the same picture, moved";
    EXPECT_NE(read_hash({{-2, 0}, {4, 3}}, {{0, 0}, {4, 3}}), one);
    EXPECT_NE(read_hash({{-1, 0}, {4, 3}}, {{1, 0}, {5, 3}}), one);

    write_windowed(folder / "z.exr", Imath::Box2i({-1, 0}, {4, 3}), 0);
    Image const zeros = read_image(folder / "z.exr");
    EXPECT_EQ(zeros.notices.size(), 1u);
    EXPECT_TRUE(zeros.metadata.empty()) << "what is 0 around a picture is no content";
}

/// Files cut below `needed_bytes` are refused; a flipped bit of the first `flipped_bytes` is refused or harmless.
void expect_damage_refused(std::vector<std::byte> const& file, std::size_t needed_bytes, std::size_t flipped_bytes)
{
    for (std::size_t size = 0; size < needed_bytes; size += 61)
        expect_error(ExitStatus::input, {}, [&] { find_codec("exr").decode(std::span(file).first(size), "cut.exr"); });
    for (std::size_t bit = 0; bit < flipped_bytes * 8; ++bit) {
        std::vector<std::byte> flipped = file;
        flipped[bit / 8] ^= std::byte{1} << bit % 8;
        catch_error(ExitStatus::input, [&] { find_codec("exr").decode(flipped, "flipped.exr"); });
    }
}

TEST(ExrCodec, TilesAndMipmapsAreRead)
{
    TempFolder const folder;
    for (Imf::LevelMode const mode : {Imf::ONE_LEVEL, Imf::MIPMAP_LEVELS}) {
        Imf::Header header(40, 30);
        header.channels().insert("Y", Imf::Channel(Imf::FLOAT));
        header.setTileDescription(Imf::TileDescription(16, 16, mode));
        std::vector<float> values(40 * 30);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
        {
            Imf::TiledOutputFile file((folder / "t.exr").c_str(), header);
            for (int level = 0; level < file.numLevels(); ++level) {
                Imf::FrameBuffer frame;
                frame.insert("Y", Imf::Slice::Make(Imf::FLOAT, values.data(), file.dataWindowForLevel(level)));
                file.setFrameBuffer(frame);
                file.writeTiles(0, file.numXTiles(level) - 1, 0, file.numYTiles(level) - 1, level);
            }
        }
        EXPECT_EQ(read_image(folder / "t.exr").find("Y")->values, values);
        std::vector<std::byte> const file = read_bytes(folder / "t.exr");
        // Cut smaller levels of a mipmap leave level 0 whole.
        std::size_t const needed = mode == Imf::ONE_LEVEL ? file.size() : file.size() / 2;
        expect_damage_refused(file, needed, 600);
    }
}

/// Two parts, "beauty" with R and "depth" with Z in tiles.
void write_two_parts(std::filesystem::path const& path, std::vector<float>& values)
{
    std::vector<Imf::Header> headers{Imf::Header(40, 30), Imf::Header(40, 30)};
    headers[0].setName("beauty");
    headers[0].setType(Imf::SCANLINEIMAGE);
    headers[0].channels().insert("R", Imf::Channel(Imf::FLOAT));
    headers[1].setName("depth");
    headers[1].setType(Imf::TILEDIMAGE);
    headers[1].setTileDescription(Imf::TileDescription(16, 16));
    headers[1].channels().insert("Z", Imf::Channel(Imf::FLOAT));
    Imf::MultiPartOutputFile file(path.c_str(), headers.data(), 2);
    Imf::FrameBuffer frame;
    frame.insert("R", Imf::Slice::Make(Imf::FLOAT, values.data(), headers[0].dataWindow()));
    frame.insert("Z", Imf::Slice::Make(Imf::FLOAT, values.data(), headers[1].dataWindow()));
    Imf::OutputPart lines(file, 0);
    lines.setFrameBuffer(frame);
    lines.writePixels(30);
    Imf::TiledOutputPart tiles(file, 1);
    tiles.setFrameBuffer(frame);
    tiles.writeTiles(0, tiles.numXTiles() - 1, 0, tiles.numYTiles() - 1);
}

TEST(ExrCodec, PartsBecomeLayersOfOneImage)
{
    TempFolder const folder;
    std::vector<float> values(40 * 30);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<float>(i);
    write_two_parts(folder / "p.exr", values);
    Image const image = read_image(folder / "p.exr");
    ASSERT_EQ(image.channels.size(), 2u);
    ASSERT_NE(image.find("R"), nullptr);
    ASSERT_NE(image.find("depth.Z"), nullptr);
    EXPECT_EQ(image.find("R")->values, values);
    EXPECT_EQ(image.find("depth.Z")->values, values);

    std::vector<std::byte> const file = read_bytes(folder / "p.exr");
    expect_damage_refused(file, file.size(), 1100);
}

/// The position of the bytes that follow an attribute's name and type.
std::size_t find_value(std::vector<std::byte> const& file, std::string const& name_and_type)
{
    std::string_view const text(reinterpret_cast<char const*>(file.data()), file.size());
    std::size_t const at = text.find(name_and_type);
    EXPECT_NE(at, std::string_view::npos);
    return at + name_and_type.size();
}

void put_u32(std::vector<std::byte>& file, std::size_t at, std::uint32_t value)
{
    std::memcpy(file.data() + at, &value, sizeof value);
}

TEST(ExrCodec, OverscanOfALaterPartIsLeftOutToo)
{
    TempFolder const folder;
    std::vector<Imf::Header> headers;
    Imath::Box2i const display({0, 0}, {3, 2}), overscan({-1, -1}, {4, 3});
    std::vector<float> values(6 * 5, 0.5f);
    for (char const* const name : {"beauty", "depth"}) {
        headers.emplace_back(display, headers.empty() ? display : overscan);
        headers.back().setName(name);
        headers.back().setType(Imf::SCANLINEIMAGE);
        headers.back().channels().insert("Y", Imf::Channel(Imf::FLOAT));
    }
    {
        Imf::MultiPartOutputFile file((folder / "p.exr").c_str(), headers.data(), 2);
        for (int part = 0; part < 2; ++part) {
            Imf::FrameBuffer frame;
            frame.insert(
                "Y", Imf::Slice::Make(Imf::FLOAT, values.data(), headers[static_cast<std::size_t>(part)].dataWindow()));
            Imf::OutputPart output(file, part);
            output.setFrameBuffer(frame);
            output.writePixels(part == 0 ? 3 : 5);
        }
    }
    Image const image = read_image(folder / "p.exr");
    ASSERT_EQ(image.channels.size(), 2u);
    EXPECT_EQ(image.find("Y")->values, std::vector<float>(12, 0.5f));
    EXPECT_EQ(image.find("depth.Y")->values, std::vector<float>(12, 0.5f));
    ASSERT_EQ(image.notices.size(), 1u);
    EXPECT_NE(image.notices[0].find("18 pixels outside of its display window, as overscan"), std::string::npos);
    expect_damage_refused(read_bytes(folder / "p.exr"), 700, 700);
}

TEST(ExrCodec, PartsOfDifferentSizeAreRefused)
{
    TempFolder const folder;
    std::vector<float> values(40 * 30);
    write_two_parts(folder / "p.exr", values);
    std::vector<std::byte> file = read_bytes(folder / "p.exr");
    put_u32(file, find_value(file, std::string("displayWindow") + '\0' + "box2i" + '\0') + 4 + 8, 47);
    expect_error(ExitStatus::input, {"parts of 48 x 30 and of 40 x 30"},
                 [&] { find_codec("exr").decode(file, "p.exr"); });
}

TEST(ExrCodec, HugeWindowIsRefusedBeforeAllocation)
{
    std::vector<std::byte> file = find_codec("exr").encode(make_picture(8, 8, {"Y"}));
    for (char const* window : {"dataWindow", "displayWindow"}) {
        std::size_t const at = find_value(file, std::string(window) + '\0' + "box2i" + '\0') + 4;
        put_u32(file, at + 8, 99999);
        put_u32(file, at + 12, 99999);
    }
    expect_error(ExitStatus::input, {"100000 x 100000"}, [&] { find_codec("exr").decode(file, "bomb.exr"); });
}

TEST(ExrCodec, TallNarrowWindowNeedsItsChunks)
{
    std::vector<std::byte> file = find_codec("exr").encode(make_picture(8, 8, {"Y"}));
    for (char const* window : {"dataWindow", "displayWindow"})
        put_u32(file, find_value(file, std::string(window) + '\0' + "box2i" + '\0') + 4 + 12, 999999);
    expect_error(ExitStatus::input, {"bytes are missing"}, [&] { find_codec("exr").decode(file, "tall.exr"); });
}

TEST(ExrCodec, WideChunkIsRefusedBeforeAllocation)
{
    // One row fits the bound of a picture, but the library allocates the 16 rows of a chunk.
    std::vector<std::byte> file = find_codec("exr").encode(make_picture(8, 8, {"Y"}));
    for (char const* window : {"dataWindow", "displayWindow"}) {
        std::size_t const at = find_value(file, std::string(window) + '\0' + "box2i" + '\0') + 4;
        put_u32(file, at + 8, (1u << 24) - 1);
        put_u32(file, at + 12, 0);
    }
    expect_error(ExitStatus::input, {"16777216 x 16 pixels"}, [&] { find_codec("exr").decode(file, "wide.exr"); });
}

TEST(ExrCodec, AttributeLongerThanTheFileIsRefusedByName)
{
    Image image = make_picture(8, 8, {"Y"});
    image.metadata = {{"tool", "volrender"}};
    std::vector<std::byte> file = find_codec("exr").encode(image);
    put_u32(file, find_value(file, std::string("tool") + '\0' + "string" + '\0'), 0x7fffffff);
    expect_error(ExitStatus::input, {"attribute tool needs 2147483647 bytes"},
                 [&] { find_codec("exr").decode(file, "long.exr"); });
}

TEST(ExrCodec, AttributeWhoseSizeBeliesItsTypeIsRefused)
{
    // OpenEXR reads the byte of a lineOrder whatever the size says, and then takes values for names.
    std::vector<std::byte> file = find_codec("exr").encode(make_picture(8, 8, {"Y"}));
    put_u32(file, find_value(file, std::string("lineOrder") + '\0' + "lineOrder" + '\0'), 0);
    expect_error(ExitStatus::input, {"type lineOrder with a wrong size of 0 bytes"},
                 [&] { find_codec("exr").decode(file, "astray.exr"); });
}

} // namespace
} // namespace volpt::test
#endif
