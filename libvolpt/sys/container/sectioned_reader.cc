#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/sys/error.h"
#include "libvolpt/sys/mapped_file.h"

#include <algorithm>
#include <cstring>
#include <fmt/format.h>
#include <mutex>

namespace volpt {
namespace {

using container::HeaderPage;

constexpr char const* kMakeAgain = "copy or make the file again";

struct Checked {
    MappedFile const& file;
    FileKind const& kind;

    std::uint64_t size_bytes() const { return file.bytes().size(); }

    [[noreturn]] void refuse(std::string what, std::string_view section, std::uint64_t offset_bytes, std::string why,
                             std::string what_to_do = kMakeAgain) const
    {
        fail_input(std::move(what), fmt::format("{}: {}, offset {}", file.path().string(), section, offset_bytes),
                   std::move(why), std::move(what_to_do));
    }
};

std::string spell_version(std::uint32_t version)
{
    return fmt::format("{}.{}", version >> 16, version & 0xffffu);
}

// Recognises files of another kind or version and truncated ones before the checksum, which could only report damage.
void check_identity(Checked const& in, HeaderPage const& page)
{
    if (page.byte_order_mark != container::kByteOrderMark) {
        in.refuse(fmt::format("the byte-order mark is {:#010x}, not {:#010x}", page.byte_order_mark,
                              container::kByteOrderMark),
                  "header", offsetof(HeaderPage, byte_order_mark), "the file is damaged or big-endian");
    }
    std::uint32_t const newest = in.kind.version >> 16, oldest = in.kind.oldest_major;
    if (page.version >> 16 > newest || page.version >> 16 < oldest) {
        in.refuse(fmt::format("the file has format version {}, this program reads {}.x", spell_version(page.version),
                              oldest == newest ? fmt::format("{}", newest) : fmt::format("{}.x to {}", oldest, newest)),
                  "header", offsetof(HeaderPage, version), "other major versions lay out their bytes differently",
                  "use the volpt release that wrote it, or make the file again");
    }
    if (page.file_bytes != in.size_bytes()) {
        in.refuse(fmt::format("the header states {} bytes, the file has {}", page.file_bytes, in.size_bytes()),
                  "header", std::min(page.file_bytes, in.size_bytes()),
                  page.file_bytes > in.size_bytes() ? "the file was cut short" : "something was appended");
    }
    if (page.checksum != container::hash_header(page)) {
        in.refuse("the header page does not match its checksum", "header", offsetof(HeaderPage, checksum),
                  "sizes and offsets cannot be trusted");
    }
}

HeaderPage read_header(Checked const& in)
{
    auto const bytes = in.file.bytes();
    if (bytes.size() < in.kind.magic.size() ||
        std::memcmp(bytes.data(), in.kind.magic.data(), in.kind.magic.size()) != 0) {
        auto const begins = [&](std::string_view magic) {
            return bytes.size() >= magic.size() && std::memcmp(bytes.data(), magic.data(), magic.size()) == 0;
        };
        in.refuse(fmt::format("this is no {}", in.kind.name), "header", 0,
                  bytes.empty()        ? "the file is empty"
                  : begins("VOLPTVPF") ? "it is a film (.vpf)"
                  : begins("VOLPTVPK") ? "it is a packed volume (.vpk)"
                                       : "its first 8 bytes are others",
                  "name another file; volprep makes volumes of other formats, volrender films of volumes");
    }
    if (bytes.size() < sizeof(HeaderPage) + sizeof(container::EndMarker)) {
        in.refuse(fmt::format("the file ends after {} bytes, inside the header or before any section", bytes.size()),
                  "header", bytes.size(), "the file was cut short");
    }
    HeaderPage page;
    std::memcpy(&page, bytes.data(), sizeof page);
    check_identity(in, page);
    if (page.section_count > container::kMaxSections || page.header_bytes != sizeof(HeaderPage)) {
        in.refuse(fmt::format("the header claims {} sections in {} bytes", page.section_count, page.header_bytes),
                  "header", offsetof(HeaderPage, section_count),
                  fmt::format("at most {} sections fit its {} bytes", container::kMaxSections, sizeof(HeaderPage)));
    }
    return page;
}

// Sections follow each other with only padding between them, so offsets follow from sizes.
std::vector<SectionInfo> read_table(Checked const& in, HeaderPage const& page)
{
    std::uint64_t const end_bytes = in.size_bytes() - sizeof(container::EndMarker);
    std::uint64_t next_bytes = sizeof(HeaderPage);
    std::vector<SectionInfo> sections;
    for (std::uint32_t i = 0; i < page.section_count; ++i) {
        container::SectionEntry const& entry = page.sections[i];
        std::uint64_t const entry_offset = offsetof(HeaderPage, sections) + i * sizeof entry;
        auto const length =
            static_cast<std::size_t>(std::find(entry.name.begin(), entry.name.end(), '\0') - entry.name.begin());
        std::string const name(entry.name.data(), length);
        bool const is_new =
            std::none_of(sections.begin(), sections.end(), [&](auto const& s) { return s.name == name; });
        if (length == 0 || length == entry.name.size() || !is_new) {
            in.refuse(fmt::format("section {} has no name or one used before", i), "section table", entry_offset,
                      "sections are found by name");
        }
        if (entry.offset_bytes != next_bytes || entry.offset_bytes > end_bytes ||
            entry.size_bytes > end_bytes - entry.offset_bytes) {
            in.refuse(fmt::format("section '{}' claims {} bytes at {}; it has to start at {} and end before {}", name,
                                  entry.size_bytes, entry.offset_bytes, next_bytes, end_bytes),
                      "section table", entry_offset, "it would overlap others or reach past the file");
        }
        next_bytes = container::align_up(entry.offset_bytes + entry.size_bytes);
        sections.push_back({name, entry.offset_bytes, entry.size_bytes, entry.checksum});
    }
    if (next_bytes != end_bytes) {
        in.refuse(fmt::format("the sections end at {}, the end marker is at {}", next_bytes, end_bytes),
                  "section table", next_bytes, "the bytes between them belong to no section");
    }
    return sections;
}

void check_end_marker(Checked const& in, HeaderPage const& page)
{
    container::EndMarker const expected{page.magic, page.file_bytes, page.checksum};
    std::uint64_t const offset = in.size_bytes() - sizeof expected;
    if (std::memcmp(in.file.bytes().data() + offset, &expected, sizeof expected) != 0) {
        in.refuse("the end marker does not belong to this header", "end marker", offset,
                  "the file was cut short or joined from two");
    }
}

// In pieces that fit the cache, so that two hashes of a large section read memory once.
Hash128 hash_section(std::span<std::byte const> bytes, StreamHasher* also)
{
    constexpr std::size_t kPiece_bytes = 1 << 18;
    if (also == nullptr) return hash_bytes(bytes);
    StreamHasher own;
    for (std::size_t at = 0; at < bytes.size(); at += kPiece_bytes) {
        auto const piece = bytes.subspan(at, std::min(kPiece_bytes, bytes.size() - at));
        own.add(piece);
        also->add(piece);
    }
    return own.digest();
}

void check_section(Checked const& in, SectionInfo const& section, StreamHasher* also)
{
    auto const bytes = in.file.bytes();
    if (hash_section(bytes.subspan(section.offset_bytes, section.size_bytes), also) != section.checksum) {
        in.refuse(fmt::format("its {} bytes do not match their checksum", section.size_bytes),
                  fmt::format("section '{}'", section.name), section.offset_bytes, "the file is damaged");
    }
    std::uint64_t const end = section.offset_bytes + section.size_bytes;
    auto const padding = bytes.subspan(end, container::align_up(end) - end);
    auto const odd = std::find_if(padding.begin(), padding.end(), [](std::byte b) { return b != std::byte{0}; });
    if (odd != padding.end()) {
        in.refuse("the padding is not zero", fmt::format("after section '{}'", section.name),
                  end + static_cast<std::uint64_t>(odd - padding.begin()), "the file is damaged");
    }
}

} // namespace

struct SectionedFile::Impl {
    Impl(std::filesystem::path const& path, FileKind const& k)
        : file(path), kind(k), status_time_ns(file.status_time_ns())
    {
    }

