// The sandboxed process that reads TIFF files: lists their pages and decodes those that are requested.
#include "formats/tiff/messages.h"

#include "formats/tiff/pixels.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"
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

constexpr std::size_t kMaxPages = 65535;
constexpr std::size_t kMaxPagesOfAll = std::size_t{1} << 22; ///< 400 MB of notes on them
constexpr std::uint32_t kMaxTiffChannels = 512;
constexpr std::size_t kPieceBytes = std::size_t{1} << 20;

[[noreturn]] void refuse(std::string const& what, std::string const& where)
{
    fail_input(
        what, where,
        "TIFF is read as unsigned numbers of 1 to 64 bits, signed ones of 8 to 64, floating point of 16 to 64, or "
        "as R G B (A) or a palette of 8 or 16",
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

/// How the samples of the current directory are kept, and the type that they are given as.
struct StoredForm {
    TiffSamples samples;
    ElementType element = ElementType::u8;
    bool is_palette = false; ///< samples are indices, given as R G B
};

void choose_code(StoredForm& form, unsigned bits, unsigned format, std::string const& where)
{
    auto const [type, code] = [&]() -> std::pair<ElementType, TiffCode> {
        // Undefined (4) is what programs write that do not know; libtiff and tifffile take it for unsigned.
        unsigned const known = format == SAMPLEFORMAT_VOID ? SAMPLEFORMAT_UINT : format;
        switch (known * 100 + bits) {
        case SAMPLEFORMAT_UINT * 100 + 8:
            return {ElementType::u8, TiffCode::whole};
        case SAMPLEFORMAT_UINT * 100 + 16:
            return {ElementType::u16, TiffCode::whole};
        case SAMPLEFORMAT_UINT * 100 + 32:
            return {ElementType::u32, TiffCode::whole};
        case SAMPLEFORMAT_UINT * 100 + 64:
            return {ElementType::u64, TiffCode::whole};
        case SAMPLEFORMAT_INT * 100 + 8:
            return {ElementType::i8, TiffCode::whole};
        case SAMPLEFORMAT_INT * 100 + 16:
            return {ElementType::i16, TiffCode::whole};
        case SAMPLEFORMAT_INT * 100 + 32:
            return {ElementType::i32, TiffCode::whole};
        case SAMPLEFORMAT_INT * 100 + 64:
            return {ElementType::i64, TiffCode::whole};
        case SAMPLEFORMAT_IEEEFP * 100 + 16:
            return {ElementType::f16, TiffCode::whole};
        case SAMPLEFORMAT_IEEEFP * 100 + 24:
            return {ElementType::f32, TiffCode::float24};
        case SAMPLEFORMAT_IEEEFP * 100 + 32:
            return {ElementType::f32, TiffCode::whole};
        case SAMPLEFORMAT_IEEEFP * 100 + 64:
            return {ElementType::f64, TiffCode::whole};
        default:
            break;
        }
        // libtiff swaps bytes of 24 bits in files of the other byte order, so they are no row of bits.
        if (known == SAMPLEFORMAT_UINT && bits >= 1 && bits < 32 && bits != 24)
            return {bits <= 8 ? ElementType::u8 : bits <= 16 ? ElementType::u16 : ElementType::u32, TiffCode::packed};
        refuse(fmt::format("its numbers have {} bits in sample format {}", bits, format), where);
    }();
    form.element = type;
    form.samples.code = code;
    form.samples.packed_bits = code == TiffCode::packed ? bits : 0;
    form.samples.sample_bytes = element_size_bytes(type);
}

bool is_colour_code(ElementType element)
{
    return element == ElementType::u8 || element == ElementType::u16;
}

using ColourMaps = std::array<std::uint16_t*, 3>;

ColourMaps get_palette(TIFF* tiff, std::string const& where)
{
    ColourMaps maps{};
    if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1 || maps[2] == nullptr)
        fail_input("has no palette", where, {}, "get a complete copy");
    return maps;
}

std::size_t count_palette_colours(TIFF* tiff)
{
    return std::size_t{1} << std::min<unsigned>(16, get<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE).value_or(1));
}

/// u8 if all colours are of 8 bits, spread to 16 or with zeros behind them.
ElementType find_palette_element(TIFF* tiff, std::string const& where)
{
    ColourMaps const maps = get_palette(tiff, where);
    std::size_t const count = count_palette_colours(tiff);
    bool const is_narrow = std::ranges::all_of(maps, [&](std::uint16_t const* map) {
        return std::all_of(map, map + count, [](std::uint16_t value) { return value % 257 == 0 || value % 256 == 0; });
    });
    return is_narrow ? ElementType::u8 : ElementType::u16;
}

