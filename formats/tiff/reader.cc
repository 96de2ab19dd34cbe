#include "formats/tiff/reader.h"

#include "formats/common/file_head.h"
#include "formats/common/sandboxed_source.h"
#include "formats/reader.h"
#include "formats/tiff/messages.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/json.h"

#include <algorithm>
#include <charconv>
#include <cstring>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace volpt {
namespace {

/// The number behind `key`, or 1.
std::size_t find_count(std::string const& text, std::string const& key)
{
    std::size_t const at = text.find(key);
    std::size_t count = 1;
    if (at != std::string::npos) std::from_chars(text.data() + at + key.size(), text.data() + text.size(), count);
    return count;
}

void refuse_series(std::size_t channels, std::size_t times, std::string const& where)
{
    if (channels < 2 && times < 2) return;
    fail_input(fmt::format("its pages are {} channels at {} times in turn", channels, times), where,
               "a volume is one channel at one time", "split the stack and save one of them");
}

/// Error (input) if ImageDescription, written by ImageJ or OME, announces other slices than the `pages`: kept outside
/// of TIFF's pages, or of several channels or times in turn.
void check_tiff_description(std::string const& description, std::size_t pages, int channels, std::string const& where)
{
    if (description.starts_with("ImageJ=")) {
        // Stacks above 4 GiB have one page; the other slices follow it outside of TIFF's structure.
        if (std::size_t const images = find_count(description, "\nimages="); images > pages)
            fail_input(fmt::format("has {} pages, ImageJ's description says {} images", pages, images), where,
                       "the others lie outside of TIFF's pages",
                       "save it from ImageJ as an image sequence or as .nrrd");
        refuse_series(find_count(description, "\nchannels="), find_count(description, "\nframes="), where);
    }
    if (description.find("<OME ") != std::string::npos)
        refuse_series(channels > 2 ? 1 : find_count(description, " SizeC=\""), find_count(description, " SizeT=\""),
                      where);
}

class TiffPictures final : public SlicePictures {
public:
    TiffPictures(std::string where, std::vector<std::string> const& paths, std::vector<std::string> notices,
                 SandboxLimits limits)
        : where_(std::move(where)), paths_(paths), notices_(std::move(notices)),
          sandbox_(where_, limits, [&](SandboxPort& port) { serve_tiff(paths_, port); })
    {
        auto const notes = receive(kTiffNotes);
        auto const json = parse_json({reinterpret_cast<char const*>(notes.bytes.data()), notes.bytes.size()});
        if (!json.is_object()) fail();
        description_ = json.value("description", std::string());
        for (auto& notice : json.value("notices", std::vector<std::string>())) notices_.push_back(std::move(notice));
        auto const pages = receive(kTiffPages);
        pages_.resize(pages.bytes.size() / sizeof(TiffPage));
        std::memcpy(pages_.data(), pages.bytes.data(), pages_.size() * sizeof(TiffPage));
        check_pages();
    }

    std::string const& where() const override { return where_; }
    std::size_t count() const override { return pages_.size(); }
    std::vector<std::string> const& notices() const override { return notices_; }

    std::string describe(std::size_t slice) const override
    {
        return paths_.size() > 1 ? paths_[pages_[slice].file] : describe_tiff_page(paths_, pages_[slice]);
    }

    std::map<std::string, std::string> list_metadata() const override
    {
        std::map<std::string, std::string> metadata;
        if (!description_.empty()) metadata["image_description"] = description_;
        if (paths_.size() < 2) return metadata;
        metadata["first_slice"] = std::filesystem::path(paths_.front()).filename().string();
        metadata["last_slice"] = std::filesystem::path(paths_.back()).filename().string();
        return metadata;
    }

    SliceFacts read_facts(std::size_t slice) override
    {
        TiffPage const& page = pages_[slice];
        return {static_cast<int>(page.width), static_cast<int>(page.height), static_cast<int>(page.channels),
                static_cast<ElementType>(page.element)};
    }

    SliceFacts decode(std::size_t slice, std::vector<float>& numbers) override
    {
        SliceFacts const facts = read_facts(slice);
        if (asked_ && *asked_ != slice) take();
        if (!asked_) ask(slice);
        take();
        if (slice + 1 < count()) ask(slice + 1);
        numbers.resize(pixels_.size() / element_size_bytes(facts.element));
        decode_elements({facts.element, ByteOrder::little}, pixels_, numbers);
        return facts;
    }

private:
    [[noreturn]] void fail() const { fail_input("its description is unreadable", where_, {}, "the file is damaged"); }

    SandboxMessage receive(std::uint32_t kind)
    {
        SandboxMessage message = sandbox_.receive();
        if (message.kind != kind) fail();
        return message;
    }

    /// The process that read the file may be under the control of a malicious one.
    void check_pages() const
    {
        if (pages_.empty() || pages_.size() > 65535) fail();
        for (TiffPage const& page : pages_) {
            bool const is_sound = page.file < paths_.size() && page.width >= 1 && page.width <= 65535 &&
                                  page.height >= 1 && page.height <= 65535 && page.channels >= 1 &&
                                  page.channels <= 4 && page.element <= static_cast<std::uint32_t>(ElementType::f64);
            if (!is_sound) fail();
        }
        if (paths_.size() == 1)
            check_tiff_description(description_, pages_.size(), static_cast<int>(pages_[0].channels), where_);
    }

    void ask(std::size_t slice)
    {
        auto const request = static_cast<TiffRequest>(slice);
        sandbox_.send(std::as_bytes(std::span(&request, 1)));
        asked_ = slice;
    }

    /// The page asked for, into pixels_.
    void take()
    {
        SliceFacts const facts = read_facts(*asked_);
        asked_.reset();
        pixels_.resize(static_cast<std::size_t>(facts.width) * static_cast<std::size_t>(facts.height) *
                       static_cast<std::size_t>(facts.channels) * element_size_bytes(facts.element));
        for (std::size_t at = 0; at < pixels_.size();) {
            SandboxMessage const& piece = sandbox_.receive();
            if (piece.kind != kTiffPixels || piece.bytes.empty() || piece.bytes.size() > pixels_.size() - at) fail();
            std::ranges::copy(piece.bytes, pixels_.begin() + static_cast<std::ptrdiff_t>(at));
            at += piece.bytes.size();
        }
    }

    std::string where_;
    std::vector<std::string> paths_;
    std::vector<std::string> notices_;
    std::string description_;
    std::vector<TiffPage> pages_;
    Sandbox sandbox_;
    std::optional<std::size_t> asked_;
    std::vector<std::byte> pixels_;
};

std::unique_ptr<VolumeSource> open_tiff(std::filesystem::path const& path, ReadOptions const&)
{
    return make_slice_stack(open_tiff_pictures(path.string(), {path.string()}, {}), place_upright(),
                            SliceAlpha::opaque);
}

} // namespace

std::string describe_tiff_page(std::vector<std::string> const& paths, TiffPage const& page)
{
    return fmt::format("{}: page {}", paths[page.file], page.number);
}

std::unique_ptr<SlicePictures> open_tiff_pictures(std::string where, std::vector<std::string> const& paths,
                                                  std::vector<std::string> notices, std::optional<SandboxLimits> limits)
{
    // Files that cannot be opened are reported here, not by the library.
    for (auto const& path : paths) FileBytes const must_be_regular(path);
    return std::make_unique<TiffPictures>(std::move(where), paths, std::move(notices),
                                          limits ? *limits : find_sandbox_limits(paths));
}

extern Reader const tiff_reader;
Reader const tiff_reader{is_tiff_head, open_tiff};

} // namespace volpt
