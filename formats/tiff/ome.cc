#include "formats/tiff/ome.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>
#if VOLPT_WITH_pugixml
#include <pugixml.hpp>
#endif

namespace volpt {
namespace {

/// Bound on the planes that a file claims, before anything is allocated.
constexpr std::uint64_t kMostOmePlanes = std::uint64_t{1} << 24;

#if VOLPT_WITH_pugixml

/// Lengths of the schema's UnitsLength in mm; pixels and reference frames are none.
std::optional<double> find_ome_unit_mm(std::string_view unit)
{
    constexpr std::pair<std::string_view, double> kUnits[] = {{"Ym", 1e27},
                                                              {"Zm", 1e24},
                                                              {"Em", 1e21},
                                                              {"Pm", 1e18},
                                                              {"Tm", 1e15},
                                                              {"Gm", 1e12},
                                                              {"Mm", 1e9},
                                                              {"km", 1e6},
                                                              {"hm", 1e5},
                                                              {"dam", 1e4},
                                                              {"m", 1e3},
                                                              {"dm", 1e2},
                                                              {"cm", 1e1},
                                                              {"mm", 1},
                                                              {"\xc2\xb5m", 1e-3},
                                                              {"\xce\xbcm", 1e-3},
                                                              {"um", 1e-3},
                                                              {"nm", 1e-6},
                                                              {"pm", 1e-9},
                                                              {"fm", 1e-12},
                                                              {"am", 1e-15},
                                                              {"zm", 1e-18},
                                                              {"ym", 1e-21},
                                                              {"\xc3\x85", 1e-7},
                                                              {"\xe2\x84\xab", 1e-7},
                                                              {"thou", 0.0254},
                                                              {"li", 25.4 / 12},
                                                              {"in", 25.4},
                                                              {"ft", 304.8},
                                                              {"yd", 914.4},
                                                              {"mi", 1609344},
                                                              {"ua", 1.495978707e14},
                                                              {"ly", 9.4607304725808e18},
                                                              {"pc", 3.0856775814913673e19},
                                                              {"pt", 25.4 / 72}};
    for (auto const& [name, mm] : kUnits)
        if (name == unit) return mm;
    return std::nullopt;
}

std::string_view find_local_name(pugi::xml_node node)
{
    std::string_view const name = node.name();
    auto const colon = name.find(':');
    return colon == std::string_view::npos ? name : name.substr(colon + 1);
}

class OmeReader {
public:
    explicit OmeReader(std::string const& where) : where_(where) {}

    OmeDocument read(pugi::xml_node root)
    {
        OmeDocument document;
        document.uuid = root.attribute("UUID").value();
        for (pugi::xml_node const node : root.children()) {
            if (find_local_name(node) == "BinaryOnly") document.metadata_file = node.attribute("MetadataFile").value();
            if (find_local_name(node) == "Image") document.images.push_back(read_image(node));
        }
        return document;
    }

private:
    [[noreturn]] void refuse(pugi::xml_node node, char const* name, std::string why) const
    {
        fail_input(fmt::format("OME-XML: {} of {} = '{}'", name, node.name(),
                               std::string_view(node.attribute(name).value()).substr(0, 60)),
                   where_, std::move(why), "correct its OME-XML");
    }

    std::optional<std::uint64_t> find_whole(pugi::xml_node node, char const* name) const
    {
        std::string_view const text = node.attribute(name).value();
        if (text.empty()) return std::nullopt;
        std::uint64_t value = 0;
        auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
        if (error != std::errc{} || end != text.data() + text.size() || value > kMostOmePlanes)
            refuse(node, name, fmt::format("a whole number up to {} is expected", kMostOmePlanes));
        return value;
    }

    std::uint64_t need_size(pugi::xml_node node, char const* name) const
    {
        auto const value = find_whole(node, name);
        if (!value || *value < 1) refuse(node, name, "a size of 1 and more is expected");
        return *value;
    }

    OmeImage read_image(pugi::xml_node node) const
    {
        OmeImage image;
        image.name = node.attribute("Name").value();
        pugi::xml_node pixels;
        for (pugi::xml_node const child : node.children())
            if (find_local_name(child) == "Pixels") pixels = child;
        if (!pixels)
            fail_input("OME-XML: an Image has no Pixels", where_, "they say which pages are its slices",
                       "correct its OME-XML");
        image.size = {need_size(pixels, "SizeX"), need_size(pixels, "SizeY")};
        image.planes = {need_size(pixels, "SizeZ"), need_size(pixels, "SizeC"), need_size(pixels, "SizeT")};
        read_order(pixels, image);
        read_pixel_sizes(pixels, image);
        for (pugi::xml_node const child : pixels.children()) {
            if (find_local_name(child) == "Channel") {
                std::string name = child.attribute("Name").value();
                image.channels.push_back({std::move(name), find_whole(child, "SamplesPerPixel").value_or(1)});
            }
            if (find_local_name(child) == "TiffData") image.data.push_back(read_data(child));
        }
        return image;
    }

