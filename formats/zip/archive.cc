#include "formats/zip/archive.h"

#include "libvolpt/sys/error.h"
#include "libvolpt/sys/file_bytes.h"

#include <algorithm>
#include <fmt/format.h>
#include <string_view>
#include <zip.h>

namespace volpt {
namespace {

/// Deflate never exceeds 1032 to 1; a little more admits tiny files.
constexpr std::uint64_t kMaxZipRatio = 1100;

struct CloseZipEntry {
    void operator()(zip_file_t* entry) const { zip_fclose(entry); }
};

} // namespace

void ZipArchive::Close::operator()(zip* archive) const
{
    zip_discard(archive);
}

ZipArchive::ZipArchive(std::filesystem::path const& path, std::uint64_t max_entry_bytes)
    : path_(path.string()), max_entry_bytes_(max_entry_bytes)
{
    FileBytes const must_be_regular(path);
    int code = 0;
    archive_.reset(zip_open(path_.c_str(), ZIP_RDONLY, &code));
    if (archive_ != nullptr) return;
    zip_error_t error;
    zip_error_init_with_code(&error, code);
    std::string const reason = zip_error_strerror(&error);
    zip_error_fini(&error);
    fail_input("cannot be read as a zip archive: " + reason, path_, {}, "get a complete copy");
}

std::map<std::string, std::uint64_t> ZipArchive::list() const
{
    std::map<std::string, std::uint64_t> entries;
    auto const count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(0, zip_get_num_entries(archive_.get(), 0)));
    for (zip_uint64_t i = 0; i < count; ++i) {
        char const* const name = zip_get_name(archive_.get(), i, 0);
        if (name != nullptr && *name != '\0' && std::string_view(name).back() != '/') entries.emplace(name, i);
    }
    return entries;
}

std::vector<std::byte> ZipArchive::read(std::uint64_t index, std::string const& where, std::size_t max_bytes) const
{
    zip_stat_t facts;
    zip_stat_init(&facts);
    if (zip_stat_index(archive_.get(), index, 0, &facts) != 0) fail(where);
    if (facts.size > max_entry_bytes_ || facts.size / kMaxZipRatio > facts.comp_size)
        fail_input(fmt::format("{} bytes are announced in {} compressed ones", facts.size, facts.comp_size), where,
                   "no sound entry is that large", "get an undamaged copy of the archive");
    std::unique_ptr<zip_file_t, CloseZipEntry> const entry(zip_fopen_index(archive_.get(), index, 0));
    if (entry == nullptr) fail(where);
    std::vector<std::byte> bytes;
    for (;;) {
        // Room for one byte more than announced: only a read that finds the end checks the CRC.
        std::size_t const had = bytes.size();
        bytes.resize(std::min<std::size_t>(max_bytes, std::min<std::size_t>(had + 65536, facts.size + 1)));
        if (bytes.size() == had) return bytes;
        zip_int64_t const got = zip_fread(entry.get(), bytes.data() + had, bytes.size() - had);
        if (got < 0)
            fail_input(fmt::format("is damaged: {}", zip_file_strerror(entry.get())), where, {},
                       "get an undamaged copy of the archive");
        bytes.resize(had + static_cast<std::size_t>(got));
        if (got == 0) return bytes;
    }
}

void ZipArchive::fail(std::string const& where) const
{
    fail_input(fmt::format("cannot be read from the archive: {}", zip_strerror(archive_.get())), where, {},
               "get an undamaged, unencrypted copy");
}

} // namespace volpt
