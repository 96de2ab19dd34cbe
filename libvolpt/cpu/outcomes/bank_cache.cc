#include "libvolpt/cpu/outcomes/bank_cache.h"

#include "libvolpt/sys/checksum.h"
#include "libvolpt/sys/container/sectioned_file.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <string>
#include <vector>

namespace volpt {
namespace fs = std::filesystem;
namespace {

constexpr FileKind kBankFile{{'V', 'O', 'L', 'P', 'T', 'B', 'N', 'K'}, file_version(1, 0), "bank of outcomes"};
constexpr char const* kPrefix = "bank-";
constexpr char const* kSuffix = ".vpb";
/// A temporary file as old as this was left by a process that died.
constexpr std::chrono::hours kAbandoned{1};

static_assert(sizeof(BankKey) == 32, "its bytes are compared and hashed: no padding");

std::span<std::byte const> bytes_of(BankKey const& key)
{
    return std::as_bytes(std::span(&key, 1));
}

struct CacheFile {
    fs::path path;
    fs::file_time_type written;
    std::uint64_t size_bytes;
};

/// Those that `write` has made, and no others: the folder may be any.
std::vector<CacheFile> list_cache_files(fs::path const& folder)
{
    std::vector<CacheFile> files;
    for (fs::directory_entry const& entry : fs::directory_iterator(folder)) {
        std::string const name = entry.path().filename().string();
        if (!name.starts_with(kPrefix) || name.find(kSuffix) == std::string::npos) continue;
        std::error_code gone; // another process may remove files too
        if (!entry.is_regular_file(gone)) continue;
        CacheFile const file{entry.path(), entry.last_write_time(gone), entry.file_size(gone)};
        if (gone) continue;
        bool const is_temporary = !name.ends_with(kSuffix);
        if (is_temporary && fs::file_time_type::clock::now() - file.written < kAbandoned) continue;
        files.push_back(file);
    }
    return files;
}

} // namespace

fs::path BankCache::name_file(BankKey const& key) const
{
    return folder_ / (kPrefix + to_hex(hash_bytes(bytes_of(key))) + kSuffix);
}

std::int32_t BankCache::read(BankKey const& key, std::span<Outcome> outcomes) const noexcept
{
    if (!holds(key)) return 0;
    try {
        SectionedFile const file = SectionedFile::open(name_file(key), kBankFile, VerifyLevel::quick);
        auto const stored_key = file.section("key");
        auto const stored = file.section("outcomes");
        std::size_t const level_bytes = (sizeof(Outcome) * count_level_rows(key.kind)) << key.log2_size;
        bool const fits = stored_key.size() == sizeof key && stored.size() % level_bytes == 0;
        if (!fits || std::memcmp(stored_key.data(), &key, sizeof key) != 0) return 0;
        // The copy is checked, not the file, which may change between the two.
        std::vector<std::byte> const copy(stored.begin(), stored.end());
        if (hash_bytes(copy) != file.checksum("outcomes")) return 0;
        std::size_t const bytes = std::min(copy.size(), outcomes.size_bytes());
        if (bytes > 0) std::memcpy(outcomes.data(), copy.data(), bytes);
        return static_cast<std::int32_t>(bytes / level_bytes);
    } catch (std::exception const&) {
        return 0;
    }
}

void BankCache::write(BankKey const& key, std::span<Outcome const> outcomes) const noexcept
{
    if (!holds(key)) return;
    try {
        fs::create_directories(folder_);
        SectionedWriter file(name_file(key), kBankFile);
        file.write_section("key", bytes_of(key));
        file.write_section("outcomes", std::as_bytes(outcomes));
        file.commit();
        remove_oldest();
    } catch (std::exception const&) {
        return; // the next render makes the bank again
    }
}

void BankCache::remove_oldest() const
{
    std::vector<CacheFile> files = list_cache_files(folder_);
    std::ranges::sort(files, {}, [](CacheFile const& file) { return file.written; });
    std::uint64_t total = 0;
    for (CacheFile const& file : files) total += file.size_bytes;
    for (CacheFile const& file : files) {
        if (total <= most_bytes_) return;
        std::error_code ignored;
        fs::remove(file.path, ignored);
        total -= file.size_bytes;
    }
}

} // namespace volpt