/// Number of samples that the file calls alpha.
unsigned count_alpha_samples(TIFF* tiff)
{
    std::uint16_t count = 0;
    std::uint16_t* kinds = nullptr;
    if (TIFFGetFieldDefaulted(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) != 1 || kinds == nullptr) return 0;
    return static_cast<unsigned>(std::count_if(kinds, kinds + count, [](std::uint16_t kind) {
        return kind == EXTRASAMPLE_ASSOCALPHA || kind == EXTRASAMPLE_UNASSALPHA;
    }));
}

/// Sets kind and channels of `page`, and what `form` says of a palette. Error (input) for samples of other kinds.
void check_photometric(TIFF* tiff, TiffPage& page, StoredForm& form, bool are_indices_numbers, std::string const& where)
{
    std::uint32_t const samples = page.channels;
    unsigned const photometric =
        get<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC).value_or(samples > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
    bool const is_grey = photometric == PHOTOMETRIC_MINISBLACK ||
                         (photometric == PHOTOMETRIC_MINISWHITE &&
                          (is_colour_code(form.element) || form.samples.code == TiffCode::packed));
    if (photometric == PHOTOMETRIC_PALETTE && samples == 1 && is_colour_code(form.element)) {
        form.is_palette = !are_indices_numbers;
        if (!form.is_palette) return;
        page.channels = 3;
        form.element = find_palette_element(tiff, where);
        return;
    }
    bool const is_rgb = photometric == PHOTOMETRIC_RGB && samples >= 3 && samples <= 4 &&
                        is_colour_code(form.element) && form.samples.code == TiffCode::whole;
    if (is_rgb || (is_grey && samples == 1)) return;
    if (is_grey && samples == 2 && photometric == PHOTOMETRIC_MINISBLACK && count_alpha_samples(tiff) == 1) return;
    if (photometric == PHOTOMETRIC_MINISBLACK || (photometric == PHOTOMETRIC_RGB && samples > 4)) {
        page.kind = TiffSamplesKind::channels;
        return;
    }
    refuse(fmt::format("{} samples per pixel of type {} in photometric interpretation {}", samples,
                       element_name(form.element), photometric),
           where);
}

/// SGI's ImageDepth; or MetaMorph's tag UIC2, which has an entry for each plane.
std::uint32_t count_layers(TIFF* tiff)
{
    constexpr std::uint32_t kUic2Tag = 33629;
    std::uint32_t planes = 0;
    void* data = nullptr;
    if (TIFFFindField(tiff, kUic2Tag, TIFF_ANY) != nullptr && TIFFGetField(tiff, kUic2Tag, &planes, &data) == 1 &&
        planes > 1)
        return planes;
    return std::max(1u, get<std::uint32_t>(tiff, TIFFTAG_IMAGEDEPTH).value_or(1));
}

/// Where plain numbers begin that follow each other without a gap; none if they do not.
std::optional<std::uint64_t> find_plain_start(TIFF* tiff)
{
    std::uint64_t* offsets = nullptr;
    std::uint64_t* counts = nullptr;
    if (get<std::uint16_t>(tiff, TIFFTAG_COMPRESSION).value_or(0) != COMPRESSION_NONE || TIFFIsTiled(tiff) != 0 ||
        get<std::uint16_t>(tiff, TIFFTAG_FILLORDER).value_or(FILLORDER_MSB2LSB) != FILLORDER_MSB2LSB ||
        (get<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL).value_or(1) > 1 &&
         get<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG).value_or(0) == PLANARCONFIG_SEPARATE) ||
        TIFFGetField(tiff, TIFFTAG_STRIPOFFSETS, &offsets) != 1 || offsets == nullptr ||
        TIFFGetField(tiff, TIFFTAG_STRIPBYTECOUNTS, &counts) != 1 || counts == nullptr)
        return std::nullopt;
    for (std::uint32_t strip = 1; strip < TIFFNumberOfStrips(tiff); ++strip)
        if (offsets[strip] != offsets[strip - 1] + counts[strip - 1]) return std::nullopt;
    return offsets[0];
}

void read_layers(TIFF* tiff, TiffPage& page, StoredForm const& form, std::uint64_t file_bytes, std::string const& where)
{
    page.layers = count_layers(tiff);
    auto const start = find_plain_start(tiff);
    if (start && *start < file_bytes) {
        std::uint64_t const layer_bytes =
            count_tiff_row_bytes(form.samples, page.width, form.samples.channels) * page.height;
        page.room = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>((file_bytes - *start) / layer_bytes, 1, kMaxPages + 1));
    }
    if (page.layers == 1 || page.layers <= page.room) return;
    if (page.layers > kMaxPages || TIFFIsTiled(tiff) == 0)
        fail_input(fmt::format("{} slices in one page (ImageDepth), of which {} can be found", page.layers, page.room),
                   where, "they are read from tiles, or from plain numbers that follow each other",
                   "save the slices as pages");
}