    void read_order(pugi::xml_node pixels, OmeImage& image) const
    {
        std::string_view order = pixels.attribute("DimensionOrder").value();
        if (order.empty()) order = "XYZCT";
        bool is_known = order.size() == 5 && order.starts_with("XY");
        for (std::size_t i = 0; is_known && i < 3; ++i) {
            auto const axis = std::string_view("ZCT").find(order[i + 2]);
            is_known = axis != std::string_view::npos && order.find(order[i + 2]) == i + 2;
            if (is_known) image.order[i] = axis;
        }
        if (!is_known) refuse(pixels, "DimensionOrder", "XY and an order of Z, C and T are expected");
    }

    void read_pixel_sizes(pugi::xml_node pixels, OmeImage& image) const
    {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            std::string const size_name = fmt::format("PhysicalSize{}", "XYZ"[axis]);
            std::string_view const text = pixels.attribute(size_name.c_str()).value();
            if (text.empty()) continue;
            double size = 0;
            auto const [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
            if (error != std::errc{} || end != text.data() + text.size() || !(size > 0 && size < 1e30))
                refuse(pixels, size_name.c_str(), "a size above 0 is expected");
            std::string_view unit = pixels.attribute((size_name + "Unit").c_str()).value();
            if (unit.empty()) unit = "\xc2\xb5m"; // the schema's default
            if (auto const mm = find_ome_unit_mm(unit))
                image.pixel_mm[axis] = size * *mm;
            else
                image.unknown_unit = unit;
        }
    }

    OmeTiffData read_data(pugi::xml_node node) const
    {
        OmeTiffData data;
        data.page = find_whole(node, "IFD");
        data.count = find_whole(node, "PlaneCount");
        data.first = {find_whole(node, "FirstZ").value_or(0), find_whole(node, "FirstC").value_or(0),
                      find_whole(node, "FirstT").value_or(0)};
        for (pugi::xml_node const child : node.children())
            if (find_local_name(child) == "UUID") {
                data.file = child.attribute("FileName").value();
                data.uuid = child.text().get();
            }
        return data;
    }

    std::string const& where_;
};

#endif

} // namespace

bool is_ome_text(std::string_view text)
{
    for (std::size_t at = text.find("OME"); at != std::string_view::npos; at = text.find("OME", at + 3)) {
        if (at == 0 || at + 3 >= text.size()) continue;
        bool const begins = text[at - 1] == '<' || text[at - 1] == ':';
        if (begins && std::string_view(" \t\r\n>/").find(text[at + 3]) != std::string_view::npos) return true;
    }
    return false;
}

OmeDocument parse_ome(std::string_view text, std::string const& where)
{
#if VOLPT_WITH_pugixml
    pugi::xml_document document;
    auto const result = document.load_buffer(text.data(), text.size());
    if (!result)
        fail_input(fmt::format("its OME-XML cannot be read: {} at byte {}", result.description(), result.offset), where,
                   "it says which pages are slices", "correct it, or save the volume without it");
    return OmeReader(where).read(document.document_element());
#else
    (void)text;
    fail_input("this build cannot read OME-XML", where,
               "it says which pages are slices; the build was configured with VOLPT_WITH_PUGIXML=OFF",
               "build volpt with pugixml, or save the volume without it");
#endif
}

std::vector<std::optional<OmePlace>> place_ome_planes(OmeImage const& image, std::uint64_t channels,
                                                      std::string const& where, CountOmePages const& count_pages)
{
    std::array<std::uint64_t, 3> const sizes{image.planes[0], channels, image.planes[2]};
    // Each factor is below 2^24.
    if (sizes[0] * sizes[1] > kMostOmePlanes || sizes[0] * sizes[1] * sizes[2] > kMostOmePlanes)
        fail_input(fmt::format("OME-XML: {} x {} x {} planes", sizes[0], sizes[1], sizes[2]), where,
                   fmt::format("up to {} are read", kMostOmePlanes), "split the file");
    std::vector<std::optional<OmePlace>> places(sizes[0] * sizes[1] * sizes[2]);
    // Without any TiffData, and with one that says nothing, pages follow each other from the first plane on.
    auto const data = image.data.empty() ? std::vector<OmeTiffData>(1) : image.data;
    for (OmeTiffData const& part : data) {
        std::uint64_t const first_page = part.page.value_or(0);
        std::array<std::uint64_t, 3> at = part.first;
        for (std::size_t axis = 0; axis < 3; ++axis)
            if (at[axis] >= sizes[axis])
                fail_input(
                    fmt::format("OME-XML: TiffData begins at First{} = {}, of {}", "ZCT"[axis], at[axis], sizes[axis]),
                    where, "the plane is not in the image", "correct its OME-XML");
        std::uint64_t count = 1;
        if (part.count) {
            count = *part.count;
        } else if (!part.page) {
            count = count_pages(part.file, part.uuid);
        }
        for (std::uint64_t i = 0; i < count; ++i) {
            places[at[0] + sizes[0] * (at[1] + sizes[1] * at[2])] = OmePlace{part.file, part.uuid, first_page + i};
            std::size_t axis = 0;
            while (axis < 3 && ++at[image.order[axis]] == sizes[image.order[axis]]) at[image.order[axis++]] = 0;
            if (axis == 3) break; // the image is complete: pages behind it are of other images
        }
    }
    return places;
}

} // namespace volpt
