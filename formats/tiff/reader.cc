#include "formats/tiff/reader.h"

#include "formats/common/file_head.h"
#include "formats/reader.h"
#include "formats/tiff/layout.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <fmt/format.h>

namespace volpt {
namespace {

class TiffPictures final : public SlicePictures {
public:
    TiffPictures(std::string where, std::vector<std::string> const& paths, std::vector<std::string> notices,
                 PartChoice const& part, std::optional<SandboxLimits> const& limits)
        : connection_(std::make_unique<TiffConnection>(std::move(where), paths, limits)),
          layout_(find_tiff_layout(connection_, part, limits)), notices_(std::move(notices))
    {
        auto const add = [&](auto const& more) { notices_.insert(notices_.end(), more.begin(), more.end()); };
        add(connection_->notices());
        add(layout_.meta.notices);
        for (TiffPlane const& plane : layout_.planes)
            if (!plane.sample && page_of(plane).channels > 4)
                fail_input(fmt::format("{} samples per pixel", page_of(plane).channels),
                           describe_tiff_page(connection_->paths(), page_of(plane)), "a channel has to be chosen",
                           "give --channel N");
    }

    std::string const& where() const override { return connection_->where(); }
    std::size_t count() const override { return layout_.planes.size(); }
    std::vector<std::string> const& notices() const override { return notices_; }

    std::string describe(std::size_t slice) const override
    {
        TiffPlane const& plane = layout_.planes[slice];
        TiffPage const& page = page_of(plane);
        if (layout_.is_series) return connection_->paths()[page.file];
        std::string const name = describe_tiff_page(connection_->paths(), page);
        return plane.layer > 0 ? fmt::format("{}: slice {}", name, plane.layer) : name;
    }

    std::map<std::string, std::string> list_metadata() const override
    {
        std::map<std::string, std::string> metadata;
        auto const& paths = connection_->paths();
        constexpr std::size_t kMostKept = 65536;
        if (std::string const& text = connection_->find_text(0); !text.empty())
            metadata["image_description"] = text.substr(0, kMostKept);
        if (paths.size() < 2) return metadata;
        metadata["first_slice"] = std::filesystem::path(paths.front()).filename().string();
        metadata["last_slice"] = std::filesystem::path(paths.back()).filename().string();
        return metadata;
    }

    void add_facts(SourceMeta& meta) const override
    {
        SourceMeta const& found = layout_.meta;
        meta.channel_names = found.channel_names;
        meta.channel = found.channel;
        meta.volume_count = found.volume_count;
        meta.volume = found.volume;
        // A job's manifest says it already.
        if (meta.pitch_mm) return;
        meta.pitch_mm = found.pitch_mm;
        meta.pitch_origin = found.pitch_origin;
        meta.pitch_advice = found.pitch_advice;
    }

    SliceFacts read_facts(std::size_t slice) override
    {
        TiffPlane const& plane = layout_.planes[slice];
        TiffPage const& page = page_of(plane);
        return {static_cast<int>(page.width), static_cast<int>(page.height),
                plane.sample ? 1 : static_cast<int>(page.channels), static_cast<ElementType>(page.element)};
    }

    SliceFacts decode(std::size_t slice, std::vector<float>& numbers) override
    {
        SliceFacts const facts = read_facts(slice);
        auto const request_of = [&](std::size_t i) {
            return TiffRequest{layout_.planes[i].page, layout_.planes[i].layer};
        };
        std::optional<TiffRequest> next;
        if (slice + 1 < count()) next = request_of(slice + 1);
        auto const bytes = connection_->read(request_of(slice), next);
        numbers.resize(bytes.size() / element_size_bytes(facts.element));
        decode_elements({facts.element, ByteOrder::little}, bytes, numbers);
        if (auto const sample = layout_.planes[slice].sample) {
            std::size_t const stride = page_of(layout_.planes[slice]).channels;
            std::size_t const pixels = numbers.size() / stride;
            for (std::size_t i = 0; i < pixels; ++i) numbers[i] = numbers[i * stride + *sample];
            numbers.resize(pixels);
        }
        return facts;
    }

private:
    TiffPage const& page_of(TiffPlane const& plane) const { return connection_->pages()[plane.page]; }

    std::unique_ptr<TiffConnection> connection_;
    TiffLayout layout_;
    std::vector<std::string> notices_;
};

std::unique_ptr<VolumeSource> open_tiff(std::filesystem::path const& path, ReadOptions const& options)
{
    return make_slice_stack(open_tiff_pictures(path.string(), {path.string()}, {}, {}, options.part), place_upright(),
                            SliceAlpha::opaque);
}

} // namespace

std::string describe_tiff_page(std::vector<std::string> const& paths, TiffPage const& page)
{
    return fmt::format("{}: page {}", paths[page.file], page.number);
}

std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const& paths,
                                                  std::vector<std::string> notices, std::optional<SandboxLimits> limits,
                                                  PartChoice const& part)
{
    // Files that cannot be opened are reported here, not by the library.
    for (auto const& path : paths) FileBytes const must_be_regular(path);
    return std::make_unique<TiffPictures>(std::move(where), paths, std::move(notices), part, limits);
}

extern Reader const tiff_reader;
Reader const tiff_reader{is_tiff_head, open_tiff};

} // namespace volpt
