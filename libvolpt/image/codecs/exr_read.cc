// Decodes an OpenEXR file that lies in memory.
#if VOLPT_WITH_OPENEXR
#include "libvolpt/image/codecs/exr_check.h"
#include "libvolpt/image/codecs/exr_io.h"
#include "libvolpt/sys/error.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputPart.h>
#include <OpenEXR/ImfMultiPartInputFile.h>
#include <OpenEXR/ImfPartType.h>
#include <OpenEXR/ImfStringAttribute.h>
#include <OpenEXR/ImfThreading.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

class MemoryIStream : public Imf::IStream {
public:
    MemoryIStream(std::span<std::byte const> file, std::string const& where) : IStream(where.c_str()), file_(file) {}

    bool read(char to[], int count) override
    {
        auto const wanted = static_cast<std::uint64_t>(count);
        if (count < 0 || at_ > file_.size() || wanted > file_.size() - at_)
            throw std::runtime_error(fmt::format("{} bytes are missing at offset {}", count, at_));
        std::memcpy(to, file_.data() + at_, wanted);
        at_ += wanted;
        return at_ < file_.size();
    }
    std::uint64_t tellg() override { return at_; }
    void seekg(std::uint64_t position) override { at_ = position; }

private:
    std::span<std::byte const> file_;
    std::uint64_t at_ = 0;
};

/// R, G, B, A, Y first, the rest in the file's (alphabetical) order.
std::vector<std::string> order_channels(Imf::ChannelList const& list, std::string const& where)
{
    std::vector<std::string> names;
    for (char const* name : {"R", "G", "B", "Y", "A"})
        if (list.findChannel(name) != nullptr) names.emplace_back(name);
    for (auto channel = list.begin(); channel != list.end(); ++channel) {
        if (channel.channel().xSampling != 1 || channel.channel().ySampling != 1)
            fail_input(fmt::format("channel {} is subsampled", channel.name()), where, "metrics need one value a pixel",
                       "convert luminance-chroma pictures to RGB");
        if (std::ranges::find(names, channel.name()) == names.end()) names.emplace_back(channel.name());
    }
    return names;
}

std::vector<std::pair<std::string, std::string>> collect_metadata(Imf::Header const& header)
{
    std::vector<std::pair<std::string, std::string>> metadata;
    for (auto attribute = header.begin(); attribute != header.end(); ++attribute) {
        std::string const name = attribute.name();
        if (name == "type" || name == "name" || name == "view") continue; // of the container, not of the picture
        if (auto const* text = dynamic_cast<Imf::StringAttribute const*>(&attribute.attribute()))
            metadata.emplace_back(name, text->value());
    }
    return metadata;
}

/// What a channel of this part is called in the image.
std::string name_channel(Imf::Header const& header, int part, std::string const& channel)
{
    if (part == 0 || !header.hasName() || channel.starts_with(header.name() + ".")) return channel;
    return header.name() + "." + channel;
}

void read_part(Imf::MultiPartInputFile& file, int part, std::string const& where, Image& image)
{
    Imf::InputPart input(file, part);
    Imf::Header const& header = input.header();
    Imath::Box2i const data = header.dataWindow();
    Imath::Box2i const display = header.displayWindow();
    std::vector<std::string> const names = order_channels(header.channels(), where);
    std::vector<std::vector<float>> planes(names.size(), std::vector<float>(image.pixel_count()));
    Imf::FrameBuffer frame;
    std::size_t const row_bytes = static_cast<std::size_t>(image.width) * sizeof(float);
    for (std::size_t i = 0; i < names.size(); ++i) {
        float* const corner =
            planes[i].data() +
            static_cast<std::size_t>(data.min.y - display.min.y) * static_cast<std::size_t>(image.width) +
            static_cast<std::size_t>(data.min.x - display.min.x);
        frame.insert(names[i], Imf::Slice::Make(Imf::FLOAT, corner, data, sizeof(float), row_bytes));
    }
    input.setFrameBuffer(frame);
    input.readPixels(data.min.y, data.max.y);
    for (std::size_t i = 0; i < names.size(); ++i) {
        std::string name = name_channel(header, part, names[i]);
        if (image.find(name) != nullptr)
            fail_input(fmt::format("has channel {} in two parts", name), where, "a name stands for one channel",
                       "rename a part");
        image.channels.push_back({std::move(name), std::move(planes[i])});
    }
}

Image decode_checked(std::span<std::byte const> file, std::string const& where)
{
    MemoryIStream stream(file, where);
    Imf::MultiPartInputFile input(stream, Imf::globalThreadCount(), false);
    Imath::Box2i const display = input.header(0).displayWindow();
    Image image =
        make_image(display.max.x - display.min.x + 1, display.max.y - display.min.y + 1, Transfer::linear, {});
    image.metadata = collect_metadata(input.header(0));
    for (int part = 0; part < input.parts(); ++part) read_part(input, part, where, image);
    return image;
}

} // namespace

Image decode_exr(std::span<std::byte const> file, std::string const& where)
{
    check_exr_header(file, where);
    try {
        return decode_checked(file, where);
    } catch (Error const&) {
        throw;
    } catch (std::exception const& error) {
        std::string what = error.what();
        std::ranges::replace(what, '\n', ' ');
        fail_input(fmt::format("OpenEXR says: {}", what), where, "", "get an undamaged copy of the file");
    }
}

} // namespace volpt
#endif
