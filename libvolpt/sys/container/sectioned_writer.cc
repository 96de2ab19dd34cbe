// Writes a sectioned file as a stream; the header page, which needs all sizes, is written last.
#include "libvolpt/sys/atomic_file.h"
#include "libvolpt/sys/container/container_layout.h"
#include "libvolpt/sys/container/sectioned_file.h"
#include "libvolpt/sys/error.h"

#include <algorithm>
#include <fmt/format.h>

namespace volpt {
namespace {

constexpr std::size_t kBuffer_bytes = 1 << 18; // small appends need no system call

} // namespace

struct SectionedWriter::Impl {
    Impl(std::filesystem::path path, FileKind kind) : file(std::move(path))
    {
        page.magic = kind.magic;
        page.version = kind.version;
        page.byte_order_mark = container::kByteOrderMark;
        page.header_bytes = sizeof(container::HeaderPage);
        buffer.reserve(kBuffer_bytes);
        put_zeros(sizeof(container::HeaderPage));
    }

    void flush()
    {
        file.write(buffer);
        buffer.clear();
    }

    void put(std::span<std::byte const> bytes)
    {
        position_bytes += bytes.size();
        if (buffer.size() + bytes.size() > kBuffer_bytes) flush();
        if (bytes.size() >= kBuffer_bytes) {
            file.write(bytes);
        } else {
            buffer.insert(buffer.end(), bytes.begin(), bytes.end());
        }
    }

    void put_zeros(std::uint64_t count) { put(std::vector<std::byte>(count)); }

    void close_section()
    {
        if (page.section_count > 0) {
            container::SectionEntry& entry = page.sections[page.section_count - 1];
            entry.size_bytes = position_bytes - entry.offset_bytes;
            entry.checksum = hasher.digest();
        }
        put_zeros(container::align_up(position_bytes) - position_bytes);
    }

    AtomicFile file;
    container::HeaderPage page{};
    std::vector<std::byte> buffer;
    std::uint64_t position_bytes = 0;
    StreamHasher hasher;
};

SectionedWriter::SectionedWriter(std::filesystem::path path, FileKind kind)
    : impl_(std::make_unique<Impl>(std::move(path), kind))
{
}

SectionedWriter::~SectionedWriter() = default;

void SectionedWriter::begin_section(std::string_view name)
{
    Impl& w = *impl_;
    auto const has_name = [&](container::SectionEntry const& entry) { return entry.name.data() == name; };
    auto const entries = std::span(w.page.sections).first(w.page.section_count);
    if (name.empty() || name.size() >= sizeof(container::SectionEntry::name) ||
        entries.size() == container::kMaxSections || std::any_of(entries.begin(), entries.end(), has_name)) {
        fail_usage(fmt::format("no section '{}' can be added", name),
                   fmt::format("names have 1 to 15 characters and occur once; a file has at most {} sections",
                               container::kMaxSections));
    }
    w.close_section();
    container::SectionEntry& entry = w.page.sections[w.page.section_count++];
    std::copy(name.begin(), name.end(), entry.name.begin());
    entry.offset_bytes = w.position_bytes;
    w.hasher = StreamHasher();
}

void SectionedWriter::append(std::span<std::byte const> bytes)
{
    if (impl_->page.section_count == 0)
        fail_usage("bytes appended before the first section", "call begin_section first");
    impl_->hasher.add(bytes);
    impl_->put(bytes);
}

void SectionedWriter::write_section(std::string_view name, std::span<std::byte const> bytes)
{
    begin_section(name);
    append(bytes);
}

void SectionedWriter::commit()
{
    Impl& w = *impl_;
    w.close_section();
    w.page.file_bytes = w.position_bytes + sizeof(container::EndMarker);
    w.page.checksum = container::hash_header(w.page);
    container::EndMarker const end{w.page.magic, w.page.file_bytes, w.page.checksum};
    w.put(std::as_bytes(std::span(&end, 1)));
    w.flush();
    w.file.write_at(0, std::as_bytes(std::span(&w.page, 1)));
    w.file.commit();
}

} // namespace volpt