    MappedFile file;
    FileKind kind;
    std::uint32_t version = 0;
    std::vector<SectionInfo> sections;
    std::mutex mutex;
    std::int64_t status_time_ns; ///< guarded by `mutex`: when the content was known to be what it was at the start

    SectionInfo const* find(std::string_view name) const
    {
        auto const found =
            std::find_if(sections.begin(), sections.end(), [&](auto const& s) { return s.name == name; });
        return found == sections.end() ? nullptr : &*found;
    }

    SectionInfo const& require(std::string_view name) const
    {
        SectionInfo const* const found = find(name);
        if (!found) {
            fail_input(fmt::format("section '{}' is missing", name), file.path().string(),
                       "the file cannot be understood without it", kMakeAgain);
        }
        return *found;
    }
};

SectionedFile SectionedFile::open(std::filesystem::path const& path, FileKind kind, VerifyLevel level)
{
    auto impl = std::make_unique<Impl>(path, kind);
    Checked const in{impl->file, kind};
    HeaderPage const page = read_header(in);
    impl->version = page.version;
    impl->sections = read_table(in, page);
    check_end_marker(in, page);
    if (level == VerifyLevel::full)
        for (SectionInfo const& section : impl->sections) check_section(in, section, nullptr);
    impl->file.check_unchanged();
    return SectionedFile(std::move(impl));
}

SectionedFile::SectionedFile(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SectionedFile::~SectionedFile() = default;
SectionedFile::SectionedFile(SectionedFile&&) noexcept = default;
SectionedFile& SectionedFile::operator=(SectionedFile&&) noexcept = default;

std::filesystem::path const& SectionedFile::path() const noexcept
{
    return impl_->file.path();
}

std::uint64_t SectionedFile::size_bytes() const noexcept
{
    return impl_->file.bytes().size();
}

std::uint32_t SectionedFile::version() const noexcept
{
    return impl_->version;
}

std::vector<SectionInfo> const& SectionedFile::sections() const noexcept
{
    return impl_->sections;
}

bool SectionedFile::has(std::string_view name) const noexcept
{
    return impl_->find(name) != nullptr;
}

std::span<std::byte const> SectionedFile::section(std::string_view name) const
{
    SectionInfo const& info = impl_->require(name);
    return impl_->file.bytes().subspan(info.offset_bytes, info.size_bytes);
}

Hash128 SectionedFile::checksum(std::string_view name) const
{
    return impl_->require(name).checksum;
}

void SectionedFile::verify(std::string_view name, StreamHasher* also) const
{
    check_section({impl_->file, impl_->kind}, impl_->require(name), also);
}

void SectionedFile::check_unchanged() const
{
    Impl& file = *impl_;
    file.file.check_unchanged();
    std::scoped_lock const lock(file.mutex);
    std::int64_t const now_ns = file.file.status_time_ns();
    if (now_ns == file.status_time_ns) return;
    try {
        for (SectionInfo const& section : file.sections) verify(section.name);
    } catch (Error const&) {
        file.file.refuse_changed();
    }
    file.file.check_unchanged(); // lost parts read as zeros, which may be what they held
    file.status_time_ns = now_ns;
}

} // namespace volpt
