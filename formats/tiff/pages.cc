// The sandboxed process that reads TIFF files: lists their pages and decodes those that are requested.
#include "formats/tiff/messages.h"

#include "formats/tiff/pixels.h"
#include "formats/tiff/stored_form.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
#include "libvolpt/sys/files/file_state.h"
#include "libvolpt/volume/element_type.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tiffio.h>

namespace volpt {
namespace {

constexpr std::size_t kMaxTiffPagesOfAll = std::size_t{1} << 22; ///< 400 MB of notes on them
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

struct CloseTiff {
    void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using Tiff = std::unique_ptr<TIFF, CloseTiff>;

Tiff open_file(std::string const& path)
{
    // m: no memory mapping; a file that is cut short while it is mapped would end this process.
    Tiff tiff(TIFFOpen(path.c_str(), "rm"));
    if (tiff == nullptr) fail_input("cannot be read as TIFF: " + last_tiff_error(), path, {}, "get a complete copy");
    return tiff;
}

/// Whether a program described its numbers, so that a palette is how it showed them.
bool describes_numbers(std::string_view text)
{
    return text.starts_with("ImageJ=") || text.find("<OME") != std::string_view::npos || text.starts_with("{\"shape\"");
}

class TiffFiles {
public:
    explicit TiffFiles(std::vector<std::string> const& paths) : paths_(paths) {}

    void list()
    {
        for (std::size_t file = 0; file < paths_.size(); ++file) list_file(static_cast<std::uint32_t>(file));
    }

    void send(SandboxPort& port) const
    {
        std::string const notes = nlohmann::json{{"texts", texts_.size()}, {"notices", notices_}}.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
        port.send(kTiffNotes, std::as_bytes(std::span(notes)));
        for (auto const& [place, text] : texts_) {
            std::string message(sizeof place, '\0');
            std::memcpy(message.data(), &place, sizeof place);
            message += text;
            port.send(kTiffText, std::as_bytes(std::span(message)));
        }
        // In pieces: a message has a bound.
        constexpr std::size_t kPagesAtATime = 65536;
        std::span<TiffPage const> rest(pages_);
        do {
            auto const piece = rest.first(std::min(rest.size(), kPagesAtATime));
            port.send(kTiffPages, std::as_bytes(piece));
            rest = rest.subspan(piece.size());
        } while (!rest.empty());
        port.send(kTiffPages, {});
    }

    std::vector<std::byte> const& decode(TiffRequest const& request)
    {
        TiffPage const& page = pages_.at(request.page);
        StoredForm const& form = forms_.at(request.page);
        if (request.layer >= std::max(page.layers, page.room)) fail_input("has no such layer", paths_[page.file]);
        where_ = describe_tiff_page(paths_, page);
        use_file(page.file);
        if (TIFFSetSubDirectory(tiff_.get(), page.directory_offset) != 1) fail_damaged_tiff(where_);
        if (request.layer > 0 && TIFFIsTiled(tiff_.get()) == 0)
            read_plain_layer(page, form, request.layer);
        else
            read_tiff_samples(tiff_.get(), form.samples, where_, pixels_, request.layer);
        if (get_tiff_tag<std::uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_MINISWHITE) invert(form);
        if (form.is_palette) look_up(form);
        return pixels_;
    }

private:
    void use_file(std::uint32_t file)
    {
        if (tiff_ != nullptr && file_ == file) return;
        tiff_ = open_file(paths_[file]);
        file_ = file;
    }

    /// Largest code minus code.
    void invert(StoredForm const& form)
    {
        if (form.samples.code != TiffCode::packed) {
            for (std::byte& byte : pixels_) byte = ~byte;
            return;
        }
        std::uint32_t const largest = (1u << form.samples.packed_bits) - 1;
        std::size_t const size = form.samples.sample_bytes;
        for (std::size_t at = 0; at < pixels_.size(); at += size) {
            std::uint32_t code = 0;
            std::memcpy(&code, pixels_.data() + at, size);
            code = largest - code;
            std::memcpy(pixels_.data() + at, &code, size);
        }
    }

    /// R G B of palette indices.
    void look_up(StoredForm const& form)
    {
        TiffColourMaps const maps = get_tiff_palette(tiff_.get(), where_);
        std::size_t const size = form.samples.sample_bytes;
        std::size_t const count = pixels_.size() / size;
        std::size_t const wide = element_size_bytes(form.element);
        std::vector<std::byte> colours(count * 3 * wide);
        std::size_t const last = count_palette_colours(tiff_.get()) - 1;
        for (std::size_t i = 0; i < count; ++i) {
            std::uint32_t index = 0;
            std::memcpy(&index, pixels_.data() + i * size, size);
            for (std::size_t c = 0; c < 3; ++c) {
                std::uint16_t const colour = maps[c][std::min<std::size_t>(index, last)];
                auto const stored = static_cast<std::uint16_t>(wide == 1 ? colour >> 8 : colour);
                std::memcpy(colours.data() + (3 * i + c) * wide, &stored, wide);
            }
        }
        pixels_ = std::move(colours);
    }

