// Banks of outcomes in files, so that a render need not make what an earlier one made.
#pragma once

#include "libvolpt/core/outcome.hd.h"

#include <cstdint>
#include <filesystem>
#include <span>

namespace volpt {

/// All that the outcomes of one g in a bank depend on, beside the level. Larger levels are made of smaller ones: a bank
/// of few levels is the beginning of one of many.
struct BankKey {
    std::uint64_t seed = 0;
    std::uint32_t version = kBankVersion;
    std::uint32_t number = 0;
    std::uint32_t g_index = 0;
    std::uint32_t log2_size = kBankLog2Size;
    float g = 0;
    Steps kind = Steps::spheres;

    bool operator==(BankKey const&) const = default;
};

/// Files that are not whole, or of another version, program or key, are as good as missing, and are replaced. Whatever
/// fails, fails silently: nothing here is an error of a render. Any number of processes may use a folder at once.
class BankCache {
public:
    /// Of all files, after a write: the oldest are removed.
    static constexpr std::uint64_t kMostBytes = std::uint64_t{256} << 20;
    /// Only banks below this number are kept: a render of more samples takes longer than making them. Of layers, whose
    /// banks have 17 times the outcomes, as many as kMostBytes hold.
    static constexpr std::uint32_t kBanks = 32;
    static constexpr std::uint32_t kLayerBanks = 3;

    /// Of files in `folder`, which is made when there is something to write. An empty path: nothing is read or written.
    explicit BankCache(std::filesystem::path folder = {}, std::uint64_t most_bytes = kMostBytes)
        : folder_(std::move(folder)), most_bytes_(most_bytes)
    {
    }

    bool holds(BankKey const& key) const
    {
        return !folder_.empty() && key.number < (key.kind == Steps::layers ? kLayerBanks : kBanks);
    }
    std::filesystem::path name_file(BankKey const& key) const;

    /// Fills `outcomes`, levels of count_level_rows rows of 2^log2_size, from the first level on; the number of levels
    /// that were there.
    std::int32_t read(BankKey const& key, std::span<Outcome> outcomes) const noexcept;
    /// Writes or replaces the file of `key`.
    void write(BankKey const& key, std::span<Outcome const> outcomes) const noexcept;

private:
    void remove_oldest() const;

    std::filesystem::path folder_;
    std::uint64_t most_bytes_;
};

} // namespace volpt
