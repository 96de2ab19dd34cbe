// Encodes an OpenEXR file into memory.
#if VOLPT_WITH_OPENEXR
#include "libvolpt/image/codecs/exr_io.h"

#include "libvolpt/image/codecs/codec.h"
#include "libvolpt/sys/error.h"

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfOutputFile.h>
#include <OpenEXR/ImfStringAttribute.h>

#include <cstring>
#include <fmt/format.h>

namespace volpt {
namespace {

class MemoryOStream : public Imf::OStream {
public:
    explicit MemoryOStream(std::vector<std::byte>& to) : OStream("memory"), to_(to) {}

    void write(char const from[], int count) override
    {
        std::size_t const end = at_ + static_cast<std::size_t>(count);
        if (to_.size() < end) to_.resize(end);
        std::memcpy(to_.data() + at_, from, static_cast<std::size_t>(count));
        at_ = end;
    }
    std::uint64_t tellp() override { return at_; }
    void seekp(std::uint64_t position) override { at_ = position; }

private:
    std::vector<std::byte>& to_;
    std::size_t at_ = 0;
};

void insert_metadata(Imf::Header& header, Image const& image)
{
    constexpr std::size_t kLongestName = 255;
    for (auto const& [key, value] : image.metadata) {
        bool const reserved = header.find(key) != header.end() || key == "type" || key == "name" || key == "view" ||
                              key == "tiles" || key == "preview" || key == "chunkCount" || key == "version";
        if (key.empty() || key.size() > kLongestName || reserved)
            fail_usage(fmt::format("'{}' cannot name an OpenEXR text attribute", key),
                       "use another name of 1 to 255 bytes, once");
        header.insert(key, Imf::StringAttribute(value));
    }
}

void check_channel_names(Image const& image)
{
    for (Channel const& channel : image.channels)
        if (channel.name.empty() || channel.name.size() > 255)
            fail_usage(fmt::format("'{}' cannot name an OpenEXR channel", channel.name));
}

} // namespace

std::vector<std::byte> encode_exr(Image const& image)
{
    require_linear(image, "OpenEXR");
    check_channel_names(image);
    Imf::Header header(image.width, image.height);
    header.compression() = Imf::ZIP_COMPRESSION;
    insert_metadata(header, image);
    Imf::FrameBuffer frame;
    std::size_t const row_bytes = static_cast<std::size_t>(image.width) * sizeof(float);
    for (Channel const& channel : image.channels) {
        header.channels().insert(channel.name, Imf::Channel(Imf::FLOAT));
        auto* const values = const_cast<float*>(channel.values.data()); // OpenEXR only reads
        frame.insert(channel.name, Imf::Slice::Make(Imf::FLOAT, values, header.dataWindow(), sizeof(float), row_bytes));
    }
    std::vector<std::byte> file;
    MemoryOStream stream(file);
    {
        Imf::OutputFile output(stream, header);
        output.setFrameBuffer(frame);
        output.writePixels(image.height);
    }
    return file;
}

} // namespace volpt
#endif
