// The sandboxed process that reads TIFF files: lists their pages and decodes those that are requested.
#include "formats/tiff/messages.h"

#include "formats/tiff/pixels.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/volume/element_type.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <tiffio.h>

namespace volpt {
namespace {

constexpr std::size_t kMaxPages = 65535;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

[[noreturn]] void refuse(std::string const& what, std::string const& where)
{
    fail_input(what, where, "TIFF is read as grey numbers of 8 to 64 bits, or R G B (A) of 8 or 16",
               "save the slices so, or as PNG");
}

template <typename Value>
std::optional<Value> get(TIFF* tiff, std::uint32_t tag)
{
    Value value{};
    if (TIFFGetFieldDefaulted(tiff, tag, &value) != 1) return std::nullopt;
    return value;
}

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

ElementType choose_element(unsigned bits, unsigned format, std::string const& where)
{
    switch (format * 100 + bits) {
    case SAMPLEFORMAT_UINT * 100 + 8:
        return ElementType::u8;
    case SAMPLEFORMAT_UINT * 100 + 16:
        return ElementType::u16;
    case SAMPLEFORMAT_UINT * 100 + 32:
        return ElementType::u32;
    case SAMPLEFORMAT_UINT * 100 + 64:
        return ElementType::u64;
    case SAMPLEFORMAT_INT * 100 + 8:
        return ElementType::i8;
    case SAMPLEFORMAT_INT * 100 + 16:
        return ElementType::i16;
    case SAMPLEFORMAT_INT * 100 + 32:
        return ElementType::i32;
    case SAMPLEFORMAT_INT * 100 + 64:
        return ElementType::i64;
    case SAMPLEFORMAT_IEEEFP * 100 + 32:
        return ElementType::f32;
    case SAMPLEFORMAT_IEEEFP * 100 + 64:
        return ElementType::f64;
    default:
        refuse(fmt::format("its numbers have {} bits in sample format {}", bits, format), where);
    }
}

void check_photometric(TIFF* tiff, TiffPage const& page, std::string const& where)
{
    bool const is_colour = page.channels > 2;
    unsigned const photometric =
        get<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC).value_or(is_colour ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    bool const is_code = page.element == static_cast<std::uint32_t>(ElementType::u8) ||
                         page.element == static_cast<std::uint32_t>(ElementType::u16);
    bool const is_known = is_colour ? photometric == PHOTOMETRIC_RGB && is_code
                                    : photometric == PHOTOMETRIC_MINISBLACK ||
                                          (photometric == PHOTOMETRIC_MINISWHITE && is_code && page.channels == 1);
    if (!is_known)
        refuse(fmt::format("{} samples per pixel of type {} in photometric interpretation {}", page.channels,
                           element_name(static_cast<ElementType>(page.element)), photometric),
               where);
}

/// The current directory's page. Sizes that the file merely claims are bounded before anything is allocated.
TiffPage read_page(TIFF* tiff, TiffPage page, std::string const& path, std::uint64_t file_bytes)
{
    std::string const where = fmt::format("{}: page {}", path, page.number);
    page.directory_offset = TIFFCurrentDirOffset(tiff);
    page.width = get<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH).value_or(0);
    page.height = get<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH).value_or(0);
    page.channels = get<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL).value_or(1);
    if (page.width < 1 || page.width > 65535 || page.height < 1 || page.height > 65535)
        fail_input(fmt::format("{} x {} pixels", page.width, page.height), where,
                   "slices have 1 to 65535 along each side");
    if (page.channels < 1 || page.channels > 4) refuse(fmt::format("{} samples per pixel", page.channels), where);
    ElementType const element =
        choose_element(get<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE).value_or(1),
                       get<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT).value_or(SAMPLEFORMAT_UINT), where);
    page.element = static_cast<std::uint32_t>(element);
    check_photometric(tiff, page, where);
    auto const compression = get<std::uint16_t>(tiff, TIFFTAG_COMPRESSION).value_or(COMPRESSION_NONE);
    if (TIFFIsCODECConfigured(compression) != 1)
        refuse(fmt::format("its compression {} is unknown to libtiff here", compression), where);
    // Blank pages compress a thousandfold; higher ratios are refused if the page is large.
    std::uint64_t const page_bytes =
        std::uint64_t{page.width} * page.height * page.channels * element_size_bytes(element);
    if (page_bytes > (std::uint64_t{64} << 20) && page_bytes / 8192 > file_bytes)
        fail_input(fmt::format("{} x {} pixels, {} bytes, are announced in a file of {}", page.width, page.height,
                               page_bytes, file_bytes),
                   where, {}, "get a complete copy");
    return page;
}

