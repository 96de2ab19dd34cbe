#include "formats/tiff/stored_form.h"

#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::uint32_t kMaxTiffChannels = 512;

[[noreturn]] void refuse(std::string const& what, std::string const& where)
{
    fail_input(
        what, where,
        "TIFF is read as unsigned numbers of 1 to 64 bits, signed ones of 8 to 64, floating point of 16 to 64, or "
        "as R G B (A) or a palette of 8 or 16",
        "save the slices so, or as PNG");
}

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

/// u8 if all colours are of 8 bits, spread to 16 or with zeros behind them.
ElementType find_palette_element(TIFF* tiff, std::string const& where)
{
    TiffColourMaps const maps = get_tiff_palette(tiff, where);
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
    unsigned const photometric = get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_PHOTOMETRIC)
                                     .value_or(samples > 2 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK);
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
    return std::max(1u, get_tiff_tag<std::uint32_t>(tiff, TIFFTAG_IMAGEDEPTH).value_or(1));
}

void read_page_layers(TIFF* tiff, TiffPage& page, StoredForm const& form, std::uint64_t file_bytes,
                      std::string const& where)
{
    page.layers = count_layers(tiff);
    auto const start = find_plain_start(tiff);
    if (start && *start < file_bytes) {
        // The directory is no pixels: programs that leave slices outside of pages write it before them.
        if (page.directory_offset > *start) file_bytes = std::min(file_bytes, page.directory_offset);
        std::uint64_t const layer_bytes =
            count_tiff_row_bytes(form.samples, page.width, form.samples.channels) * page.height;
        page.room = static_cast<std::uint32_t>(
            std::clamp<std::uint64_t>((file_bytes - *start) / layer_bytes, 1, kMaxTiffPages + 1));
    }
    if (page.layers == 1 || page.layers <= page.room) return;
    if (page.layers > kMaxTiffPages || TIFFIsTiled(tiff) == 0)
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
    page.resolution_unit = get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_RESOLUTIONUNIT).value_or(RESUNIT_INCH);
}

} // namespace

TiffColourMaps get_tiff_palette(TIFF* tiff, std::string const& where)
{
    TiffColourMaps maps{};
    if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) != 1 || maps[2] == nullptr)
        fail_input("has no palette", where, {}, "get a complete copy");
    return maps;
}

std::size_t count_palette_colours(TIFF* tiff)
{
    return std::size_t{1} << std::min<unsigned>(16,
                                                get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE).value_or(1));
}

std::optional<std::uint64_t> find_plain_start(TIFF* tiff)
{
    std::uint64_t* offsets = nullptr;
    std::uint64_t* counts = nullptr;
    if (get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_COMPRESSION).value_or(0) != COMPRESSION_NONE ||
        TIFFIsTiled(tiff) != 0 ||
        get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_FILLORDER).value_or(FILLORDER_MSB2LSB) != FILLORDER_MSB2LSB ||
        (get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL).value_or(1) > 1 &&
         get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_PLANARCONFIG).value_or(0) == PLANARCONFIG_SEPARATE) ||
        TIFFGetField(tiff, TIFFTAG_STRIPOFFSETS, &offsets) != 1 || offsets == nullptr ||
        TIFFGetField(tiff, TIFFTAG_STRIPBYTECOUNTS, &counts) != 1 || counts == nullptr)
        return std::nullopt;
    for (std::uint32_t strip = 1; strip < TIFFNumberOfStrips(tiff); ++strip)
        if (offsets[strip] != offsets[strip - 1] + counts[strip - 1]) return std::nullopt;
    return offsets[0];
}

StoredForm read_tiff_page(TIFF* tiff, TiffPage& page, bool are_indices_numbers, std::string const& path,
                          std::uint64_t file_bytes)
{
    std::string const where = fmt::format("{}: page {}", path, page.number);
    page.directory_offset = TIFFCurrentDirOffset(tiff);
    page.width = get_tiff_tag<std::uint32_t>(tiff, TIFFTAG_IMAGEWIDTH).value_or(0);
    page.height = get_tiff_tag<std::uint32_t>(tiff, TIFFTAG_IMAGELENGTH).value_or(0);
    page.channels = get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_SAMPLESPERPIXEL).value_or(1);
    if (page.width < 1 || page.width > 65535 || page.height < 1 || page.height > 65535)
        fail_input(fmt::format("{} x {} pixels", page.width, page.height), where,
                   "slices have 1 to 65535 along each side");
    if (page.channels < 1 || page.channels > kMaxTiffChannels)
        refuse(fmt::format("{} samples per pixel", page.channels), where);
    StoredForm form;
    choose_code(form, get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_BITSPERSAMPLE).value_or(1),
                get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_SAMPLEFORMAT).value_or(SAMPLEFORMAT_UINT), where);
    form.samples.width = page.width;
    form.samples.height = page.height;
    form.samples.channels = page.channels;
    check_photometric(tiff, page, form, are_indices_numbers, where);
    page.element = static_cast<std::uint32_t>(form.element);
    auto const compression = get_tiff_tag<std::uint16_t>(tiff, TIFFTAG_COMPRESSION).value_or(COMPRESSION_NONE);
    if (TIFFIsCODECConfigured(compression) != 1)
        refuse(fmt::format("its compression {} is unknown to libtiff here", compression), where);
    // Blank pages compress a thousandfold; higher ratios are refused if the page is large.
    std::uint64_t const page_bytes =
        std::uint64_t{page.width} * page.height * page.channels * element_size_bytes(form.element);
    if (page_bytes > (std::uint64_t{64} << 20) && page_bytes / 8192 > file_bytes)
        fail_input(fmt::format("{} x {} pixels, {} bytes, are announced in a file of {}", page.width, page.height,
                               page_bytes, file_bytes),
                   where, {}, "get a complete copy");
    read_page_layers(tiff, page, form, file_bytes, where);
    read_resolution(tiff, page);
    return form;
}

} // namespace volpt