void read_resolution(TIFF* tiff, TiffPage& page)
{
    float x = 0, y = 0;
    if (TIFFGetField(tiff, TIFFTAG_XRESOLUTION, &x) != 1 || TIFFGetField(tiff, TIFFTAG_YRESOLUTION, &y) != 1) return;
    page.x_per_unit = static_cast<double>(x);
    page.y_per_unit = static_cast<double>(y);
    page.resolution_unit = get<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT).value_or(RESUNIT_INCH);
}

/// The current directory's page. Sizes that the file merely claims are bounded before anything is allocated.
StoredForm read_page(TIFF* tiff, TiffPage& page, bool are_indices_numbers, std::string const& path,
                     std::uint64_t file_bytes)
{
    std::string const where = fmt::format("{}: page {}", path, page.number);
    page.directory_offset = TIFFCurrentDirOffset(tiff);
    page.width = get<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH).value_or(0);
    page.height = get<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH).value_or(0);
    page.channels = get<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL).value_or(1);
    if (page.width < 1 || page.width > 65535 || page.height < 1 || page.height > 65535)
        fail_input(fmt::format("{} x {} pixels", page.width, page.height), where,
                   "slices have 1 to 65535 along each side");
    if (page.channels < 1 || page.channels > kMaxTiffChannels)
        refuse(fmt::format("{} samples per pixel", page.channels), where);
    StoredForm form;
    choose_code(form, get<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE).value_or(1),
                get<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT).value_or(SAMPLEFORMAT_UINT), where);
    form.samples.width = page.width;
    form.samples.height = page.height;
    form.samples.channels = page.channels;
    check_photometric(tiff, page, form, are_indices_numbers, where);
    page.element = static_cast<std::uint32_t>(form.element);
    auto const compression = get<std::uint16_t>(tiff, TIFFTAG_COMPRESSION).value_or(COMPRESSION_NONE);
    if (TIFFIsCODECConfigured(compression) != 1)
        refuse(fmt::format("its compression {} is unknown to libtiff here", compression), where);
    // Blank pages compress a thousandfold; higher ratios are refused if the page is large.
    std::uint64_t const page_bytes =
        std::uint64_t{page.width} * page.height * page.channels * element_size_bytes(form.element);
    if (page_bytes > (std::uint64_t{64} << 20) && page_bytes / 8192 > file_bytes)
        fail_input(fmt::format("{} x {} pixels, {} bytes, are announced in a file of {}", page.width, page.height,
                               page_bytes, file_bytes),
                   where, {}, "get a complete copy");
    read_layers(tiff, page, form, file_bytes, where);
    read_resolution(tiff, page);
    return form;
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
        if (get<std::uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_MINISWHITE) invert(form);
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
        ColourMaps const maps = get_palette(tiff_.get(), where_);
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
        std::uint64_t const file_bytes = std::filesystem::file_size(path);
        std::size_t const first = pages_.size();
        std::size_t thumbnails = 0;
        bool are_indices_numbers = false;
        TiffPage next;
        next.file = file;
        do {
            std::uint32_t const kind = get<std::uint32_t>(tiff_.get(), TIFFTAG_SUBFILETYPE).value_or(0);
            if ((kind & (FILETYPE_REDUCEDIMAGE | FILETYPE_MASK)) != 0) {
                ++thumbnails;
                continue;
            }
            if (pages_.size() - first == kMaxPages)
                fail_input(fmt::format("more than {} pages", kMaxPages), path, {}, "split the stack");
            if (pages_.size() == kMaxPagesOfAll)
                fail_input(fmt::format("more than {} pages in all files", kMaxPagesOfAll), path, {}, "split the stack");
            std::string const text = read_text();
            if (pages_.size() == first) are_indices_numbers = describes_numbers(text);
            keep_text({file, next.number}, text, pages_.size() == first);
            note_page(next, path);
            TiffPage page = next;
            forms_.push_back(read_page(tiff_.get(), page, are_indices_numbers, path, file_bytes));
            pages_.push_back(page);
        } while (++next.number, TIFFReadDirectory(tiff_.get()) == 1);
        if (TIFFLastDirectory(tiff_.get()) == 0) fail_damaged_tiff(fmt::format("{}: page {}", path, next.number));
        if (pages_.size() == first) fail_input("has no page of full size", path);
        if (thumbnails > 0)
            notices_.push_back(fmt::format("{}: {} reduced copies or masks left out", path, thumbnails));
        if (file == 0 && are_indices_numbers &&
            get<std::uint16_t>(tiff_.get(), TIFFTAG_PHOTOMETRIC) == PHOTOMETRIC_PALETTE)
            notices_.push_back(path + ": its colour table shows numbers, which are read without it");
    }

    std::string read_text() const
    {
        auto const text = get<char const*>(tiff_.get(), TIFFTAG_IMAGEDESCRIPTION);
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
        auto const orientation = get<std::uint16_t>(tiff_.get(), TIFFTAG_ORIENTATION).value_or(ORIENTATION_TOPLEFT);
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