    /// A layer behind the first that lies in the file as plain numbers, whatever the strips say.
    void read_plain_layer(TiffPage const& page, StoredForm const& form, std::uint32_t layer)
    {
        auto const start = find_plain_start(tiff_.get());
        if (!start) fail_damaged_tiff(where_);
        std::size_t const row_bytes = count_tiff_row_bytes(form.samples, page.width, form.samples.channels);
        std::vector<std::byte> stored(row_bytes * page.height);
        FileBytes(paths_[page.file]).read_at(*start + std::uint64_t{layer} * stored.size(), stored);
        std::size_t const code_bytes = form.samples.code == TiffCode::float24 ? 3 : form.samples.sample_bytes;
        if (TIFFIsByteSwapped(tiff_.get()) != 0 && form.samples.code != TiffCode::packed && code_bytes > 1)
            for (std::size_t at = 0; at < stored.size(); at += code_bytes)
                std::reverse(stored.begin() + static_cast<std::ptrdiff_t>(at),
                             stored.begin() + static_cast<std::ptrdiff_t>(at + code_bytes));
        std::size_t const given = std::size_t{page.width} * form.samples.channels * form.samples.sample_bytes;
        pixels_.resize(given * page.height);
        for (std::size_t y = 0; y < page.height; ++y)
            decode_tiff_row(form.samples, std::span(stored).subspan(y * row_bytes, row_bytes),
                            std::span(pixels_).subspan(y * given, given));
    }

    void list_file(std::uint32_t file)
    {
        use_file(file);
        std::string const& path = paths_[file];
        std::uint64_t const file_bytes = find_file_bytes(path);
        std::size_t const first = pages_.size();
        std::size_t thumbnails = 0;
        bool are_indices_numbers = false;
        TiffPage next;
        next.file = file;
        do {
            std::uint32_t const kind = get_tiff_tag<std::uint32_t>(tiff_.get(), TIFFTAG_SUBFILETYPE).value_or(0);
            if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0) {
                ++thumbnails;
                continue;
            }
            if (pages_.size() - first == kMaxTiffPages)
                fail_input(fmt::format("more than {} pages", kMaxTiffPages), path, {}, "split the stack");
            if (pages_.size() == kMaxTiffPagesOfAll)
                fail_input(fmt::format("more than {} pages in all files", kMaxTiffPagesOfAll), path, {},
                           "split the stack");
            std::string const text = read_text();
            if (pages_.size() == first) are_indices_numbers = describes_numbers(text);
            keep_text({file, next.number}, text, pages_.size() == first);
            note_page(next, path);
            TiffPage page = next;
            forms_.push_back(read_tiff_page(tiff_.get(), page, are_indices_numbers, path, file_bytes));
            pages_.push_back(page);
        } while (++next.number, TIFFReadDirectory(tiff_.get()) == 1);
        if (TIFFLastDirectory(tiff_.get()) == 0) fail_damaged_tiff(fmt::format("{}: page {}", path, next.number));
        if (pages_.size() == first) fail_input("has no page of full size", path);
        if (thumbnails > 0)
            notices_.push_back(fmt::format("{}: {} reduced copies or masks left out", path, thumbnails));
        if (file == 0 && are_indices_numbers &&
            get_tiff_tag<std::uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_PALETTE)
            notices_.push_back(path + ": its colour table shows numbers, which are read without it");
    }

    std::string read_text() const
    {
        auto const text = get_tiff_tag<char const*>(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION);
        return text && *text != nullptr ? *text : "";
    }

    /// What the first page of a file says, and where tifffile says that a volume begins.
    void keep_text(TiffTextPlace place, std::string const& text, bool is_first)
    {
        if (text.empty() || !(is_first || text.starts_with("{\"shape\""))) return;
        constexpr std::size_t kMostTextBytes = kMaxMessage_bytes - sizeof place, kMostOfAll = std::size_t{64} << 20;
        if (text.size() > kMostTextBytes || text_bytes_ + text.size() > kMostOfAll)
            fail_input(fmt::format("its ImageDescription has {} bytes", text.size()), paths_[place.file],
                       "it says which pages are slices, and is read up to 16 MiB", "save the volume without it");
        text_bytes_ += text.size();
        texts_.emplace_back(place, text);
    }

    /// Orientation of the first page.
    void note_page(TiffPage const& page, std::string const& path)
    {
        if (!pages_.empty()) return;
        auto const orientation =
            get_tiff_tag<std::uint16_t>(tiff_.get(), TIFFTAG_ORIENTATION).value_or(ORIENTATION_TOPLEFT);
        if (orientation != ORIENTATION_TOPLEFT)
            notices_.push_back(fmt::format("{}: page {}: orientation {} is not applied: rows stay in file order", path,
                                           page.number, orientation));
    }

    std::vector<std::string> const& paths_;
    std::vector<TiffPage> pages_;
    std::vector<StoredForm> forms_; ///< of pages_
    std::vector<std::pair<TiffTextPlace, std::string>> texts_;
    std::size_t text_bytes_ = 0;
    std::vector<std::string> notices_;
    Tiff tiff_;
    std::uint32_t file_ = 0;
    std::string where_;
    std::vector<std::byte> pixels_;
};

} // namespace

void serve_tiff(std::vector<std::string> const& paths, SandboxPort& port)
{
    keep_tiff_errors();
    TiffFiles files(paths);
    files.list();
    files.send(port);
    TiffRequest request{};
    while (port.receive(std::as_writable_bytes(std::span(&request, 1)))) {
        std::span<std::byte const> pixels = files.decode(request);
        for (; !pixels.empty(); pixels = pixels.subspan(std::min(kPieceBytes, pixels.size())))
            port.send(kTiffPixels, pixels.first(std::min(kPieceBytes, pixels.size())));
    }
}

} // namespace volpt