class TiffFiles {
public:
    explicit TiffFiles(std::vector<std::string> const& paths) : paths_(paths) {}

    void list()
    {
        for (std::size_t file = 0; file < paths_.size(); ++file) list_file(static_cast<std::uint32_t>(file));
    }

    std::vector<TiffPage> const& pages() const noexcept { return pages_; }
    std::string notes() const
    {
        return nlohmann::json{{"description", description_}, {"notices", notices_}}.dump(
            -1, ' ', false, nlohmann::json::error_handler_t::replace);
    }

    std::vector<std::byte> const& decode(std::size_t index)
    {
        page_ = &pages_.at(index);
        where_ = describe_tiff_page(paths_, *page_);
        use_file(page_->file);
        if (TIFFSetSubDirectory(tiff_.get(), page_->directory_offset) != 1) fail_damaged_tiff(where_);
        std::size_t const size = element_size_bytes(static_cast<ElementType>(page_->element));
        read_tiff_samples(tiff_.get(), {page_->width, page_->height, page_->channels, size}, where_, pixels_);
        if (get<std::uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_MINISWHITE)
            for (std::byte& byte : pixels_) byte = ~byte; // largest code minus code
        return pixels_;
    }

private:
    void use_file(std::uint32_t file)
    {
        if (tiff_ != nullptr && file_ == file) return;
        tiff_ = open_file(paths_[file]);
        file_ = file;
    }

    void list_file(std::uint32_t file)
    {
        use_file(file);
        std::string const& path = paths_[file];
        std::uint64_t const file_bytes = std::filesystem::file_size(path);
        std::size_t const first = pages_.size();
        std::size_t thumbnails = 0;
        TiffPage page;
        page.file = file;
        do {
            std::uint32_t const kind = get<std::uint32_t>(tiff_.get(), TIFFTAG_SUBFILETYPE).value_or(0);
            if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0) {
                ++thumbnails;
                continue;
            }
            if (pages_.size() == kMaxPages)
                fail_input(fmt::format("more than {} pages", kMaxPages), path, {}, "split the stack");
            note_page(page, path);
            pages_.push_back(read_page(tiff_.get(), page, path, file_bytes));
        } while (++page.number, TIFFReadDirectory(tiff_.get()) == 1);
        if (TIFFLastDirectory(tiff_.get()) == 0) fail_damaged_tiff(fmt::format("{}: page {}", path, page.number));
        std::size_t const found = pages_.size() - first;
        if (found == 0) fail_input("has no page of full size", path);
        if (paths_.size() > 1 && found > 1)
            fail_input(fmt::format("has {} pages, one of a series of slices has one", found), path, {},
                       "give the file by itself, or split it");
        if (thumbnails > 0)
            notices_.push_back(fmt::format("{}: {} reduced copies or masks left out", path, thumbnails));
    }

    /// Text and orientation of the first page.
    void note_page(TiffPage const& page, std::string const& path)
    {
        if (!pages_.empty()) return;
        if (auto const text = get<char const*>(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION); text && *text != nullptr)
            description_ = std::string_view(*text).substr(0, 65536);
        auto const orientation = get<std::uint16_t>(tiff_.get(), TIFFTAG_ORIENTATION).value_or(ORIENTATION_TOPLEFT);
        if (orientation != ORIENTATION_TOPLEFT)
            notices_.push_back(fmt::format("{}: page {}: orientation {} is not applied: rows stay in file order", path,
                                           page.number, orientation));
    }

    std::vector<std::string> const& paths_;
    std::vector<TiffPage> pages_;
    std::vector<std::string> notices_;
    std::string description_;
    Tiff tiff_;
    std::uint32_t file_ = 0;
    TiffPage const* page_ = nullptr;
    std::string where_;
    std::vector<std::byte> pixels_;
};

} // namespace

void serve_tiff(std::vector<std::string> const& paths, SandboxPort& port)
{
    keep_tiff_errors();
    TiffFiles files(paths);
    files.list();
    std::string const notes = files.notes();
    port.send(kTiffNotes, std::as_bytes(std::span(notes)));
    port.send(kTiffPages, std::as_bytes(std::span(files.pages())));
    TiffRequest request = 0;
    while (port.receive(std::as_writable_bytes(std::span(&request, 1)))) {
        std::span<std::byte const> pixels = files.decode(request);
        for (; !pixels.empty(); pixels = pixels.subspan(std::min(kPieceBytes, pixels.size())))
            port.send(kTiffPixels, pixels.first(std::min(kPieceBytes, pixels.size())));
    }
}

} // namespace volpt
